"""One open device per adapter and process, shared by all threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import Any

from impinge.errors import MissingDependencyError, NoAdapterError
from impinge.gpu._wgpu import our_errors, wgpu
from impinge.gpu.adapters import (
    OPTIONAL_FEATURES,
    REQUIRED_FEATURES,
    Adapter,
    adapters,
    required,
)
from impinge.gpu.passes import State, compute_pipeline, render_pipeline
from impinge.gpu.session import Session
from impinge.gpu.sources import Source

_RAISED_LIMITS = (
    "max-buffer-size",
    "max-storage-buffer-binding-size",
    "max-storage-buffers-per-shader-stage",
    "max-texture-dimension-2d",
)

_opening = threading.Lock()
_open: dict[tuple[int, bool], Device] = {}
_absent: set[tuple[int, bool]] = set()


class Device:
    """An adapter in use: its pipelines are compiled once, its work is done in sessions.

    Parameters
    ----------
    adapter : Adapter
        What to open. Use `open_device`, which opens each adapter once.

    See Also
    --------
    impinge.gpu.open_device, impinge.gpu.Session

    Examples
    --------
    >>> from impinge import gpu
    >>> device = gpu.open_device(software=True)
    >>> device.limits["max-buffer-size"] > 0
    True
    """

    def __init__(self, adapter: Adapter) -> None:
        self.adapter = adapter
        self.lock = threading.RLock()
        """Held while work is recorded for or read from the queue."""
        handle = adapter.handle
        optional = [name for name in OPTIONAL_FEATURES if name in handle.features]
        with our_errors():
            self.handle = handle.request_device_sync(
                required_features=[*REQUIRED_FEATURES, *optional],
                required_limits={name: handle.limits[name] for name in _RAISED_LIMITS},
            )
        self.features = frozenset(self.handle.features)
        self.limits: Mapping[str, int] = dict(self.handle.limits)
        self._pipelines: dict[Any, Any] = {}

    def session(self) -> Session:
        """A piece of work with buffers, times and counted bytes of its own.

        Returns
        -------
        Session
        """
        return Session(self)

    def compute_pipeline(self, shader: str | Source, constants: Mapping[str, float]) -> Any:
        """The compiled pipeline of a compute shader.

        Parameters
        ----------
        shader : str or Source
            Name of a shader.
        constants : mapping of str to float
            Its overridable constants.

        Returns
        -------
        wgpu.GPUComputePipeline
        """
        key = (shader, tuple(sorted(constants.items())))
        return self._cached(key, lambda: compute_pipeline(self, shader, constants))

    def render_pipeline(
        self, shader: str | Source, constants: Mapping[str, float], state: State
    ) -> Any:
        """The compiled pipeline of a render shader.

        Parameters
        ----------
        shader : str or Source
            Name of a shader.
        constants : mapping of str to float
            Its overridable constants.
        state : State
            Fixed-function state.

        Returns
        -------
        wgpu.GPURenderPipeline
        """
        key = (shader, tuple(sorted(constants.items())), state)
        return self._cached(key, lambda: render_pipeline(self, shader, constants, state))

    def _cached(self, key: Any, make: Any) -> Any:
        with self.lock:
            if key not in self._pipelines:
                self._pipelines[key] = make()
            return self._pipelines[key]


def open_device(*, software: bool = False) -> Device:
    """The best adapter of this machine, opened once for each process.

    Parameters
    ----------
    software : bool, default False
        Take one in software if there is no other.

    Returns
    -------
    Device

    Raises
    ------
    NoAdapterError
        There is none; the message tells what was found.

    See Also
    --------
    impinge.gpu.find_device : None instead of an error.

    Examples
    --------
    >>> from impinge import gpu
    >>> gpu.open_device(software=True) is gpu.open_device(software=True)
    True
    """
    wgpu()
    # a forked child has another id and opens its own; the parent's are kept, but never touched
    key = (os.getpid(), software)
    with _opening:
        if key not in _open:
            adapter = required(adapters(), software=software)
            same = (device for (pid, _), device in _open.items() if pid == key[0])
            known = {device.adapter: device for device in same}
            _open[key] = known.get(adapter) or Device(adapter)
        return _open[key]


def find_device(*, software: bool = False) -> Device | None:
    """The device of `open_device`, or None without wgpu or without such an adapter.

    Parameters
    ----------
    software : bool, default False
        Take one in software if there is no other.

    Returns
    -------
    Device or None

    See Also
    --------
    impinge.gpu.open_device

    Examples
    --------
    >>> from impinge import gpu
    >>> gpu.find_device(software=True) is gpu.open_device(software=True)
    True
    """
    key = (os.getpid(), software)
    if key in _absent:
        return None
    try:
        return open_device(software=software)
    except (MissingDependencyError, NoAdapterError):
        _absent.add(key)
        return None


def forget(device: Device) -> None:
    """Open another device next time: this one was lost."""
    with _opening:
        for key in [key for key, known in _open.items() if known is device]:
            del _open[key]


def _unlocked_after_fork() -> None:
    # another thread of the parent may have held it
    global _opening  # noqa: PLW0603
    _opening = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlocked_after_fork)
