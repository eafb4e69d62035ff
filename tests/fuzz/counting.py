"""What the face counters of all formats share; nothing here comes from the readers they watch.

A counter is written from the format's specification, in plain loops, and is strict: it raises
`UncountableError` for a file whose triangles it cannot be sure of.
"""

from __future__ import annotations

import re

_NUMBER = re.compile(
    rb"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan(\([^)]*\)?)?|inf(inity)?)", re.IGNORECASE
)
_WHOLE = re.compile(rb"[+-]?\d+")


class UncountableError(Exception):
    """No reader should deliver triangles of this file without a word."""


def require(condition: object, cause: str) -> None:
    if not condition:
        raise UncountableError(cause)


def is_number(token: bytes) -> bool:
    return _NUMBER.fullmatch(token) is not None


def whole(token: bytes) -> int:
    require(_WHOLE.fullmatch(token), f"{token[:40]!r} is no whole number")
    require(len(token) < 20, "a number of many digits")
    return int(token)


def numbers(tokens: list[bytes]) -> None:
    for token in tokens:
        require(is_number(token), f"{token[:40]!r} is no number")


def polygon(corners: int) -> int:
    """Triangles of a polygon."""
    require(corners >= 3, f"a polygon of {corners} corners")
    return corners - 2
