"""Rays in all modes against fractions."""

from __future__ import annotations

import numpy as np

from impinge import RayHits, raycast
from support import meshes
from support.meshes import Arrays
from support.ray_truth import truth


def check(
    mesh: Arrays,
    origins: np.ndarray,
    directions: np.ndarray,
    t_min: float = 0.0,
    *,
    tolerance: float = 1e-13,
) -> RayHits:
    """All modes against fractions; t to a fraction of the way to the farthest vertex."""
    every = raycast(mesh, origins, directions, mode="all", t_min=t_min)
    closest = raycast(mesh, origins, directions, t_min=t_min)
    some = raycast(mesh, origins, directions, mode="any", t_min=t_min)
    for ray, (origin, direction) in enumerate(zip(origins, directions, strict=True)):
        rows = every.ray == ray
        expected = {f: t for f, t in truth(mesh, origin, direction).items() if t >= t_min}
        assert sorted(every.face[rows].tolist()) == sorted(expected)
        reach = np.abs(mesh[0] - origin).max() / np.abs(direction).max()
        for face, t in zip(every.face[rows].tolist(), every.t[rows].tolist(), strict=True):
            assert abs(t - expected[face]) <= tolerance * reach
            assert (t > 0) - (t < 0) == (expected[face] > 0) - (expected[face] < 0)
    modes_agree(every, closest, some)
    return every


def modes_agree(every: RayHits, closest: RayHits, some: RayHits) -> None:
    np.testing.assert_array_equal(np.lexsort((every.face, every.t, every.ray)), range(len(every)))
    np.testing.assert_array_equal(closest.first_face, every.first_face)
    np.testing.assert_array_equal(closest.first_t, every.first_t)
    np.testing.assert_array_equal(some.hit, every.hit)
    hits = set(zip(every.ray.tolist(), every.face.tolist(), every.t.tolist(), strict=True))
    assert set(zip(some.ray.tolist(), some.face.tolist(), some.t.tolist(), strict=True)) <= hits
    assert len(closest) == len(some) == every.hit.sum()


def random_soup(rng: np.random.Generator, count: int, size: float = 0.3) -> Arrays:
    centres = rng.uniform(-1, 1, (count, 1, 3))
    return meshes.soup(centres + rng.normal(0, size, (count, 3, 3)))
