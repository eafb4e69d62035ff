"""How many fragments each pixel has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from impinge.detectors.image.gpu.draw import draw_only
from impinge.gpu.tally import Tally, read_tally, tally

if TYPE_CHECKING:
    from impinge.detectors.image.gpu.scene import GpuScene
    from impinge.gpu import Buffer, Session


@dataclass(frozen=True)
class Fragments:
    """How many fragments each pixel has, and all together."""

    counts: Buffer
    tally: Tally


def counted(gpu: Session, scene: GpuScene, *, conservative: bool) -> Fragments:
    """Fragments of each pixel; the largest number of them is the depth complexity."""
    counts = gpu.zeros(4 * scene.pixels)
    odd = gpu.zeros(4 * scene.pixels)
    shared: dict[str, Any] = {
        "frame": scene.frame,
        "vertices": scene.vertices,
        "faces": scene.faces,
        "ranges": scene.ranges,
        "counts": counts,
    }
    if conservative:
        draw_only(gpu, scene, "image/count_boxes", 6 * scene.triangles, **shared)
    else:
        draw_only(gpu, scene, "image/count", 3 * scene.triangles, **shared, odd=odd)
    return Fragments(counts, read_tally(gpu, tally(gpu, counts, odd, scene.pixels)))
