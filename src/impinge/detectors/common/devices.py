"""Where a detector that knows both CPUs and GPUs works."""

from __future__ import annotations

DEVICES = ("auto", "cpu", "gpu")


def takes_gpu(device: str) -> bool:
    """Whether one of `DEVICES` means a GPU on this machine."""
    return device == "gpu" or (device == "auto" and _has_gpu())


def _has_gpu() -> bool:
    from impinge.gpu import find_device

    return find_device() is not None
