"""A body whose vertices are made on the GPU, by a function in WGSL or in a buffer of the user."""

from __future__ import annotations

import os
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge._arrays import as_faces, as_vertices, read_only
from impinge.body import Body
from impinge.errors import InputError
from impinge.gpu.bodies.resident import Resident
from impinge.gpu.bodies.shape import GpuShape, not_here
from impinge.results.mesh_report import edges_are_closed

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import Floats, Ints, Singles
    from impinge.mesh import Mesh


class GpuBody(Body):
    """A body whose vertices exist on the GPU only; made by `Body.from_shader`, `Body.from_buffer`.

    What needs vertices on the CPU raises an error that says so; `read_vertices` reads them.

    See Also
    --------
    impinge.Body.from_shader, impinge.Body.from_buffer

    Examples
    --------
    >>> import impinge
    >>> wave = impinge.Body.from_shader(
    ...     '''
    ...     fn deform(rest: vec3<f32>, vertex: u32, part: u32, t: f32) -> vec3<f32> {
    ...       return rest + vec3<f32>(0.0, 0.0, t);
    ...     }
    ...     ''',
    ...     [(0, 1, 2)],
    ...     rest=[(0, 0, 0), (1, 0, 0), (0, 1, 0)],
    ... )
    >>> wave.time = 2.0
    >>> wave.read_vertices().tolist()
    [[0.0, 0.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 2.0]]
    """

    _on_gpu = True
    __slots__ = ("_closed", "_parameters", "_resident", "_time", "bytes_down")

    def __init__(
        self, resident: Resident, *, name: str, pose: object, parameters: object = ()
    ) -> None:
        if not isinstance(name, str) or not name:
            raise InputError(f"name must be a string that is not empty, got {name!r}")
        self._name = name
        self._groups = frozenset()
        self._resident = resident
        self._closed: bool | None = None
        self._time = 0.0
        self._parameters = _as_parameters(parameters)
        self._local = None
        self._placement = None
        self.bytes_down = 0
        """Bytes that `read_vertices` has read so far."""
        self._begin()
        self.pose = pose

    @property
    def mesh(self) -> Mesh:
        """Raises: there is no mesh on the CPU."""
        raise not_here(self._name)

    @property
    def faces(self) -> Ints:
        """(m, 3) int32, read-only."""
        return self._resident.faces

    @property
    def parts(self) -> Ints | None:
        """(n,) int32, read-only: the part of each vertex, as it was given."""
        return self._resident.parts

    @property
    def time(self) -> float:
        """`t` of the deform function. Assign another to deform the body."""
        return self._time

    @time.setter
    def time(self, value: float) -> None:
        number = float(value)
        if not isfinite(number):
            raise InputError(f"time of body {self._name!r} must be finite, got {value!r}")
        with self._lock:
            self._time = number
            self._shape = None

    @property
    def parameters(self) -> Singles:
        """float32, read-only: `parameters` of the deform function, flat there. Assign others."""
        return self._parameters

    @parameters.setter
    def parameters(self, values: object) -> None:
        checked = _as_parameters(values)
        with self._lock:
            self._parameters = checked
            self._shape = None

    @property
    def vertices(self) -> Floats:
        """Raises: the vertices are on the GPU; see `read_vertices`."""
        raise not_here(self._name)

    @vertices.setter
    def vertices(self, values: object) -> None:
        raise InputError(
            f"the vertices of body {self._name!r} are made on the GPU; "
            "set its time or its parameters instead"
        )

    @property
    def world_vertices(self) -> Floats:
        """Raises: the vertices are on the GPU; see `read_vertices`."""
        raise not_here(self._name)

    def read_vertices(self) -> Floats:
        """Run the deform function and read all vertices.

        Returns
        -------
        (n, 3) ndarray of float64
            In world coordinates.
        """
        from impinge.gpu.bodies.passes import make
        from impinge.gpu.device import open_device

        shape = self._current()
        assert isinstance(shape, GpuShape)
        with open_device(software=True).session() as session:
            found = make(session, [shape]).read(session, 0)
            self.bytes_down += session.bytes_down
        return found.astype(np.float64)

    def _is_closed(self) -> bool:
        # by the indices of the vertices, wherever they are
        if self._closed is None:
            self._closed = edges_are_closed(self.faces, self._resident.count)
        return self._closed

    def _current(self) -> Shape:
        with self._lock:
            if self._shape is None:
                self._shape = GpuShape(
                    self._name,
                    self.faces,
                    self._resident,
                    time=self._time,
                    parameters=self._parameters,
                    placement=self._placement,
                    closed=self._is_closed(),
                )
            return self._shape

    def _deform(self) -> None:
        """That is done on the GPU."""

    def _check_reach(self, placement: bytes | None, reach: float) -> None:
        """Whether a pose moves too far is seen on the GPU."""

    def _farthest(self) -> float:
        return 0.0

    def __repr__(self) -> str:
        state = "" if self._placement is None else ", posed"
        return f"GpuBody({self._name!r}, {len(self.faces):,} faces{state})"

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            names = ("_name", "_groups", "_placement", "_time", "_parameters", "_closed")
            return {name: getattr(self, name) for name in (*names, "_resident")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({**state, "_local": None, "bytes_down": 0})
        read_only(self._parameters)


def from_shader(
    text: str | os.PathLike[str],
    faces: object,
    *,
    rest: object,
    vertex_count: int | None,
    parts: object,
    parameters: object,
    name: str,
    pose: object,
) -> GpuBody:
    if (rest is None) == (vertex_count is None):
        raise InputError("give either rest, the vertices at rest, or vertex_count")
    at_rest = None if rest is None else _as_singles(rest)
    count = _as_count(vertex_count) if at_rest is None else len(at_rest)
    resident = Resident(
        as_faces(faces, vertex_count=count),
        count,
        text=_source_text(text),
        rest=at_rest,
        parts=_as_parts(parts, count),
    )
    return GpuBody(resident, name=name, pose=pose, parameters=parameters)


def from_buffer(buffer: Any, faces: object, *, parts: object, name: str, pose: object) -> GpuBody:
    from impinge.gpu._wgpu import wgpu

    package = wgpu()
    if not isinstance(buffer, package.GPUBuffer):
        raise InputError(f"buffer must be a wgpu buffer, got {type(buffer).__name__}")
    if not buffer.usage & package.BufferUsage.STORAGE:
        raise InputError("buffer must be made with wgpu.BufferUsage.STORAGE")
    if buffer.size % 12:
        raise InputError(
            f"buffer must hold three float32 for each vertex, 12 bytes; it has {buffer.size} bytes"
        )
    count = buffer.size // 12
    resident = Resident(
        as_faces(faces, vertex_count=count),
        count,
        text="",
        parts=_as_parts(parts, count),
        buffer=buffer,
    )
    return GpuBody(resident, name=name, pose=pose)


def _source_text(text: str | os.PathLike[str]) -> str:
    if isinstance(text, str) and ("{" in text or "\n" in text):
        return text
    if not isinstance(text, str | os.PathLike):
        raise InputError(f"source must be WGSL text or a path, got {type(text).__name__}")
    try:
        return Path(text).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"source {os.fspath(text)!r} cannot be read as a file of WGSL: {error}"
        ) from error


def _as_count(value: object) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 0:
        raise InputError(f"vertex_count must be an integer of at least 0, got {value!r}")
    return int(value)


def _as_singles(rest: object) -> Singles:
    vertices = as_vertices(rest, argument="rest")
    with np.errstate(over="ignore"):
        singles = vertices.astype(np.float32)
    if not np.isfinite(singles).all():
        raise InputError("rest has coordinates beyond the range of float32; scale it down")
    return singles


def _as_parts(values: object, count: int) -> Ints | None:
    if values is None:
        return None
    parts = np.asarray(values)
    if parts.shape != (count,) or parts.dtype.kind not in "iu":
        raise InputError(
            f"parts must be ({count},) integers, one for each vertex, got {parts.dtype} "
            f"of shape {parts.shape}"
        )
    if parts.size and (parts.min() < 0 or parts.max() >= 2**31):
        raise InputError(f"parts must be from 0 to 2147483647, got {parts.min()}..{parts.max()}")
    result = parts.astype(np.int32)
    read_only(result)
    return result


def _as_parameters(values: object) -> Singles:
    try:
        parameters = np.array(values, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"parameters must be an array of numbers: {error}") from error
    read_only(parameters)
    return parameters
