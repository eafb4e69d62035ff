"""The wgpu package, imported when a GPU is first asked for, and its errors as ours."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from impinge.errors import DeviceLostError, GpuError, MissingDependencyError


def wgpu() -> Any:
    try:
        import wgpu as package
        import wgpu.backends.wgpu_native
    except ImportError as error:
        raise MissingDependencyError("wgpu", "gpu", "a GPU") from error
    return package


@contextmanager
def our_errors() -> Iterator[None]:
    """Errors of wgpu raised inside come out as GpuError."""
    package = wgpu()
    try:
        yield
    except package.GPUError as error:
        cause = reason(error)
        if "device is lost" in cause.lower():
            raise DeviceLostError(f"the GPU was lost ({cause}); run the query again") from error
        if isinstance(error, package.GPUOutOfMemoryError):
            raise GpuError(
                f'the GPU has too little memory ({cause}); use a lower resolution or device="cpu"'
            ) from error
        raise GpuError(cause) from error


def reason(error: Exception) -> str:
    """What wgpu says, without the lines that only name its own functions."""
    lines = [line.strip() for line in str(error).splitlines()]
    useful = [line for line in lines if line and line not in ("Validation Error", "Caused by:")]
    return "\n".join(line for line in useful if not line.startswith("In wgpu")) or str(error)


def start_anew() -> None:
    """After a fork: the parent's driver threads are not here, and waiting for them never ends."""
    helpers: Any = sys.modules.get("wgpu.backends.wgpu_native._helpers")
    if helpers is None or helpers._the_instance is None:
        return
    helpers._the_instance = None
    package = wgpu()
    for thing in gc.get_objects():
        if isinstance(thing, package.GPUObjectBase | package.GPUAdapter):
            # or it would be released when the child collects it, through the parent's driver
            thing._internal = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=start_anew)
