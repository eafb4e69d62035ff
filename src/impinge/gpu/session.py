"""A piece of work on a device: buffers up, passes, buffers down, and what that cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.errors import DeviceLostError, GpuLimitError
from impinge.gpu._wgpu import our_errors, wgpu
from impinge.gpu.passes import State, Target, bind_group, groups_of
from impinge.gpu.sources import Source, source
from impinge.gpu.timing import Clock

if TYPE_CHECKING:
    from types import TracebackType

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from impinge.gpu.device import Device

_CURE = 'use a lower resolution, fewer triangles per query, or device="cpu"'
_SMALLEST = 16
"""Bytes of a buffer for nothing: zero-length ones cannot be bound."""


class Buffer:
    """Memory of the GPU; `nbytes` is what was asked for."""

    def __init__(self, handle: Any, nbytes: int) -> None:
        self.handle = handle
        self.nbytes = nbytes

    @property
    def resource(self) -> dict[str, Any]:
        return {"buffer": self.handle, "offset": 0, "size": self.handle.size}


class Session:
    """Passes are recorded one after the other and run when something is read.

    Belongs to one thread; ends (as a `with` block) by giving its memory back.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self.bytes_up = 0
        self.bytes_down = 0
        self._clock = Clock(device)
        self._encoder: Any = None
        self._owned: list[Any] = []

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._encoder = None
        for resource in self._owned:
            resource.destroy()
        self._owned = []

    # memory

    def upload(self, values: ArrayLike, dtype: DTypeLike | None = None) -> Buffer:
        """A buffer with the bytes of an array."""
        array = np.ascontiguousarray(values, dtype=dtype)
        self.bytes_up += array.nbytes
        buffer = self.zeros(array.nbytes)
        if array.nbytes:
            data = array.tobytes()
            # buffers are written in multiples of four bytes
            data += bytes(-len(data) % 4)
            with self._guarded():
                self.device.handle.queue.write_buffer(buffer.handle, 0, data)
        return buffer

    def uniform(self, *values: float, dtype: DTypeLike = np.int32) -> Buffer:
        """A few numbers for a shader, to be declared as var<uniform>."""
        data = np.array(values, dtype=dtype).tobytes()
        data += bytes(-len(data) % 16)
        usage = wgpu().BufferUsage
        with self._guarded():
            handle = self.device.handle.create_buffer_with_data(data=data, usage=usage.UNIFORM)
        self._owned.append(handle)
        self.bytes_up += len(data)
        return Buffer(handle, len(data))

    def zeros(self, nbytes: int) -> Buffer:
        """A buffer of zeros; nothing is sent for them."""
        for limit in ("max-buffer-size", "max-storage-buffer-binding-size"):
            allowed = self.device.limits[limit]
            if nbytes > allowed:
                raise GpuLimitError("a buffer in bytes", nbytes, limit, allowed, _CURE)
        usage = wgpu().BufferUsage
        with self._guarded():
            handle = self.device.handle.create_buffer(
                size=max(nbytes + -nbytes % 4, _SMALLEST),
                usage=usage.STORAGE | usage.COPY_SRC | usage.COPY_DST | usage.INDIRECT,
            )
        self._owned.append(handle)
        return Buffer(handle, nbytes)

    def texture(self, width: int, height: int, kind: str) -> Any:
        """A texture of a format, to draw into and to read from in later passes."""
        limit = "max-texture-dimension-2d"
        allowed = self.device.limits[limit]
        if max(width, height) > allowed:
            raise GpuLimitError("a texture side", max(width, height), limit, allowed, _CURE)
        usage = wgpu().TextureUsage
        with self._guarded():
            handle = self.device.handle.create_texture(
                size=(width, height, 1),
                format=kind,
                usage=usage.RENDER_ATTACHMENT | usage.TEXTURE_BINDING | usage.COPY_SRC,
            )
        self._owned.append(handle)
        return handle

    # passes

    def compute(
        self,
        shader: str | Source,
        items: int,
        constants: Mapping[str, float] | None = None,
        /,
        *,
        groups: tuple[int, int] | None = None,
        **bound: Any,
    ) -> None:
        """One thread per item (or the given workgroups); `bound` names variables of the shader."""
        if items == 0:
            return
        pipeline = self.device.compute_pipeline(shader, constants or {})
        group = bind_group(self.device, shader, pipeline, bound)
        with self._guarded():
            encoder = self._recording()
            compute = encoder.begin_compute_pass(
                label=source(shader).name, timestamp_writes=self._clock.writes(encoder)
            )
            compute.set_pipeline(pipeline)
            compute.set_bind_group(0, group)
            compute.dispatch_workgroups(*(groups or groups_of(items)))
            compute.end()

    def render(
        self,
        shader: str | Source,
        vertex_count: int,
        state: State,
        targets: Sequence[Target] = (),
        /,
        *,
        depth: Target | None = None,
        instances: int = 1,
        constants: Mapping[str, float] | None = None,
        stencil_reference: int = 0,
        **bound: Any,
    ) -> None:
        """Draws; vertices are pulled from buffers by the shader. With none, targets are cleared."""
        pipeline = self.device.render_pipeline(shader, constants or {}, state)
        group = bind_group(self.device, shader, pipeline, bound)
        with self._guarded():
            encoder = self._recording()
            draw = encoder.begin_render_pass(
                label=source(shader).name,
                color_attachments=[_colour(target) for target in targets],
                depth_stencil_attachment=_depth(depth, state),
                timestamp_writes=self._clock.writes(encoder),
            )
            if vertex_count and instances:
                draw.set_pipeline(pipeline)
                draw.set_bind_group(0, group)
                draw.set_stencil_reference(stencil_reference)
                draw.draw(vertex_count, instances)
            draw.end()

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        with self._guarded():
            self._recording().copy_buffer_to_buffer(source.handle, 0, target.handle, 0, nbytes)

    def clear(self, buffer: Buffer) -> None:
        with self._guarded():
            self._recording().clear_buffer(buffer.handle, 0, buffer.handle.size)

    # results

    def read(self, buffer: Buffer, dtype: DTypeLike, count: int | None = None) -> NDArray[Any]:
        """The first `count` values of a buffer (None: all), after all that was recorded is done."""
        size = np.dtype(dtype).itemsize
        count = buffer.nbytes // size if count is None else count
        self.submit()
        nbytes = count * size
        with self._guarded():
            padded = max(nbytes + -nbytes % 4, 4)
            data = self.device.handle.queue.read_buffer(buffer.handle, 0, padded)
        self._clock.done()
        self.bytes_down += nbytes
        return np.frombuffer(data, dtype=dtype, count=count).copy()

    def submit(self) -> None:
        """Start what was recorded."""
        if self._encoder is None:
            return
        encoder, self._encoder = self._encoder, None
        with self._guarded():
            self._clock.resolve(encoder)
            self.device.handle.queue.submit([encoder.finish()])

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Passes recorded inside belong to this stage."""
        before, self._clock.stage = self._clock.stage, name
        try:
            yield
        finally:
            if not self._clock.stamped:
                self._wait()
            self._clock.stage = before

    def counters(self) -> dict[str, float]:
        """Bytes sent and read, and the seconds of each stage as `<stage>_seconds`."""
        self.submit()
        with self._guarded():
            seconds = self._clock.seconds()
        times = {f"{stage}_seconds": value for stage, value in seconds.items()}
        return {**times, "bytes_up": self.bytes_up, "bytes_down": self.bytes_down}

    def _wait(self) -> None:
        # the call of wgpu that waits raises in its release 0.32.0; reading four bytes waits too
        self.submit()
        small = self.zeros(4)
        with self._guarded():
            self.device.handle.queue.read_buffer(small.handle, 0, 4)
        self._clock.done()

    def _recording(self) -> Any:
        if self._encoder is None:
            self._encoder = self.device.handle.create_command_encoder()
        return self._encoder

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        from impinge.gpu.device import forget

        try:
            with self.device.lock, our_errors():
                yield
        except DeviceLostError:
            forget(self.device)
            raise


def _colour(target: Target) -> dict[str, Any]:
    clear = target.clear if isinstance(target.clear, tuple) else (target.clear or 0.0,) * 4
    return {
        "view": target.view,
        "load_op": "load" if target.clear is None else "clear",
        "store_op": "store",
        "clear_value": clear,
    }


def _depth(target: Target | None, state: State) -> dict[str, Any] | None:
    if target is None:
        return None
    found: dict[str, Any] = {
        "view": target.view,
        "depth_load_op": "load" if target.clear is None else "clear",
        "depth_store_op": "store",
        "depth_clear_value": float(target.clear or 0.0),  # type: ignore[arg-type]
    }
    if state.stencil is not None:
        found |= {
            "stencil_load_op": "load" if target.stencil_clear is None else "clear",
            "stencil_store_op": "store",
            "stencil_clear_value": target.stencil_clear or 0,
        }
    return found
