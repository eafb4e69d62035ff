"""The answer of a query: sorted pairs of faces, and everything that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _core
from impinge._arrays import read_only
from impinge._pairs import distinct_pairs
from impinge._text import counted, html_table
from impinge.results.columns import Columns

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from impinge._types import Bools, Bytes, Floats, Ints, Longs
    from impinge.results.body_pairs import BodyPairs
    from impinge.results.clashes import Clash
    from impinge.results.columns import Origin
    from impinge.results.loops import Loop
    from impinge.results.polygons import Polygons
    from impinge.results.segments import Intersections
    from impinge.scene import Scene


class Kind(IntEnum):
    """How two faces meet, or that they nearly do.

    See Also
    --------
    impinge.Collisions.kinds

    Examples
    --------
    >>> import impinge
    >>> impinge.Kind(4).name
    'COPLANAR'
    """

    NONE = 0
    """Not at all; never in a result."""
    CROSSING = 1
    """Along a segment, each with vertices strictly on both sides of the other's plane."""
    POINT = 2
    """Touching in one point."""
    SEGMENT = 3
    """Touching along a segment."""
    COPLANAR = 4
    """Overlapping in a common plane."""
    NEAR = 5
    """Not at all, but within the margin of the query."""


KIND_NAMES = tuple(kind.name.lower() for kind in Kind)


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Collisions(Columns):
    """Colliding pairs of faces, sorted; the answer of `impinge.collide` and `Scene.collide`.

    `len(hits)` is the number of pairs, `bool(hits)` whether there are any. What follows from the
    pairs (segments, loops, clashes) is computed when first asked for, for the bodies as they were.
    Arrays are read-only. `None` means "not asked for", an empty array "none found".

    See Also
    --------
    impinge.collide, impinge.self_collide, impinge.Scene.collide

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> hits = impinge.collide((vertices, faces), (vertices + 0.2, faces))
    >>> hits.pairs.tolist(), hits.kinds.tolist()
    ([[3, 0], [3, 1], [3, 2]], [1, 1, 1])
    >>> hits.segments.shape
    (3, 2, 3)
    >>> hits.loops
    (Loop(3 points, closed, bodies (0, 1)),)
    """

    pairs: Ints
    """(n, 2) int32: face of the first body, face of the second."""
    kinds: Bytes
    """(n,) uint8, see `Kind`."""
    pose: Ints | None
    """(n,) int32 index of the pose, or the configuration, of each pair; None without poses."""
    _bodies: Ints | None
    _origin: Origin
    inside: Ints | None = None
    """(k, 2) int32: a closed body wholly inside another, and that other; their surfaces have no
    points in common, so they have no pairs. None: the detector does not look for it."""
    warnings: tuple[str, ...] = ()
    """Why pairs may be missing; an exact detector never has any."""
    complete: bool = True
    """Whether no pair is missing for sure; the pairs that are there are always right."""

    def __init__(
        self,
        pairs: Ints,
        kinds: Bytes,
        pose: Ints | None,
        _bodies: Ints | None,
        _origin: Origin,
        inside: Ints | None = None,
        warnings: tuple[str, ...] = (),
        *,
        complete: bool = True,
    ) -> None:
        fields = self.__dict__  # one by one, as a frozen dataclass does, takes as long as a query
        fields["pairs"], fields["kinds"], fields["pose"] = pairs, kinds, pose
        fields["_bodies"], fields["_origin"], fields["inside"] = _bodies, _origin, inside
        fields["warnings"], fields["complete"] = warnings, complete
        _core.freeze_arrays(fields)

    @cached_property
    def bodies(self) -> Ints:
        """(n, 2) int32: the bodies of the two faces."""
        if self._bodies is not None:
            return self._bodies
        ids = np.array([0, len(self._origin.shapes) - 1], dtype=np.int32)
        return np.broadcast_to(ids, self.pairs.shape)

    @cached_property
    def parts(self) -> Ints | None:
        """(n, 2) int32: parts of the two faces, as read from the GPU; -1 for other bodies.

        None when no body was made on the GPU.
        """
        known = [getattr(shape, "parts", None) for shape in self._origin.shapes]
        if all(own is None for own in known):
            return None
        parts = np.full(self.pairs.shape, -1, dtype=np.int32)
        for body, own in enumerate(known):
            if own is not None:
                rows = self.bodies == body
                parts[rows] = own[self.pairs[rows]]
        read_only(parts)
        return parts

    @cached_property
    def counts(self) -> Longs | None:
        """(m,) int64 number of pairs of each pose; None without poses."""
        if self.pose is None or self._origin.poses is None:
            return None
        read_only(counts := np.bincount(self.pose, minlength=len(self._origin.poses)))
        return counts

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies; `bodies` indexes them."""
        if self._origin.names is not None:
            return self._origin.names
        return tuple(body.name for body in self.scene.bodies)

    @cached_property
    def scene(self) -> Scene:
        """The scene that was asked; for two meshes, one made of them."""
        if self._origin.scene is not None:
            return self._origin.scene
        from impinge.scene import Scene

        return Scene._of_meshes(self._origin.meshes)

    @cached_property
    def body_pairs(self) -> BodyPairs:
        """Which bodies collide, with the number of pairs of faces."""
        from impinge.results.body_pairs import BodyPairs

        pairs, rows = distinct_pairs(self.bodies)
        counts = np.bincount(rows, minlength=len(pairs))
        crossing = np.bincount(rows[self.kinds == Kind.CROSSING], minlength=len(pairs))
        near = None
        if self.margin is not None:
            near = np.bincount(rows[self.kinds == Kind.NEAR], minlength=len(pairs))
        return BodyPairs(pairs, counts, crossing, self.names, near)

    @property
    def margin(self) -> float | None:
        """The margin of the query; None without one."""
        return self._origin.margin

    @cached_property
    def _separations(self) -> tuple[Floats, Floats]:
        from impinge.results.segments import separations

        origin = self._origin
        values, points = separations(origin, self.pairs, self.bodies, self.pose)
        # no distance is above the margin, however it is rounded
        most = np.inf if origin.margin is None else origin.margin
        read_only(values := np.minimum(values, most))
        return values, points

    @property
    def distances(self) -> Floats | None:
        """(n,) float64: how far the faces of each pair are apart, rounded; None without a margin.

        0.0 exactly where they meet, and never above the margin.
        """
        return None if self.margin is None else self._separations[0]

    @property
    def points(self) -> Floats | None:
        """(n, 2, 3) float64: the closest points of each pair, on the first face and on the second,
        in world coordinates; the same point twice where they meet. None without a margin."""
        return None if self.margin is None else self._separations[1]

    @cached_property
    def _intersections(self) -> Intersections:
        from impinge.results.segments import intersect

        return intersect(self._origin, self.pairs, self.bodies, self.kinds, self.pose)

    @property
    def segments(self) -> Floats:
        """(n, 2, 3) float64 ends of the segment in which each pair meets, in world coordinates.

        Both ends are equal for a point; for a coplanar overlap it is the longest diagonal. NaN for
        pairs that are only near.
        """
        return self._intersections.segments

    @property
    def polygons(self) -> Polygons:
        """n outlines (k, 3) of the coplanar overlaps; empty for the other kinds."""
        return self._intersections.polygons

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """The segments joined into curves, per pair of bodies and pose."""
        from impinge.results.loops import Loop, join_segments

        if not len(rows := np.flatnonzero(np.isin(self.kinds, (Kind.CROSSING, Kind.SEGMENT)))):
            return ()
        pairs, group = distinct_pairs(self.bodies[rows])
        bodies = [(a, b) for a, b in pairs.tolist()]
        if self.pose is not None:
            group = group + self.pose[rows].astype(np.int64) * len(pairs)
        result = []
        for points, closed, key in join_segments(self.segments[rows], group):
            pose, pair = divmod(key, len(pairs))
            result.append(Loop(points, closed, bodies[pair], None if self.pose is None else pose))
        return tuple(result)

    @cached_property
    def clashes(self) -> list[Clash]:
        """One row for each pair of bodies: pairs of each kind, and where they meet."""
        from impinge.results.clashes import clashes_of

        return clashes_of(self)

    def _crossing_faces(self) -> tuple[Bools, ...]:
        """Per body, (faces,): which faces cross another."""
        result = tuple(np.zeros(len(shape.faces), dtype=bool) for shape in self._origin.shapes)
        rows = self.kinds == Kind.CROSSING
        for body, face in zip(self.bodies[rows].T, self.pairs[rows].T, strict=True):
            for index in np.unique(body):
                result[index][face[body == index]] = True
        return result

    def to_dict(self, *, segments: bool = False) -> dict[str, Any]:
        """The result as plain numbers, lists and strings.

        Parameters
        ----------
        segments : bool, default False
            Also include `segments`.

        Returns
        -------
        dict
        """
        result: dict[str, Any] = {
            "method": self.method,
            "collides": bool(self),
            "count": len(self),
            "names": list(self.names),
            "body_pairs": [vars(row).copy() for row in self.body_pairs],
            "pairs": self.pairs.tolist(),
            "bodies": self.bodies.tolist(),
            "kinds": [KIND_NAMES[kind] for kind in self.kinds.tolist()],
            "pose": None if self.pose is None else self.pose.tolist(),
            "counts": None if self.counts is None else self.counts.tolist(),
            "distances": None if self.distances is None else self.distances.tolist(),
            "points": None if self.points is None else self.points.tolist(),
            "inside": None if self.inside is None else self.inside.tolist(),
            **self._promise(),
            "stats": self.stats.to_dict(),
        }
        if segments:
            near = (self.kinds == Kind.NEAR).tolist()
            both = zip(self.segments.tolist(), near, strict=True)
            result["segments"] = [None if is_near else ends for ends, is_near in both]
        return result

    def to_json(self, *, segments: bool = False, indent: int | None = None) -> str:
        """The result as JSON text.

        Parameters
        ----------
        segments : bool, default False
            Also include `segments`.
        indent : int, optional
            Spaces of indentation; None writes one line.

        Returns
        -------
        str

        Examples
        --------
        >>> import impinge
        >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
        >>> impinge.collide(sheet, sheet).to_json()[:35]
        '{"method": "bvh", "collides": true,'
        """
        import json

        return json.dumps(self.to_dict(segments=segments), indent=indent, allow_nan=False)

    def show(self, *, up: str = "z", path: str | PathLike[str] | None = None) -> Path | None:
        """Look at the result: in the browser, or in a notebook below the cell.

        Parameters
        ----------
        up : {"x", "y", "z"}
            The axis that points up.
        path : str or path, optional
            Write the page to this file and do not open it. It needs no server and no network.

        Returns
        -------
        pathlib.Path or None
            The page that was written; None in a notebook.
        """
        from impinge.view.show import show

        return show(self, up=up, path=path)

    def to_image(self, *, size: tuple[int, int] = (1200, 900), up: str = "z") -> Bytes:
        """A picture of the bodies, faces that cross in red; no browser is needed.

        Parameters
        ----------
        size : (int, int), default (1200, 900)
            Width and height in pixels.
        up : {"x", "y", "z"}
            The axis that points up.

        Returns
        -------
        (height, width, 3) ndarray of uint8
        """
        from impinge.render.picture.views import picture_of

        return picture_of(self, size=size, up=up)

    def _summary(self) -> str:
        count = counted(len(self), "pair") if self else "no pairs"
        crossing = int(np.count_nonzero(self.kinds == Kind.CROSSING))
        near = int(np.count_nonzero(self.kinds == Kind.NEAR))
        parts = {"crossing": crossing, "touching": len(self) - crossing - near, "near": near}
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in parts.items() if number)
        return f"{count} {self._where()}{': ' if kinds else ''}{kinds}"

    def _where(self) -> str:
        if self.counts is not None:
            hit = int(np.count_nonzero(self.counts))
            return f"in {hit:,} of {counted(len(self.counts), 'pose')}"
        total = len(self._origin.shapes)
        involved = len(np.unique(self.bodies)) if self else total
        within = "within" if total == 1 else "between"
        some = f"{involved:,} of " if involved != total else ""
        return f"{within} {some}{'1 body' if total == 1 else f'{total:,} bodies'}"

    def __repr__(self) -> str:
        return f"Collisions({self._summary()})"

    def _repr_html_(self) -> str:
        from impinge.view.show import view_of

        pairs = self.body_pairs
        head = ("bodies", *pairs._head())
        return view_of(self) + html_table(
            self._summary(), pairs._rows(), head=head, total=len(pairs)
        )
