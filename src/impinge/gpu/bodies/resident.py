"""What stays on the GPU between queries: rest positions, parts and faces of one body."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from impinge._arrays import read_only
from impinge.errors import InputError
from impinge.gpu._wgpu import our_errors, wgpu
from impinge.gpu.session import Buffer

if TYPE_CHECKING:
    from impinge._types import AnyArray, Ints, Singles
    from impinge.gpu.device import Device
    from impinge.gpu.session import Session


class Buffers(NamedTuple):
    """Of one body on one device; what it has none of is a small buffer of zeros."""

    rest: Buffer
    parts: Buffer
    faces: Buffer


class Stars(NamedTuple):
    """The faces around each vertex."""

    ends: Buffer
    """(n,) where those of a vertex end in `faces`."""
    faces: Buffer
    """(3m,)"""


class Resident:
    """The arrays of a body, sent to each device once, when it is first asked about."""

    def __init__(
        self,
        faces: Ints,
        count: int,
        *,
        text: str,
        rest: Singles | None = None,
        parts: Ints | None = None,
        buffer: Any = None,
    ) -> None:
        self.faces = faces
        self.count = count
        self.text = text
        """WGSL with the function deform; empty when the vertices are in `buffer`."""
        self.rest = rest
        self.parts = parts
        self.buffer = buffer
        self._lock = Lock()
        self._buffers: WeakKeyDictionary[Device, Buffers] = WeakKeyDictionary()
        self._stars: WeakKeyDictionary[Device, Stars] = WeakKeyDictionary()

    def __reduce__(self) -> tuple[Any, ...]:
        if self.buffer is not None:
            raise InputError("a body in a buffer of the GPU cannot be copied; read_vertices() can")
        return _rebuilt, (self.faces, self.count, self.text, self.rest, self.parts)

    @property
    def has_rest(self) -> bool:
        return self.rest is not None or self.buffer is not None

    def buffers(self, session: Session) -> Buffers:
        with self._lock:
            if session.device not in self._buffers:
                rest = _sent(session, self.rest) if self.buffer is None else self._users(session)
                self._buffers[session.device] = Buffers(
                    rest, _sent(session, self.parts), _sent(session, self.faces)
                )
            return self._buffers[session.device]

    def stars(self, session: Session) -> Stars:
        """Needed only when the body is checked against itself."""
        with self._lock:
            if session.device not in self._stars:
                corners = self.faces.reshape(-1)
                ends = np.cumsum(np.bincount(corners, minlength=self.count))
                around = np.argsort(corners, kind="stable") // 3
                self._stars[session.device] = Stars(
                    _sent(session, ends.astype(np.int32)), _sent(session, around.astype(np.int32))
                )
            return self._stars[session.device]

    def _users(self, session: Session) -> Buffer:
        if getattr(self.buffer, "_device", None) is not session.device.handle:
            raise InputError(
                "the buffer belongs to another device; make it with "
                "impinge.gpu.open_device(software=True).handle.create_buffer"
            )
        return Buffer(self.buffer, self.buffer.size)


def _rebuilt(
    faces: Ints, count: int, text: str, rest: Singles | None, parts: Ints | None
) -> Resident:
    for array in (faces, parts):
        if array is not None:
            read_only(array)
    return Resident(faces, count, text=text, rest=rest, parts=parts)


def _sent(session: Session, array: AnyArray | None) -> Buffer:
    """A buffer that outlives the session."""
    data = b"" if array is None else np.ascontiguousarray(array).tobytes()
    usage = wgpu().BufferUsage
    with session.device.lock, our_errors():
        handle = session.device.handle.create_buffer_with_data(
            data=data.ljust(16, b"\0"), usage=usage.STORAGE
        )
    session.bytes_up += len(data)
    return Buffer(handle, len(data))
