"""Whether the surface of a shape is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge import _core

if TYPE_CHECKING:
    from impinge._shape import Shape


def is_closed(shape: Shape, workers: int = 0) -> bool:
    """Whether every edge is used once in each direction; kept for the next query."""
    return shape.local_structures.get(
        "closed", shape.local, lambda: _core.is_closed(shape.local, shape.faces, workers)
    )
