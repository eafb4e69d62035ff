"""Whole queries: the chip visits what `dop` visits, and finds what is there."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge.errors import InputError
from impinge.lab import chip
from impinge.lab.chip.memory import Hierarchy
from lab.chip.tools import crowd
from support import meshes

COUNTERS = {
    "aligned": "node_pairs",
    "tumbled": "transforms",
    "lists": "lists",
    "list_pairs": "list_pairs",
    "checks": "leaf_pairs",
    "leaf_dops": "leaf_dops",
}


def near(seed: int) -> tuple[meshes.Arrays, meshes.Arrays, np.ndarray]:
    rng = np.random.default_rng(seed)
    matrix = meshes.pose(rng, spread=0.1)
    matrix[0, 3] += 1.2
    return meshes.torus(40, 17), meshes.sphere(9 + seed), matrix


@pytest.mark.parametrize("seed", range(4))
def test_the_nodes_of_dop_are_visited(seed: int) -> None:
    """All but the two roots, with which the chip does not begin."""
    a, b, matrix = near(seed)
    run = chip.Chip(a, b).run(matrix)
    stats = impinge.collide(a, b, poses=matrix[None], method="dop", workers=1).stats
    for ours, theirs in COUNTERS.items():
        roots = ours not in ("checks", "leaf_dops")
        assert getattr(run, ours) == stats[theirs] - roots, ours
    assert 0 < run.tumbled < 2 * len(b[1])
    assert run.levels <= 12
    assert run.sram_words >= run.list_pairs / run.lists


@pytest.mark.parametrize(
    "mesh", [meshes.soup(np.eye(3)[None]), meshes.box(), meshes.torus(12, 7), meshes.sphere(5)]
)
def test_the_stack_is_as_deep_as_the_tumbled_tree(mesh: meshes.Arrays) -> None:
    """A mesh upon itself is visited down to every leaf."""
    link = Hierarchy(impinge.Mesh(*mesh)).link

    def depth(node: int) -> int:
        below = int(link[node])
        return 0 if below < 0 else 1 + max(depth(2 * below), depth(2 * below + 1))

    # the root alone is a level, too
    assert chip.Chip(mesh, mesh).run().levels == max(1, depth(1))


@pytest.mark.parametrize("seed", range(4))
def test_cycles_are_near_the_formula(seed: int) -> None:
    _, b, matrix = near(seed)
    run = chip.Chip(b, b).run(matrix)
    assert abs(run.microseconds / run.formula - 1) < 0.05
    assert run.microseconds_with_triangles > run.microseconds


def test_a_tree_that_ends_early_has_more_lists_than_the_formula() -> None:
    """Its leaves go through lists of their own, with no second node beside them."""
    a, b, matrix = near(0)
    run = chip.Chip(a, b).run(matrix)
    assert run.lists > 1.5 * run.tumbled / 2
    assert 1.1 < run.microseconds / run.formula < 1.3


@pytest.mark.parametrize("boundary", ["open", "closed"])
def test_pairs_in_general_position(boundary: str) -> None:
    rng = np.random.default_rng(5)
    single, few = meshes.soup(rng.normal(size=(1, 3, 3))), crowd(rng, 5)
    many = crowd(rng, 120)
    found = 0
    for a in (single, few, many):
        for b in (single, few, many):
            model = chip.Chip(a, b, boundary=boundary)
            for _ in range(2):
                pose = meshes.pose(rng, spread=0.3)
                truth = impinge.collide(a, b, poses=pose[None], method="bvh")
                np.testing.assert_array_equal(model.run(pose).pairs, truth.pairs)
                found += len(truth)
    assert found > 500


def test_bodies_of_different_size_and_place() -> None:
    rng = np.random.default_rng(6)
    a, b = meshes.moved(crowd(rng, 200), (50, 0, 0)), meshes.moved(crowd(rng, 100), 3.0, scale=0.4)
    pose = meshes.pose(rng, spread=0.0)
    pose[:3, 3] = np.array([50, 0, 0]) - pose[:3, :3] @ np.full(3, 3.0)
    truth = impinge.collide(a, b, poses=pose[None])
    assert len(truth) > 50
    np.testing.assert_array_equal(chip.Chip(a, b).run(pose).pairs, truth.pairs)


def test_without_a_pose_and_apart() -> None:
    box = impinge.Mesh(*meshes.box())
    crossing = meshes.moved(meshes.box(), (0.51, 0.52, 0.53))
    truth = impinge.collide(box, crossing)
    np.testing.assert_array_equal(chip.Chip(box, crossing).run().pairs, truth.pairs)
    pose = np.eye(4)
    pose[0, 3] = 9
    run = chip.Chip(box, box).run(pose)
    assert run.pairs.shape == (0, 2)
    assert (run.tumbled, run.aligned, run.lists, run.cycles) == (2, 4, 1, 92)


def test_arguments_are_checked() -> None:
    with pytest.raises(InputError, match="boundary must be one of 'open', 'closed'"):
        chip.Chip(meshes.box(), meshes.box(), boundary="half")
    with pytest.raises(InputError, match="needs meshes with faces"):
        chip.Chip(meshes.box(), meshes.empty())
    with pytest.raises(InputError, match=r"pose must have shape \(4, 4\)"):
        chip.Chip(meshes.box(), meshes.box()).run(np.eye(3))
