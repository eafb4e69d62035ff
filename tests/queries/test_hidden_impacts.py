"""Impacts that a bound on motion could overlook: on circles, and by less than float32 can tell."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from support import meshes, motions


@pytest.mark.parametrize("who", ["a", "b", "both"])
@pytest.mark.parametrize("seed", range(6))
def test_what_moves_away_at_first_and_comes_around(seed: int, who: str) -> None:
    """Small bodies far from their origin, on circles and screws: velocity tells little of them."""
    rng = np.random.default_rng([seed, len(who)])
    hits = 0
    for _ in range(30):
        arm = rng.uniform(1, 3)
        small = meshes.box((arm - 0.3, -0.3, -0.3), (arm + 0.3, 0.3, 0.3))
        where = rng.uniform(0, 2 * np.pi)
        place = np.array([np.cos(where), np.sin(where), 0.0]) * arm
        ball = meshes.sphere(4, radius=float(rng.choice((0.25, 0.6))))
        other = meshes.moved(ball, place + 0.2 * rng.normal(size=3))
        axis = np.array([0, 0, rng.choice((-1.0, 1.0))]) + 0.1 * rng.normal(size=3)
        start = motions.pose(0.1 * rng.normal(size=3), 0.2 * rng.normal(size=3))
        goal = start.copy()
        turn = motions.pose(axis / np.linalg.norm(axis) * rng.uniform(1.5, 3.1), np.zeros(3))
        goal[:3, :3] = turn[:3, :3] @ start[:3, :3]
        goal[:3, 3] += 0.2 * rng.normal(size=3)
        motion = motions.Rigid(start, goal, bool(rng.integers(2)))
        still, moving = impinge.Mesh(*other), impinge.Mesh(*small)
        if who == "a":
            found = impinge.time_of_impact(moving, still, motion_a=motion.motion())
        elif who == "b":
            found = impinge.time_of_impact(still, moving, motion_b=motion.motion())
        else:
            # both turn about a common axis a little more
            more = motions.Rigid(np.eye(4), motions.pose(np.array([0, 0, 0.4]), np.zeros(3)))
            found = impinge.time_of_impact(
                still, moving, motion_a=more.motion(), motion_b=motion.motion()
            )
            times = np.linspace(0, 1, 500)
            seen = np.linalg.inv(more.at(times)) @ motion.at(times)
            seen[:, 3] = 0, 0, 0, 1
            met = impinge.collides(still, moving, poses=seen)
            assert found.time <= (times[np.argmax(met)] if met.any() else np.inf)
            hits += met.any()
            continue
        truth = motions.first_collision(still, moving, motion, 500)
        assert found.time <= truth + 1e-13
        hits += truth < np.inf
    assert hits > 5


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("depth", [1e-8, 1e-10])
def test_grazing_by_less_than_float32_can_tell(scale: float, depth: float) -> None:
    """In the middle of its way a body reaches another for a moment, however large that one is."""
    rng = np.random.default_rng(int(1e12 * depth * scale) % 2**31)
    tried = 0
    for _ in range(60):
        a = meshes.moved(meshes.sphere(8), (0, 0, 0), scale=scale)
        b = meshes.torus(12, 8) if rng.integers(2) else meshes.box()
        middle = motions.pose(rng.normal(size=3), rng.normal(size=3) * (3 * scale + 3))
        near = impinge.distance(a, b, poses=middle[None])[0]
        if near.points is None or near.normal is None or near.value == 0:
            continue
        middle[:3, 3] -= near.normal * (near.value + depth * max(1.0, scale))
        if not impinge.collides(a, b, poses=middle[None])[0]:
            continue
        tried += 1
        way = np.cross(near.normal, rng.normal(size=3)) * (scale + 1)
        start, goal = middle.copy(), middle.copy()
        start[:3, 3] -= way
        goal[:3, 3] += way
        found = impinge.time_of_impact(a, b, motion_b=(start, goal), tolerance=0.0)
        assert found.time <= 0.5 + 1e-12
    assert tried > 10


@pytest.mark.parametrize("size", [0.5, 3.0, 40.0])
@pytest.mark.parametrize("seed", range(4))
def test_a_hair_above_a_face_that_it_slides_along(seed: int, size: float) -> None:
    """The gap is far below what float32 sees, and closes soon; askew in space, far from zero."""
    rng = np.random.default_rng(seed)
    for _ in range(10):
        table = meshes.moved(meshes.grid(9, 9), (-0.5, -0.5, 0), scale=1.0)
        table = meshes.moved(table, (0, 0, 0), scale=10 * size)
        block = meshes.box((-0.5, -0.4, 0), (0.5, 0.4, 0.7))
        skew = motions.pose(rng.normal(size=3), 5 * rng.normal(size=3))
        start, goal = np.eye(4), np.eye(4)
        start[:3, 3] = 0, 0, 1e-9
        goal[:3, 3] = 1.0, 0.3, 1e-9 - 1e-6
        found = impinge.time_of_impact(
            table, block, motion_a=(skew, skew), motion_b=(skew @ start, skew @ goal), tolerance=0.0
        )
        # the rounding bound of the poses is some 1e-12, of a gap of 1e-9 that closes in 1e-3
        slack = 2e-6 * max(1.0, size)
        assert 1e-3 - 4 * slack <= found.time <= 1e-3 + slack
