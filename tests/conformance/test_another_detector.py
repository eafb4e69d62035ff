"""A detector of a hundred lines goes through the suite: it makes candidates and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import impinge
from conformance import test_detectors_are_brute, test_many_bodies, test_poses, test_refit
from conformance.sort_and_sweep import SortAndSweep, register_it
from families import PAIRS, SCENES, SELVES, SEQUENCES, cases
from impinge.detectors import unregister

NAME = SortAndSweep.name
SIZES = ("small", "big")


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    register_it()
    yield
    unregister(NAME)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, 1))
def test_pairs(size: str, name: str, seed: int) -> None:
    test_detectors_are_brute.test_pairs(NAME, size, name, seed)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "seed"), cases(SELVES, 1))
def test_selves(size: str, name: str, seed: int) -> None:
    test_detectors_are_brute.test_selves(NAME, size, name, seed)


@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, 1))
def test_first_pair(name: str, seed: int) -> None:
    test_detectors_are_brute.test_first_pair(NAME, "small", name, seed)
    test_detectors_are_brute.test_swapped_operands(NAME, name, seed)


@pytest.mark.parametrize(("name", "seed"), cases(SELVES, 1))
def test_first_self_pair(name: str, seed: int) -> None:
    test_detectors_are_brute.test_first_self_pair(NAME, name, seed)


@pytest.mark.parametrize("touching", ["include", "exclude"])
def test_every_number_of_faces(touching: str) -> None:
    test_detectors_are_brute.test_every_number_of_faces(NAME, touching)


@pytest.mark.parametrize("self_collision", [False, True])
@pytest.mark.parametrize(("name", "seed"), cases(SCENES, 1))
def test_scenes(name: str, seed: int, self_collision: bool) -> None:
    test_many_bodies.test_scene_is_the_union(NAME, "small", name, seed, self_collision)


@pytest.mark.parametrize("name", SCENES)
def test_ignored_bodies(name: str) -> None:
    test_many_bodies.test_ignored_bodies_are_left_out_and_nothing_else(NAME, name)


@pytest.mark.parametrize("name", test_poses.NAMES)
def test_poses_of_b(name: str) -> None:
    test_poses.test_batch_is_loop_is_transform(NAME, name, "small")


@pytest.mark.parametrize(("name", "seed"), cases(SEQUENCES, 1))
def test_frames(name: str, seed: int) -> None:
    test_refit.test_alone(NAME, "small", name, seed, workers=2)
    test_refit.test_among_others_and_posed(NAME, name, seed)


def test_it_counts_what_the_judge_counts() -> None:
    a, b = PAIRS["spheres"].build("small", 0)
    stats = impinge.collide(a, b, method=NAME).stats
    assert stats["candidates"] >= stats["hits"] > 0
