"""The XML of a COLLADA document as a tree; only numbers that are needed keep their text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from impinge.io.checks import Findings
from impinge.io.text import integers, numbers
from impinge.io.xml import Xml

if TYPE_CHECKING:
    from impinge._types import Floats, Longs

_DEEPEST = 256
_PIECE = 1 << 16
# what Python keeps for an element and its attributes
_ELEMENT_BYTES = 1024
_WITH_TEXT = frozenset(
    ("float_array", "p", "vcount", "matrix", "translate", "rotate", "scale", "lookat", "skew")
)


@dataclass(eq=False)
class Node:
    """An element with its attributes, what stands in it, and its text."""

    tag: str
    attributes: dict[str, str]
    line: int
    findings: Findings
    children: list[Node] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def place(self) -> str:
        return f"line {self.line}"

    def fail(self, cause: str) -> NoReturn:
        """An error at the line of the element."""
        self.findings.fail(cause, place=self.place)

    def all(self, tag: str) -> Iterator[Node]:
        """The children with this tag."""
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> Node | None:
        """The first child with this tag."""
        return next(self.all(tag), None)

    def walk(self) -> Iterator[Node]:
        """The element and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def number(self, attribute: str, default: int) -> int:
        """An attribute that counts something."""
        text = self.attributes.get(attribute)
        if text is None:
            return default
        found = integers(text.encode("utf-8", "replace"), 1)
        if found is None or found[0] < 0:
            self.fail(f"{attribute!r} of <{self.tag}> must be a count, got {text[:40]!r}")
        return int(found[0])

    def floats(self, count: int = -1) -> Floats:
        """The numbers of the text; exactly so many, unless -1."""
        text = "".join(self.pieces).encode("utf-8", "replace")
        words = len(text.split())
        found = numbers(text, words) if words else np.zeros(0)
        if found is None or count not in (-1, words):
            self.fail(f"<{self.tag}> must hold {'only' if count < 0 else count} numbers")
        return found

    def indices(self) -> Longs:
        """The whole numbers of the text."""
        text = "".join(self.pieces).encode("utf-8", "replace")
        words = len(text.split())
        found = integers(text, words) if words else np.zeros(0, np.int64)
        if found is None:
            self.fail(f"<{self.tag}> must hold only whole numbers")
        return found


def parse(data: bytes, findings: Findings) -> Node:
    """The root of the tree."""
    return _Tree(findings).parse(data)


class _Tree:
    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._xml = Xml("", findings)
        self._open: list[Node] = []
        self._root: Node | None = None
        parser = self._xml.parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def parse(self, data: bytes) -> Node:
        self._xml.parse(data[at : at + _PIECE] for at in range(0, len(data), _PIECE))
        assert self._root is not None
        return self._root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= _DEEPEST:
            self._xml.fail(f"elements stand in each other more than {_DEEPEST} deep")
        self._xml.spend(_ELEMENT_BYTES)
        node = Node(tag.rpartition(" ")[2], attributes, self._xml.line(), self._findings)
        if self._open:
            self._open[-1].children.append(node)
        else:
            self._root = node
        self._open.append(node)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        if self._open and self._open[-1].tag in _WITH_TEXT:
            self._open[-1].pieces.append(text)
