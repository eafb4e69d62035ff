"""The textures that the passes draw into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from impinge.detectors.cinder.gpu.states import DEPTH, OWNERS

if TYPE_CHECKING:
    from impinge.gpu import Session


@dataclass(frozen=True)
class Canvas:
    """Views of depths and stencils, of the body of the last edge, and of edges and solids."""

    both: Any
    depth: Any
    stencil: Any
    owners: Any
    image: Any


def canvas(gpu: Session, resolution: int, kind: str) -> Canvas:
    """kind: the format of the image."""
    both = gpu.texture(resolution, resolution, DEPTH)
    return Canvas(
        both.create_view(),
        both.create_view(format="depth32float", aspect="depth-only"),
        both.create_view(format="stencil8", aspect="stencil-only"),
        gpu.texture(resolution, resolution, OWNERS).create_view(),
        gpu.texture(resolution, resolution, kind).create_view(),
    )
