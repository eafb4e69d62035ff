"""The formula of the creatures, written out for one vertex at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from impinge.lab.scenes import creatures as module
from impinge.lab.scenes.creatures import Creatures, creatures, deform


@pytest.fixture(scope="module")
def crowd() -> Creatures:
    return creatures(2, 2, detail=6)


def by_hand(crowd: Creatures, vertex: int, t: float, growth: float, offset: np.ndarray) -> list:
    part = crowd.part[vertex]
    root, axis, side = (getattr(crowd.parts, name)[part] for name in ("root", "axis", "side"))
    across = np.cross(axis, side)
    h = sum((crowd.rest[vertex] - root) * axis)
    u = h / crowd.parts.length[part]
    a = module.SPEED * t + crowd.parts.phase[part] - module.CURL * u
    swing = crowd.parts.bend[part] * u * u * (math.cos(a) * side + math.sin(a) * across)
    return list(crowd.rest[vertex] + offset + (growth - 1) * h * axis + growth * swing)


def test_deform_is_the_formula(crowd: Creatures) -> None:
    random = np.random.default_rng(0)
    growth = random.uniform(0.3, 1.0, len(crowd.owner))
    offset = random.normal(size=(len(crowd.owner), 3))
    found = deform(crowd.rest, crowd.part, 0.37, parts=crowd.parts, growth=growth, offset=offset)
    for vertex in random.choice(len(crowd.rest), 40, replace=False):
        part = crowd.part[vertex]
        expected = by_hand(crowd, vertex, 0.37, growth[part], offset[part])
        np.testing.assert_allclose(found[vertex], expected, rtol=0, atol=1e-12)


def test_bodies_and_shuttles_stay_rigid(crowd: Creatures) -> None:
    still = crowd.parts.bend[crowd.part] == 0
    moved = crowd.at(0.6) - crowd.rest
    offsets = crowd.offsets(0.6)[crowd.part]
    np.testing.assert_allclose(moved[still], offsets[still], rtol=0, atol=1e-12)
    assert still.any()
    assert not still.all()


def test_axes_are_unit_and_perpendicular(crowd: Creatures) -> None:
    axis, side = crowd.parts.axis, crowd.parts.side
    np.testing.assert_allclose(np.linalg.norm(axis, axis=1), 1.0)
    np.testing.assert_allclose(np.linalg.norm(side, axis=1), 1.0)
    np.testing.assert_allclose(np.einsum("nk,nk->n", axis, side), 0.0, atol=1e-12)


def test_a_tentacle_retracts_where_a_shuttle_is_and_grows_again(crowd: Creatures) -> None:
    growth = np.array([crowd.growth(t) for t in np.linspace(0, 1, 40)])
    tentacles = crowd.parts.bend > 0
    assert (growth[:, ~tentacles] == 1).all()
    shortest = growth.min(axis=0)[tentacles]
    assert shortest.min() < 0.6
    assert (growth.max(axis=0)[tentacles] == 1).any()


def test_parts_of_faces(crowd: Creatures) -> None:
    parts = crowd.part[crowd.faces]
    np.testing.assert_array_equal(parts, np.repeat(crowd.face_parts()[:, None], 3, axis=1))
    assert set(crowd.owner) == set(range(crowd.bodies))
