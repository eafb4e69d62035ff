"""Creatures with bending tentacles, and shuttles that fly between them.

Everything is one formula, `deform`, with a few numbers for each part: what a vertex shader does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge import _surfaces as surfaces
from impinge.lab.scenes.motion import rotations

if TYPE_CHECKING:
    from impinge._types import Floats, Ints

# how a tentacle swings: turns in the time from 0 to 1, and how far its tip lags behind its root
SPEED = 4 * np.pi
CURL = 2.0

# of the grid the creatures float in
_CELL = 2.75
_BODY_RADIUS = 0.5
_TENTACLE = 1.1
_LEAST_GROWTH = 0.25
_SHUTTLE = np.array([0.5, 0.18, 0.12])


@dataclass(frozen=True)
class Parts:
    """What `deform` needs to know of each part and what does not change; rows are parts.

    root, axis, side: (p, 3), axis and side unit vectors and perpendicular. length, bend, phase:
    (p,). A body of a creature and a shuttle are parts too, with bend 0.
    """

    root: Floats
    axis: Floats
    side: Floats
    length: Floats
    bend: Floats
    phase: Floats


def deform(
    rest: Floats, part: Ints, t: float, *, parts: Parts, growth: Floats, offset: Floats
) -> Floats:
    """Where the vertices `rest` (n, 3) of the parts `part` (n,) are at time t.

    With the values of a vertex's part, growth (p,) and offset (p, 3) being those of this frame:

        h = dot(rest - root, axis)                      height above the root
        u = h / length
        a = SPEED t + phase - CURL u
        swing = bend u^2 (cos(a) side + sin(a) cross(axis, side))
        result = rest + offset + (growth - 1) h axis + growth swing

    Rings of a tentacle are moved as a whole and stay parallel to its root.
    """
    root, axis, side = parts.root[part], parts.axis[part], parts.side[part]
    h = np.einsum("nk,nk->n", rest - root, axis)
    u = h / parts.length[part]
    a = SPEED * t + parts.phase[part] - CURL * u
    bend = parts.bend[part] * u * u
    across = np.cross(parts.axis, parts.side)[part]
    swing = (bend * np.cos(a))[:, None] * side + (bend * np.sin(a))[:, None] * across
    grown = growth[part][:, None]
    return np.asarray(rest + offset[part] + (grown - 1) * h[:, None] * axis + grown * swing)


@dataclass(frozen=True)
class Creatures:
    """Rest meshes of all bodies in one, and how they move."""

    rest: Floats
    """(n, 3), creatures and shuttles around the origin each."""
    faces: Ints
    part: Ints
    """(n,) part of each vertex."""
    parts: Parts
    owner: Ints
    """(p,) body of each part: creatures first, then shuttles."""
    creatures: int
    shuttles: int

    @property
    def bodies(self) -> int:
        return self.creatures + self.shuttles

    def face_parts(self) -> Ints:
        """(m,) part of each face."""
        return np.asarray(self.part[self.faces[:, 0]])

    def offsets(self, t: float) -> Floats:
        """(p, 3) where the body of each part is: creatures float about, shuttles cross."""
        return self._places(t)[self.owner]

    def growth(self, t: float) -> Floats:
        """(p,) length of the tentacles: one retracts from a shuttle at its tip, and grows again."""
        places = self._places(t)
        tentacle = self.parts.bend > 0
        tips = self.parts.root + self.parts.length[:, None] * self.parts.axis + places[self.owner]
        shuttles = places[self.creatures :]
        gap = np.linalg.norm(tips[:, None] - shuttles[None], axis=2).min(axis=1)
        grown = np.clip(gap / (2 * _SHUTTLE[0]), _LEAST_GROWTH, 1.0)
        return np.where(tentacle, grown, 1.0)

    def at(self, t: float) -> Floats:
        """(n, 3) all vertices at time t."""
        growth, offset = self.growth(t), self.offsets(t)
        return deform(self.rest, self.part, t, parts=self.parts, growth=growth, offset=offset)

    def _places(self, t: float) -> Floats:
        columns = int(np.ceil(np.sqrt(self.creatures)))
        row, column = np.divmod(np.arange(self.creatures), columns)
        width, height = _CELL * columns, _CELL * (row[-1] + 1)
        turn = 2 * np.pi * (t + 0.37 * np.arange(self.creatures))
        homes = np.stack([column + 0.5, row + 0.5, 0 * row], axis=-1) * _CELL
        swaying = 0.08 * np.stack([np.cos(turn), np.sin(turn), np.sin(2 * turn)], axis=-1)
        lane = (np.arange(self.shuttles) + 0.5) * height / self.shuttles
        # forth on even lanes, back on odd ones, each a little behind the one before
        share = np.mod(t + 0.29 * np.arange(self.shuttles), 1.0)
        along = np.where(np.arange(self.shuttles) % 2 == 0, share, 1.0 - share) * width
        flights = np.stack([along, lane, 0.25 * np.sin(7 * share)], axis=-1)
        return np.concatenate([homes + swaying, flights])


def creatures(count: int, shuttles: int, *, detail: int, seed: int = 11) -> Creatures:
    """Creatures with 12 to 20 tentacles, some 38,000 triangles each when `detail` is 24."""
    random = np.random.default_rng(seed)
    globe = surfaces.globe(4 * detail // 3, 8 * detail // 3)
    rings = 11 * detail // 6
    taper = 0.075 * (1 - 0.7 * np.linspace(0.0, 1.0, rings + 1))
    tentacle = surfaces.tube(rings, detail, taper)
    shuttle = surfaces.globe(detail, 2 * detail)
    meshes = []
    rows: list[tuple[Floats, Floats, Floats, float, float, float]] = []
    owner = []
    for creature in range(count):
        tentacles = 12 + (5 * creature) % 9
        meshes.append((globe[0] * _BODY_RADIUS, globe[1]))
        rows.append(_still())
        axes = _directions(tentacles) @ rotations(random, 1)[0]
        phases = random.uniform(0, 2 * np.pi, tentacles)
        lengths = _TENTACLE * random.uniform(0.8, 1.2, tentacles)
        for axis, phase, length in zip(axes, phases, lengths, strict=True):
            side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
            side /= np.linalg.norm(side)
            # just off the body, so that a creature at rest does not meet itself
            root = 1.02 * _BODY_RADIUS * axis
            frame = np.stack([side, np.cross(axis, side), length * axis])
            meshes.append((root + tentacle[0] @ frame, tentacle[1]))
            rows.append((root, axis, side, float(length), 0.45 * float(length), float(phase)))
        owner += [creature] * (1 + tentacles)
    for number in range(shuttles):
        meshes.append((shuttle[0] * _SHUTTLE, shuttle[1]))
        rows.append(_still())
        owner.append(count + number)
    starts = np.cumsum([0, *(len(points) for points, _ in meshes)])
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return Creatures(
        rest=np.concatenate([points for points, _ in meshes]),
        faces=np.concatenate(
            [faces + start for (_, faces), start in zip(meshes, starts[:-1], strict=True)]
        ).astype(np.int32),
        part=np.repeat(np.arange(len(meshes)), np.diff(starts)).astype(np.int32),
        parts=Parts(*columns),
        owner=np.array(owner, dtype=np.int32),
        creatures=count,
        shuttles=shuttles,
    )


def _still() -> tuple[Floats, Floats, Floats, float, float, float]:
    """Numbers of a part that does not deform."""
    x, _, z = np.eye(3)
    return np.zeros(3), z, x, 1.0, 0.0, 0.0


def _directions(count: int) -> Floats:
    """(count, 3) unit vectors spread evenly over the sphere, by the golden angle."""
    z = 1 - (2 * np.arange(count) + 1) / count
    angle = np.pi * (3 - 5**0.5) * np.arange(count)
    radius = np.sqrt(1 - z * z)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=-1)
