"""The XML of a robot as a tree of elements, with limits on what a few bytes of it can cost."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from impinge.errors import MeshFileError
from impinge.io.checks import LARGEST_COORDINATE, LONGEST_NAME, Findings
from impinge.io.read import file_bytes
from impinge.io.xml import Xml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from impinge._types import Floats

_DEEPEST = 64
_PIECE = 1 << 16
# what Python keeps for an element and its attributes
_ELEMENT_BYTES = 1024
_XACRO = "http://www.ros.org/wiki/xacro"


@dataclass(eq=False)
class Element:
    """A tag with its attributes and what stands in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    findings: Findings
    children: list[Element] = field(default_factory=list)

    def fail(self, cause: str) -> NoReturn:
        """An error at the line of the element."""
        self.findings.fail(cause, place=f"line {self.line}")

    def all(self, tag: str) -> Iterator[Element]:
        """The children with this tag."""
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> Element | None:
        """The child with this tag, if there is one; two are an error."""
        found = list(self.all(tag))
        if len(found) > 1:
            found[1].fail(f"<{self.tag}> has a second <{tag}>")
        return found[0] if found else None

    def text(self, name: str) -> str:
        """An attribute that must be there and say something."""
        value = self.attributes.get(name, "").strip()
        if not value:
            self.fail(f"<{self.tag}> has no attribute {name!r}")
        return value

    def name(self, attribute: str = "name") -> str:
        """An attribute that is a name."""
        value = self.text(attribute)
        if len(value) > LONGEST_NAME:
            self.fail(f"a name has {len(value):,} characters; the limit is {LONGEST_NAME}")
        return value

    def numbers(self, name: str, count: int, default: tuple[float, ...] | None = None) -> Floats:
        """(count,) finite numbers of an attribute; without a default it must be there."""
        text = self.attributes.get(name)
        if text is None:
            if default is None:
                self.fail(f"<{self.tag}> has no attribute {name!r}")
            return np.array(default)
        words = text.split()
        try:
            values = [_number(word) for word in words] if len(words) == count else []
        except ValueError:
            values = []
        if len(values) != count or not all(abs(x) <= LARGEST_COORDINATE for x in values):
            wanted = "a finite number" if count == 1 else f"{count} finite numbers"
            self.fail(f"{name!r} of <{self.tag}> must be {wanted}, got {text[:60]!r}")
        return np.array(values)

    def number(self, name: str, default: float | None = None) -> float:
        """One finite number."""
        return float(self.numbers(name, 1, None if default is None else (default,))[0])

    def length(self, name: str) -> float:
        """A number above zero."""
        value = self.number(name)
        if not value > 0.0:
            self.fail(f"{name!r} of <{self.tag}> must be above 0, got {value:g}")
        return value


def _number(word: str) -> float:
    # Python takes 1_000 for a number, and digits of all scripts
    if "_" in word or not word.isascii():
        raise ValueError
    value = float(word)
    if not math.isfinite(value):
        raise ValueError
    return value


def read_document(path: Path) -> Element:
    """The <robot> of a URDF or SRDF file; a `MeshFileError` tells what is wrong with it."""
    data = file_bytes(path)
    findings = Findings(path, lenient=False, size=len(data))
    try:
        root = _Tree(findings).parse(data)
    except MeshFileError:
        raise
    except MemoryError:
        raise MeshFileError(path, "", "does not fit into memory") from None
    if root.tag != "robot":
        hint = "; run xacro first" if _is_xacro(root.tag) else ""
        root.fail(f"begins with <{root.tag[:60]}>, expected <robot>{hint}")
    return root


def _is_xacro(tag: str) -> bool:
    return tag.startswith((_XACRO, "xacro"))


class _Tree:
    """Takes the elements from the parser as they come."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._xml = Xml("", findings)
        self._root: Element | None = None
        self._open: list[Element] = []
        self._xml.parser.StartElementHandler = self._start
        self._xml.parser.EndElementHandler = self._end

    def parse(self, data: bytes) -> Element:
        self._xml.parse(data[at : at + _PIECE] for at in range(0, len(data), _PIECE))
        assert self._root is not None
        return self._root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        # URDF has no namespace of its own; some writers give it one
        uri, _, plain = tag.rpartition(" ")
        if _is_xacro(uri):
            self._xml.fail(f"<xacro:{plain[:60]}> is a macro; run xacro first")
        if len(self._open) >= _DEEPEST:
            self._xml.fail(f"elements stand in each other more than {_DEEPEST} deep")
        self._xml.spend(_ELEMENT_BYTES + sum(map(len, attributes.values())))
        element = Element(plain, attributes, self._xml.line(), self._findings)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, _: str) -> None:
        self._open.pop()
