"""The triangles that have a box, moved together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from impinge import _core

if TYPE_CHECKING:
    from impinge._types import Ints

WIDTH = 1024
"""Columns of the image that `packing="sweep"` lays the triangles out in."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Triangles `ids` (k,) in ascending order and their clipped `boxes` (k, 4)."""

    ids: Ints
    boxes: Ints


def pack(sparse: Ints, packing: str = "scan") -> Candidates:
    """Rows of `sparse` (m, 4) that are not zero: by a prefix sum or, as published, by sweeps."""
    return Candidates(*_core.pack(sparse, WIDTH if packing == "sweep" else None))
