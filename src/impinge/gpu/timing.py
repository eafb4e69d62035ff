"""Seconds of the stages of a session, told by the GPU itself where it can."""

from __future__ import annotations

from collections import defaultdict
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.gpu._wgpu import wgpu

if TYPE_CHECKING:
    from impinge.gpu.device import Device

_STAMPS = 4096
"""Time stamps of one query set, two for each pass."""


class Clock:
    """Adds up what the passes of each stage took."""

    def __init__(self, device: Device) -> None:
        self._device = device
        # software adapters stamp a pass when it is handed on, not when it is done
        self.stamped = "timestamp-query" in device.features and not device.adapter.software
        self.stage = "other"
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._stages: list[str] = []
        self._stamps: Any = None
        self._resolved: list[tuple[Any, list[str]]] = []
        self._started: float | None = None

    def writes(self, encoder: Any) -> dict[str, Any] | None:
        """What a pass that begins now is told about time stamps."""
        if not self.stamped:
            self._started = self._started or perf_counter()
            return None
        if len(self._stages) == _STAMPS // 2:
            self.resolve(encoder)
        if self._stamps is None:
            self._stamps = self._device.handle.create_query_set(type="timestamp", count=_STAMPS)
        first = 2 * len(self._stages)
        self._stages.append(self.stage)
        return {
            "query_set": self._stamps,
            "beginning_of_pass_write_index": first,
            "end_of_pass_write_index": first + 1,
        }

    def resolve(self, encoder: Any) -> None:
        """Before the commands are finished: the stamps so far go into a buffer."""
        if not self._stages:
            return
        usage = wgpu().BufferUsage
        size = 16 * len(self._stages)
        buffer = self._device.handle.create_buffer(
            size=size, usage=usage.QUERY_RESOLVE | usage.COPY_SRC
        )
        encoder.resolve_query_set(self._stamps, 0, 2 * len(self._stages), buffer, 0)
        self._resolved.append((buffer, self._stages))
        self._stages, self._stamps = [], None

    def done(self) -> None:
        """All submitted work is done; without time stamps, that is the end of the stage."""
        if self._started is not None:
            self._seconds[self.stage] += perf_counter() - self._started
            self._started = None

    def seconds(self) -> dict[str, float]:
        """Seconds of each stage so far."""
        for buffer, stages in self._resolved:
            data = self._device.handle.queue.read_buffer(buffer)
            begin, end = np.frombuffer(data, np.uint64).reshape(-1, 2).T.astype(np.int64)
            # a driver may write the two in any order when a pass is empty
            for stage, nanoseconds in zip(stages, np.maximum(end - begin, 0), strict=True):
                self._seconds[stage] += float(nanoseconds) * 1e-9
            buffer.destroy()
        self._resolved = []
        return dict(self._seconds)
