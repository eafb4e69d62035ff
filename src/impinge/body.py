"""One body of a scene: a mesh with a pose, or with vertices that change."""

from __future__ import annotations

import operator
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _core
from impinge._arrays import LARGEST, as_pose, as_vertices, check_reach, reach_of, read_only
from impinge._shape import IDENTITY, Shape, Structures, pose_of
from impinge.errors import InputError, missing

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from os import PathLike

    from impinge._types import Floats, Ints
    from impinge.gpu.bodies.body import GpuBody
    from impinge.mesh import Mesh
    from impinge.scene.bodies import Bodies

_IDENTITY: Floats = np.eye(4)
read_only(_IDENTITY)


class Body:
    """A mesh in a scene: moved by assigning `pose`, deformed by assigning `vertices`.

    Usually made by `Scene.add`. Several bodies may share one mesh, and its tree. World coordinates
    are the pose applied to the vertices.

    Parameters
    ----------
    mesh : Mesh
        The shape at rest, in local coordinates.
    name : str, default "body"
        The name in results.
    pose : (4, 4) array_like, optional
        World = R v + t; None is the identity.

    See Also
    --------
    impinge.Scene.add

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> mesh = impinge.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    >>> body = impinge.Body(mesh, name="lid")
    >>> pose = np.eye(4)
    >>> pose[:3, 3] = 0, 0, 5
    >>> body.pose = pose
    >>> body.world_vertices[0].tolist()
    [0.0, 0.0, 5.0]
    """

    __slots__ = (
        "__weakref__",
        "_base",
        "_groups",
        "_local",
        "_local_structures",
        "_lock",
        "_mesh",
        "_name",
        "_placement",
        "_reach",
        "_scene",
        "_shape",
        "_structures",
    )

    _on_gpu = False

    def __init__(self, mesh: Mesh, *, name: str = "body", pose: object = None) -> None:
        self._mesh = mesh
        self._name = name
        self._groups: frozenset[str] = frozenset()
        self._local: Floats | None = None
        self._placement: bytes | None = None
        self._begin()
        self.pose = pose

    @classmethod
    def from_shader(
        cls,
        source: str | PathLike[str],
        faces: object,
        *,
        rest: object = None,
        vertex_count: int | None = None,
        parts: object = None,
        parameters: object = (),
        name: str = "body",
        pose: object = None,
    ) -> GpuBody:
        """A body whose vertices are made on the GPU by a function in WGSL, and stay there.

        The function gets the vertex at rest, its number, its part and the body's `time`::

            fn deform(rest: vec3<f32>, vertex: u32, part: u32, t: f32) -> vec3<f32>

        It may read the body's `parameters` as the global ``parameters: array<f32>``. Only
        ``impinge.detector("peel", device="gpu")`` takes such bodies.

        Parameters
        ----------
        source : str or path
            WGSL text with the function, or the path of a file with it.
        faces : (m, 3) array_like of int
            Vertex indices.
        rest : (n, 3) array_like, optional
            Vertices at rest, rounded to float32. Either this or `vertex_count` is given.
        vertex_count : int, optional
            Number of vertices of a function that needs none at rest; it then gets zeros.
        parts : (n,) array_like of int, optional
            The part of each vertex; 0 when left out.
        parameters : array_like, optional
            Numbers for the function, stored as float32.
        name, pose
            As for `Body`.

        Returns
        -------
        GpuBody

        See Also
        --------
        impinge.Body.from_buffer, impinge.gpu.bodies.GpuBody
        """
        from impinge.gpu.bodies.body import from_shader

        return from_shader(
            source,
            faces,
            rest=rest,
            vertex_count=vertex_count,
            parts=parts,
            parameters=parameters,
            name=name,
            pose=pose,
        )

    @classmethod
    def from_buffer(
        cls,
        buffer: Any,
        faces: object,
        *,
        parts: object = None,
        name: str = "body",
        pose: object = None,
    ) -> GpuBody:
        """A body whose vertices are in a wgpu buffer that your code fills.

        Parameters
        ----------
        buffer : wgpu.GPUBuffer
            Three float32 for each vertex, made on ``impinge.gpu.open_device(software=True).handle``
            with the usage STORAGE. A query sees what was submitted before it.
        faces : (m, 3) array_like of int
            Vertex indices.
        parts : (n,) array_like of int, optional
            The part of each vertex.
        name, pose
            As for `Body`.

        Returns
        -------
        GpuBody

        See Also
        --------
        impinge.Body.from_shader
        """
        from impinge.gpu.bodies.body import from_buffer

        return from_buffer(buffer, faces, parts=parts, name=name, pose=pose)

    def _begin(self) -> None:
        """Everything that is neither copied nor pickled."""
        self._lock = Lock()
        self._scene: Bodies | None = None
        self._base: Shape | None = None
        self._shape: Shape | None = None
        self._reach: float | None = None
        self._structures = Structures()
        self._local_structures = Structures()
        self._deform()

    @property
    def name(self) -> str:
        """The name; a scene adds a number to one that is taken."""
        return self._name

    @property
    def groups(self) -> frozenset[str]:
        """The groups that `Scene.add` has put it in, for `impinge.filters`."""
        return self._groups

    @property
    def mesh(self) -> Mesh:
        """The mesh as it was given."""
        return self._mesh

    @property
    def faces(self) -> Ints:
        """(m, 3) int32, read-only."""
        return self._mesh.faces

    @property
    def pose(self) -> Floats:
        """(4, 4) float64, read-only: world = R v + t. Assign a new one to move the body."""
        pose = pose_of(self._placement)
        return _IDENTITY if pose is None else pose

    @pose.setter
    def pose(self, value: object) -> None:
        given: Any = value
        if value is not None and type(value) is not np.ndarray:
            given = as_pose(value)
        # all bodies of a robot are set before a query: neither `with` nor a call that can be spared
        self._lock.acquire()
        try:
            placement = None
            if given is not None:
                reach = self._reach
                if reach is None:
                    reach = self._reach = self._farthest()
                # one native look; only what is unusual or wrong goes the long way
                placement = _core.placement_of(given, reach, LARGEST)
                if placement is None:
                    placement = as_pose(given).tobytes()
                    self._check_reach(placement, reach)
                # no movement at all needs no world coordinates of its own
                if placement == IDENTITY:
                    placement = None
            self._placement = placement
            base = self._base
            self._shape = None if base is None else base.moved(placement, self._structures)
        finally:
            self._lock.release()

    @property
    def vertices(self) -> Floats:
        """(n, 3) float64, read-only, in local coordinates. Assign others to deform the body."""
        return self._mesh.vertices if self._local is None else self._local

    @vertices.setter
    def vertices(self, values: object) -> None:
        # always a copy: simulations reuse their buffer while older results still refer to this
        vertices = as_vertices(values)
        if vertices.shape != self._mesh.vertices.shape:
            raise InputError(
                f"vertices of body {self._name!r} must keep the shape "
                f"{self._mesh.vertices.shape}, got {vertices.shape}; "
                "add a new body for another mesh"
            )
        with self._lock:
            reach = reach_of(vertices)
            self._check_reach(self._placement, reach)
            self._local, self._reach = vertices, reach
            self._deform()

    @property
    def world_vertices(self) -> Floats:
        """(n, 3) float64, read-only, in world coordinates."""
        return self._current().vertices

    def _current(self) -> Shape:
        """The geometry as it is now; the same object until the body moves."""
        assert self._shape is not None
        return self._shape

    def _deform(self) -> None:
        """Take over the local vertices."""
        base, local = self._mesh._shape, self._local
        if local is not None:
            base = Shape(local, base.faces, self._local_structures, deformed=True)
        self._base = base
        self._shape = base.moved(self._placement, self._structures)

    def _is_closed(self) -> bool:
        return self._mesh.report().closed

    def _precision(self) -> float:
        """How far world coordinates may be off: that of the mesh, as the pose scales it."""
        own, pose = self._mesh.precision, pose_of(self._placement)
        if pose is None or not own or self._local is not None:
            return own if self._local is None else 0.0
        return own * float(np.linalg.norm(pose[:3, :3], 2))

    def _farthest(self) -> float:
        """Size of the largest local coordinate."""
        return self._mesh._farthest() if self._local is None else reach_of(self._local)

    def _check_reach(self, placement: bytes | None, reach: float) -> None:
        pose = pose_of(placement)
        if pose is not None:
            check_reach(pose[None], reach, f"the pose of body {self._name!r}", single=True)

    def __repr__(self) -> str:
        state = "" if self._local is None else ", deformed"
        state += "" if self._placement is None else ", posed"
        return f"Body({self._name!r}, {len(self.faces):,} faces{state})"

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            names = ("_mesh", "_name", "_groups", "_local", "_placement")
            return {name: getattr(self, name) for name in names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        if self._local is not None:
            read_only(self._local)
        self._begin()


def bodies_of(meshes: Sequence[Mesh]) -> list[Body]:
    """A body of each mesh, called as the mesh is, else by a letter."""
    names: list[str] = []
    numbers: dict[str, int] = {}
    for mesh, letter in zip(meshes, "ab", strict=False):
        names.append(free_name(mesh.name or letter, names, numbers))
    return [Body(mesh, name=name) for mesh, name in zip(meshes, names, strict=True)]


def free_name(name: str, taken: Container[str], numbers: dict[str, int]) -> str:
    """The name, with the least number that is free if it is taken: "bolt", "bolt-2".

    numbers: for each name how far its numbers are taken, from 2 on; kept up to date.
    """
    if name not in taken:
        return name
    number = numbers.get(name, 1) + 1
    while f"{name}-{number}" in taken:
        number += 1
    numbers[name] = number
    return f"{name}-{number}"


def release_name(name: str, numbers: dict[str, int]) -> None:
    """A name is no longer taken: its number is free again."""
    base, _, number = name.rpartition("-")
    if base in numbers and number.isdecimal() and number.isascii() and len(number) < 10:
        numbers[base] = min(numbers[base], max(int(number) - 1, 1))


def find_body(
    key: Body | str | int, bodies: Sequence[Body], by_name: Mapping[str, Body], argument: str
) -> Body:
    """The body of a scene that is given itself, by its name or by its index."""
    if isinstance(key, Body):
        if by_name.get(key.name) is not key:
            raise InputError(f"{argument}: {key!r} is not in this scene; add it first")
        return key
    if isinstance(key, str):
        if key not in by_name:
            raise missing(argument, key, "bodies", list(by_name))
        return by_name[key]
    try:
        index = operator.index(key)
    except TypeError:
        raise InputError(
            f"{argument} must be a body, its name or its index, got {type(key).__name__}"
        ) from None
    if not -len(bodies) <= index < len(bodies):
        raise InputError(f"{argument} {index} does not exist, the scene has {len(bodies)} bodies")
    return bodies[index]
