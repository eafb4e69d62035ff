from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import impinge
from impinge.results.loops import join_segments
from support import meshes


def circle(count: int, *, z: float = 0.0) -> np.ndarray:
    angle = 2 * np.pi * np.arange(count) / count
    return np.column_stack([np.cos(angle), np.sin(angle), np.full(count, z)])


def closed_chain(points: np.ndarray) -> np.ndarray:
    return np.stack([points, np.roll(points, -1, axis=0)], axis=1)


def joined(segments: np.ndarray, groups: object = None) -> list[tuple[np.ndarray, bool, int]]:
    if groups is None:
        groups = np.zeros(len(segments), dtype=np.int64)
    return join_segments(np.asarray(segments, dtype=float), np.asarray(groups))


def steps(points: np.ndarray, closed: bool) -> set[frozenset[tuple[float, ...]]]:
    ends = closed_chain(points) if closed else np.stack([points[:-1], points[1:]], axis=1)
    return {frozenset(map(tuple, end)) for end in ends.tolist()}


def test_nothing() -> None:
    assert joined(np.zeros((0, 2, 3))) == []


def test_one_segment() -> None:
    ((points, closed, group),) = joined([[[0, 0, 0], [1, 0, 0]]], [5])
    assert points.tolist() == [[0, 0, 0], [1, 0, 0]]
    assert not closed
    assert group == 5


@given(st.integers(3, 60), st.integers(0, 2**32))
def test_a_closed_curve_in_any_order_and_direction(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    segments = rng.permutation(closed_chain(circle(count)))
    turned = rng.random(count) < 0.5
    segments[turned] = segments[turned, ::-1]
    ((points, closed, _),) = joined(segments)
    assert closed
    assert len(points) == count, "the first point is not repeated"
    assert steps(points, True) == steps(circle(count), True)
    np.testing.assert_array_equal(points[:2], segments[0])


@given(st.integers(2, 40), st.integers(0, 2**32))
def test_an_open_curve(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = np.column_stack([np.arange(count), rng.random(count), rng.random(count)])
    ((points, closed, _),) = joined(rng.permutation(closed_chain(chain)[:-1]))
    assert not closed
    assert points.tolist() in (chain.tolist(), chain[::-1].tolist())


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=25))
def test_every_segment_is_in_one_polyline(edges: list[tuple[int, int]]) -> None:
    corner = circle(7)
    segments = corner[np.array(edges, dtype=int).reshape(-1, 2)]
    lines = joined(segments)
    found = [step for points, closed, _ in lines for step in steps(points, closed)]
    assert len(found) == len(set(found))
    expected = {frozenset(map(tuple, segment)) for segment in segments.tolist()}
    assert set(found) == {step for step in expected if len(step) == 2}
    degree = {
        point: sum(point in step for step in found) for point in {p for step in found for p in step}
    }
    for points, closed, _ in lines:
        inner = points if closed else points[1:-1]
        assert all(degree[tuple(point)] == 2 for point in inner.tolist()[1:])
        if not closed and tuple(points[0]) != tuple(points[-1]):
            assert degree[tuple(points[0])] != 2
            assert degree[tuple(points[-1])] != 2


def test_a_branching_point_ends_polylines() -> None:
    center, ends = np.zeros(3), np.eye(3)
    lines = joined(np.stack([np.broadcast_to(center, (3, 3)), ends], axis=1))
    assert [len(points) for points, _, _ in lines] == [2, 2, 2]
    assert not any(closed for _, closed, _ in lines)


def test_a_curve_from_a_branching_point_to_itself() -> None:
    tail = np.array([[circle(5)[0], [3, 0, 0]]])
    lines = joined(np.concatenate([closed_chain(circle(5)), tail]))
    assert sorted(len(points) for points, _, _ in lines) == [2, 6]
    around = max((points for points, _, _ in lines), key=len)
    np.testing.assert_array_equal(around[0], around[-1])


def test_repeated_segments_and_points_count_once() -> None:
    segments = closed_chain(circle(6))
    points = np.repeat(circle(6)[:, None], 2, axis=1)
    ((found, closed, _),) = joined(np.concatenate([segments, segments[:, ::-1], points]))
    assert closed
    assert len(found) == 6


def test_groups_stay_apart() -> None:
    segments = closed_chain(circle(6))
    lines = joined(np.concatenate([segments, segments]), [2] * 6 + [0] * 6)
    assert [(len(points), closed, group) for points, closed, group in lines] == [
        (6, True, 2),
        (6, True, 0),
    ]


def test_the_order_is_that_of_the_segments() -> None:
    upper, lower = closed_chain(circle(9, z=1)), closed_chain(circle(5))
    lines = joined(np.concatenate([upper, lower]))
    assert [len(points) for points, _, _ in lines] == [9, 5]


def test_a_box_through_a_plate_leaves_one_closed_loop() -> None:
    plate = meshes.moved(meshes.grid(7, 5, width=3, height=3), (-0.9, -1.1, 0.37))
    hits = impinge.collide(meshes.box(), plate)
    (loop,) = hits.loops
    assert loop.closed
    assert loop.bodies == (0, 1)
    assert loop.pose is None
    assert loop.length == pytest.approx(4.0)
    np.testing.assert_array_equal(loop.points[:, 2], np.full(len(loop.points), 0.37))


def test_closed_bodies_meet_in_closed_loops() -> None:
    rng = np.random.default_rng(5)
    ball, ring = meshes.sphere(10), meshes.torus(30, 15, major=1.0, minor=0.3)
    poses = np.stack([meshes.pose(rng, spread=0.5) for _ in range(12)])
    hits = impinge.collide(ball, ring, poses=poses)
    assert hits.counts is not None
    assert {loop.pose for loop in hits.loops} == set(np.flatnonzero(hits.counts).tolist())
    assert all(loop.closed for loop in hits.loops)


def test_loops_of_a_scene_belong_to_pairs_of_bodies() -> None:
    scene = impinge.Scene()
    for index in range(3):
        offset = (0.6 * index, 0.13 * index, 0.07 * index)
        scene.add(*meshes.moved(meshes.box(), offset))
    hits = scene.collide()
    assert {loop.bodies for loop in hits.loops} == {(0, 1), (1, 2)}
    assert all(loop.closed for loop in hits.loops)
    assert "closed, bodies (0, 1)" in repr(hits.loops[0])
