"""Text STL: solids of facets, read by whole blocks of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from impinge.io.budget import MESH_BYTES
from impinge.io.checks import Findings, checked_name, count
from impinge.io.text import numbers, unix_newlines

if TYPE_CHECKING:
    from impinge._types import Floats, Longs

# A plain word first, so that the search runs at the speed of memchr over the facets between.
_SOLID = re.compile(rb"solid\b[^\n]*")
_WORD = re.compile(rb"\S+")

# The tokens of one facet; None stands for a number.
_VERTEX = (b"vertex", None, None, None)
_FACET = (b"facet", b"normal", None, None, None, b"outer", b"loop", *_VERTEX, *_VERTEX, *_VERTEX,
          b"endloop", b"endfacet")  # fmt: skip
_WORDS = tuple((i, word) for i, word in enumerate(_FACET) if word is not None)
_COORDINATES = (8, 9, 10, 12, 13, 14, 16, 17, 18)

# Tokens take fifty times the memory of their text, so they live for one block only.
_BLOCK_BYTES = 1 << 22


class _Text:
    """The text, the same in lower case, and the lines of its bytes."""

    def __init__(self, data: bytes) -> None:
        self.written = unix_newlines(data)
        self.lowered = self.written.lower()

    @cached_property
    def _newlines(self) -> Longs:
        return np.flatnonzero(np.frombuffer(self.written, np.uint8) == ord("\n"))

    def line(self, offset: int) -> int:
        """The number of the line that a byte stands in."""
        return int(np.searchsorted(self._newlines, offset)) + 1


@dataclass(frozen=True, eq=False)
class Solid:
    """corners: (3 n, 3). start: byte of the text where the facets start."""

    name: str
    corners: Floats
    start: int
    text: _Text

    def place(self, facet: int) -> str:
        return f"line {self.text.line(self.start)}: solid {self.name[:40]!r}, facet {facet}"


def read_solids(data: bytes, findings: Findings) -> list[Solid]:
    """Every `solid ... endsolid` of the text."""
    text = _Text(data)
    solids: list[Solid] = []
    for name, start, end in _bodies(text, findings):
        findings.spend(MESH_BYTES, f"{len(solids) + 1:,} solids")
        blocks = [_corners(text, *block, findings) for block in _blocks(text.lowered, start, end)]
        corners = blocks[0] if len(blocks) == 1 else np.concatenate(blocks)
        solids.append(Solid(name, corners, start, text))
    if not solids:
        findings.fail("has no line that starts with the word 'solid'")
    return solids


@dataclass(frozen=True)
class _Mark:
    """A `solid NAME` or `endsolid NAME` line and its bytes."""

    closes: bool
    name: str
    start: int
    end: int


def _marks(text: _Text) -> Iterator[_Mark]:
    lowered = text.lowered
    for word in _SOLID.finditer(lowered):
        line_start = lowered.rfind(b"\n", 0, word.start()) + 1
        before = lowered[line_start : word.start()].lstrip()
        if before in (b"", b"end"):
            name = text.written[word.start() + len(b"solid") : word.end()]
            shown = checked_name(name.decode("utf-8", "replace"))
            yield _Mark(before == b"end", shown, line_start, word.end())


def _bodies(text: _Text, findings: Findings) -> Iterator[tuple[str, int, int]]:
    """Name and byte range of the facets of each solid."""
    opened: _Mark | None = None
    outside = 0
    for mark in _marks(text):
        if opened is None:
            _nothing_between(text, outside, mark.start, findings)
            if mark.closes:
                place = f"line {text.line(mark.start)}"
                findings.problem("endsolid without solid", "ignored it", place=place)
        else:
            if not mark.closes:
                _unfinished(text, opened, mark.start, findings)
            yield opened.name, opened.end, mark.start
        opened, outside = (None if mark.closes else mark), mark.end
    if opened is None:
        _nothing_between(text, outside, len(text.written), findings)
    else:
        _unfinished(text, opened, len(text.written), findings)
        yield opened.name, opened.end, len(text.written)


def _unfinished(text: _Text, opened: _Mark, end: int, findings: Findings) -> None:
    findings.problem(
        f"solid {opened.name[:40]!r} of line {text.line(opened.start)} has no endsolid "
        "(truncated file?)",
        "read it to there",
        place=f"line {text.line(end)}",
    )


def _nothing_between(text: _Text, start: int, end: int, findings: Findings) -> None:
    stray = text.written[start:end].lstrip()
    if stray:
        found = stray[:40].split()[0].decode("utf-8", "replace")
        line = text.line(end - len(stray))
        findings.problem(
            f"{found!r} outside of solid ... endsolid", "ignored it", place=f"line {line}"
        )


def _blocks(text: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Byte ranges of about a block's size that end behind a facet."""
    while end - start > _BLOCK_BYTES:
        cut = text.rfind(b"endfacet", start, start + _BLOCK_BYTES)
        if cut < 0:
            break
        yield start, cut + len(b"endfacet")
        start = cut + len(b"endfacet")
    yield start, end


def _corners(text: _Text, start: int, end: int, findings: Findings) -> Floats:
    """(3 n, 3) corners of the facets in a byte range."""
    tokens = text.lowered[start:end].split()
    step = len(_FACET)
    whole = len(tokens) // step
    good = len(tokens) == whole * step and all(
        tokens[i::step].count(word) == whole for i, word in _WORDS
    )
    found = _numbers_of(tokens, whole) if good else None
    if found is not None:
        return found
    usable = _report_first_bad_facet(text, start, end, tokens, findings)
    found = _numbers_of(tokens, usable)
    return np.zeros((0, 3)) if found is None else found


def _numbers_of(tokens: list[bytes], facets: int) -> Floats | None:
    columns = [tokens[i : facets * len(_FACET) : len(_FACET)] for i in _COORDINATES]
    joined = b" ".join(chain.from_iterable(zip(*columns, strict=True)))
    found = numbers(joined, 9 * facets)
    return None if found is None else found.reshape(-1, 3)


def _report_first_bad_facet(
    text: _Text, start: int, end: int, tokens: list[bytes], findings: Findings
) -> int:
    """Tells the first token that is not as it should be; the number of facets before it."""
    expected_at = dict(_WORDS)
    step = len(_FACET)
    for i, token in enumerate(tokens):
        word = expected_at.get(i % step)
        wrong = token != word if word else i % step in _COORDINATES and numbers(token, 1) is None
        if wrong:
            wanted = repr(word.decode()) if word else "a number"
            found = repr(token[:40].decode("utf-8", "replace"))
            break
    else:
        i, wanted, found = len(tokens), "the rest of the facet", "the end of the solid"
    place = _token_offset(text.lowered, start, end, i)
    whole = i // step
    lost = text.lowered.count(b"endfacet", start, end) - whole
    findings.problem(
        f"expected {wanted}, found {found}",
        f"dropped {count(max(lost, 1), 'facet')} from there on",
        place=f"line {text.line(place)}",
    )
    return whole


def _token_offset(text: bytes, start: int, end: int, index: int) -> int:
    token = next(islice(_WORD.finditer(text, start, end), index, None), None)
    return end if token is None else token.start()
