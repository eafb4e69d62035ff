"""Faces within a margin: what is asked, what is answered, and what is refused."""

from __future__ import annotations

import json
import math
import pickle
from itertools import product

import numpy as np
import pytest

import impinge
from impinge import InputError, Kind
from impinge.errors import Cancelled, CapabilityError
from support import meshes

SHEET = meshes.arrays([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])


def boxes(gap: float, axis: int = 2) -> tuple[impinge.Mesh, impinge.Mesh]:
    """Two boxes of 1, the second above the first."""
    low, high = np.zeros(3), np.ones(3)
    low[axis], high[axis] = 1 + gap, 2 + gap
    return impinge.Mesh(*meshes.box()), impinge.Mesh(*meshes.box(low, high))


def scene_of(*parts: object) -> impinge.Scene:
    scene = impinge.Scene()
    for part in parts:
        scene.add(part)
    return scene


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("gap", [0.25, 0.5, 0.6875, 1.0])
def test_boxes_at_a_known_gap(gap: float, axis: int) -> None:
    a, b = boxes(gap, axis)
    scene = scene_of(a, b)
    below = math.nextafter(gap, 0)
    for margin, near in ((gap, True), (below, False), (1.0, True), (gap / 2, False)):
        assert bool(impinge.collide(a, b, margin=margin)) == near
        assert impinge.collides(a, b, margin=margin) == near
        assert impinge.collides(a, b, poses=np.eye(4)[None], margin=margin).tolist() == [near]
        assert bool(scene.collide(margin=margin)) == near
        assert scene.collides(margin=margin) == near
    hits = impinge.collide(a, b, margin=gap)
    assert set(hits.distances.tolist()) == {gap}
    step = hits.points[:, 1] - hits.points[:, 0]
    assert np.array_equal(step, np.tile(gap * np.eye(3)[axis], (len(hits), 1)))


def test_a_box_that_is_moved_by_its_pose() -> None:
    # gaps of 0.7 between boxes of 1 at 0 and 1.7, however they are turned together
    box = impinge.Mesh(*meshes.moved(meshes.box(), -0.5))
    rng = np.random.default_rng(3)
    for _ in range(50):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        first, second = np.eye(4), np.eye(4)
        first[:3, :3] = second[:3, :3] = turn
        second[:3, 3] = turn @ (0, 0, 1.7)
        scene = impinge.Scene()
        scene.add(box, pose=first)
        scene.add(box, pose=second)
        assert scene.collides(margin=1.0)
        assert scene.collides(margin=0.7 + 1e-14)
        assert not scene.collides(margin=0.7 - 1e-14)
        hits = scene.collide(margin=1.0)
        assert abs(hits.distances.min() - 0.7) < 1e-14


def test_a_broad_phase_knows_the_margin() -> None:
    # a ball in the middle, and others in three directions, 2 away: boxes of bodies are far apart
    small = meshes.sphere(6, radius=0.1)
    box = meshes.moved(meshes.box((-0.05,) * 3, (0.05,) * 3), (0, 2, 0))
    parts = [small, meshes.moved(small, (2, 0, 0)), box, meshes.moved(small, (0, 0, 2))]
    scene = scene_of(*parts)
    truth = {
        (i, j): impinge.distance(parts[i], parts[j]).value
        for i, j in product(range(4), range(4))
        if i < j
    }
    for margin in (1.7, 1.79, 1.81, 1.86, 2.6, 2.75, 3.0):
        found = scene.collide(margin=margin).body_pairs.bodies.tolist()
        assert found == [list(pair) for pair, value in truth.items() if value <= margin]
        assert scene.collides(margin=margin) == bool(found)


def test_many_bodies_are_found_by_the_tree_of_bodies() -> None:
    rng = np.random.default_rng(5)
    scene = impinge.Scene()
    for place in rng.uniform(0, 10, (60, 3)):
        scene.add(*meshes.moved(meshes.tetrahedron(size=0.2), place))
    expected = scene.collide(method="brute", margin=0.8)
    found = scene.collide(margin=0.8)
    assert np.array_equal(expected.bodies, found.bodies)
    assert len(found) > 100
    assert np.array_equal(expected.pairs, found.pairs)


def test_pairs_that_meet_keep_their_kind() -> None:
    a = impinge.Mesh(*meshes.box())
    b = impinge.Mesh(*meshes.box((0.5, 0.5, 0.5), (2, 2, 2)))
    plain, hits = impinge.collide(a, b), impinge.collide(a, b, margin=0.25)
    met = hits.kinds != Kind.NEAR
    assert np.array_equal(plain.pairs, hits.pairs[met])
    assert np.array_equal(plain.kinds, hits.kinds[met])
    assert not hits.distances[met].any()
    assert (hits.distances[~met] > 0).all()
    assert np.array_equal(hits.points[met, 0], hits.points[met, 1])
    assert np.isnan(hits.segments[~met]).all()
    assert not np.isnan(hits.segments[met]).any()


def test_what_follows_from_pairs_that_are_only_near() -> None:
    a, b = boxes(0.5)
    hits = impinge.collide(a, b, margin=0.5)
    assert hits.clashes == []
    assert hits.loops == ()
    pairs = hits.body_pairs
    assert pairs[0].near == len(hits)
    assert pairs[0].touching == pairs[0].crossing == 0
    assert "near" in repr(hits)
    assert "near" in repr(pairs)
    assert "near" in hits._repr_html_()
    told = json.loads(hits.to_json(segments=True))
    assert told["kinds"] == ["near"] * len(hits)
    assert told["distances"] == [0.5] * len(hits)
    assert told["segments"] == [None] * len(hits)
    again = pickle.loads(pickle.dumps(hits))
    assert again.margin == 0.5
    assert np.array_equal(again.distances, hits.distances)
    for array in (hits.distances, hits.points):
        assert not array.flags.writeable
    plain = impinge.collide(a, b)
    assert plain.margin is None
    assert plain.body_pairs.near is None
    assert json.loads(plain.to_json())["distances"] is None


def test_a_clash_has_no_part_that_is_only_near() -> None:
    a = impinge.Mesh(*meshes.box())
    b = impinge.Mesh(*meshes.box((0.5, 0.5, 0.5), (2, 2, 2)))
    c = impinge.Mesh(*meshes.box((3, 0, 0), (4, 1, 1)))
    plain, hits = scene_of(a, b, c).collide(), scene_of(a, b, c).collide(margin=1.0)
    assert len(hits.body_pairs) == 2
    (before,), (after,) = plain.clashes, hits.clashes
    assert before.kinds == after.kinds
    assert np.array_equal(before.bounds, after.bounds)
    assert (hits.kinds[after.rows] != Kind.NEAR).all()


def test_ignored_faces_are_never_first() -> None:
    a, b = boxes(0.5)
    every = impinge.collide(a, b, margin=0.5)
    most = every.pairs[:-1]
    assert impinge.collide(a, b, margin=0.5, ignore=most, mode="first").pairs.tolist() == [
        every.pairs[-1].tolist()
    ]
    assert not impinge.collides(a, b, margin=0.5, ignore=every.pairs)


def rings_between(faces: np.ndarray, first: int) -> np.ndarray:
    """How many rings each face is away from one, by sets of vertices; -1 is never."""
    rings = np.full(len(faces), -1)
    rings[first] = 0
    seen = set(faces[first].tolist())
    for ring in range(1, len(faces)):
        new = [i for i, face in enumerate(faces.tolist()) if rings[i] < 0 and seen & set(face)]
        if not new:
            return rings
        rings[new] = ring
        seen |= {vertex for i in new for vertex in faces[i].tolist()}
    return rings


@pytest.mark.parametrize("unwelded", [False, True])
@pytest.mark.parametrize("rings", [0, 1, 2, 3, 50])
def test_rings(rings: int, unwelded: bool) -> None:
    torus = meshes.torus(14, 9, major=1.0, minor=0.35)
    mesh = meshes.unwelded(torus) if unwelded else torus
    every = impinge.self_collide(mesh, margin=0.6)
    away = np.stack([rings_between(torus[1], face) for face in range(len(torus[1]))])
    kept = away[tuple(every.pairs.T)] > rings
    for method, workers in (("bvh", 1), ("bvh", 2), ("brute", 1)):
        found = impinge.self_collide(
            mesh, margin=0.6, ignore_rings=rings, method=method, workers=workers
        )
        assert np.array_equal(found.pairs, every.pairs[kept])
    assert len(every) > 1000
    assert rings == 50 or kept.any()
    first = impinge.self_collide(mesh, margin=0.6, ignore_rings=rings, mode="first")
    assert len(first) == min(1, np.count_nonzero(kept))


def test_rings_count_within_a_body_only() -> None:
    fold = meshes.arrays([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.2, 0.2, 0.0)], [(0, 1, 2), (0, 1, 3)])
    assert len(impinge.self_collide(fold)) == 1
    assert len(impinge.self_collide(fold, ignore_rings=1)) == 0
    scene = scene_of(fold, fold)
    every = scene.collide(self_collision=True)
    found = scene.collide(self_collision=True, ignore_rings=1)
    own = every.bodies[:, 0] == every.bodies[:, 1]
    assert np.array_equal(found.pairs, every.pairs[~own])
    assert own.any()
    assert found.distances is None
    alone = scene_of(fold)
    assert alone.collides(self_collision=True)
    assert not alone.collides(self_collision=True, ignore_rings=1)


def test_neighbours_are_not_near() -> None:
    # every face of a tetrahedron shares a vertex with every other
    assert len(impinge.self_collide(meshes.tetrahedron(), margin=10.0)) == 0
    box = meshes.box()
    hits = impinge.self_collide(box, margin=10.0)
    shared = [len(set(box[1][i]) & set(box[1][j])) for i, j in hits.pairs]
    assert len(hits) > 0
    assert set(shared) == {0}
    assert (hits.kinds == Kind.NEAR).all()


@pytest.mark.parametrize("margin", [1e-320, 1e-12, 1e5, 1e120, np.finfo(float).max])
def test_any_margin(margin: float) -> None:
    a, b = boxes(0.5)
    expected = 144 if margin > 1 else 0
    for method in ("bvh", "brute"):
        assert len(impinge.collide(a, b, margin=margin, method=method)) == expected
        assert len(scene_of(a, b).collide(margin=margin, method=method)) == expected


@pytest.mark.parametrize("margin", [-1.0, math.nan, math.inf, "wide", True])
def test_what_is_no_margin(margin: object) -> None:
    a, b = boxes(0.5)
    for ask in (
        lambda: impinge.collide(a, b, margin=margin),
        lambda: impinge.collides(a, b, margin=margin),
        lambda: impinge.self_collide(a, margin=margin),
        lambda: scene_of(a, b).collide(margin=margin),
        lambda: scene_of(a, b).collides(margin=margin),
    ):
        with pytest.raises(InputError, match="margin must be a finite distance of at least 0"):
            ask()


@pytest.mark.parametrize("rings", [-1, 1.5, None, True, "two"])
def test_what_is_no_number_of_rings(rings: object) -> None:
    with pytest.raises(InputError, match="ignore_rings must be an integer of at least 0"):
        impinge.self_collide(SHEET, ignore_rings=rings)


def test_a_margin_is_for_what_touches() -> None:
    a, b = boxes(0.5)
    for ask in (impinge.collide, impinge.collides):
        with pytest.raises(InputError, match="touching must be 'include' with a margin"):
            ask(a, b, margin=0.5, touching="exclude")
    with pytest.raises(InputError, match="touching must be 'include' with a margin"):
        scene_of(a, b).collide(margin=0.5, touching="exclude")


@pytest.mark.parametrize("method", ["dop", "cdfc", "peel", "ray", "cinder"])
def test_detectors_that_know_no_margin(method: str) -> None:
    a, b = boxes(0.5)
    expected = rf"'{method}' cannot do pairs of faces within a margin; use 'bvh' or 'brute'"
    with pytest.raises(CapabilityError, match=expected):
        scene_of(a, b).collide(method=method, margin=0.5)
    with pytest.raises(CapabilityError, match=expected):
        impinge.collide(a, b, method=method, margin=0.5)


def test_kernels_that_know_no_margin() -> None:
    a, b = boxes(0.5)
    kernel = impinge.detector("brute", kernel="moller")
    with pytest.raises(CapabilityError, match="'brute' cannot do pairs of faces within a margin"):
        impinge.collide(a, b, method=kernel, margin=0.5)


def test_empty_meshes_are_near_nothing() -> None:
    nothing = meshes.empty()
    assert len(impinge.collide(nothing, SHEET, margin=1.0)) == 0
    assert impinge.collide(nothing, SHEET, margin=1.0).distances.shape == (0,)
    assert not scene_of(nothing, SHEET).collides(margin=1e9)


def test_progress_and_cancelling() -> None:
    a, b = boxes(0.5)
    seen: list[float] = []
    assert scene_of(a, b).collides(margin=0.5, progress=seen.append)
    assert seen[0] == 0.0
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled):
        scene_of(a, b).collides(margin=0.5, progress=lambda _: False)


def test_scene_collides() -> None:
    a, b = boxes(0.0)
    touching = scene_of(a, b)
    assert touching.collides()
    assert not touching.collides(touching="exclude")
    assert not touching.collides(ignore=[(0, 1)])
    assert touching.collides(method="dop")
    assert touching.collides(method="brute")
    assert not scene_of(a).collides()
    assert not impinge.Scene().collides()
    apart = scene_of(*boxes(0.5))
    assert not apart.collides()
    assert apart.collides(margin=0.5)
