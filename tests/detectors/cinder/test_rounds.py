"""Aligned parts hide each other's edges: looking again finds them, and what is missing is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import impinge
from detectors.cinder.aligned import FAMILIES, aligned, pixel_of, wider_than
from impinge.detectors.cinder import View
from impinge.errors import InputError
from support.meshes import Arrays, box, moved, sphere

SKEW = View.orthographic((0.3, 0.5, 0.8))


def scene_of(bodies: list[Arrays]) -> impinge.Scene:
    scene = impinge.Scene()
    for index, body in enumerate(bodies):
        scene.add(*body, name=f"part {index}")
    return scene


def overlaps(bodies: list[Arrays], **options: Any) -> impinge.results.Overlaps:
    made = {"device": "cpu", "resolution": 256, **options}
    return scene_of(bodies).overlaps(method=impinge.detector("cinder", **made))


def as_set(found: impinge.results.Overlaps) -> set[tuple[int, int]]:
    return set(map(tuple, found.pairs.tolist()))


@pytest.mark.parametrize("family", FAMILIES)
def test_aligned_parts_are_found(family: str) -> None:
    wanted = found = once = 0
    for seed in range(1000, 1008):
        bodies = aligned(family, seed)
        truth = wider_than(bodies, pixel_of(bodies, 256))
        answer = overlaps(bodies)
        missing = truth - as_set(answer)
        assert not (missing and answer.complete)
        assert answer.complete or answer.warnings
        wanted, found = wanted + len(truth), found + len(truth) - len(missing)
        once += len(truth & as_set(overlaps(bodies, rounds=1)))
    assert found >= 0.99 * wanted
    if family in ("grid", "nested"):
        assert once < found


@pytest.mark.parametrize("options", [{"rounds": 1}, {"resolution": 16}, {"rounds": 1, "views": 1}])
def test_what_is_missing_is_told(options: dict[str, Any]) -> None:
    """Single rounds, single axes and images of few pixels miss pairs, and never say they do not."""
    if "views" in options:
        options = {**options, "views": View.orthographic((0, 0, 1))}
    lacking = 0
    for family in FAMILIES:
        for seed in range(6):
            bodies = aligned(family, seed)
            answer = overlaps(bodies, **{"resolution": 64, **options})
            if wider_than(bodies, 0.0) - as_set(answer):
                lacking += 1
                assert not answer.complete
                assert any("may" in warning or "no image" in warning for warning in answer.warnings)
    assert lacking >= 3


def test_rounds_end_when_all_is_seen_or_two_add_nothing() -> None:
    cube = box((0, 0, 0), (1, 1, 1))
    met = overlaps([cube, moved(cube, (0.5, 0.25, 0.3))])
    assert (met.stats["rounds"], met.complete, met.warnings) == (1, True, ())
    assert met.stats["unseen_pairs"] == 0
    # boxes overlap, the balls do not
    balls = [sphere(8), moved(sphere(8), (1.4, 1.4, 1.4))]
    apart = overlaps(balls)
    assert len(apart) == 0
    assert (apart.stats["rounds"], apart.complete, apart.stats["unseen_pairs"]) == (2, False, 1)
    assert "'part 0' and 'part 1'" in apart.warnings[0]
    assert overlaps(balls, rounds=1).stats["rounds"] == 1


def test_boxes_that_only_touch_are_not_missing() -> None:
    cube = box((0, 0, 0), (1, 1, 1))
    assert overlaps([cube, moved(cube, (1, 0, 0))]).complete
    assert overlaps([cube, moved(cube, (3, 0, 0))]).complete


def test_an_edge_in_two_bodies_names_both_in_the_end() -> None:
    bodies = [
        sphere(8, radius=2),
        moved(sphere(8, radius=2.05), (0.2, 0.1, 0)),
        sphere(3, radius=0.2),
    ]
    assert as_set(overlaps(bodies)) == {(0, 1), (0, 2), (1, 2)}
    once = overlaps(bodies, views=SKEW)
    assert once.stats["rounds"] == 1
    assert as_set(once) == {(0, 1), (0, 2), (1, 2)} or not once.complete
    # views that were chosen stay: other rounds draw in another order
    again = overlaps(bodies, views=SKEW, rounds=4)
    assert as_set(again) == {(0, 1), (0, 2), (1, 2)}
    assert again.complete


def test_pairs_that_are_not_asked_for_are_not_missing() -> None:
    balls = [sphere(8), moved(sphere(8), (1.4, 1.4, 1.4)), moved(sphere(8), (0.5, 0, 0))]
    scene = scene_of(balls)
    scene.ignore("part 0", "part 1")
    scene.ignore("part 1", "part 2")
    found = scene.overlaps(method=impinge.detector("cinder", device="cpu", resolution=256))
    assert found.pairs.tolist() == [[0, 2]]
    assert found.complete


@pytest.mark.parametrize("payload", ["triangles", "normals"])
def test_payloads_of_later_rounds_are_of_the_right_bodies(payload: str) -> None:
    bodies = aligned("nested", 3)
    last = len(bodies) - 1
    found = overlaps(
        bodies, payload=payload, **({"reference": last} if payload == "normals" else {})
    )
    assert found.stats["rounds"] > 1
    if payload == "normals":
        assert (found.pairs == last).any(axis=1).all()
        assert np.allclose(np.linalg.norm(found.normals, axis=1), 1)
        return
    assert as_set(found) == set(map(tuple, np.unique(np.sort(found.triangles[:, ::2]), axis=0)))
    counts = np.array([len(faces) for _, faces in bodies])
    assert (found.triangles[:, 1::2] < counts[found.triangles[:, ::2]]).all()


def test_the_gpu_sees_the_same() -> None:
    pytest.importorskip("wgpu")
    for family in FAMILIES:
        bodies = aligned(family, 7)
        cpu, gpu = (overlaps(bodies, device=device, resolution=128) for device in ("cpu", "gpu"))
        assert np.array_equal(cpu.pairs, gpu.pairs)
        assert np.array_equal(cpu.pixels, gpu.pixels)
        assert cpu.stats["rounds"] == gpu.stats["rounds"]
        assert cpu.complete == gpu.complete


def test_bad_rounds() -> None:
    for rounds in (0, 17, True, 1.5, "auto"):
        with pytest.raises(InputError, match="rounds must be None or an integer from 1 to 16"):
            impinge.detector("cinder", rounds=rounds)
