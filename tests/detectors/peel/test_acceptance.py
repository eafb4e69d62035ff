"""What the method must do, from its definition: see PEEL in the names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import impinge
from detectors.peel import reference
from detectors.peel.scenes import as_reference, candidates, query_of, sampled, seen_by
from impinge.detectors import Detector
from support import oracle
from support.compare import answer, assert_same
from support.meshes import Arrays, box, grid, merge, moved, pose, posed, sphere, torus

Make = Callable[..., Detector]
PLAIN: dict[str, Any] = {"conservative": False, "dilate": 0}


def pressed(seed: int, n: int = 12) -> tuple[Arrays, Arrays]:
    """Two spheres that overlap."""
    return sphere(n), posed(sphere(n), pose(np.random.default_rng(seed), spread=0.5))


def pile(seed: int, count: int = 5) -> list[Arrays]:
    rng = np.random.default_rng(seed)
    return [posed(torus(16, 8), pose(rng, spread=0.8)) for _ in range(count)]


def windings_wrong(geometry: Any, resolution: int) -> np.ndarray:
    """Where the number of closed fronts minus backs passed leaves 0 and 1."""
    setups = reference.setups(geometry.snapped, geometry.faces)
    mask = np.zeros((resolution, resolution), dtype=np.uint8)
    for y, row in enumerate(reference.fragments(as_reference(geometry, resolution))):
        for x, pixel in enumerate(row):
            steps = [-1 if setups[face].back else 1 for _, face in pixel]
            mask[y, x] = bool({0, 1, *np.cumsum(steps).tolist()} - {0, 1})
    return mask


@pytest.mark.parametrize("seed", range(3))
def test_t1_the_mask_is_the_winding_test(device: str, seed: int) -> None:
    query = query_of(*pressed(seed))
    found = sampled(device, query, resolution=64, **PLAIN)
    _, geometry, _ = seen_by(query, resolution=64, **PLAIN)
    assert geometry.closed.all()
    assert np.array_equal(found.mask, windings_wrong(geometry, 64))
    assert found.counters["rays"] == found.mask.sum() > 0
    assert found.counters["odd_pixels"] == 0


@pytest.mark.parametrize("seed", range(3))
def test_t2_from_one_side_and_from_both(device: str, seed: int) -> None:
    query = query_of(*pile(seed))
    one, peeled, both = (
        sampled(device, query, resolution=128, sampling=sampling, **PLAIN)
        for sampling in ("lists", "peel", "dual")
    )
    assert np.array_equal(one.mask, both.mask)
    assert np.array_equal(one.mask, peeled.mask)
    if device == "cpu":
        assert "passes" not in peeled.counters
        return
    assert peeled.counters["passes"] == peeled.counters["layers"] > 4
    assert both.counters["passes"] == -(-both.counters["layers"] // 2)


@pytest.mark.parametrize("sampling", ["lists", "peel", "dual"])
def test_t3_marking_the_deeper_layers_loses_nothing(device: str, sampling: str) -> None:
    query = query_of(*pile(4, 8))
    options = {"resolution": 128, "sampling": sampling, **PLAIN}
    every = sampled(device, query, **options).mask
    for layers in (1, 2, 5, 6):
        marked = sampled(device, query, layers=layers, deeper="mark", **options).mask
        ignored = sampled(device, query, layers=layers, **options).mask
        assert np.all(marked >= every)
        assert np.all(ignored <= every)
        assert marked.sum() > ignored.sum()


def test_t5_contacts_lie_in_both_clipped_boxes(device: str) -> None:
    a, b = pressed(5)
    query = query_of(a, b)
    for options in ({"conservative": True}, {"conservative": False}):
        view, *_ = seen_by(query, resolution=128, **options)
        geometry, found = candidates(device, query, resolution=128, **options)
        boxes = {
            (int(geometry.body[i]), int(geometry.face[i])): box_
            for i, box_ in zip(found.ids, found.boxes, strict=True)
        }
        hits = impinge.collide(a, b)
        ends = view.snap(np.ascontiguousarray(hits.segments.reshape(-1, 3)))[:, :2]
        met = 0
        for (i, j), segment in zip(hits.pairs.tolist(), ends.reshape(-1, 2, 2), strict=True):
            for key in ((0, i), (1, j)):
                if key not in boxes:
                    assert not options["conservative"]
                    continue
                low, high = boxes[key][:2] - 256, boxes[key][2:] + 256
                assert np.all((segment >= low) & (segment <= high))
                met += 1
        assert met > 50


@pytest.mark.parametrize("resolution", [32, 64, 256])
def test_t6_conservative_sampling_finds_all(peel: Make, resolution: int) -> None:
    for seed in range(6):
        a, b = pressed(seed, 16)
        truth = oracle.collide(a, b)
        found = impinge.collide(a, b, method=peel(resolution=resolution))
        assert_same(truth, answer(found), a, b)


@pytest.mark.parametrize(
    ("dilate", "resolution", "recall"), [(0, 1024, 0.9), (1, 1024, 0.99), (2, 256, 0.99)]
)
def test_t6_rays_find_nearly_all(peel: Make, dilate: int, resolution: int, recall: float) -> None:
    method = peel(conservative=False, dilate=dilate, resolution=resolution)
    truth = found = 0
    for seed in range(3):
        a, b = pressed(seed, 24)
        every = set(map(tuple, impinge.collide(a, b).pairs.tolist()))
        some = set(map(tuple, impinge.collide(a, b, method=method).pairs.tolist()))
        assert some <= every, "T8: no false pairs"
        truth += len(every)
        found += len(some)
    assert found >= recall * truth


@pytest.mark.parametrize("sampling", ["lists", "peel", "dual"])
def test_t7_boxes_of_equal_height(peel: Make, device: str, sampling: str) -> None:
    for b in (box((0.5, 0.5, 0), (1.5, 1.5, 1)), box()):
        a = box()
        truth = oracle.collide(a, b)
        assert len(truth[0])
        options = {"conservative": False, "sampling": sampling, "direction": (0, 0, 1)}
        hits = impinge.collide(a, b, method=peel(resolution=64, **options))
        assert_same(truth, answer(hits), a, b)
        assert sampled(device, query_of(a, b), resolution=64, **options).counters["rays"] > 0
    assert_same(truth, answer(impinge.collide(a, b, method=peel())), a, b)


def test_ties_are_broken_as_asked(device: str) -> None:
    """Boxes on top of each other touch in a whole face."""
    query = query_of(box((0, 0, 0), (1, 1, 1)), box((0, 0, 1), (1, 1, 2)))
    options = {"resolution": 64, "direction": (0, 0, 1), **PLAIN}
    assert sampled(device, query, **options).counters["rays"] > 300
    assert sampled(device, query, ties="separate", **options).counters["rays"] == 0


@pytest.mark.parametrize("conservative", [False, True])
def test_t9_containment_has_rays_but_no_pairs(peel: Make, device: str, conservative: bool) -> None:
    a, b = sphere(16), moved(sphere(12), (0, 0, 0), scale=0.4)
    hits = impinge.collide(a, b, method=peel(conservative=conservative, resolution=256))
    assert not hits
    found = sampled(device, query_of(a, b), conservative=conservative, resolution=256)
    # whole pixels know the depths of both, and see that they are apart
    assert (found.counters["rays"] > 1000) == (not conservative)


@pytest.mark.parametrize("conservative", [False, True])
def test_t10_a_body_through_itself(peel: Make, conservative: bool) -> None:
    both = merge(*pressed(7))
    truth = oracle.self_collide(both)
    assert len(truth[0]) > 20
    hits = impinge.self_collide(both, method=peel(conservative=conservative, resolution=256))
    assert_same(truth, answer(hits), both)


@pytest.mark.parametrize("conservative", [False, True])
def test_t11_counters_go_down(peel: Make, conservative: bool) -> None:
    scene = impinge.Scene()
    for vertices, faces in pile(3):
        scene.add(vertices, faces)
    for self_collision in (False, True):
        stats = scene.collide(
            method=peel(conservative=conservative), self_collision=self_collision
        ).stats
        assert stats["fragments"] >= stats["rays"] > 0
        assert stats["downloaded"] >= stats["potentially_colliding"] > 0
        assert stats["tests"] >= stats["hits"] > 0
        stages = [stage.name for stage in stats.stages if stage.name != "transfer"]
        assert stages == ["snap", "sample", "merge", "separate", "pack", "exact"]


def test_t12_any_direction_gives_the_same_pairs(peel: Make) -> None:
    rng = np.random.default_rng(0)
    a, b = pressed(9)
    truth = oracle.collide(a, b)
    for direction in [*np.eye(3), *-np.eye(3), *rng.normal(size=(8, 3))]:
        found = impinge.collide(a, b, method=peel(direction=direction, resolution=64))
        assert_same(truth, answer(found), a, b, label=str(direction))


@pytest.mark.parametrize("conservative", [False, True])
def test_storage_and_packing_change_nothing(peel: Make, conservative: bool) -> None:
    a, b = pressed(2, 20)
    options: dict[str, Any] = {"conservative": conservative, "resolution": 256}
    first = answer(impinge.collide(a, b, method=peel(**options)))
    for precision in ("fp32", "fp16"):
        for packing in ("scan", "sweep"):
            other = peel(precision=precision, packing=packing, **options)
            assert_same(first, answer(impinge.collide(a, b, method=other)), a, b)


def test_open_surfaces(peel: Make) -> None:
    """A sheet across a sphere: found by the distance of layers, not by their facing."""
    for tilt in (0.4, 1.0):
        vertices, faces = moved(grid(20, 20, width=2.4, height=2.4), (-1.21, -1.19, 0.01))
        vertices[:, 2] += tilt * vertices[:, 0]
        a, b = sphere(16), (vertices, faces)
        truth = set(map(tuple, impinge.collide(a, b).pairs.tolist()))
        assert len(truth) > 50
        method = peel(conservative=False, resolution=512)
        found = set(map(tuple, impinge.collide(a, b, method=method).pairs.tolist()))
        assert found <= truth
        assert len(found) >= 0.9 * len(truth)
        assert len(impinge.collide(a, b, method=peel())) == len(truth)


def test_both_ends_need_closed_bodies(peel: Make) -> None:
    method = peel(conservative=False, sampling="dual")
    vertices, faces = box()
    with pytest.raises(impinge.errors.CapabilityError, match="needs closed meshes"):
        impinge.collide(box(), (vertices, faces[:5]), method=method)


def test_an_open_body_of_a_scene_is_named(peel: Make) -> None:
    scene = impinge.Scene()
    scene.add(*box(), name="crate")
    scene.add(box()[0], box()[1][:5], name="lid")
    with pytest.raises(impinge.errors.CapabilityError, match="closed meshes, but body 'lid' is"):
        scene.collide(method=peel(conservative=False, sampling="dual"))
