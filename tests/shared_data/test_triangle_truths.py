"""Published truths about pairs and soups of triangles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import impinge
from conformance.methods import able
from impinge import _core
from support import rational
from support.meshes import soup

SOUPS = range(5)


def read_soup(shared_data: Path, number: int) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3, 3) triangles and the sorted indices of those that meet another one."""
    folder = shared_data / "tritri" / "tri3d"
    word = (folder / f"test_{number}.in").read_text().split()
    triangles = np.array(word[1:], dtype=np.float64).reshape(int(word[0]), 3, 3)
    return triangles, np.unique(np.loadtxt(folder / f"ans_{number}.out", dtype=np.int64))


@pytest.mark.parametrize(("name", "meets"), [("intersected", True), ("separated", False)])
def test_shen_heng_tang(shared_data: Path, name: str, meets: bool) -> None:
    numbers = np.loadtxt(shared_data / "tritri" / "shen2003" / f"{name}.txt")
    a, b = np.ascontiguousarray(numbers.reshape(-1, 2, 3, 3).swapaxes(0, 1))
    assert len(a) == 2500
    kinds = _core.classify(a, b)
    assert np.all((kinds != impinge.Kind.NONE) == meets)
    assert np.array_equal(kinds, rational.kinds(a, b))


@pytest.mark.parametrize("method", able("pairs"))
@pytest.mark.parametrize("number", SOUPS)
def test_soups(shared_data: Path, number: int, method: str) -> None:
    triangles, meeting = read_soup(shared_data, number)
    mesh = soup(triangles)
    hits = impinge.collide(mesh, mesh, method=method)
    others = hits.pairs[hits.pairs[:, 0] != hits.pairs[:, 1]]
    assert np.array_equal(np.unique(others), meeting)


@pytest.mark.parametrize("number", [0, 2])
def test_soups_against_rational(shared_data: Path, number: int) -> None:
    mesh = soup(read_soup(shared_data, number)[0])
    pairs, kinds = rational.self_pairs(*mesh)
    hits = impinge.self_collide(mesh)
    assert np.array_equal(hits.pairs, pairs)
    assert np.array_equal(hits.kinds, kinds)
