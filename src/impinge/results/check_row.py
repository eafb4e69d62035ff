"""The verdict on two parts, and what it stands on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from impinge.results.columns import Frozen

if TYPE_CHECKING:
    from impinge._types import Floats, Ints, Longs, Signs
    from impinge.results.check import Parts
    from impinge.results.collisions import Collisions
    from impinge.results.relation import Relation
    from impinge.results.verdict import Verdict


@dataclass(frozen=True, eq=False)
class OverlapPieces(Frozen):
    """The boundary of what two parts have in common, in pieces of their faces; read-only.

    See Also
    --------
    impinge.results.CheckRow.overlap

    Examples
    --------
    >>> import impinge
    >>> from impinge import data
    >>> check = impinge.load_scene(data.path("gearbox.glb")).check()
    >>> pieces = check.clashes[0].overlap()
    >>> pieces.vertices.shape[1], len(pieces.faces) == len(pieces.parents)
    (3, True)
    """

    vertices: Floats
    """(n, 3) float64, in world coordinates."""
    faces: Ints
    """(m, 3) int32: a closed mesh."""
    surfaces: Signs
    """(m,) int8: whether a piece is of the first part (0) or of the second (1)."""
    parents: Ints
    """(m,) int32: the face of that part it is a piece of; -1 where a hole was filled."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckRow(Frozen):
    """The verdict on two bodies, and what it stands on; a row of a `Check`.

    See Also
    --------
    impinge.Scene.check, impinge.results.Check

    Examples
    --------
    >>> import impinge
    >>> from impinge import data
    >>> check = impinge.load_scene(data.path("gearbox.glb")).check()
    >>> row = check.clashes.sorted("depth")[0]
    >>> row.name_a, row.name_b, row.verdict.value, round(row.depth, 3)
    ('idler-gear', 'breather', 'clash', 3.395)
    """

    a: int
    """Index of the first body."""
    b: int
    """Index of the second body, the higher one."""
    name_a: str
    """Name of the first body."""
    name_b: str
    """Name of the second body."""
    verdict: Verdict
    """What they are to each other."""
    reason: str | None
    """Of a contact, why it is no clash: "touch", "precision" or "facets"; else None."""
    relation: Relation | None
    """How the solids lie to each other, exactly; None when a part is a surface."""
    depth: float | None
    """How deep they overlap, the lower one of `depth_bounds`; None when a part is a surface."""
    depth_bounds: Floats | None
    """(2,) between which the depth is for certain; None when a part is a surface."""
    volume: float | None
    """Of the overlap; None when a part is a surface, or its own shells overlap each other."""
    distance: float
    """Between the surfaces; 0.0 when they share a point."""
    point: Floats
    """(3,) the deepest common point; without an overlap a common one, or the middle of the gap."""
    points: Floats | None
    """(2, 3) the closest points, on a and on b; None when they share a point."""
    bounds: Floats
    """(2, 3) box of where they overlap, touch, cross, or are closest."""
    tolerance: float
    """The tolerance of this pair."""
    surface: bool
    """Whether one of the parts is open, and has no inside."""
    pose: int | None = None
    """Index of the configuration; None without poses."""
    _collisions: Collisions = field(repr=False)
    _rows: Longs = field(repr=False)
    _parts: Parts = field(repr=False)

    _COLUMNS: ClassVar[tuple[str, ...]] = (
        *("a", "b", "verdict", "reason", "relation", "depth", "depth_upper", "volume", "distance"),
        *("x", "y", "z", "tolerance", "surface", "face_pairs"),
    )

    @property
    def face_pairs(self) -> Ints:
        """(n, 2) int32: the faces that share a point, of a and of b."""
        pairs: Ints = self._collisions.pairs[self._rows]
        return pairs

    def overlap(self) -> OverlapPieces | None:
        """The pieces of both surfaces that bound what the parts have in common.

        Returns
        -------
        OverlapPieces or None
            None where there is no overlap, a part is a surface, or its own shells overlap each
            other.
        """
        if not self.depth or self.volume is None:
            return None
        return self._parts.overlap(self.a, self.b)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain numbers, lists and strings; what there is not is None.

        Returns
        -------
        dict
        """
        arrays = ("depth_bounds", "point", "points", "bounds")
        lists = {
            name: None if (own := getattr(self, name)) is None else own.tolist() for name in arrays
        }
        return {
            "a": self.name_a,
            "b": self.name_b,
            "bodies": [self.a, self.b],
            "verdict": self.verdict.value,
            "reason": self.reason,
            "relation": self._relation_name(),
            "depth": self.depth,
            "depth_bounds": lists["depth_bounds"],
            "volume": self.volume,
            "distance": self.distance,
            "point": lists["point"],
            "points": lists["points"],
            "bounds": lists["bounds"],
            "tolerance": self.tolerance,
            "surface": self.surface,
            "face_pairs": len(self._rows),
            **({} if self.pose is None else {"pose": self.pose}),
        }

    def _relation_name(self) -> str | None:
        return None if self.relation is None else self.relation.name.lower()

    def _flat(self) -> tuple[Any, ...]:
        """The cells of a table."""
        upper = None if self.depth_bounds is None else float(self.depth_bounds[1])
        return (
            self.name_a,
            self.name_b,
            self.verdict.value,
            self.reason,
            self._relation_name(),
            self.depth,
            upper,
            self.volume,
            self.distance,
            *self.point.tolist(),
            self.tolerance,
            self.surface,
            len(self._rows),
            *(() if self.pose is None else (self.pose,)),
        )
