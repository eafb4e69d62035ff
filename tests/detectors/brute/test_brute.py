"""The oracle's kernels: exact by default, those of the literature for comparison."""

import numpy as np
import pytest

import impinge
from support import meshes

KERNELS = ("moller", "unit_closed", "unit_open")


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_agree_in_general_position(kernel: str) -> None:
    ball, faces = meshes.sphere(12)
    turned = meshes.posed((ball, faces), meshes.pose(np.random.default_rng(3), spread=0.3))
    expected = impinge.collide((ball, faces), turned, method="brute").pairs
    assert len(expected) > 50
    found = impinge.collide(
        (ball, faces), turned, method=impinge.detector("brute", kernel=kernel)
    ).pairs
    np.testing.assert_array_equal(found, expected)


def test_the_printed_unit_test_is_open() -> None:
    low = np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0]]), [[0, 1, 2]]
    high = np.array([[1.0, 1, 0], [1, 1, 3], [2, 1, 3]]), [[0, 1, 2]]
    closed = impinge.detector("brute", kernel="unit_closed")
    printed = impinge.detector("brute", kernel="unit_open")
    assert impinge.collides(low, high)
    assert impinge.collides(low, high, method=closed)
    assert not impinge.collides(low, high, method=printed)


def test_neighbours_need_the_exact_kernel() -> None:
    with pytest.raises(impinge.errors.CapabilityError):
        impinge.self_collide(meshes.box(), method=impinge.detector("brute", kernel="moller"))


def test_unknown_kernel() -> None:
    with pytest.raises(impinge.errors.InputError, match="'exact', 'moller'"):
        impinge.detector("brute", kernel="mollar")
