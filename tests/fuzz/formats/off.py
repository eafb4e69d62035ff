"""OFF: counts, then a line for each vertex and each face."""

from __future__ import annotations

from fuzz import mutate
from fuzz.counting import numbers, polygon, require
from fuzz.layers import Layer, Layers

WORDS = (
    b"OFF|COFF|NOFF|CNOFF|STOFF|STCNOFF|4OFF|nOFF|BINARY|# c|\n3 0 1 2\n|\n4 0 1 2 3\n|\n0 0 0\n|"
    b"#|\n2 0 1\n|3 0 1 2 0.5 0.5 1\n"
).split(b"|")


def extension(data: bytes) -> str:
    return ".off"


def count(data: bytes) -> int:
    lines = [line.split(b"#", 1)[0].split() for line in data.splitlines()]
    lines = [line for line in lines if line]
    require(lines, "an empty file")
    keyword, *rest = lines[0]
    require(keyword in (b"OFF", b"COFF", b"NOFF", b"CNOFF", b"STOFF", b"STCOFF", b"STNOFF",
                        b"STCNOFF"), "no keyword")  # fmt: skip
    lines = [rest, *lines[1:]] if rest else lines[1:]
    require(lines and len(lines[0]) in (2, 3), "no counts")
    vertices, faces = (int(float(token)) for token in lines[0][:2])
    require(vertices >= 0 and faces >= 0, "a negative count")
    require(len(lines) == 1 + vertices + faces, "other lines than declared")
    for line in lines[1 : 1 + vertices]:
        require(len(line) >= 3, "a vertex of fewer numbers")
        numbers(line)
    return sum(_triangles(line) for line in lines[1 + vertices :])


def _triangles(line: list[bytes]) -> int:
    numbers(line)
    corners = int(float(line[0]))
    require(len(line) > corners, "fewer corners than announced")
    return polygon(corners)


def layers(data: bytes) -> Layers:
    yield Layer(data, mutate.text(WORDS), bytes, weight=2)
    yield Layer(data, mutate.text(WORDS), in_step, weight=2)


def in_step(data: bytes) -> bytes:
    """The counts such that every line is a vertex or a face, by the first that looks like one."""
    lines = data.split(b"\n")
    rows = [i for i, line in enumerate(lines) if line.split(b"#")[0].strip()]
    if len(rows) < 3:
        return data
    body = [lines[i].split(b"#")[0].split() for i in rows[2:]]
    faces = sum(len(words) > 3 and words[0] == b"%d" % (len(words) - 1) for words in body)
    lines[rows[1]] = b"%d %d 0" % (len(body) - faces, faces)
    return b"\n".join(lines)
