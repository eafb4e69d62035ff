"""Depth peeling from both ends: the nearest and the farthest layer in each pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge.gpu import State, Target

if TYPE_CHECKING:
    from impinge.detectors.image.gpu.count import Fragments
    from impinge.detectors.image.gpu.scene import GpuScene
    from impinge.gpu import Buffer, Session

_FARTHEST = State(targets=("rg32float",), blend="max")


def dual_mask(
    gpu: Session,
    scene: GpuScene,
    found: Fragments,
    mask: Buffer,
    *,
    layers: int | None,
    mark: bool,
) -> int:
    """Peels until both streams meet, or as far as is asked for; gives the number of passes."""
    deepest = found.tally.largest if layers is None else min(layers, found.tally.largest)
    passes = (deepest + 1) // 2
    ends = gpu.texture(scene.resolution, scene.resolution, "rg32float").create_view()
    reached, distinct = gpu.zeros(8 * scene.pixels), gpu.zeros(4 * scene.pixels)

    def draw(triangles: int) -> None:
        gpu.render(
            "peel/dual",
            3 * triangles,
            _FARTHEST,
            [Target(ends, 0.0)],
            frame=scene.frame,
            vertices=scene.vertices,
            faces=scene.faces,
            planes=scene.planes,
            ranges=scene.ranges,
            reached=reached,
        )

    for index in range(passes):
        draw(scene.triangles)
        gpu.compute(
            "peel/dual_step",
            scene.pixels,
            frame=scene.frame,
            reached=reached,
            distinct=distinct,
            mask=mask,
            found=ends,
            pass_index=gpu.uniform(index),
        )
    # what lies between the streams now was not looked at
    draw(scene.triangles if 2 * passes < found.tally.largest else 0)
    gpu.compute(
        "peel/dual_end",
        scene.pixels,
        frame=scene.frame,
        counts=found.counts,
        distinct=distinct,
        mask=mask,
        rest=ends,
        deeper=gpu.uniform(int(mark)),
    )
    return passes
