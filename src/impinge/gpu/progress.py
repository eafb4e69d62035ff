"""How far a query on the GPU is, and what of its time was not the GPU's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge import _core

if TYPE_CHECKING:
    from collections.abc import Callable


def go_on(tick: Callable[[float], bool] | None, fraction: float) -> None:
    """Tell how much is done, and stop if that is the answer."""
    if tick is not None and not tick(fraction):
        raise _core.Cancelled


def transfer(counters: dict[str, float], seconds: float) -> dict[str, float]:
    """What is left of the whole time after the passes."""
    on_gpu = sum(value for name, value in counters.items() if name.endswith("_seconds"))
    return {"transfer_seconds": max(seconds - on_gpu, 0.0)}
