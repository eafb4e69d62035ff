"""What is right and wrong with a mesh, counted after exact welding."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from impinge import _core
from impinge._text import html_table, table
from impinge.results.columns import Frozen

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bools, Floats, Ints, Longs
    from impinge.mesh import Mesh

DEGENERATE_AREA = 1e-14
_WIDEST_KEY = 2**63


@dataclass(frozen=True, eq=False, repr=False)
class MeshReport(Frozen):
    """What is right and wrong with one mesh; the answer of `Mesh.report`.

    Vertices with exactly equal coordinates count as one. Edges are rows (k, 2) of vertex indices,
    each vertex named by its first equal. Components are faces connected through edges. Collapsed
    faces (two equal corners) have no edges and belong to no component.

    See Also
    --------
    impinge.Mesh.report

    Examples
    --------
    >>> import impinge
    >>> vertices = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> report = impinge.Mesh(vertices, [(0, 2, 1), (0, 1, 3), (0, 3, 2)]).report()
    >>> report.closed, report.open_edges, report.open_edges_index.tolist()
    (False, 3, [[1, 2], [1, 3], [2, 3]])
    """

    name: str
    """Of the mesh."""
    vertices: int
    """Number of vertices."""
    faces: int
    """Number of faces."""
    bounds: Floats
    """(2, 3) float64: lowest and highest corner; NaN without faces."""
    closed: bool
    """Every edge is used exactly twice, once in each direction."""
    oriented: bool
    """Closed, and every component has a positive volume."""
    volume: float | None
    """Signed volume [length^3]; None when the mesh is not closed."""
    components: int
    """Number of components."""
    component: Ints
    """(m,) int32: component of each face, -1 for collapsed ones."""
    open_edges: int
    """Edges used once."""
    open_edges_index: Ints
    """(k, 2) int32: which."""
    nonmanifold_edges: int
    """Edges used more than twice."""
    nonmanifold_edges_index: Ints
    """(k, 2) int32: which."""
    flipped_edges: int
    """Edges used twice in the same direction."""
    flipped_edges_index: Ints
    """(k, 2) int32: which."""
    flipped_components: int
    """Closed components with a negative volume: turned inside out, or the wall of a cavity."""
    flipped_components_index: Ints
    """(k,) int32: which."""
    degenerate_faces: int
    """Faces with an area of at most 1e-14 of the squared diagonal of the bounds."""
    degenerate_faces_index: Ints
    """(k,) int32: which."""
    duplicate_faces: int
    """Faces with the same three corners as an earlier one."""
    duplicate_faces_index: Ints
    """(k,) int32: which."""
    duplicate_vertices: int
    """Vertices with the same coordinates as an earlier one."""
    duplicate_vertices_index: Ints
    """(k,) int32: which."""
    unused_vertices: int
    """Vertices of no face."""
    unused_vertices_index: Ints
    """(k,) int32: which."""

    def to_dict(self, *, indices: bool = False) -> dict[str, Any]:
        """The report as plain numbers, lists and strings.

        Parameters
        ----------
        indices : bool, default False
            Also include the arrays of what was found where.

        Returns
        -------
        dict
        """
        result: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "bounds":
                value = value.tolist() if self.faces else None
            elif isinstance(value, np.ndarray):
                if not indices:
                    continue
                value = value.tolist()
            result[field.name] = value
        return result

    def _rows(self) -> list[tuple[str, str]]:
        yes_no = {True: "yes", False: "no"}
        rows = [("closed", yes_no[self.closed]), ("oriented", yes_no[self.oriented])]
        if self.volume is not None:
            rows.append(("volume", f"{self.volume:.6g}"))
        if self.faces:
            low, high = self.bounds
            rows.append(("bounds", f"{_point(low)} to {_point(high)}"))
        counts = [field.name for field in fields(self) if f"{field.name}_index" in self.__dict__]
        for name in ("components", *counts):
            rows.append((name.replace("_", " "), f"{getattr(self, name):,}"))
        return rows

    def _title(self) -> str:
        name = f"{self.name}: " if self.name else ""
        return f"{name}{self.vertices:,} vertices, {self.faces:,} faces"

    def __repr__(self) -> str:
        return table(self._title(), self._rows(), numbers=False)

    def _repr_html_(self) -> str:
        return html_table(self._title(), self._rows())


class _Edges(NamedTuple):
    """What the edges of all faces that are not collapsed tell."""

    open: Ints
    """(k, 2) edges used once; the lower vertex, then the higher."""
    nonmanifold: Ints
    flipped: Ints
    neighbours: tuple[Ints, Ints]
    """Faces with a common edge, (j,) each."""
    faulty_faces: Ints
    """Faces at an edge that is not used exactly once in each direction."""


def inspect_mesh(mesh: Mesh) -> MeshReport:
    """The report of a mesh; all NumPy, a second or so for a million faces."""
    vertices, faces = mesh.vertices, mesh.faces
    first_equal = _core.weld(vertices)
    corners = first_equal[faces].reshape(-1, 3)
    a, b, c = corners.T
    solid = (a != b) & (b != c) & (c != a)
    edges = _edges(corners, _where(solid), len(vertices))
    component, count = _components(solid, edges.neighbours)
    volumes = _volumes(vertices, corners, component, count)
    sound = np.ones(count, dtype=bool)
    sound[component[edges.faulty_faces]] = False
    used = np.zeros(len(vertices), dtype=bool)
    used[faces] = True
    tiny = DEGENERATE_AREA * _squared_diagonal(mesh)
    found = {
        "open_edges": edges.open,
        "nonmanifold_edges": edges.nonmanifold,
        "flipped_edges": edges.flipped,
        "flipped_components": _where(sound & (volumes < 0)),
        "degenerate_faces": _where(_areas(vertices, faces) <= tiny),
        "duplicate_faces": _duplicate_faces(corners, len(vertices)),
        "duplicate_vertices": _where(first_equal != np.arange(len(vertices))),
        "unused_vertices": _where(~used),
    }
    findings: dict[str, Any] = {}
    for name, index in found.items():
        findings |= {name: len(index), f"{name}_index": index}
    closed = count > 0 and bool(sound.all())
    return MeshReport(
        name=mesh.name,
        vertices=len(vertices),
        faces=len(faces),
        bounds=mesh.bounds,
        closed=closed,
        oriented=closed and bool((volumes > 0).all()),
        volume=float(volumes.sum()) if closed else None,
        components=count,
        component=component,
        **findings,
    )


def edges_are_closed(corners: Ints, vertex_count: int) -> bool:
    """Whether every edge of these faces is used once in each direction, vertices told by index."""
    a, b, c = corners.T
    solid = _where((a != b) & (b != c) & (c != a))
    return len(solid) > 0 and not len(_edges(corners, solid, vertex_count).faulty_faces)


def _edges(corners: Ints, solid: Ints, vertex_count: int) -> _Edges:
    key, face = _sorted_edges(corners, solid, vertex_count)
    same = key[1:] >> 1 == key[:-1] >> 1
    begins = np.flatnonzero(np.append(np.ones(min(len(key), 1), dtype=bool), ~same))
    uses = np.diff(begins, append=len(key))
    # the two directions of one edge differ by one
    paired = np.append(key[1:] - key[:-1] == 1, False)[begins]
    bad = np.flatnonzero((uses != 2) | ~paired)
    uses, begins = uses[bad], begins[bad]
    ends = np.stack(np.divmod(key[begins] >> 1, max(vertex_count, 1)), axis=1).astype(np.int32)
    faulty = np.repeat(begins + uses - np.cumsum(uses), uses) + np.arange(uses.sum())
    return _Edges(
        open=ends[uses == 1],
        nonmanifold=ends[uses > 2],
        flipped=ends[uses == 2],
        neighbours=(face[:-1][same], face[1:][same]),
        faulty_faces=face[faulty],
    )


def _sorted_edges(corners: Ints, solid: Ints, vertex_count: int) -> tuple[Longs, Ints]:
    """Directed edges as one number each (lower vertex, higher vertex, direction), and faces."""
    # by columns: rows of three are slow to work on
    a, b, c = (corners[solid, k].astype(np.int64) for k in range(3))
    key = np.concatenate(
        [
            (np.minimum(i, j) * vertex_count + np.maximum(i, j)) * 2 + (i < j)
            for i, j in ((a, b), (b, c), (c, a))
        ]
    )
    face = np.concatenate([solid, solid, solid])
    bits = len(corners).bit_length()
    if 2 * vertex_count**2 << bits < _WIDEST_KEY:
        # sorting numbers that carry their face is twice as fast as sorting indices
        key = key << bits | face
        key.sort()
        return key >> bits, (key & ((1 << bits) - 1)).astype(np.int32)
    order = np.argsort(key)
    return key[order], face[order]


def _components(solid: Bools, neighbours: tuple[Ints, Ints]) -> tuple[Ints, int]:
    """Component of each face, -1 for collapsed ones, and the number of components."""
    root = joined_roots(len(solid), *neighbours)
    component = np.full(len(solid), -1, dtype=np.int32)
    roots, component[solid] = np.unique(root[solid], return_inverse=True)
    return component, len(roots)


def joined_roots(count: int, left: Ints, right: Ints) -> Ints:
    """The smallest of the things 0..count-1 that each is joined to by links left-right."""
    root = np.arange(count, dtype=np.int32)
    while len(left):
        # hang each root under a smaller neighbouring one, then flatten the trees
        np.minimum.at(root, np.maximum(left, right), np.minimum(left, right))
        while not np.array_equal(upper := root[root], root):
            root = upper
        left, right = root[left], root[right]
        apart = left != right
        left, right = left[apart], right[apart]
    return root


def _volumes(vertices: Floats, corners: Ints, component: Ints, count: int) -> Floats:
    """Signed volume of each component, measured from a vertex of its own."""
    solid = np.flatnonzero(component >= 0)
    owner = component[solid]
    # assigned backwards, so that the first face of a component wins
    base = np.zeros(count, dtype=np.int32)
    base[owner[::-1]] = corners[solid[::-1], 0]
    origin = vertices[base]
    with np.errstate(over="ignore", invalid="ignore"):
        a, b, c = (_columns(vertices, corners[solid, k], origin[owner]) for k in range(3))
        x, y, z = _cross(b, c)
        return np.bincount(owner, a[0] * x + a[1] * y + a[2] * z, minlength=count) / 6.0


def _areas(vertices: Floats, faces: Ints) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        origin = vertices[faces[:, 0]]
        x, y, z = _cross(*(_columns(vertices, faces[:, k], origin) for k in (1, 2)))
        return np.asarray(np.sqrt(x * x + y * y + z * z) / 2.0)


def _columns(vertices: Floats, index: Ints, origin: Floats) -> Floats:
    """(3, n) x, y and z of vertices, measured from an origin each."""
    return np.ascontiguousarray((vertices[index] - origin).T)


def _cross(a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
    # np.cross is several times slower on many short vectors
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _squared_diagonal(mesh: Mesh) -> float:
    low, high = mesh.bounds
    return float(((high - low) ** 2).sum())


def _duplicate_faces(corners: Ints, vertex_count: int) -> Ints:
    a, b, c = corners.T.astype(np.int64)
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    middle = a + b + c - low - high
    pair = low * vertex_count + middle
    # only faces whose lower two corners occur again can be duplicates: usually a small part
    order = np.argsort(pair, kind="stable")
    again = pair[order[1:]] == pair[order[:-1]]
    some = order[(np.append(again, False) | np.append(False, again))[: len(order)]]
    # stable, so that the first of equal faces stays unlisted
    some = some[np.lexsort((high[some], pair[some]))]
    again = (pair[some[1:]] == pair[some[:-1]]) & (high[some[1:]] == high[some[:-1]])
    return np.sort(some[1:][again]).astype(np.int32)


def _where(mask: Bools) -> Ints:
    return np.flatnonzero(mask).astype(np.int32)


def _point(point: AnyArray) -> str:
    return f"({', '.join(f'{value:.6g}' for value in point)})"
