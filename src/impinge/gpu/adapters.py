"""Which GPUs are there, which of them can be used, and which one to take."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from impinge.errors import NoAdapterError
from impinge.gpu._wgpu import our_errors, wgpu

REQUIRED_FEATURES = ("depth32float-stencil8", "float32-blendable")
OPTIONAL_FEATURES = (
    "timestamp-query",
    "subgroup",
    "shader-int64",
    "shader-int64-atomic-min-max",
)

_KINDS = {"DiscreteGPU": "discrete", "IntegratedGPU": "integrated", "CPU": "software"}
_RANKS = ("discrete", "integrated", "other", "software")


@dataclass(frozen=True)
class Adapter:
    """A GPU as one backend shows it.

    See Also
    --------
    impinge.gpu.adapters

    Examples
    --------
    >>> from impinge.gpu import Adapter
    >>> adapter = Adapter("llvmpipe", "software", "Vulkan", "Mesa 22.3.6", None, handle=None)
    >>> print(adapter)
    llvmpipe (software, Vulkan)
    """

    name: str
    """As the driver calls it."""
    kind: str
    """One of "discrete", "integrated", "other", "software"."""
    backend: str
    """"Vulkan", "Metal", "D3D12" or "OpenGL"."""
    driver: str
    """Name and version of the driver."""
    problem: str | None
    """Why it cannot be used; None when it can."""
    handle: Any = field(repr=False, compare=False)
    """The adapter of wgpu."""

    @property
    def software(self) -> bool:
        """Whether it computes on the CPU."""
        return self.kind == "software"

    def __str__(self) -> str:
        return f"{self.name} ({self.kind}, {self.backend}){': ' * bool(self.problem)}" + (
            self.problem or ""
        )


def adapters() -> tuple[Adapter, ...]:
    """All adapters of this machine, in the order wgpu lists them.

    Returns
    -------
    tuple of Adapter
        Also those that cannot be used, with the reason.

    Raises
    ------
    MissingDependencyError
        wgpu is not installed: it comes with ``impinge[gpu]``.

    See Also
    --------
    impinge.gpu.open_device

    Examples
    --------
    >>> from impinge import gpu
    >>> usable = [adapter.name for adapter in gpu.adapters() if adapter.problem is None]
    """
    with our_errors():
        _hush_wayland()
        return tuple(_described(handle) for handle in wgpu().gpu.enumerate_adapters_sync())


def chosen(found: Sequence[Adapter], *, software: bool) -> Adapter | None:
    """The adapter to take: discrete before integrated, one in software only when asked for.

    Parameters
    ----------
    found : sequence of Adapter
        See `adapters`.
    software : bool
        Whether one in software may be taken.

    Returns
    -------
    Adapter or None

    See Also
    --------
    impinge.gpu.open_device

    Examples
    --------
    >>> from impinge import gpu
    >>> gpu.chosen([], software=True) is None
    True
    """
    usable = [a for a in found if a.problem is None and (software or not a.software)]
    return min(usable, key=lambda adapter: _RANKS.index(adapter.kind), default=None)


def required(found: Sequence[Adapter], *, software: bool) -> Adapter:
    """The adapter to take, or an error that lists what there is."""
    adapter = chosen(found, software=software)
    if adapter is None:
        raise NoAdapterError(
            str(a) + ("" if a.problem or not a.software else ": not asked for") for a in found
        )
    return adapter


def _hush_wayland() -> None:
    """Without this variable there is no display, and Wayland says so on stderr for every driver."""
    if os.name != "posix" or "XDG_RUNTIME_DIR" in os.environ:
        return
    with suppress(OSError, AttributeError):
        wayland = ctypes.CDLL("libwayland-client.so.0")
        # takes the message, and only measures it
        wayland.wl_log_set_handler_client(ctypes.CDLL(None).strlen)


def _described(handle: Any) -> Adapter:
    info = handle.info
    return Adapter(
        name=info["device"] or info["vendor"] or "unnamed",
        kind=_KINDS.get(info["adapter_type"], "other"),
        backend=info["backend_type"],
        driver=info["description"],
        problem=_problem(info["backend_type"], handle.features),
        handle=handle,
    )


def _problem(backend: str, features: set[str]) -> str | None:
    # wgpu falls back to OpenGL by itself, which cannot read depth textures
    if backend in ("OpenGL", "OpenGLES"):
        return "OpenGL is not enough"
    missing = [name for name in REQUIRED_FEATURES if name not in features]
    return f"lacks {', '.join(missing)}" if missing else None
