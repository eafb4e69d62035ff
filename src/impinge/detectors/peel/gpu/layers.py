"""Depth peeling: one layer of fragments per pass, nearest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from impinge.gpu import State, Target

if TYPE_CHECKING:
    from impinge.detectors.image.gpu.count import Fragments
    from impinge.detectors.image.gpu.scene import GpuScene
    from impinge.gpu import Buffer, Session

_NEAREST = State(targets=("r32uint",), depth="depth32float", compare="less", depth_write=True)


def layers_mask(
    gpu: Session,
    scene: GpuScene,
    found: Fragments,
    mask: Buffer,
    *,
    layers: int | None,
    mark: bool,
) -> int:
    """Peels all layers, or as many as are asked for; gives the number of passes."""
    passes = found.tally.largest if layers is None else min(layers, found.tally.largest)
    size = scene.resolution
    owners = gpu.texture(size, size, "r32uint").create_view()
    depth = gpu.texture(size, size, "depth32float").create_view()
    scene_buffers: dict[str, Any] = {
        "frame": scene.frame,
        "planes": scene.planes,
        "ranges": scene.ranges,
    }
    state: dict[str, Any] = {
        "last": gpu.zeros(8 * scene.pixels),
        "mask": mask,
        "equal": gpu.zeros(4 * scene.pixels),
    }
    for _ in range(passes):
        gpu.render(
            "peel/layer",
            3 * scene.triangles,
            _NEAREST,
            [Target(owners, 0.0)],
            depth=Target(depth, 1.0),
            vertices=scene.vertices,
            faces=scene.faces,
            **scene_buffers,
            **state,
        )
        gpu.compute("peel/layer_step", scene.pixels, owners=owners, **scene_buffers, **state)
    if mark and layers is not None:
        seen = gpu.uniform(scene.pixels, layers)
        gpu.compute("peel/mark", scene.pixels, counts=found.counts, mask=mask, size=seen)
    return passes
