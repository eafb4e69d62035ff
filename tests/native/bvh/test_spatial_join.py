"""Triangles whose boxes tell too little are joined by cutting space: the same pairs, sooner."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import impinge
from families import PAIRS, SELVES, cases
from families.adversarial import HARDLY_MEETING, cone, fan, needles, slivers
from impinge import _core
from support import oracle
from support.compare import answer, assert_same
from support.meshes import box, merge, moved, pose, posed, soup, sphere, torus


@pytest.fixture
def at_once() -> Iterator[None]:
    """Nothing is left to boxes: what they do not settle in one step is joined."""
    usual = _core.bvh_patience(0)
    yield
    _core.bvh_patience(usual)


def welded(triangles: np.ndarray) -> impinge.Mesh:
    vertices, at = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    return impinge.Mesh(vertices, at.reshape(-1, 3))


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, 1))
def test_pairs_are_those_of_brute(name: str, seed: int) -> None:
    a, b = PAIRS[name].build("big", seed)
    meshes = impinge.Mesh(*a), impinge.Mesh(*b)
    for touching in ("include", "exclude"):
        truth = oracle.collide(a, b, touching=touching)
        for workers in (1, 2):
            hits = impinge.collide(*meshes, touching=touching, workers=workers)
            assert_same(truth, answer(hits), a, b, label=f"{touching}, {workers} workers")
        assert impinge.collides(*meshes, touching=touching) == bool(len(truth[0]))


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("name", "seed"), cases(SELVES, 1))
def test_selves_are_those_of_brute(name: str, seed: int) -> None:
    mesh = SELVES[name].build("big", seed)
    truth = oracle.self_collide(mesh)
    for workers in (1, 2):
        found = answer(impinge.self_collide(impinge.Mesh(*mesh), workers=workers))
        assert_same(truth, found, mesh, label=f"{workers} workers")


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("margin", [1e-9, 1e-4, 0.05, 1e300])
def test_margins_are_those_of_brute(margin: float) -> None:
    rng = np.random.default_rng(1)
    a, b = (soup(needles(rng, 60)) for _ in range(2))
    truth = answer(impinge.collide(a, b, margin=margin, method="brute"))
    assert_same(truth, answer(impinge.collide(a, b, margin=margin)), a, b)
    truth = answer(impinge.self_collide(a, margin=margin, method="brute"))
    assert_same(truth, answer(impinge.self_collide(a, margin=margin)), a)


@pytest.mark.usefixtures("at_once")
def test_every_pose_has_its_own_pairs() -> None:
    rng = np.random.default_rng(2)
    a, b = sphere(6), torus(20, 12)
    poses = np.array([pose(rng, spread=1.0) for _ in range(12)])
    found = impinge.collide(impinge.Mesh(*a), impinge.Mesh(*b), poses=poses)
    assert found.stats["joined"] > 0
    for number, matrix in enumerate(poses):
        world = posed(b, matrix)
        mine = found.pose == number
        assert_same(oracle.collide(a, world), (found.pairs[mine], found.kinds[mine]), a, world)


@pytest.mark.usefixtures("at_once")
def test_bodies_of_a_scene_and_the_parts_of_a_solid() -> None:
    scene = impinge.Scene()
    rng = np.random.default_rng(3)
    for _ in range(6):
        scene.add(*posed(torus(16, 8), pose(rng, spread=1.0)))
    mine = scene.collide(self_collision=True)
    assert mine.stats["joined"] > 0
    truth = scene.collide(self_collision=True, method="brute")
    assert len(truth) > 0
    assert np.array_equal(mine.pairs, truth.pairs)
    assert np.array_equal(mine.kinds, truth.kinds)
    # what is sturdy is proven of vertices that may move a little
    assert impinge.relation(box(), moved(box(), 0.5)) is impinge.Relation.OVERLAPPING
    glued = merge(box(), moved(box(), (1, 0, 0)))
    assert impinge.relation(glued, moved(box(), (5, 0, 0))) is impinge.Relation.APART


def test_honest_scenes_are_left_to_boxes() -> None:
    rng = np.random.default_rng(4)
    for size in (2, 8, 24):
        a, b = (
            impinge.Mesh(*sphere(size)),
            impinge.Mesh(*posed(sphere(size), pose(rng, spread=0.5))),
        )
        assert impinge.collide(a, b).stats["joined"] == 0
        assert impinge.self_collide(a).stats["joined"] == 0


def growth(ask: Callable[[int], Any], n: int) -> tuple[float, float]:
    """Work per face, and how CPU time grows with four times the faces: 1 is linear, 4 quadratic."""
    seconds = []
    for size in (n, 4 * n):
        spent = []
        for _ in range(3):
            begin = time.process_time()
            stats = ask(size).stats
            spent.append(time.process_time() - begin)
        seconds.append(min(spent))
    work = stats["candidates"] + 8 * (stats["leaf_pairs"] + stats["node_pairs"])
    return work / (4 * n), seconds[1] / seconds[0] / 4


@pytest.mark.parametrize("name", HARDLY_MEETING)
def test_pairs_that_hardly_meet_take_linear_time(name: str) -> None:
    def ask(n: int) -> Any:
        rng = np.random.default_rng(5)
        a, b = (soup(make(rng, n)) for make in HARDLY_MEETING[name])
        return impinge.collide(a, b, workers=1)

    work, seconds = growth(ask, 5000)
    assert work < 800
    assert seconds < 2.5


@pytest.mark.parametrize("make", [slivers, cone, fan])
def test_surfaces_that_hardly_meet_themselves_take_linear_time(make: Callable[..., Any]) -> None:
    def ask(n: int) -> Any:
        return impinge.self_collide(welded(make(np.random.default_rng(6), n)), workers=1)

    work, seconds = growth(ask, 5000)
    assert work < 800
    assert seconds < 2.5


def test_an_open_fan_takes_linear_time() -> None:
    """Its first and last edge all but coincide, so that no projection settles it at once."""

    def ask(n: int) -> Any:
        angle = np.arange(n + 1) * 2 * np.pi / n
        rim = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
        each = np.arange(n)
        faces = np.stack([np.full(n, n + 1), each, each + 1], axis=1)
        return impinge.self_collide((np.vstack([rim, [0, 0, 0]]), faces), workers=1)

    assert ask(3000).stats["star_tests"] < 3000
    work, seconds = growth(ask, 5000)
    assert work < 800
    assert seconds < 2.5


def test_whether_slivers_meet_takes_linear_time_too() -> None:
    seconds = []
    for n in (4000, 16000):
        a, b = (welded(slivers(np.random.default_rng(7), n, side=s)[1:]) for s in (1.0, -1.0))
        begin = time.process_time()
        assert not impinge.collides(a, b)
        seconds.append(time.process_time() - begin)
    assert seconds[1] < 10 * seconds[0]


def test_a_join_can_be_stopped() -> None:
    rng = np.random.default_rng(8)
    a, b = (impinge.Mesh(*soup(needles(rng, 30000))) for _ in range(2))
    calls = 0

    def stop(fraction: float) -> None:
        nonlocal calls
        calls += 1
        if calls == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        impinge.collide(a, b, progress=stop, workers=1)
    assert len(impinge.collide(sphere(4), moved(sphere(4), 0.5))) > 0
