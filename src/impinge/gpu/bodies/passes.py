"""From a deform function to vertices on the GPU, their box, whole numbers, and what is read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.errors import InputError, ShaderError
from impinge.gpu.sources import Source, after, source

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats, Ints, Singles
    from impinge.gpu.bodies.shape import GpuShape
    from impinge.gpu.session import Buffer, Session

SIGNATURE = "fn deform(rest: vec3<f32>, vertex: u32, part: u32, t: f32) -> vec3<f32>"

_FOUND = np.dtype([("low", "u4", 3), ("high", "u4", 3), ("wrong", "u4"), ("unused", "u4")])
_NONE = 0xFFFFFFFF
_GATHERED = 10
"""Words read back of a face: three corners and a part."""


class GpuVertices(NamedTuple):
    """The vertices of some bodies, on the GPU."""

    shapes: tuple[GpuShape, ...]
    vertices: Buffer
    """All of them, three floats each."""
    first: tuple[int, ...]
    """Where each body begins."""
    boxes: Floats
    """(k, 2, 3) lowest and highest corner of each body; NaN without vertices."""

    def read(self, session: Session, index: int) -> Singles:
        """(n, 3) all vertices of one body."""
        rows = session.read(self.vertices, np.float32).reshape(-1, 3)
        return rows[self.first[index] :][: self.shapes[index].resident.count]

    def mark_neighbours(
        self, session: Session, index: int, marked: Buffer, first_face: int
    ) -> None:
        """Set the bit of each face of a body that may meet a neighbour beyond what they share."""
        shape, first = self.shapes[index], self.first[index]
        stars = shape.resident.stars(session)
        session.compute(
            "bodies/neighbours",
            shape.resident.count,
            call=session.uniform(shape.resident.count, first, first_face),
            deformed=self.vertices,
            faces=shape.resident.buffers(session).faces,
            star_ends=stars.ends,
            stars=stars.faces,
            marked=marked,
        )

    def gather(self, session: Session, chosen: Sequence[Ints]) -> list[tuple[Singles, Ints]]:
        """Corners (k, 3, 3) and parts (k,) of some faces (k,) of each body, in one download."""
        ends = np.cumsum([0, *map(len, chosen)]).tolist()
        if not ends[-1]:
            return [(np.zeros((0, 3, 3), np.float32), np.zeros(0, np.int32)) for _ in chosen]
        ids = session.upload(np.concatenate(chosen), np.uint32)
        found = session.zeros(4 * _GATHERED * ends[-1])
        for shape, first, start, faces in zip(self.shapes, self.first, ends, chosen, strict=False):
            resident = shape.resident
            buffers = resident.buffers(session)
            session.compute(
                "bodies/gather",
                len(faces),
                call=session.uniform(len(faces), first, resident.parts is not None, start),
                deformed=self.vertices,
                faces=buffers.faces,
                parts=buffers.parts,
                chosen=ids,
                found=found,
            )
        rows = session.read(found, np.int32).reshape(-1, _GATHERED)
        corners = rows[:, :9].copy().view(np.float32).reshape(-1, 3, 3)
        cuts = ends[1:-1]
        return list(zip(np.split(corners, cuts), np.split(rows[:, 9], cuts), strict=True))


def make(session: Session, shapes: Sequence[GpuShape]) -> GpuVertices:
    """Run the deform function of each body; reads back its box only."""
    ends = np.cumsum([0, *(shape.resident.count for shape in shapes)]).tolist()
    vertices = session.zeros(12 * ends[-1])
    found = np.zeros(len(shapes), _FOUND)
    found["low"] = found["wrong"] = _NONE
    results = session.upload(found.view(np.uint32))
    for index, (shape, first) in enumerate(zip(shapes, ends, strict=False)):
        _deform(session, shape, first, vertices)
        session.compute(
            "bodies/box",
            shape.resident.count,
            call=session.uniform(shape.resident.count, first, index),
            deformed=vertices,
            found=results,
        )
    rows = session.read(results, np.uint32).view(_FOUND) if len(shapes) else found
    for shape, wrong in zip(shapes, rows["wrong"].tolist(), strict=True):
        if wrong != _NONE:
            raise InputError(
                f"body {shape.name!r}: vertex {wrong} that its GPU code made is not finite"
            )
    boxes = np.stack([_floats(rows["low"]), _floats(rows["high"])], axis=1).astype(np.float64)
    return GpuVertices(tuple(shapes), vertices, tuple(ends[:-1]), boxes)


def _deform(session: Session, shape: GpuShape, first: int, vertices: Buffer) -> None:
    resident = shape.resident
    buffers = resident.buffers(session)
    pose = np.eye(4) if shape.pose is None else shape.pose
    has = resident.has_rest, resident.parts is not None
    call = words(resident.count, first, *map(int, has), *pose[:3].reshape(-1), shape.time)
    try:
        session.compute(
            _program(resident.text),
            resident.count,
            impinge_call=session.uniform(*call),
            impinge_rest=buffers.rest,
            impinge_parts=buffers.parts,
            parameters=session.upload(shape.parameters),
            impinge_deformed=vertices,
        )
    except ShaderError as error:
        raise _explained(error, shape) from error


@cache
def _program(text: str) -> Source:
    return after(text, "bodies/deform", "deform") if text else source("bodies/buffer")


def _explained(error: ShaderError, shape: GpuShape) -> ShaderError:
    """The compiler's message; its lines are those of the user, unless it is about our call."""
    _, cause = error.args
    place = f"the WGSL of body {shape.name!r}"
    own_lines = shape.resident.text.count("\n") + 1
    if any(line > own_lines for line in _lines_of(cause)):
        return ShaderError(place, f"it must have {SIGNATURE}; the compiler says:\n{cause}")
    return ShaderError(place, cause)


def _lines_of(message: str) -> list[int]:
    """The line numbers that stand in the margin of a compiler's message."""
    margins = (line.partition("│")[0].strip() for line in message.splitlines())
    return [int(margin) for margin in margins if margin.isdigit()]


def words(*values: float) -> Ints:
    """Whole numbers and floats, four bytes each, one after the other."""
    kinds = (np.int32 if isinstance(value, int) else np.float32 for value in values)
    return np.stack([kind(value).view(np.int32) for kind, value in zip(kinds, values, strict=True)])


def _floats(keys: AnyArray) -> Singles:
    """The floats that bodies/box.wgsl put in order as whole numbers."""
    bits = np.where(keys >= 0x80000000, keys & 0x7FFFFFFF, ~keys).astype(np.uint32)
    return bits.view(np.float32)
