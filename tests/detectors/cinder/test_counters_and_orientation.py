"""Many bodies in a row, and bodies that are inside out, mirrored, or have one shell flipped."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import impinge
from impinge.detectors.cinder import View
from support.meshes import Arrays, box, moved, sphere

ALONG = View.orthographic((0, 0, 1))


def overlaps(bodies: list[Arrays], **options: Any) -> impinge.results.Overlaps:
    scene = impinge.Scene()
    for index, body in enumerate(bodies):
        scene.add(*body, name=f"part {index}")
    made = {"device": "cpu", "resolution": 128, **options}
    return scene.overlaps(method=impinge.detector("cinder", **made))


def row(count: int) -> list[Arrays]:
    """Slabs behind each other, and two boxes that overlap behind them all."""
    slabs = [box((-1, -1, z), (1, 1, z + 0.5)) for z in range(count)]
    last = count + 1.0
    return [
        *slabs,
        box((-0.5, -0.5, last), (0.5, 0.5, last + 1)),
        box((-0.2, -0.2, last + 0.4), (0.8, 0.8, last + 1.4)),
    ]


@pytest.mark.parametrize("variant", ["corrected", "original"])
def test_300_bodies_in_a_row(variant: str) -> None:
    found = overlaps(row(300), views=ALONG, variant=variant)
    assert found.pairs.tolist() == [[300, 301]]
    assert found.complete


@pytest.mark.parametrize("variant", ["corrected", "original"])
def test_a_gpu_that_cannot_count_so_far_says_so(variant: str) -> None:
    pytest.importorskip("wgpu")
    found = overlaps(row(300), views=ALONG, device="gpu", resolution=64, variant=variant)
    assert found.stats["saturated_pixels"] > 0
    assert any("255 that a GPU counts" in text for text in found.warnings)
    assert found.complete == (found.pairs.tolist() == [[300, 301]])
    few = overlaps(row(20), views=ALONG, device="gpu", resolution=64, variant=variant)
    assert few.stats["saturated_pixels"] == 0
    assert few.complete


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_128_is_not_taken_for_none(device: str) -> None:
    """The listing as printed looks at the lowest seven bits of a count, the others at all."""
    if device == "gpu":
        pytest.importorskip("wgpu")
    halves = [*(4 - 0.02 * np.arange(128)), 0.5]
    nested = [box((-half,) * 3, (half,) * 3) for half in halves]
    found = overlaps(nested, views=ALONG, device=device, resolution=256)
    # only edges of the innermost one, which is drawn last, are within 128 others
    assert (found.pairs == 128).any()


def turned(body: Arrays) -> Arrays:
    return body[0], np.ascontiguousarray(body[1][:, ::-1])


def joined(*bodies: Arrays) -> Arrays:
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in bodies)])
    faces = [faces + start for (_, faces), start in zip(bodies, starts, strict=False)]
    return np.concatenate([vertices for vertices, _ in bodies]), np.concatenate(faces)


def test_inside_out() -> None:
    small = moved(sphere(6, radius=0.3), (0.1, 0, 0))
    found = overlaps([turned(sphere(6)), small])
    assert found.pairs.tolist() == [[0, 1]]
    assert "body 'part 0' is inside out" in found.warnings[0]
    assert overlaps([sphere(6), small]).warnings == ()


def test_mirrored_by_the_pose() -> None:
    small = moved(sphere(6, radius=0.3), (0.1, 0, 0))
    for flip, body in ((-1.0, sphere(6)), (-1.0, turned(sphere(6))), (1.0, turned(sphere(6)))):
        scene = impinge.Scene()
        scene.add(*body, pose=np.diag([flip, 1.0, 1.0, 1.0]))
        scene.add(*small)
        method = impinge.detector("cinder", device="cpu", resolution=128)
        assert scene.overlaps(method=method).pairs.tolist() == [[0, 1]]


def test_one_shell_flipped_is_turned_back_and_a_cavity_is_not() -> None:
    far = moved(sphere(6, radius=0.8), (5, 0, 0))
    small = moved(sphere(4, radius=0.3), (5.1, 0, 0))
    found = overlaps([joined(sphere(6), turned(far)), small])
    assert found.pairs.tolist() == [[0, 1]]
    assert "inside out, wholly or in part" in found.warnings[0]
    # in a cavity there is nothing, however the outer shell is turned
    hollow = joined(sphere(12, radius=2), turned(sphere(12)))
    within = sphere(4, radius=0.3)
    for body in (hollow, turned(hollow)):
        assert len(overlaps([body, within], rounds=3)) == 0
    # and an island in the cavity is solid again
    island = joined(hollow, turned(sphere(6, radius=0.6)))
    assert overlaps([island, within]).pairs.tolist() == [[0, 1]]


def test_shells_that_lie_on_each_other_are_named() -> None:
    outer = box((0, 0, 0), (2, 2, 2))
    corners = outer[0] * 1.0
    found = overlaps([joined(outer, turned((corners, outer[1]))), box((0.5, 0.5, 0.5), (1, 1, 1))])
    assert any("cannot be told" in text for text in found.warnings)
