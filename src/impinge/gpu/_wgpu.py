"""The wgpu package, imported when a GPU is first asked for, and its errors as ours."""

from __future__ import annotations

import os
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


def forget_instance() -> None:
    """After a fork: the parent's driver threads are not here, so wgpu must start anew."""
    import gc
    import sys

    helpers = sys.modules.get("wgpu.backends.wgpu_native._helpers")
    if helpers is None:
        return
    helpers._the_instance = None  # type: ignore[attr-defined]
    # what the parent made is the parent's to give back; here that would wait for its threads
    package = sys.modules["wgpu"]
    theirs = (package.GPUObjectBase, package.GPUAdapter)
    for thing in gc.get_objects():
        if isinstance(thing, theirs):
            vars(thing)["_release"] = _keep
            # nor is it to be destroyed, as at the end of a session that was open
            thing._internal = None


def _keep() -> None:
    """In place of giving back what belongs to another process."""


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget_instance)
