"""A piece of work on a device: buffers up, passes, buffers down, and what that cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.errors import DeviceLostError, GpuLimitError
from impinge.gpu._wgpu import our_errors, wgpu
from impinge.gpu.passes import Draw, State, Target, bind_group, groups_of
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
    """Memory of the GPU; made by a `Session`.

    Parameters
    ----------
    handle : wgpu.GPUBuffer
        The buffer of wgpu.
    nbytes : int
        Bytes that were asked for.

    See Also
    --------
    impinge.gpu.Session.upload, impinge.gpu.Session.read

    Examples
    --------
    >>> from impinge import gpu
    >>> with gpu.open_device(software=True).session() as session:
    ...     session.zeros(100).nbytes
    100
    """

    def __init__(self, handle: Any, nbytes: int) -> None:
        self.handle = handle
        self.nbytes = nbytes

    @property
    def resource(self) -> dict[str, Any]:
        """What a bind group of wgpu takes."""
        return {"buffer": self.handle, "offset": 0, "size": self.handle.size}


class Session:
    """A piece of work: passes are recorded one after the other and run when something is read.

    Belongs to one thread. Used in a `with` block, at whose end its memory is given back.

    Parameters
    ----------
    device : Device
        Where the work is done. `Device.session` makes one.

    See Also
    --------
    impinge.gpu.open_device

    Examples
    --------
    >>> import numpy as np
    >>> from impinge import gpu
    >>> with gpu.open_device(software=True).session() as session:
    ...     totals, sums = session.upload([10], np.uint32), session.upload([1, 2, 3], np.uint32)
    ...     size = session.uniform(3)
    ...     session.compute("scan_add", 3, totals=totals, size=size, sums=sums)
    ...     session.read(sums, np.uint32).tolist()
    [11, 12, 13]
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
        """A buffer with the bytes of an array: `values`, converted to `dtype` first."""
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
        """A buffer for ``var<uniform>``: a few numbers, `values`, stored as `dtype`."""
        data = np.array(values, dtype=dtype).tobytes()
        data += bytes(-len(data) % 16)
        usage = wgpu().BufferUsage
        with self._guarded():
            handle = self.device.handle.create_buffer_with_data(data=data, usage=usage.UNIFORM)
        self._owned.append(handle)
        self.bytes_up += len(data)
        return Buffer(handle, len(data))

    def zeros(self, nbytes: int) -> Buffer:
        """A buffer of `nbytes` zeros; nothing is sent for them."""
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
        """A texture of `width` times `height` pixels to draw into and read from in later passes.

        `kind` is its format, as WebGPU calls it.
        """
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
        """Record a compute pass of a `shader`, given by name, with one thread for each of `items`.

        `constants` are those that the shader lets be overridden, `groups` the workgroups in x and y
        instead of those that the items need. `bound` are buffers and textures by the names of the
        variables in the shader.
        """
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
        **bound: Any,
    ) -> None:
        """Record a render pass of one draw, see `Draw`: `shader`, `vertex_count`, `state`, `bound`.

        Vertices are pulled from buffers by the shader; without any, `targets` and `depth` are only
        cleared.
        """
        self.draw([Draw(shader, vertex_count, state, bound)], targets, depth=depth)

    def draw(
        self,
        draws: Sequence[Draw],
        targets: Sequence[Target] = (),
        *,
        depth: Target | None = None,
    ) -> Buffer | None:
        """Record a render pass of several `draws` into the same `targets` (colour) and `depth`.

        Gives a buffer with a number (u64) for each watched draw, which is zero if none of its
        fragments passed; None if none is watched.
        """
        painters = self._painters(draws)
        queries, passed = self._queries(sum(draw.watched for draw in draws))
        with self._guarded():
            encoder = self._recording()
            render = encoder.begin_render_pass(
                label=source(draws[0].shader).name if draws else "clear",
                color_attachments=[_colour(target) for target in targets],
                depth_stencil_attachment=_depth(depth),
                occlusion_query_set=queries,
                timestamp_writes=self._clock.writes(encoder),
            )
            watched, now = count(), None
            for draw, painter in zip(draws, painters, strict=True):
                if draw.watched:
                    render.begin_occlusion_query(next(watched))
                if draw.corners:
                    if painter is not now:
                        render.set_pipeline(painter[0])
                        render.set_bind_group(0, painter[1])
                        now = painter
                    render.draw(draw.corners, 1, draw.first)
                if draw.watched:
                    render.end_occlusion_query()
            render.end()
            if passed:
                encoder.resolve_query_set(queries, 0, queries.count, passed.handle, 0)
        return passed

    def _painters(self, draws: Sequence[Draw]) -> list[tuple[Any, Any]]:
        """Pipeline and bindings of each draw; the same for those with the same bindings."""
        known: dict[Any, tuple[Any, Any]] = {}
        for draw in draws:
            key = _key(draw)
            if key not in known:
                pipeline = self.device.render_pipeline(draw.shader, draw.constants, draw.state)
                known[key] = (
                    pipeline,
                    bind_group(self.device, draw.shader, pipeline, draw.bound),
                )
        return [known[_key(draw)] for draw in draws]

    def _queries(self, number: int) -> tuple[Any, Buffer | None]:
        """Queries that count fragments, and a buffer for their answers."""
        if number == 0:
            return None, None
        usage = wgpu().BufferUsage
        with self._guarded():
            queries = self.device.handle.create_query_set(type="occlusion", count=number)
            answers = self.device.handle.create_buffer(
                size=8 * number, usage=usage.QUERY_RESOLVE | usage.COPY_SRC
            )
        self._owned += [queries, answers]
        return queries, Buffer(answers, 8 * number)

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        """Record a copy of the first `nbytes` from buffer `source` to buffer `target`."""
        with self._guarded():
            self._recording().copy_buffer_to_buffer(source.handle, 0, target.handle, 0, nbytes)

    def clear(self, buffer: Buffer) -> None:
        """Record that a `buffer` is set to zero."""
        with self._guarded():
            self._recording().clear_buffer(buffer.handle, 0, buffer.handle.size)

    # results

    def read(self, buffer: Buffer, dtype: DTypeLike, count: int | None = None) -> NDArray[Any]:
        """The first `count` values of a `buffer` (None: all) as `dtype`, when all work is done."""
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
        """A `with` block whose passes belong to the stage `name`, for `counters`."""
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


def _key(draw: Draw) -> Any:
    return draw.shader, draw.state, id(draw.bound), id(draw.constants)


def _depth(target: Target | None) -> dict[str, Any] | None:
    if target is None:
        return None
    found: dict[str, Any] = {
        "view": target.view,
        "depth_load_op": "load" if target.clear is None else "clear",
        "depth_store_op": "store",
        "depth_clear_value": float(target.clear or 0.0),  # type: ignore[arg-type]
    }
    if "stencil" in target.view.texture.format:
        found |= {
            "stencil_load_op": "load" if target.stencil_clear is None else "clear",
            "stencil_store_op": "store",
            "stencil_clear_value": target.stencil_clear or 0,
        }
    return found
