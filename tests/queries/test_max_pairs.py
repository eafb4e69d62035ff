"""A limit on pairs ends a query early, and says so; without one, memory may end, and no more."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest

import impinge
from conformance.methods import able
from families.adversarial import bundle, identical
from impinge import _core
from impinge.errors import InputError, TooManyPairsError
from support.meshes import moved, soup, sphere

MANY = soup(identical(np.random.default_rng(0), 40))


@pytest.mark.parametrize("method", able("pairs"))
def test_as_many_as_allowed_and_no_more(method: str) -> None:
    assert len(impinge.collide(MANY, MANY, method=method, max_pairs=1600)) == 1600
    with pytest.raises(TooManyPairsError, match=r"more than max_pairs=1599 pairs.*mode=.first"):
        impinge.collide(MANY, MANY, method=method, max_pairs=1599)


@pytest.mark.parametrize("method", able("pairs", "self"))
def test_of_one_mesh(method: str) -> None:
    pairs = 40 * 39 // 2
    asked = {"method": method, "report_duplicates": True}
    assert len(impinge.self_collide(MANY, max_pairs=pairs, **asked)) == pairs
    with pytest.raises(TooManyPairsError):
        impinge.self_collide(MANY, max_pairs=pairs - 1, **asked)


def test_of_a_scene_and_of_poses() -> None:
    scene = impinge.Scene()
    for _ in range(3):
        scene.add(*MANY)
    assert len(scene.collide(max_pairs=4800)) == 4800
    with pytest.raises(TooManyPairsError):
        scene.collide(max_pairs=4799)
    poses = np.tile(np.eye(4), (3, 1, 1))
    meshes = impinge.Mesh(*MANY), impinge.Mesh(*MANY)
    for workers in (1, 2):
        asked = {"poses": poses, "workers": workers}
        assert len(impinge.collide(*meshes, max_pairs=4800, **asked)) == 4800
        with pytest.raises(TooManyPairsError):
            impinge.collide(*meshes, max_pairs=4799, **asked)


def test_what_is_left_out_does_not_count() -> None:
    ignored = [(0, face) for face in range(40)]
    assert len(impinge.collide(MANY, MANY, ignore=ignored, max_pairs=1560)) == 1560
    with pytest.raises(TooManyPairsError):
        impinge.collide(MANY, MANY, ignore=ignored, max_pairs=1559)
    assert len(impinge.collide(MANY, MANY, ignore=ignored, mode="first", max_pairs=1)) == 1
    scene = impinge.Scene()
    for _ in range(3):
        scene.add(*MANY)
    assert len(scene.collide(ignore=[(0, 1)], max_pairs=3200)) == 3200
    apart = moved(MANY, (0, 0, 3))
    assert len(impinge.collide(MANY, apart, margin=3.0, max_pairs=1600)) == 1600
    with pytest.raises(TooManyPairsError):
        impinge.collide(MANY, apart, margin=3.0, max_pairs=1599)


def test_pairs_found_twice_on_the_way_count_once() -> None:
    rng = np.random.default_rng(1)
    a, b = soup(bundle(rng, 60)), soup(bundle(rng, 60) + 1e-9)
    truth = len(impinge.collide(a, b, margin=0.02, method="brute"))
    usual = _core.bvh_patience(0)
    try:
        assert len(impinge.collide(a, b, margin=0.02, max_pairs=truth)) == truth > 0
        with pytest.raises(TooManyPairsError):
            impinge.collide(a, b, margin=0.02, max_pairs=truth - 1)
    finally:
        _core.bvh_patience(usual)


@pytest.mark.parametrize("wrong", [-1, 1.5, "many", True])
def test_what_is_no_limit(wrong: object) -> None:
    with pytest.raises(InputError, match="max_pairs must be an integer of at least 0"):
        impinge.collide(MANY, MANY, max_pairs=wrong)


def test_a_limit_beyond_all_numbers() -> None:
    assert len(impinge.collide(MANY, MANY, max_pairs=10**30)) == 1600
    assert len(impinge.collide(sphere(2), moved(sphere(2), 9.0), max_pairs=0)) == 0


def test_a_limit_is_reached_long_before_all_pairs_are_found() -> None:
    a = impinge.Mesh(*soup(identical(np.random.default_rng(0), 30_000)))
    begin = time.process_time()
    with pytest.raises(TooManyPairsError):
        impinge.collide(a, a, max_pairs=10_000)
    assert time.process_time() - begin < 5


EXHAUSTING = """
import resource, numpy as np, impinge
triangle = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0.5]])
a = impinge.Mesh(np.tile(triangle, (4000, 1)), np.arange(12000).reshape(-1, 3))
impinge.collide(a, (triangle, [[0, 1, 2]]))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), -1))
try:
    impinge.collide(a, a, workers=1)
except MemoryError:
    print("memory", len(impinge.collide(a, (triangle, [[0, 1, 2]]))))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory as Linux does")
def test_pairs_that_do_not_fit_in_memory_are_an_error_and_nothing_is_broken() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EXHAUSTING], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.split() == ["memory", "4000"], done.stderr
