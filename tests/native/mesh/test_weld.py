"""Exact welding and the one way to move a vertex."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impinge import _core

coordinate = st.sampled_from([0.0, -0.0, 1.0, -1.0, 5e-324, 0.1, 0.1 + 2**-56, 1e100])


def first_equal(vertices: np.ndarray) -> list[int]:
    seen: dict[tuple[float, ...], int] = {}
    return [seen.setdefault(tuple(v), i) for i, v in enumerate(vertices.tolist())]


@given(st.lists(st.tuples(coordinate, coordinate, coordinate), max_size=40))
def test_weld_is_exact(vertices: list[tuple[float, ...]]) -> None:
    array = np.array(vertices, dtype=float).reshape(-1, 3)
    first = _core.weld(array)
    assert first.dtype == np.int32
    assert first.tolist() == first_equal(array)


def test_weld_many() -> None:
    rng = np.random.default_rng(1)
    array = rng.normal(size=(5000, 3))[rng.integers(0, 5000, 30_000)]
    assert _core.weld(array).tolist() == first_equal(array)


@given(
    st.lists(st.tuples(*[coordinate] * 9), max_size=40), st.sampled_from([np.float32, np.float64])
)
def test_welded_triangles_are_the_same_triangles(
    numbers: list[tuple[float, ...]], number: type[np.floating]
) -> None:
    with np.errstate(over="ignore"):
        corners = np.minimum(np.array(numbers, dtype=number), number(1e30)).reshape(-1, 3, 3)
    vertices, faces = _core.weld_triangles(corners)
    assert np.array_equal(vertices[faces], corners)
    first = first_equal(corners.reshape(-1, 3))
    assert len(vertices) == len(set(first))
    # numbered as they come
    assert np.array_equal(faces.reshape(-1), np.unique(first, return_inverse=True)[1])


def test_loose_triangles_are_welded_too() -> None:
    """There are more vertices than triangles: the table grows."""
    corners = np.random.default_rng(3).normal(size=(3000, 3, 3))
    vertices, faces = _core.weld_triangles(corners)
    assert np.array_equal(vertices, corners.reshape(-1, 3))
    assert np.array_equal(faces.reshape(-1), np.arange(9000))


def test_all_equal_or_not_a_number() -> None:
    array = np.zeros((100_000, 3))
    assert not _core.weld(array).any()
    array[:5] = np.nan
    assert _core.weld(array)[:8].tolist() == [0, 1, 2, 3, 4, 5, 5, 5]


@pytest.mark.parametrize("stride", [1.0, 2.0**20, 2.0**-40, 2.0**300])
def test_weld_takes_linear_time_on_regular_input(stride: float) -> None:
    """Coordinates that differ in a few bits only must not collide."""
    n = 60
    grid = np.stack(np.meshgrid(*[np.arange(n) * stride] * 3), axis=-1).reshape(-1, 3)
    start = perf_counter()
    assert np.array_equal(_core.weld(grid), np.arange(len(grid)))
    assert perf_counter() - start < 2


def test_transform_has_one_order_of_operations() -> None:
    rng = np.random.default_rng(2)
    v, pose = rng.normal(size=(1000, 3)), np.eye(4)
    pose[:3] = rng.normal(size=(3, 4))
    x, y, z = v.T
    expected = [((r[0] * x + r[1] * y) + r[2] * z) + r[3] for r in pose[:3]]
    assert np.array_equal(_core.transform(v, pose), np.stack(expected, axis=1))


def test_empty() -> None:
    assert _core.weld(np.zeros((0, 3))).shape == (0,)
    assert _core.transform(np.zeros((0, 3)), np.eye(4)).shape == (0, 3)
