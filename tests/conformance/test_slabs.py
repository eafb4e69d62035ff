"""Surfaces that pass each other within rounding, where a slab too thin would lose a pair."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from support import oracle
from support.compare import answer, assert_same
from support.meshes import Arrays, arrays, grid, merge, moved, pose, posed

CELLS = 17  # 578 triangles: three levels, and a last node that is not full
GAPS = [0.0, *(sign * 10.0**power for power in (-16, -12, -9, -8, -7, -6, -4) for sign in (1, -1))]


def flat() -> Arrays:
    return moved(grid(CELLS, CELLS, width=2.0, height=2.0), (-1, -1, 0))


def wavy(height: float) -> Arrays:
    vertices, faces = flat()
    bent = vertices.copy()
    bent[:, 2] = height * np.sin(3 * bent[:, 0]) * np.cos(2 * bent[:, 1])
    return arrays(bent, faces)


def crumpled(rng: np.random.Generator) -> Arrays:
    """No patch has a useful normal."""
    vertices, faces = flat()
    return arrays(vertices + 0.1 * rng.normal(size=vertices.shape), faces)


def double_sided() -> Arrays:
    """Every face twice, once turned over: the mean normal is zero."""
    vertices, faces = flat()
    both = np.stack([faces, faces[:, ::-1]], axis=1).reshape(-1, 3)
    return arrays(vertices, both)


def slivers(rng: np.random.Generator) -> Arrays:
    """Needles, points and zero-area faces among the others."""
    vertices, faces = flat()
    thin = vertices.copy()
    thin[:, 1] *= 1e-6
    spoiled = faces.copy()
    rows = rng.choice(len(faces), 60, replace=False)
    spoiled[rows[:30], 2] = spoiled[rows[:30], 1]
    spoiled[rows[30:]] = spoiled[rows[30:], :1]
    return merge((thin, faces), (vertices, spoiled))


def check(a: Arrays, b: Arrays, poses: np.ndarray) -> None:
    meshes = impinge.Mesh(*a), impinge.Mesh(*b)
    everything = impinge.collide(*meshes, poses=poses, workers=1)
    answers = impinge.collides(*meshes, poses=poses)
    for number, matrix in enumerate(poses):
        world = posed(b, matrix)
        truth = impinge.collide(a, world, method="brute")
        mine = everything.pose == number
        found = everything.pairs[mine], everything.kinds[mine]
        assert_same(answer(truth), found, a, world, label=f"pose {number}")
        assert answers[number] == (len(truth) > 0)


def hovering(rng: np.random.Generator, gaps: list[float], *, shift: float = 0.1) -> np.ndarray:
    """Poses that leave z a gap and move along the plane."""
    poses = np.tile(np.eye(4), (len(gaps), 1, 1))
    poses[:, :2, 3] = rng.uniform(-shift, shift, (len(gaps), 2))
    poses[:, 2, 3] = gaps
    return poses


@pytest.mark.parametrize("shape", ["flat", "wavy", "crumpled", "double_sided", "slivers"])
def test_hovering_at_the_size_of_rounding(shape: str) -> None:
    rng = np.random.default_rng(1)
    mesh = {
        "flat": flat,
        "wavy": lambda: wavy(0.2),
        "crumpled": lambda: crumpled(rng),
        "double_sided": double_sided,
        "slivers": lambda: slivers(rng),
    }[shape]()
    check(mesh, mesh, hovering(rng, GAPS))


@pytest.mark.parametrize("tilt", [1e-8, 1e-6, 1e-3])
def test_nearly_parallel_planes_meet_in_a_line(tilt: float) -> None:
    rng = np.random.default_rng(2)
    poses = hovering(rng, GAPS[:9])
    c, s = np.cos(tilt), np.sin(tilt)
    poses[:, :3, :3] = [[c, 0, -s], [0, 1, 0], [s, 0, c]]
    check(flat(), flat(), poses)


@pytest.mark.parametrize("height", [0.0, 0.05])
@pytest.mark.parametrize("offset", [0.0, 1e3, 1e9])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_both_askew_far_away_and_of_any_size(offset: float, scale: float, height: float) -> None:
    rng = np.random.default_rng(3)
    frame = pose(rng, spread=0.0)
    a = moved(posed(wavy(height), frame), offset, scale=scale)
    # b lies elsewhere in its own frame, so that its pose has work to do
    own = pose(rng, spread=scale)
    b = posed(moved(wavy(height), 0.0, scale=scale), own)
    back = np.linalg.inv(own)
    place = np.eye(4)
    place[:3, :3] = frame[:3, :3]
    place[:3, 3] = offset
    # so small and so far away all vertices are rounded to one, and every pair touches: once will do
    steps = hovering(rng, GAPS[:7] if scale > 1e-16 * offset else GAPS[:1])
    steps[:, :3, 3] *= scale
    check(a, b, np.array([place @ step @ back for step in steps]))


def test_small_against_large() -> None:
    rng = np.random.default_rng(4)
    shrink = np.diag([1e-3, 1e-3, 1e-3, 1.0])
    poses = np.array([step @ shrink for step in hovering(rng, GAPS[:7], shift=0.9)])
    check(flat(), wavy(0.3), poses)
    check(moved(flat(), 0.0, scale=1e-3), wavy(0.3), hovering(rng, GAPS[:7], shift=0.5))


def test_sheared_and_mirrored_poses() -> None:
    rng = np.random.default_rng(5)
    poses = hovering(rng, GAPS)
    poses[:, :3, :3] += 0.3 * rng.normal(size=(len(poses), 3, 3))
    poses[::2, 0, 0] *= -1
    check(wavy(0.2), wavy(0.1), poses)


def test_the_second_question_is_answered_like_the_first() -> None:
    """The first one goes without slabs."""
    a, b = impinge.Mesh(*wavy(0.2)), impinge.Mesh(*wavy(0.1))
    first = impinge.collide(a, b)
    second = impinge.collide(a, b)
    assert len(first) > 0
    assert_same(answer(first), answer(second), wavy(0.2), wavy(0.1))
    assert second.stats["leaf_pairs"] < first.stats["leaf_pairs"]


def test_slabs_follow_a_body_that_deforms() -> None:
    scene = impinge.Scene()
    body = scene.add(*wavy(0.2))
    scene.add(*flat())
    for height in (0.2, 0.05, 0.4):
        body.vertices = wavy(height)[0]
        truth = oracle.collide(wavy(height), flat())
        for _ in range(3):
            assert_same(truth, answer(scene.collide()), wavy(height), flat())
