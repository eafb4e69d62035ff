"""Sorts the lines of an OBJ file by statement."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from impinge.io.checks import Findings, count
from impinge.io.text import Lines, substituted, unix_newlines

if TYPE_CHECKING:
    from impinge._types import Longs

# Statements that carry no triangles.
_HARMLESS = frozenset(
    b"vt vn vp s usemtl mtllib usemap maplib l p mg bevel c_interp d_interp lod shadow_obj "
    b"trace_obj deg bmat step cstype parm trim hole scrv sp end con".split()
)
# Their geometry is not in the file.
_OUTSIDE = {
    b"call": "includes another file, which is not read",
    b"csh": "runs a command, which is not done",
}
_FREE_FORM = frozenset((b"curv", b"curv2", b"surf"))

_CONTINUATION = re.compile(rb"\\[ \t]*\r?\n")
_BLANK = np.frombuffer(b" \t\r\n", np.uint8)
_COMMENT = re.compile(rb"#[^\n]*")


@dataclass(frozen=True)
class Mark:
    """An object or group that begins before the face line with this number."""

    name: str
    face: int


@dataclass(frozen=True, eq=False)
class Statements:
    """Vertex and face lines without their keyword, and what stands between them.

    vertices_before: (n,) how many vertex lines come before each face line.
    """

    vertices: Lines
    faces: Lines
    vertices_before: Longs
    objects: tuple[Mark, ...]
    groups: tuple[Mark, ...]


def read_statements(data: bytes, findings: Findings) -> Statements:
    """Every line by its keyword; an unknown one is an error, for it might be geometry."""
    lines = _lines(data)
    last = len(lines.data) - 1
    first, second = lines.data[lines.start], lines.data[np.minimum(lines.start + 1, last)]
    bare = np.isin(second, _BLANK) | (lines.start == last)
    is_vertex = (first == ord("v")) & bare
    is_face = (first == ord("f")) & bare
    is_attribute = (first == ord("v")) & ((second == ord("t")) | (second == ord("n")))
    at = np.flatnonzero(is_attribute)
    third = lines.start[at] + 2
    is_attribute[at] = np.isin(lines.data[np.minimum(third, last)], _BLANK) | (third > last)
    faces_before = np.cumsum(is_face)
    objects: list[Mark] = []
    groups: list[Mark] = []
    left_out: list[tuple[bytes, int]] = []
    for line in np.flatnonzero(~(is_vertex | is_face | is_attribute)).tolist():
        keyword = lines.raw(line).split(None, 1)[0]
        if keyword in (b"o", b"g"):
            name = lines.raw(line)[1:].decode("utf-8", "replace").strip()
            mark = Mark(name, int(faces_before[line]))
            (objects if keyword == b"o" else groups).append(mark)
        elif keyword not in _HARMLESS:
            left_out.append((keyword, int(lines.number[line])))
    if left_out and _declares_counts(lines, int(is_vertex.sum()), int(is_face.sum())):
        del left_out[0]
    if left_out:
        _report(left_out, findings)
    return Statements(
        _without_keyword(lines[is_vertex]),
        _without_keyword(lines[is_face]),
        np.cumsum(is_vertex)[is_face],
        tuple(objects),
        tuple(groups),
    )


def _lines(data: bytes) -> Lines:
    """The lines without comments, continued ones joined; each has the number where it begins."""
    text = unix_newlines(data)
    if text.startswith(b"\xef\xbb\xbf"):
        text = text[3:]
    if b"\\" not in text:
        return Lines.of(_without_comments(text))
    text, breaks = _joined(text)
    lines = Lines.of(_without_comments(text))
    return replace(lines, number=lines.number + np.searchsorted(breaks, lines.start))


def _without_comments(text: bytes) -> bytes:
    """As long as before: what is left out becomes spaces."""
    return substituted(_COMMENT, _erased, text) if b"#" in text else text


def _erased(comment: re.Match[bytes]) -> bytes:
    # Names may hold a '#'; everywhere else it starts a comment.
    line_start = comment.string.rfind(b"\n", 0, comment.start()) + 1
    in_name = comment.string[line_start : comment.start()].split(None, 1)[:1] in ([b"o"], [b"g"])
    return comment[0] if in_name else b" " * len(comment[0])


def _joined(text: bytes) -> tuple[bytes, Longs]:
    """The text with spaces where lines are continued, and where the breaks of these were."""
    joined, breaks = bytearray(text), array("q")
    for found in _CONTINUATION.finditer(text):
        joined[found.start() : found.end()] = b" " * len(found[0])
        breaks.append(found.end() - 1)
    return bytes(joined), np.frombuffer(breaks, np.int64)


def _without_keyword(lines: Lines) -> Lines:
    return Lines(lines.data, lines.number, lines.start + 1, lines.end, lines.tokens - 1)


def _declares_counts(lines: Lines, vertices: int, faces: int) -> bool:
    """Whether the file opens with its counts of vertices and faces, as FCL's do, and they hold."""
    return lines.raw(0).split() in ([b"%d" % vertices, b"%d" % faces], [b"%d" % vertices])


def _report(left_out: list[tuple[bytes, int]], findings: Findings) -> None:
    keyword, line = left_out[0]
    shown = repr(keyword[:40].decode("utf-8", "replace"))
    if keyword in _FREE_FORM:
        cause = f"{shown} is a free-form curve or surface, not triangles"
    elif keyword in _OUTSIDE:
        cause = f"{shown} {_OUTSIDE[keyword]}"
    else:
        cause = f"unknown statement {shown} (not an OBJ file, or a damaged one)"
    findings.problem(cause, f"ignored {count(len(left_out), 'line')}", place=f"line {line}")
