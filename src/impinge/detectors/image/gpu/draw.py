"""Render passes whose fragments go into buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from impinge.gpu import State, Target

if TYPE_CHECKING:
    from impinge.detectors.image.gpu.scene import GpuScene
    from impinge.gpu import Session

# a pass must have something to draw into
_NOTHING = State(targets=("r8unorm",), write="")


def draw_only(gpu: Session, scene: GpuScene, shader: str, corners: int, **bound: Any) -> None:
    """Draws that many corners; the fragment stage of the shader does the rest."""
    nothing = gpu.texture(scene.resolution, scene.resolution, "r8unorm")
    gpu.render(shader, corners, _NOTHING, [Target(nothing.create_view(), 0.0)], **bound)
