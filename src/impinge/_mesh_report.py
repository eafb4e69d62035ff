"""What is right and wrong with a mesh, counted after exact welding."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from impinge import _core
from impinge._arrays import read_only
from impinge._text import html_table, table

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bools, Floats, Ints, Longs
    from impinge.mesh import Mesh

DEGENERATE_AREA = 1e-14


@dataclass(frozen=True, eq=False, repr=False)
class MeshReport:
    """Findings about one mesh.

    Vertices with exactly equal coordinates count as one. Edges are rows (k, 2) of vertex ids,
    each vertex named by its first equal. Components are faces connected through edges. Collapsed
    faces (two equal corners) have no edges and belong to no component.
    """

    name: str
    vertices: int
    faces: int
    bounds: Floats
    closed: bool
    """Every edge is used exactly twice, once in each direction."""
    oriented: bool
    """Closed, and every component has a positive volume."""
    volume: float | None
    """Signed volume; None when the mesh is not closed."""
    components: int
    component: Ints
    """(m,) component of each face, -1 for collapsed ones."""
    open_edges: int
    open_edges_index: Ints
    nonmanifold_edges: int
    """Edges used more than twice."""
    nonmanifold_edges_index: Ints
    flipped_edges: int
    """Edges used twice in the same direction."""
    flipped_edges_index: Ints
    flipped_components: int
    """Closed components with a negative volume: turned inside out, or the wall of a cavity."""
    flipped_components_index: Ints
    degenerate_faces: int
    """Faces with an area of at most 1e-14 of the squared diagonal of the bounds."""
    degenerate_faces_index: Ints
    duplicate_faces: int
    """Faces with the same three corners as an earlier one."""
    duplicate_faces_index: Ints
    duplicate_vertices: int
    """Vertices with the same coordinates as an earlier one."""
    duplicate_vertices_index: Ints
    unused_vertices: int
    unused_vertices_index: Ints

    def to_dict(self, *, indices: bool = False) -> dict[str, Any]:
        """Plain numbers; with `indices`, also the lists of what was found where."""
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
    """The undirected edges of all faces that are not collapsed."""

    ends: Ints
    """(k, 2) the lower and the higher vertex."""
    uses: Longs
    forward: Longs
    """How many of the uses go from the lower to the higher vertex."""
    neighbours: Longs
    """(j, 2) faces with a common edge."""
    faulty_faces: Longs
    """Faces at an edge that is not used exactly once in each direction."""


def inspect_mesh(mesh: Mesh) -> MeshReport:
    """The report of a mesh; all NumPy, a second or so for a million faces."""
    vertices, faces = mesh.vertices, mesh.faces
    first_equal = _core.weld(vertices)
    corners = first_equal[faces].reshape(-1, 3)
    solid = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
    edges = _edges(corners, np.flatnonzero(solid), len(vertices))
    component, count = _components(solid, edges.neighbours)
    volumes = _volumes(vertices, corners, component, count)
    sound = np.ones(count, dtype=bool)
    sound[component[edges.faulty_faces]] = False
    used = np.zeros(len(vertices), dtype=bool)
    used[faces] = True
    tiny = DEGENERATE_AREA * _squared_diagonal(mesh)
    found = {
        "open_edges": edges.ends[edges.uses == 1],
        "nonmanifold_edges": edges.ends[edges.uses > 2],
        "flipped_edges": edges.ends[(edges.uses == 2) & (edges.forward != 1)],
        "flipped_components": _where(sound & (volumes < 0)),
        "degenerate_faces": _where(_areas(vertices, faces) <= tiny),
        "duplicate_faces": _duplicate_faces(corners, len(vertices)),
        "duplicate_vertices": _where(first_equal != np.arange(len(vertices))),
        "unused_vertices": _where(~used),
    }
    findings: dict[str, Any] = {}
    for name, index in found.items():
        read_only(index)
        findings |= {name: len(index), f"{name}_index": index}
    read_only(component)
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


def _edges(corners: Ints, solid: Longs, vertex_count: int) -> _Edges:
    start = corners[solid].astype(np.int64)
    end = np.roll(start, -1, axis=1)
    # one sortable number per directed edge: lower vertex, higher vertex, direction
    key = (np.minimum(start, end) * vertex_count + np.maximum(start, end)) * 2 + (start < end)
    key = key.ravel()
    order = np.argsort(key)
    key = key[order]
    face = solid[order // 3]
    same = key[1:] >> 1 == key[:-1] >> 1
    first = np.flatnonzero(np.concatenate([np.ones(min(len(key), 1), dtype=bool), ~same]))
    uses = np.diff(first, append=len(key))
    forward = np.add.reduceat(key & 1, first) if len(key) else np.zeros(0, dtype=np.int64)
    undirected = key[first] >> 1
    ends = np.stack(np.divmod(undirected, max(vertex_count, 1)), axis=1).astype(np.int32)
    neighbours = np.stack([face[:-1][same], face[1:][same]], axis=1)
    faulty = np.repeat((uses != 2) | (forward != 1), uses)
    return _Edges(ends, uses, forward, neighbours, face[faulty])


def _components(solid: Bools, neighbours: Longs) -> tuple[Ints, int]:
    """Component of each face, -1 for collapsed ones, and the number of components."""
    root = np.arange(len(solid))
    while len(neighbours):
        left, right = root[neighbours[:, 0]], root[neighbours[:, 1]]
        apart = left != right
        neighbours, left, right = neighbours[apart], left[apart], right[apart]
        # hang each root under a smaller neighbouring one, then flatten the trees
        np.minimum.at(root, np.maximum(left, right), np.minimum(left, right))
        while not np.array_equal(upper := root[root], root):
            root = upper
    component = np.full(len(solid), -1, dtype=np.int32)
    roots, component[solid] = np.unique(root[solid], return_inverse=True)
    return component, len(roots)


def _volumes(vertices: Floats, corners: Ints, component: Ints, count: int) -> Floats:
    """Signed volume of each component, measured from a vertex of its own."""
    solid = np.flatnonzero(component >= 0)
    owner = component[solid]
    # assigned backwards, so that the first face of a component wins
    base = np.zeros(count, dtype=np.int32)
    base[owner[::-1]] = corners[solid[::-1], 0]
    origin = vertices[base][owner]
    a, b, c = (vertices[corners[solid, k]] - origin for k in range(3))
    with np.errstate(over="ignore", invalid="ignore"):
        return np.bincount(owner, (a * _cross(b, c)).sum(axis=1), minlength=count) / 6.0


def _areas(vertices: Floats, faces: Ints) -> Floats:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    with np.errstate(over="ignore", invalid="ignore"):
        normal = _cross(b - a, c - a)
        return np.asarray(np.sqrt((normal * normal).sum(axis=1)) / 2.0)


def _cross(a: Floats, b: Floats) -> Floats:
    # np.cross is several times slower on many short vectors
    (ax, ay, az), (bx, by, bz) = a.T, b.T
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=1)


def _squared_diagonal(mesh: Mesh) -> float:
    low, high = mesh.bounds
    return float(((high - low) ** 2).sum())


def _duplicate_faces(corners: Ints, vertex_count: int) -> Ints:
    low, middle, high = np.sort(corners, axis=1).astype(np.int64).T
    pair = low * vertex_count + middle
    # stable, so that the first of equal faces stays unlisted
    order = np.lexsort((high, pair))
    pair, high = pair[order], high[order]
    again = (pair[1:] == pair[:-1]) & (high[1:] == high[:-1])
    return np.sort(order[1:][again]).astype(np.int32)


def _where(mask: Bools) -> Ints:
    return np.flatnonzero(mask).astype(np.int32)


def _point(point: AnyArray) -> str:
    return f"({', '.join(f'{value:.6g}' for value in point)})"
