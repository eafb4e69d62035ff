"""A file that leads the browser of this user, and of nobody else, to a page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

_HTML = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={url}">
<title>Impinge</title>
</head>
<body><a href="{url}">Open the page</a></body>
</html>
"""


@contextmanager
def doorway(url: str) -> Iterator[str]:
    """The address of such a file, which is there until the block is left.

    A browser is told on its command line what to open, and every user of the machine can read
    that: it must not hold the token of a page.
    """
    with TemporaryDirectory(prefix="impinge-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "open.html"
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(_HTML.format(url=escape(url)))
        yield path.as_uri()
