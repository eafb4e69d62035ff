"""All fragments of every pixel at once: counted, put next to each other, sorted, judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from impinge.detectors.image.gpu.draw import draw_only
from impinge.gpu.scan import scan

if TYPE_CHECKING:
    from impinge.detectors.image.gpu.scene import GpuScene
    from impinge.gpu import Buffer, Session

_ALL = 2**31 - 1


@dataclass(frozen=True)
class Lists:
    """Key and triangle of all fragments, pixel after pixel, in the order of keys."""

    counts: Buffer
    ends: Buffer
    keys: Buffer
    owners: Buffer


def fragment_lists(
    gpu: Session, scene: GpuScene, counts: Buffer, total: int, *, boxes: bool
) -> Lists:
    """The fragments that were counted; boxes: of all pixels that triangles meet."""
    # the total is known, so nothing can overflow; too many raise here
    keys, owners = gpu.zeros(4 * total), gpu.zeros(4 * total)
    # scattering moves the start of each list to its end
    ends = scan(gpu, counts, scene.pixels)
    draw_only(
        gpu,
        scene,
        "peel/scatter_boxes" if boxes else "peel/scatter",
        (6 if boxes else 3) * scene.triangles,
        frame=scene.frame,
        vertices=scene.vertices,
        faces=scene.faces,
        planes=scene.planes,
        ranges=scene.ranges,
        next=ends,
        keys=keys,
        owners=owners,
    )
    size = gpu.uniform(scene.pixels)
    gpu.compute(
        "peel/sort", scene.pixels, counts=counts, ends=ends, size=size, keys=keys, owners=owners
    )
    return Lists(counts, ends, keys, owners)


def walk_mask(
    gpu: Session, scene: GpuScene, lists: Lists, mask: Buffer, *, layers: int | None, mark: bool
) -> None:
    """Rays along which front and back faces do not alternate, or open surfaces are close."""
    gpu.compute(
        "peel/walk",
        scene.pixels,
        **_bound(scene, lists, mask),
        budget=gpu.uniform(_ALL if layers is None else layers, int(mark)),
    )


def overlap_mask(gpu: Session, scene: GpuScene, lists: Lists, mask: Buffer) -> None:
    """Pixels where two triangles that may collide have overlapping depths."""
    gpu.compute(
        "peel/overlap",
        scene.pixels,
        **_bound(scene, lists, mask),
        faces=scene.faces,
    )


def _bound(scene: GpuScene, lists: Lists, mask: Buffer) -> dict[str, Any]:
    """What both judges of a pixel look at, and where they write."""
    return {
        "frame": scene.frame,
        "planes": scene.planes,
        "ranges": scene.ranges,
        "counts": lists.counts,
        "ends": lists.ends,
        "keys": lists.keys,
        "owners": lists.owners,
        "mask": mask,
    }
