"""Boxes of the pixels that are on, of ever larger squares of the image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge import _core

if TYPE_CHECKING:
    from impinge._types import Bytes


def merge(mask: Bytes, precision: str = "fp32", workers: int = 0) -> _core.Pyramid:
    """Levels 0 to log2(W), each (W >> level, W >> level, 4) int32: x<, y<, x>, y> in subpixels."""
    return _core.merge(mask, precision == "fp16", workers)
