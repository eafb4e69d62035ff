"""What the method must do, from its definition: see CIN in the names."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import impinge
from detectors.cinder.reference import Machine
from detectors.cinder.scenes import as_reference, many, seen, three_boxes
from impinge.detectors.cinder import View
from impinge.detectors.cinder.buffers import Buffers
from impinge.detectors.cinder.colours import packed, unpacked
from support.meshes import Arrays, box, grid, moved, pose, posed, sphere

LOOK = View.orthographic((0, 0, 1))


def drawn(device: str, bodies: list[Arrays], **options: Any) -> Buffers:
    geometry, view, made = seen(bodies, **options)
    return _stages(device).passes(geometry, view, made, dump=True)


def scene_of(bodies: list[Arrays]) -> impinge.Scene:
    scene = impinge.Scene()
    for body in bodies:
        scene.add(*body)
    return scene


def pairs(device: str, bodies: list[Arrays], **options: Any) -> set[tuple[int, int]]:
    method = impinge.detector("cinder", device=device, **options)
    return set(map(tuple, scene_of(bodies).overlaps(method=method).pairs.tolist()))


def exact_pairs(bodies: list[Arrays]) -> set[tuple[int, int]]:
    found = scene_of(bodies).collide(mode="first")
    return set(map(tuple, found.body_pairs.bodies.tolist()))


@pytest.mark.parametrize("way", ["prevent", "filter"])
def test_t2_the_stencil_is_empty_in_the_end(device: str, way: str) -> None:
    for bodies in (three_boxes(), many(8, 1)):
        found = drawn(device, bodies, resolution=64, self_interference=way)
        assert found.stages["minus"].stencil.any()
        assert not found.stages["result"].stencil.any()


def test_t3_preventing_is_ideal(device: str) -> None:
    bodies = many(6, 1, spread=1.2)
    geometry, view, options = seen(bodies, resolution=64)
    machine = Machine(as_reference(geometry, view, options), "corrected", "filter")
    machine.edges()
    counts = np.zeros((len(bodies), 64, 64), dtype=int)
    for body, (back, (x, y, z)) in zip(geometry.body, machine.fills, strict=True):
        before = z <= machine.depth[y, x] if back else z < machine.depth[y, x]
        other = machine.owner[y, x] != body + 1
        counts[body, y, x] += np.where(before & other, -1 if back else 1, 0)
    # the last body that holds the edge, of those that do not own it
    holds = (counts > 0) & (counts.sum(axis=0) > 0)
    ideal = np.where(holds, np.arange(1, len(bodies) + 1)[:, None, None], 0).max(axis=0)
    found = drawn(device, bodies, resolution=64)
    assert np.array_equal(found.solid_id, ideal)
    assert np.array_equal(found.edge_id, np.where(ideal != 0, machine.owner, 0))
    filtered = drawn(device, bodies, resolution=64, self_interference="filter")
    kept = filtered.edge_id != 0
    assert found.counters["self_pixels"] == 0 < filtered.counters["self_pixels"]
    assert np.count_nonzero(kept) < np.count_nonzero(ideal)
    assert np.array_equal(filtered.edge_id[kept], found.edge_id[kept])


def test_t4_the_order_changes_pixels_but_not_pairs(device: str) -> None:
    options: dict[str, Any] = {"resolution": 128, "views": LOOK}
    one = drawn(device, three_boxes(), **options)
    other = drawn(device, three_boxes(reverse=True), **options)
    # the other way round, body 1 is body 3
    back = np.array([0, 3, 2, 1])
    assert not np.array_equal(one.edge_id, back[other.edge_id])
    assert pairs(device, three_boxes(), **options) == {(0, 1), (1, 2)}
    assert pairs(device, three_boxes(reverse=True), **options) == {(0, 1), (1, 2)}


@pytest.mark.parametrize("gap", [0.5, 1.0])
def test_t5_bodies_half_a_pixel_apart_are_apart(device: str, gap: float) -> None:
    rng = np.random.default_rng(5)
    cube = box((-1, -1, -1), (1, 1, 1))
    for _ in range(40 if device == "cpu" else 8):
        turn = pose(rng)
        touching = [posed(cube, turn), posed(moved(cube, (2, 0, 0)), turn)]
        _, view, _ = seen(touching, resolution=64, views=View())
        # moving them apart makes the pixels a little larger
        pixel = 1.05 * 256 / view.image.scale  # type: ignore[attr-defined]
        apart = [posed(cube, turn), posed(moved(cube, (2 + gap * pixel, 0, 0)), turn)]
        assert pairs(device, apart, resolution=64, views=View()) == set()


@pytest.mark.parametrize("seed", range(3))
def test_t5_what_is_reported_overlaps(device: str, seed: int) -> None:
    # the last is within the one before
    nested = [moved(sphere(n, radius=size), (4, 4, 4)) for n, size in ((8, 0.6), (4, 0.3))]
    bodies = [*many(12, seed, spread=2.0), *nested]
    found = pairs(device, bodies, resolution=128)
    assert found - {(12, 13)} <= exact_pairs(bodies)
    assert (12, 13) in found
    assert len(found) > 5


def test_t6_reduced_images_hold_the_same_pairs_or_fewer(device: str) -> None:
    bodies = many(20, 2)
    full = pairs(device, bodies, resolution=128, rounds=1)
    assert pairs(device, bodies, resolution=128, rounds=1, reduce="lossless") == full
    assert pairs(device, bodies, resolution=128, rounds=1, reduce="pack") == full
    before = full
    for stages in (1, 3, 5, 7):
        after = pairs(device, bodies, resolution=128, rounds=1, reduce="stages", stages=stages)
        assert after <= before
        before = after
    assert len(before) == 1


def test_t7_ids_come_back() -> None:
    ids = np.arange(1, 65_536, dtype=np.uint32)
    edge, solid = unpacked(packed(ids, ids[::-1], "objects"), "objects")
    assert np.array_equal(edge, ids)
    assert np.array_equal(solid, ids[::-1])
    normals = np.arange(0, 1 << 24, 257, dtype=np.uint32)
    edge, solid = unpacked(packed(normals, normals % 256, "normals"), "normals")
    assert np.array_equal(edge, normals)
    assert np.array_equal(solid, normals % 256)


def test_t7_short_ids_give_the_same_pairs(device: str) -> None:
    bodies = many(20, 2)
    for reduce in ("none", "lossless", "pack"):
        options: dict[str, Any] = {"resolution": 64, "reduce": reduce}
        assert pairs(device, bodies, ids="16bit", **options) == pairs(device, bodies, **options)


def test_t8_the_printed_last_pass_finds_nothing(device: str) -> None:
    options: dict[str, Any] = {"resolution": 128, "views": LOOK}
    found = drawn(device, three_boxes(), variant="printed", **options)
    assert found.stages["penetrating"].edge_id.any()
    assert found.stages["result"].stencil.any()
    assert pairs(device, three_boxes(), variant="printed", **options) == set()
    assert pairs(device, three_boxes(), variant="original", **options) == {(0, 1), (1, 2)}


def test_t9_recall_of_grazing_contacts_grows_with_the_image(device: str) -> None:
    rng = np.random.default_rng(9)
    ball = sphere(12)
    bodies = []
    for place in np.stack(np.meshgrid([0, 5, 10, 15], [0, 5, 10, 15]), axis=-1).reshape(-1, 2):
        # from 0.2 down to 0.01 of their radius into each other
        along = rng.normal(size=3)
        along *= (2 - rng.choice([0.2, 0.05, 0.02, 0.01])) / np.linalg.norm(along)
        first = moved(ball, (*place, 0))
        bodies += [first, moved(first, along)]
    truth = exact_pairs(bodies)
    # a GPU in software takes long for the largest
    sizes = (32, 128, 512, 2048) if device == "cpu" else (32, 128, 512)
    found = [pairs(device, bodies, resolution=size, views=LOOK) for size in sizes]
    recall = [len(truth & one) / len(truth) for one in found]
    assert recall == sorted(recall)
    assert recall[0] <= 0.6
    assert recall[-1] > (0.85 if device == "cpu" else 0.6)


def test_t10_open_meshes_are_warned_of(device: str) -> None:
    lid = box()
    half = lid[0], lid[1][2:]
    method = impinge.detector(
        "cinder", device=device, resolution=64, views=View.orthographic((1, 0.2, 0.3))
    )
    scene = scene_of([half, moved(sphere(6, radius=0.5), (0.9, 0.5, 0.5))])
    found = scene.overlaps(method=method)
    assert "body 'body' is not closed" in found.warnings[0]
    assert found.stats["negative_pixels"] > 0
    assert "more backs than fronts" in found.warnings[1]
    closed = scene_of([lid, moved(sphere(6, radius=0.5), (0.9, 0.5, 0.5))]).overlaps(method=method)
    assert closed.warnings == ()
    assert closed.pairs.tolist() == [[0, 1]]


def test_what_is_out_of_view_is_warned_of(device: str) -> None:
    bodies = [box(), moved(box(), (0.5, 0.5, 0.5)), moved(box(), (5, 0, 0)), grid(2, 2)]
    method = impinge.detector(
        "cinder",
        device=device,
        resolution=64,
        views=View.orthographic((0.1, 0.2, 1), box=((-1, -1, -1), (2, 2, 2))),
    )
    found = scene_of(bodies[:3]).overlaps(method=method)
    assert found.stats["clipped_objects"] == 1
    assert "body 'body-3' is partly out of view" in found.warnings[0]
    assert found.pairs.tolist() == [[0, 1]]


def _stages(device: str) -> ModuleType:
    if device == "gpu":
        from impinge.detectors.cinder.gpu import run

        return run
    from impinge.detectors.cinder import cpu

    return cpu
