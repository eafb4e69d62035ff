"""A triangle mesh: validated once, immutable, with the structures detectors build for it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _core
from impinge._arrays import as_faces, as_vertices, reach_of, read_only
from impinge._options import checked_length
from impinge._shape import Shape, Structures
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.results.mesh_report import MeshReport

_EXPECTED = (
    "a Mesh, a tuple (vertices, faces), a mapping with these two keys, or an object "
    "with .vertices and .faces such as a trimesh, PyVista or Open3D mesh"
)


class Mesh:
    """A triangle mesh: checked once, never changed, and kept with the tree that is built for it.

    Make a `Mesh` of whatever is asked about more than once. Both arrays are copied: what is written
    to them afterwards changes nothing. For vertices that move, see `Body.vertices`.

    Parameters
    ----------
    vertices : (n, 3) array_like
        Coordinates of any real dtype, stored as float64; finite, at most 1e100 in size.
    faces : (m, 3) array_like of int
        Vertex indices of each triangle, counter-clockwise seen from outside. May be empty.
    name : str, optional
        Used in results, reports and error messages.
    precision : float, default 0.0
        How far a vertex may be off where it was meant, as for numbers that a file rounds;
        `Scene.check` can take it as the tolerance. Readers set it.

    Raises
    ------
    InputError
        An array has the wrong shape or dtype, a coordinate is not finite, or an index is out of
        range; the message names the first offending entry.

    See Also
    --------
    impinge.load_mesh : Read a mesh from a file.

    Examples
    --------
    >>> import impinge
    >>> vertices = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> mesh = impinge.Mesh(vertices, faces, name="corner")
    >>> mesh
    Mesh('corner', 4 vertices, 4 faces)
    >>> mesh.report().closed
    True
    """

    __slots__ = (
        "__weakref__",
        "_bounds",
        "_name",
        "_precision",
        "_reach",
        "_report",
        "_shape",
        "_tree",
    )

    def __init__(
        self, vertices: object, faces: object, *, name: str = "", precision: float = 0.0
    ) -> None:
        checked = as_vertices(vertices)
        if type(precision) is not float or not 0.0 <= precision < math.inf:
            precision = checked_length("precision", precision)
        triangles = as_faces(faces, vertex_count=len(checked))
        self._set(checked, triangles, _checked_name(name), precision)

    def _set(self, vertices: Floats, faces: Ints, name: str, precision: float) -> None:
        self._precision = precision
        self._shape = Shape(vertices, faces, Structures())
        self._name = name
        self._bounds: Floats | None = None
        self._reach: float | None = None
        self._report: MeshReport | None = None
        self._tree: _core.Tree | None = None

    @classmethod
    def of(cls, operand: object, *, argument: str = "mesh") -> Mesh:
        """The mesh that `operand` stands for.

        Every function of the library that takes a mesh accepts these *mesh-like* operands.

        Parameters
        ----------
        operand : mesh-like
            A `Mesh`, returned as it is; a tuple (vertices, faces); a mapping with these keys; or
            an object with `.vertices` and `.faces`, such as a trimesh, PyVista or Open3D mesh. A
            `Body` stands for its world coordinates.
        argument : str, optional
            Name of the operand in error messages.

        Returns
        -------
        Mesh

        Examples
        --------
        >>> import impinge
        >>> impinge.Mesh.of(([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]))
        Mesh(3 vertices, 1 faces)
        """
        if isinstance(operand, Mesh):
            return operand
        vertices, faces = _parts(operand, argument)
        name = getattr(operand, "name", "")
        try:
            return cls(vertices, faces, name=name if isinstance(name, str) else "")
        except InputError as error:
            raise InputError(f"{argument}: {error}") from error

    @classmethod
    def _trusted(cls, vertices: Floats, faces: Ints, name: str, precision: float = 0.0) -> Mesh:
        """A mesh of arrays that were validated before."""
        mesh = cls.__new__(cls)
        for array in (vertices, faces):
            read_only(array)
        mesh._set(vertices, faces, name, precision)
        return mesh

    @property
    def vertices(self) -> Floats:
        """(n, 3) float64, read-only."""
        return self._shape.vertices

    @property
    def faces(self) -> Ints:
        """(m, 3) int32, read-only."""
        return self._shape.faces

    @property
    def name(self) -> str:
        """The name, "" without one."""
        return self._name

    @property
    def precision(self) -> float:
        """How far a vertex may be off where it was meant; 0.0 for arrays, readers set it."""
        return self._precision

    @property
    def bounds(self) -> Floats:
        """(2, 3) float64: lowest and highest corner of all faces; NaN when there are none."""
        if self._bounds is None:
            bounds = _core.bounds(self.vertices, self.faces)
            read_only(bounds)
            self._bounds = bounds
        return self._bounds

    def _farthest(self) -> float:
        """Size of the largest coordinate."""
        if self._reach is None:
            self._reach = reach_of(self.vertices)
        return self._reach

    def _keep_tree(self) -> None:
        """Have the tree of the default detector at hand, if it is built."""
        shape = self._shape
        self._tree = shape.local_structures.kept("bvh", shape.local)

    def report(self) -> MeshReport:
        """What is right and wrong with the mesh: open edges, flipped shells, duplicates, and more.

        Returns
        -------
        MeshReport
            Computed at the first call and kept.

        See Also
        --------
        impinge.results.MeshReport

        Examples
        --------
        >>> import impinge
        >>> triangle = impinge.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        >>> triangle.report().open_edges
        3
        """
        if self._report is None:
            from impinge.results.mesh_report import inspect_mesh

            self._report = inspect_mesh(self)
        return self._report

    def __len__(self) -> int:
        """Number of faces."""
        return len(self._shape.faces)

    def __bool__(self) -> bool:
        # an empty mesh is still a mesh: `if mesh` asks whether there is one
        return True

    def __repr__(self) -> str:
        name = f"{self._name!r}, " if self._name else ""
        return f"Mesh({name}{len(self.vertices):,} vertices, {len(self.faces):,} faces)"

    def __copy__(self) -> Mesh:
        return Mesh._trusted(self.vertices, self.faces, self._name, self._precision)

    def __deepcopy__(self, memo: dict[int, Any]) -> Mesh:
        vertices, faces = self.vertices.copy(), self.faces.copy()
        return Mesh._trusted(vertices, faces, self._name, self._precision)

    def __reduce__(self) -> tuple[Any, ...]:
        return Mesh._trusted, (self.vertices, self.faces, self._name, self._precision)


def _parts(operand: Any, argument: str) -> tuple[object, object]:
    """Vertices and faces of anything that has them."""
    if isinstance(operand, tuple | list):
        if len(operand) == 2:
            return operand[0], operand[1]
    elif isinstance(operand, Mapping):
        if "vertices" in operand and "faces" in operand:
            return operand["vertices"], operand["faces"]
    elif hasattr(operand, "world_vertices"):
        # a Body: its `vertices` are local, the pose must not be lost
        return operand.world_vertices, operand.faces
    elif hasattr(operand, "points") and (faces := _regular_faces(operand, argument)) is not None:
        return operand.points, faces
    elif hasattr(operand, "vertices"):
        for attribute in ("faces", "triangles"):
            if hasattr(operand, attribute):
                return operand.vertices, getattr(operand, attribute)
    raise InputError(f"{argument} must be {_EXPECTED}; got {_described(operand)}")


def _regular_faces(operand: Any, argument: str) -> object:
    try:
        return getattr(operand, "regular_faces", None)
    except ValueError as error:
        raise InputError(
            f"{argument} has faces of different sizes; pass {argument}.triangulate()"
        ) from error


def _described(operand: object) -> str:
    if isinstance(operand, str | PathLike):
        return f"the path {str(operand)!r}: read it with impinge.load_mesh"
    if hasattr(operand, "geometry"):
        return f"{type(operand).__name__} of several meshes: add each to an impinge.Scene"
    if isinstance(operand, tuple | list):
        return f"a {type(operand).__name__} of {len(operand)}"
    if isinstance(operand, np.ndarray):
        return f"one array of shape {operand.shape}"
    return type(operand).__name__


def _checked_name(name: object) -> str:
    if not isinstance(name, str):
        raise InputError(f"name must be a string, got {type(name).__name__}")
    return name
