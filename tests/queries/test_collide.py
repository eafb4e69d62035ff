from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from impinge import InputError, Mesh
from impinge.errors import Cancelled, UnknownMethodError
from support import meshes

METHODS = ["bvh", "brute"]
BALL = Mesh(*meshes.sphere(6), name="ball")
RING = Mesh(*meshes.moved(meshes.torus(12, 8), (0.7, 0.05, 0.1)), name="ring")
CROSSED = Mesh(*meshes.merge(meshes.box(), meshes.moved(meshes.box(), (0.5, 0.3, 0.2))))


def some_poses(count: int = 8, *, seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.stack([meshes.pose(rng, spread=1.5) for _ in range(count)])


def same(one: impinge.Collisions, other: impinge.Collisions) -> None:
    np.testing.assert_array_equal(one.pairs, other.pairs)
    np.testing.assert_array_equal(one.bodies, other.bodies)
    np.testing.assert_array_equal(one.kinds, other.kinds)
    np.testing.assert_array_equal(one.segments, other.segments)
    assert (one.pose is None) == (other.pose is None)
    if one.pose is not None and other.pose is not None:
        np.testing.assert_array_equal(one.pose, other.pose)


def test_operands_of_any_kind_answer_alike() -> None:
    expected = impinge.collide(BALL, RING)
    assert len(expected) > 0
    same(impinge.collide((BALL.vertices, BALL.faces), RING), expected)
    mapping = {"vertices": RING.vertices, "faces": RING.faces.astype(np.uint64)}
    same(impinge.collide(BALL, mapping), expected)


@pytest.mark.parametrize("method", METHODS)
def test_swapping_the_operands_swaps_the_columns(method: str) -> None:
    one = impinge.collide(BALL, RING, method=method)
    other = impinge.collide(RING, BALL, method=method)
    assert sorted(one.pairs.tolist()) == sorted(other.pairs[:, ::-1].tolist())


def test_methods_agree() -> None:
    same(impinge.collide(BALL, RING), impinge.collide(BALL, RING, method="brute"))
    same(impinge.self_collide(CROSSED), impinge.self_collide(CROSSED, method="brute"))


def test_a_detector_instance_is_a_method() -> None:
    same(impinge.collide(BALL, RING, method=impinge.detector("brute")), impinge.collide(BALL, RING))


@pytest.mark.parametrize("method", METHODS)
def test_touching_boxes(method: str) -> None:
    a, b = meshes.box(), meshes.moved(meshes.box(), (1, 0, 0))
    assert impinge.collides(a, b, method=method)
    assert not impinge.collides(a, b, method=method, touching="exclude")
    assert not impinge.collide(a, b, method=method, touching="exclude")
    kinds = set(impinge.collide(a, b, method=method).kinds.tolist())
    assert impinge.Kind.COPLANAR in kinds
    assert impinge.Kind.CROSSING not in kinds


@pytest.mark.parametrize("method", METHODS)
def test_one_mesh_twice_is_two_bodies_at_one_place(method: str) -> None:
    hits = impinge.collide(BALL, BALL, method=method)
    assert {(i, i) for i in range(len(BALL))} <= set(map(tuple, hits.pairs.tolist()))
    assert len(impinge.self_collide(BALL, method=method)) == 0


@pytest.mark.parametrize("method", METHODS)
def test_poses_are_a_loop(method: str) -> None:
    poses = some_poses()
    many = impinge.collide(BALL, RING, poses=poses, method=method)
    assert many.counts is not None
    assert 0 < np.count_nonzero(many.counts) < len(poses), "some poses collide, some do not"
    for index, pose in enumerate(poses):
        moved = (meshes.transformed(RING.vertices, pose), RING.faces)
        single = impinge.collide(BALL, moved, method="brute")
        rows = many.pose == index
        np.testing.assert_array_equal(many.pairs[rows], single.pairs)
        np.testing.assert_array_equal(many.kinds[rows], single.kinds)
        np.testing.assert_array_equal(many.segments[rows], single.segments)
        assert many.counts[index] == len(single)
    np.testing.assert_array_equal(
        impinge.collides(BALL, RING, poses=poses, method=method), many.counts > 0
    )


@pytest.mark.parametrize("method", METHODS)
def test_first_of_each_pose(method: str) -> None:
    poses = some_poses()
    every = impinge.collide(BALL, RING, poses=poses)
    first = impinge.collide(BALL, RING, poses=poses, mode="first", method=method)
    assert every.counts is not None
    assert first.counts is not None
    np.testing.assert_array_equal(first.counts, every.counts > 0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("poses", [[], np.zeros((0, 4, 4))])
def test_no_poses(method: str, poses: Any) -> None:
    hits = impinge.collide(BALL, RING, poses=poses, method=method)
    assert hits.counts is not None
    assert hits.pose is not None
    assert hits.counts.shape == hits.pose.shape == (0,)
    assert impinge.collides(BALL, RING, poses=poses, method=method).shape == (0,)


@pytest.mark.parametrize(
    ("poses", "message"),
    [
        (np.eye(4), r"got \(4, 4\); write poses=pose\[None\]"),
        (np.zeros((2, 3, 4)), r"shape \(m, 4, 4\)"),
        (np.stack([np.eye(4), np.full((4, 4), np.nan)]), r"poses\[1\] .* not finite"),
        (np.zeros((2, 4, 4)), r"poses\[0\] has the bottom row"),
        (np.eye(4)[None] * [1e101, 1, 1, 1], r"poses\[0\] moves the mesh beyond"),
        ([np.eye(4, dtype=bool)], "dtype bool"),
    ],
)
def test_bad_poses_are_named(poses: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        impinge.collide(BALL, RING, poses=poses)


def test_poses_may_be_reused_by_their_owner() -> None:
    poses = some_poses()
    hits = impinge.collide(BALL, RING, poses=poses)
    poses[:] = np.eye(4)
    same(hits, impinge.collide(BALL, RING, poses=some_poses()))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("mode", ["all", "first"])
def test_ignored_faces(method: str, mode: str) -> None:
    every = impinge.collide(BALL, RING)
    hits = impinge.collide(BALL, RING, ignore=every.pairs[:-2], mode=mode, method=method)
    assert hits.pairs.tolist() == every.pairs[-2:][: 1 if mode == "first" else 2].tolist()
    assert not impinge.collide(BALL, RING, ignore=every.pairs, mode=mode, method=method)
    same(impinge.collide(BALL, RING, ignore=[], method=method), every)


@pytest.mark.parametrize("mode", ["all", "first"])
def test_ignored_faces_of_poses(mode: str) -> None:
    every = impinge.collide(BALL, RING, poses=some_poses())
    ignore = np.unique(every.pairs, axis=0)[::2]
    hits = impinge.collide(BALL, RING, poses=some_poses(), ignore=ignore, mode=mode)
    left = ~(every.pairs[:, None] == ignore).all(axis=2).any(axis=1)
    assert every.pose is not None
    assert hits.pose is not None
    expected = np.column_stack([every.pose, every.pairs])[left]
    if mode == "first":
        expected = expected[np.unique(expected[:, 0], return_index=True)[1]]
    np.testing.assert_array_equal(np.column_stack([hits.pose, hits.pairs]), expected)


@pytest.mark.parametrize("method", METHODS)
def test_ignored_faces_of_one_mesh_either_way(method: str) -> None:
    every = impinge.self_collide(CROSSED)
    assert len(every) > 3
    hits = impinge.self_collide(CROSSED, ignore=every.pairs[1:, ::-1], method=method)
    np.testing.assert_array_equal(hits.pairs, every.pairs[:1])


@pytest.mark.parametrize(
    ("ignore", "message"),
    [
        ([[0, 1, 2]], r"ignore must have shape \(k, 2\), got \(1, 3\)"),
        ([[0, 0], [0, 10**6]], r"ignore\[1\] .* names face 1000000"),
        ([[-1, 0]], r"ignore\[0\] .* names face -1"),
        ([[0.5, 0]], "whole numbers"),
        ("ab", "ignore must be"),
    ],
)
def test_bad_ignored_faces_are_named(ignore: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        impinge.collide(BALL, RING, ignore=ignore)


@pytest.mark.parametrize("method", METHODS)
def test_duplicate_faces_only_when_asked(method: str) -> None:
    v, f = meshes.tetrahedron()
    double = (v, np.vstack([f, f[0]]))
    before = impinge.self_collide(double, method=method)
    after = impinge.self_collide(double, method=method, report_duplicates=True)
    assert set(map(tuple, after.pairs.tolist())) - set(map(tuple, before.pairs.tolist())) == {
        (0, 4)
    }


@pytest.mark.parametrize("method", METHODS)
def test_empty_meshes(method: str) -> None:
    nothing = Mesh([], [])
    for a, b in ((nothing, BALL), (BALL, nothing), (nothing, nothing)):
        assert not impinge.collide(a, b, method=method)
        assert not impinge.collides(a, b, method=method)
        assert not impinge.collide(a, b, method=method, poses=some_poses())
    assert not impinge.self_collide(nothing, method=method)


@pytest.mark.parametrize("workers", [1, 2, 5, np.int32(2), 10**12])
def test_any_number_of_workers_gives_the_same(workers: Any) -> None:
    same(impinge.collide(BALL, RING, workers=workers), impinge.collide(BALL, RING))


@pytest.mark.parametrize("workers", [0, -1, True, 1.0, "2"])
def test_bad_workers(workers: Any) -> None:
    with pytest.raises(InputError, match="workers must be None"):
        impinge.collide(BALL, RING, workers=workers)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"touching": "yes"}, "touching must be one of 'include', 'exclude', got 'yes'"),
        ({"touching": True}, "touching must be one of"),
        ({"touching": ["include"]}, "touching must be one of"),
        ({"mode": "frist"}, "mode must be one of 'all', 'first'.*did you mean 'first'"),
        ({"progress": 3}, "progress must be a callable"),
        ({"method": 3}, "method must be one of 'bvh'"),
        ({"method": ["bvh"]}, "method must be one of 'bvh'"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], message: str) -> None:
    for ask in (
        lambda: impinge.collide(BALL, RING, **options),
        lambda: impinge.self_collide(BALL, **options),
        lambda: impinge.Scene().collide(**options),
    ):
        with pytest.raises(InputError, match=message):
            ask()


def test_an_unknown_method_lists_the_known_ones() -> None:
    with pytest.raises(UnknownMethodError, match=r"'bvh', 'brute'.*did you mean 'bvh'"):
        impinge.collide(BALL, RING, method="bhv")


@pytest.mark.parametrize("argument", ["a", "b"])
def test_a_wrong_operand_is_named(argument: str) -> None:
    operands: dict[str, Any] = {"a": BALL, "b": RING} | {argument: None}
    with pytest.raises(InputError, match=f"^{argument} must be a Mesh"):
        impinge.collide(**operands)


BUSY = Mesh(*meshes.torus(120, 60))
ASKS: dict[str, Any] = {
    "collide": lambda **options: impinge.collide(BUSY, BUSY, **options),
    "self": lambda **options: impinge.self_collide(BUSY, **options),
    "poses": lambda **options: impinge.collide(BUSY, BALL, poses=some_poses(10), **options),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS.keys())
def test_progress_grows_and_ends_at_one(ask: Any, method: str) -> None:
    seen: list[float] = []
    ask(method=method, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert seen.count(1.0) == 1
    assert seen[0] == 0.0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("answer", [False, np.False_])
@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS.keys())
def test_progress_cancels(ask: Any, answer: Any, method: str) -> None:
    seen: list[float] = []

    def stop(fraction: float) -> Any:
        seen.append(fraction)
        return answer

    with pytest.raises(Cancelled, match="returned False"):
        ask(method=method, progress=stop)
    assert seen == [0.0]


def test_progress_cancels_on_the_way() -> None:
    seen: list[float] = []

    def stop(fraction: float) -> bool:
        seen.append(fraction)
        return fraction < 0.3

    with pytest.raises(Cancelled):
        impinge.collide(BALL, RING, poses=some_poses(20), method="brute", progress=stop)
    assert max(seen) == pytest.approx(0.3)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS.keys())
def test_what_progress_raises_is_passed_on(ask: Any, method: str) -> None:
    def fail(fraction: float) -> None:
        raise RuntimeError("stop the press")

    with pytest.raises(RuntimeError, match="stop the press"):
        ask(method=method, progress=fail)


def test_many_threads_at_once() -> None:
    ball, ring = Mesh(*meshes.sphere(20)), Mesh(*meshes.torus(40, 20))
    expected = impinge.collide(ball, ring, method="brute").pairs.tolist()
    results: list[Any] = []

    def work() -> None:
        fresh = (ball.vertices, ball.faces)
        results.append(impinge.collide(ball, ring, workers=2).pairs.tolist())
        results.append(impinge.collide(fresh, ring).pairs.tolist())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 16


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_touches_is_any_pair(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = (meshes.soup(rng.integers(-3, 4, (4, 3, 3)).astype(float)) for _ in range(2))
    for touching in ("include", "exclude"):
        hits = impinge.collide(a, b, touching=touching)
        assert impinge.collides(a, b, touching=touching) == bool(hits)
        assert len(impinge.collide(a, b, touching=touching, mode="first")) == min(1, len(hits))


def test_a_call_costs_little_beside_the_core() -> None:
    a, b = Mesh(*meshes.tetrahedron()), Mesh(*meshes.moved(meshes.tetrahedron(), (9, 9, 9)))
    best = np.inf
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(50):
            impinge.collide(a, b, workers=1)
        best = min(best, (time.perf_counter() - start) / 50)
    assert best < 100e-6, "generous, for slow machines; measured near ten microseconds"
