"""What may meet of two meshes that are asked about once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from impinge import _core
from support.compare import answer, assert_same
from support.meshes import Arrays, moved, posed, soup, sphere

# few values, so that faces share planes and boxes have no width; and the largest there are
COORDINATE = st.sampled_from(
    [0.0, -0.0, 1.0, -1.0, 0.5, 1 / 3, 5e-324, 1e-300, 1e-12, 3.0, 1e100, -1e100]
)
TRIANGLES = st.lists(st.tuples(*[COORDINATE] * 9), min_size=1, max_size=12)


def check(a: Arrays, b: Arrays, workers: int, pose: np.ndarray | None = None) -> tuple[int, int]:
    """Nothing that could meet is left out; how many faces are kept of each."""
    parts = _core.near_parts(*a, *b, pose, workers)
    world = [a[0][a[1]], (b[0] if pose is None else _core.transform(b[0], pose))[b[1]]]
    for (vertices, faces, ids), corners in zip(parts, world, strict=True):
        assert np.all(np.diff(ids) > 0)
        assert np.array_equal(vertices[faces], corners[ids])
    (low_a, high_a), (low_b, high_b) = [(c.min(axis=1), c.max(axis=1)) for c in world]
    meet = (low_a[:, None] <= high_b) & (low_b <= high_a[:, None])
    rows, columns = np.nonzero(meet.all(axis=2))
    assert set(rows.tolist()) <= set(parts[0][2].tolist())
    assert set(columns.tolist()) <= set(parts[1][2].tolist())
    return len(parts[0][2]), len(parts[1][2])


@settings(max_examples=150)
@given(TRIANGLES, TRIANGLES)
def test_nothing_that_meets_is_left_out(a: list[tuple[float, ...]], b: list) -> None:
    first, second = (soup(np.array(side).reshape(-1, 3, 3)) for side in (a, b))
    check(first, second, 1)


@pytest.mark.parametrize("spread", [0.01, 0.1, 1.0])
def test_any_size_of_faces(spread: float) -> None:
    """From much smaller than a cell to larger than all of them."""
    rng = np.random.default_rng(0)
    for _ in range(4):
        size = spread * 1000 ** rng.uniform(-1, 1, (400, 1, 1))
        a, b = (
            soup(rng.normal(size=(400, 1, 3)) + size * rng.normal(size=(400, 3, 3)))
            for _ in range(2)
        )
        assert check(a, b, 1) == check(a, b, 2)


def test_many_threads_keep_the_same_faces() -> None:
    a, b = sphere(60), moved(sphere(60), (1.2, 0.1, 0))
    first = _core.near_parts(*a, *b, None, 1)
    for _ in range(3):
        again = _core.near_parts(*a, *b, None, 2)
        for one, other in zip((*first[0], *first[1]), (*again[0], *again[1]), strict=True):
            assert np.array_equal(one, other)


def test_few_are_kept_and_give_all_pairs() -> None:
    a, b = sphere(16), sphere(16)
    pose = np.eye(4)
    pose[:3, 3] = 1.3, 0.4, -0.2
    kept = check(a, b, 1, pose)
    assert max(kept) < 0.2 * len(a[1])
    hits = impinge.collide(a, b, poses=pose[None])
    assert hits.stats["near_faces"] == sum(kept)
    truth = impinge.collide(impinge.Mesh(*a), impinge.Mesh(*b), poses=pose[None])
    assert_same(answer(truth), answer(hits), a, posed(b, pose))
    assert len(hits) > 50


def test_apart_or_empty() -> None:
    a, none = sphere(6), (np.zeros((0, 3)), np.zeros((0, 3), np.int32))
    assert check(a, moved(a, (5, 0, 0)), 1) == (0, 0)
    for one, other in ((a, none), (none, a), (none, none)):
        parts = _core.near_parts(*one, *other, None, 1)
        assert [len(ids) for _, _, ids in parts] == [0, 0]
    with pytest.raises(ValueError, match="has an index that is not one of"):
        _core.near_parts(a[0][:5], a[1], *a)


def test_a_pose_that_moves_too_far_is_refused() -> None:
    a, pose = sphere(6), np.eye(4)
    for far in (2e100, 1e308, -1e308):
        pose[0, 3] = far
        with pytest.raises(ValueError, match=r"pose 0 .* beyond 1e100"):
            _core.near_parts(*a, *a, pose, 1)
    for stretch in (2e100, 1e308, -1e308):
        with pytest.raises(ValueError, match="b is moved beyond 1e100"):
            _core.near_parts(*a, 10 * a[0], a[1], np.diag([stretch, 1, 1, 1]), 1)
    pose[0, 3] = np.nan
    with pytest.raises(ValueError, match="not finite"):
        _core.near_parts(*a, *a, pose, 1)
    # of what is far away nothing is near, however far it is
    pose[0, 3] = 9e99
    assert [len(ids) for _, _, ids in _core.near_parts(*a, *a, pose, 1)] == [0, 0]
