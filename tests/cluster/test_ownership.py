"""Every pair belongs to exactly one tile, and both of its triangles are there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from impinge import _core
from impinge.cluster.plan import Sample, TilePlan, refine, whole_space
from impinge.cluster.scatter import deal

# few values, so that cuts, corners and borders coincide
NUMBERS = st.sampled_from([-1.0, -0.0, 0.0, 5e-324, 0.1, 0.25, 1.0, np.nextafter(1.0, 2.0), 2.0])
BOXES = st.lists(st.lists(NUMBERS, min_size=6, max_size=6), min_size=2, max_size=40)


def planned(boxes: np.ndarray, most: float) -> TilePlan:
    sample = Sample(boxes, np.ones(len(boxes)))
    return refine(whole_space(), {0: sample}, most)[0]


def as_boxes(numbers: list[list[float]]) -> np.ndarray:
    corners = np.array(numbers).reshape(-1, 2, 3)
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)


def as_triangles(boxes: np.ndarray) -> np.ndarray:
    """(n, 3, 3) triangles with just these boxes."""
    low, high = boxes[:, :3], boxes[:, 3:]
    return np.stack([high, low, (low + high) / 2], axis=1)


@settings(max_examples=50)
@given(BOXES, st.floats(1, 20), st.sampled_from([np.float32, np.float64]))
def test_a_triangle_goes_where_its_box_is(
    numbers: list[list[float]], most: float, number: type[np.floating]
) -> None:
    boxes = as_boxes(numbers)
    plan = planned(np.tile(boxes, (8, 1)), most)
    triangles = as_triangles(boxes).astype(number)
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    found = {tile: rows.tolist() for tile, rows in deal(plan, triangles)}
    for tile, (begin, end) in enumerate(plan.regions):
        meet = ((low < end) & (high >= begin)).all(axis=1)
        assert found.get(tile, []) == np.flatnonzero(meet).tolist()


@settings(max_examples=50)
@given(BOXES, st.floats(1, 20))
def test_a_pair_has_one_owner_that_knows_both(numbers: list[list[float]], most: float) -> None:
    boxes = as_boxes(numbers)
    plan = planned(np.tile(boxes, (8, 1)), most)
    low, high = boxes[:, :3], boxes[:, 3:]
    given_to = {tile: set(rows.tolist()) for tile, rows in deal(plan, as_triangles(boxes))}
    a, b = np.triu_indices(len(boxes), 1)
    meet = ((low[a] <= high[b]) & (low[b] <= high[a])).all(axis=1)
    a, b = a[meet], b[meet]
    point = np.maximum(low[a], low[b])
    inside = (point[:, None] >= plan.regions[:, 0]) & (point[:, None] < plan.regions[:, 1])
    owners = inside.all(axis=2)
    assert (owners.sum(axis=1) == 1).all()
    assert np.array_equal(owners.argmax(axis=1), plan.tile_at(point))
    for i, j, tile in zip(a.tolist(), b.tolist(), owners.argmax(axis=1).tolist(), strict=True):
        assert {i, j} <= given_to[tile]


@pytest.mark.parametrize("wrong", [[[0, -1]], [[1, -1]], [[-1, -3]]])
def test_cuts_that_lead_nowhere_are_refused(wrong: list[list[int]]) -> None:
    axis, value = np.zeros(1, np.int32), np.zeros(1)
    children, regions = np.array(wrong, np.int32), np.zeros((2, 2, 3))
    with pytest.raises(ValueError, match="no tree"):
        _core.deal(np.zeros((1, 3, 3)), axis, value, children, 0, regions)


@settings(max_examples=50)
@given(BOXES)
def test_a_cut_tile_is_the_union_of_its_parts(numbers: list[list[float]]) -> None:
    boxes = as_boxes(numbers)
    coarse = planned(np.tile(boxes, (8, 1)), 100.0)
    sample = Sample(np.tile(boxes, (8, 1)), np.ones(8 * len(boxes)))
    fine, cut_at = refine(coarse, {0: sample}, 10.0)
    points = np.concatenate([boxes[:, :3], boxes[:, 3:]])
    before, after = coarse.tile_at(points), fine.tile_at(points)
    kept = before != 0 if cut_at else np.ones(len(points), dtype=bool)
    assert np.array_equal(before[kept], after[kept])
