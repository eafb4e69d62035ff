"""Tables that commands print."""

from __future__ import annotations

import re


def cells(text: str) -> list[list[str]]:
    """The rows of the first table, without its heading."""
    lines = text.splitlines()
    return [re.split(r"\s{2,}", line.strip()) for line in lines[2 : lines.index("")]]
