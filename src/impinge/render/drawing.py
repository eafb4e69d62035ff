"""A result made ready to be looked at, once for all its pictures and pages."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.errors import InputError
from impinge.render.bodies import ShownBodies, bounds_of
from impinge.render.finding import Finding, findings_of
from impinge.render.picture.surface import DrawnMesh, drawn_mesh
from impinge.results.check import Check
from impinge.results.collisions import Kind
from impinge.results.verdict import Verdict

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import AnyArray, Bools, Floats
    from impinge.render.palette import Colour
    from impinge.results.collisions import Collisions

# the first picture shows most of what clashes, but not a part so many times larger than that, no
# clash so far away, and of other parts those that make it hardly larger
_MUCH_LARGER, _FAR, _BESIDE = 10.0, 3.0, 1.25
# a part larger than this share of the first picture would hide the clashes of others
_LARGE = 0.45


class Pieces(NamedTuple):
    """Pieces of the surfaces of two bodies that are inside the other one."""

    corners: Floats
    """(n, 3, 3) in world coordinates."""
    surface: AnyArray
    """(n,) whether each is of the first body (0) or of the second (1)."""


class Touch(NamedTuple):
    """Lines (n, 2, 3) and single points (m, 3) in which two bodies touch."""

    lines: Floats
    points: Floats


class Drawing:
    """The bodies as they were when the result was found, and what is drawn of what was found.

    `hits` are the faces that meet where the result is a check; those of the check by default.
    """

    def __init__(
        self, result: Collisions | Check, up: str = "z", *, hits: Collisions | None = None
    ) -> None:
        if result.pose is not None:
            raise InputError(
                "hits: a picture, report or view shows one pose, this result has many; "
                "set the pose of the body and ask scene.collide()"
            )
        self.result = result
        self.up = up
        self.hits = hits or (result.collisions if isinstance(result, Check) else result)
        self._pieces: dict[int, Pieces | None] = {}

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return findings_of(self.result, self.hits)

    @cached_property
    def clashes(self) -> list[Finding]:
        """Body pairs that clash, are doubled, or inside one another."""
        return [finding for finding in self.findings if finding.clashes]

    @cached_property
    def contacts(self) -> list[Finding]:
        """Body pairs that only touch."""
        return [one for one in self.findings if one.verdict == Verdict.CONTACT]

    @cached_property
    def near(self) -> list[Finding]:
        """Body pairs that are nearer than they should be."""
        return [one for one in self.findings if one.verdict == Verdict.NEAR]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return tuple(self.hits._origin.shapes)

    @cached_property
    def bodies(self) -> ShownBodies:
        """Two bodies that clash or are near have different colours."""
        pairs = [one.bodies for one in (*self.clashes, *self.near)]
        return ShownBodies.of(self.hits.names, self.shapes, up=self.up, clashing=pairs)

    @property
    def colours(self) -> tuple[Colour, ...]:
        return self.bodies.colours

    @cached_property
    def meshes(self) -> tuple[DrawnMesh, ...]:
        return tuple(drawn_mesh(shape.vertices, shape.faces) for shape in self.shapes)

    @cached_property
    def crossing(self) -> Bools:
        """(n,) which rows of the faces cross."""
        return np.asarray(self.hits.kinds == Kind.CROSSING)

    @cached_property
    def boxes(self) -> Floats:
        """(bodies, 2, 3) the box of each body."""
        return np.array([bounds_of([shape]) for shape in self.shapes]).reshape(-1, 2, 3)

    @cached_property
    def bounds(self) -> Floats:
        """(2, 3) box of all bodies."""
        return bounds_of(self.shapes)

    @property
    def diagonal(self) -> float:
        return _diagonal(self.bounds)

    def extent(self, body: int) -> float:
        """The diagonal of the box of one body."""
        return _diagonal(self.boxes[body])

    @cached_property
    def focus(self) -> tuple[int, ...]:
        """Bodies that the first picture shows whole: all, unless most that clash would be tiny."""
        found = self.clashes or self.near
        every = tuple(range(len(self.shapes)))
        if not found:
            return every
        core = _most_of(found)
        chosen = {min(one.bodies, key=self.extent) for one in core}
        most = _MUCH_LARGER * self._around(chosen)
        chosen |= {b for one in core for b in one.bodies if self.extent(b) <= most}
        involved = {body for one in found for body in one.bodies if self.extent(body) <= most}
        if self._around(involved | chosen) <= _FAR * self._around(chosen):
            chosen |= involved
        low, high = self._box(chosen)
        grown = np.maximum(self.boxes[:, 1], high) - np.minimum(self.boxes[:, 0], low)
        beside = np.linalg.norm(grown, axis=1) <= _BESIDE * _diagonal(np.stack([low, high]))
        return tuple(sorted(chosen | set(np.flatnonzero(beside).tolist())))

    @property
    def span(self) -> float:
        """The diagonal of what the first picture shows."""
        return self._around(set(self.focus)) if self.focus else 0.0

    @cached_property
    def solid(self) -> frozenset[int]:
        """Bodies that are not seen through: those that clash, but none that hides a smaller one."""
        found = self.clashes or self.near
        if not found:
            return frozenset(range(len(self.shapes)))
        small = {b for one in found for b in one.bodies if self.extent(b) <= _LARGE * self.span}
        return frozenset(small or {min(one.bodies, key=self.extent) for one in found})

    def _around(self, bodies: set[int]) -> float:
        """The diagonal of the box of some bodies."""
        return _diagonal(self._box(bodies))

    def _box(self, bodies: set[int]) -> Floats:
        boxes = self.boxes[sorted(bodies)]
        return np.stack([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])

    def pieces(self, finding: Finding) -> Pieces | None:
        """The overlap of two bodies, or the areas in which they only touch.

        None where it is not known: of surfaces, of faces alone.
        """
        if finding.number not in self._pieces:
            made = None if finding.row is None else finding.row.overlap()
            pieces = None if made is None else Pieces(made.vertices[made.faces], made.surfaces)
            if pieces is None and not finding.clashes:
                pieces = self._areas(finding)
            self._pieces[finding.number] = pieces
        return self._pieces[finding.number]

    def _areas(self, finding: Finding) -> Pieces:
        """Coplanar overlaps, which are convex, as fans of triangles."""
        rows = finding.rows
        points, offsets = self.hits.polygons.points, self.hits.polygons.offsets
        start, sides = offsets[rows], offsets[rows + 1] - offsets[rows]
        fans = np.maximum(sides - 2, 0)
        first = np.repeat(start, fans)
        second = first + np.arange(len(first)) - np.repeat(np.cumsum(fans) - fans, fans) + 1
        corners = points[np.stack([first, second, second + 1], axis=1)]
        return Pieces(corners, np.zeros(len(corners), dtype=np.int8))

    def curve(self, finding: Finding) -> Floats:
        """(k, 2, 3) segments in which two bodies cross."""
        rows = finding.rows
        return np.asarray(self.hits.segments[rows[self.crossing[rows]]])

    def touch(self, finding: Finding) -> Touch | None:
        """Where two bodies touch beside areas in common; None of those that clash."""
        if finding.clashes:
            return None
        # the edges of an area are lines of contact too, of each triangle in it
        rows, pieces = finding.rows, self.pieces(finding)
        rows = rows[:0] if pieces is not None and len(pieces.corners) else rows
        kinds, segments = self.hits.kinds[rows], self.hits.segments[rows]
        spots = segments[kinds == Kind.POINT, 0]
        return Touch(segments[(kinds == Kind.CROSSING) | (kinds == Kind.SEGMENT)], spots)

    def place(self, finding: Finding) -> Floats:
        """(n, 3) points of all that is drawn of a finding."""
        gap, pieces = finding.gap, self.pieces(finding)
        parts = [self.curve(finding), finding.bounds if gap is None else gap]
        parts += [] if pieces is None else [pieces.corners]
        return np.concatenate([part.reshape(-1, 3) for part in parts])

    @cached_property
    def crossing_faces(self) -> tuple[Bools, ...]:
        """Per body, (faces,): the face crosses another, and no more is known than that."""
        result = tuple(np.zeros(len(shape.faces), dtype=bool) for shape in self.shapes)
        for finding in self.clashes:
            if self.pieces(finding) is None:
                for body, faces in zip(finding.bodies, self.faces(finding).T, strict=True):
                    result[body][faces] = True
        return result

    def faces(self, finding: Finding) -> AnyArray:
        """(k, 2) pairs of faces that cross."""
        rows = finding.rows
        return np.asarray(self.hits.pairs[rows[self.crossing[rows]]])


def _most_of(found: list[Finding]) -> list[Finding]:
    """Four of five, those nearest to the middle of them all."""
    centres = np.array([one.center for one in found])
    away = np.linalg.norm(centres - np.median(centres, axis=0), axis=1)
    limit = np.sort(away)[(4 * len(away) - 1) // 5]
    return [one for one, far in zip(found, away, strict=True) if far <= limit]


def _diagonal(box: Floats) -> float:
    return float(np.linalg.norm(box[1] - box[0]))
