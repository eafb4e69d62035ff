"""The pairs of a run are those of a scene, whatever the tiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cluster.tools import check, rows, run, truth
from families import SCENES, SELVES
from impinge.cluster import solve
from impinge.cluster.limits import QUERY_BYTES, Limits
from support import meshes

BOTH = {"self_collision": True, "touching": "include"}


@pytest.mark.usefixtures("reckless")
@pytest.mark.parametrize("name", SCENES)
def test_many_bodies(tmp_path: Path, name: str) -> None:
    bodies = SCENES[name].build("small", 0)
    check(bodies, tmp_path / "all", question=BOTH, tile=24)
    check(bodies, tmp_path / "cross", question={"touching": "exclude"}, tile=100)


@pytest.mark.usefixtures("reckless")
@pytest.mark.parametrize("name", SELVES)
def test_self_collision(tmp_path: Path, name: str) -> None:
    check([SELVES[name].build("small", 1)], tmp_path, question=BOTH, tile=24)


def test_tiles_are_cut_by_default_too(tmp_path: Path) -> None:
    bodies = [meshes.moved(meshes.sphere(12), (0.7 * i, 0.1 * i, 0)) for i in range(4)]
    found = check(bodies, tmp_path, question=BOTH, tile=200)
    assert found.stats["tiles"] > 10


def lattice(rng: np.random.Generator, cells: int, count: int) -> meshes.Arrays:
    """Small triangles with corners on the points of a lattice."""
    corner = rng.integers(0, cells, (count, 1, 3))
    return meshes.soup((corner + rng.integers(0, 2, (count, 3, 3))).astype(np.float64))


@pytest.mark.usefixtures("reckless")
def test_corners_on_the_borders_of_tiles(tmp_path: Path) -> None:
    """The cuts are at lattice points too, so that boxes begin and end on them everywhere."""
    rng = np.random.default_rng(0)
    bodies = [lattice(rng, 4, 60) for _ in range(3)]
    found = check(bodies, tmp_path, question=BOTH, tile=20)
    assert found.stats["tiles"] > 8


@pytest.mark.usefixtures("reckless")
def test_triangles_across_all_tiles(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    big = meshes.soup(rng.uniform(-10, 14, (6, 3, 3)))
    found = check([lattice(rng, 4, 150), big], tmp_path, question=BOTH, tile=20)
    assert found.stats["tiles"] > 5


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that hold 40 triangles."""
    monkeypatch.setattr(Limits, "of", lambda memory: Limits(memory, 40, 16, 10**6))


@pytest.mark.usefixtures("tiny", "reckless")
def test_a_tile_that_came_out_too_full_is_cut_again(tmp_path: Path) -> None:
    bodies = [meshes.moved(meshes.sphere(4), (0.7 * i, 0.1 * i, 0)) for i in range(4)]
    found = check(bodies, tmp_path, question=BOTH, tile=10_000)
    assert (tmp_path / "plan-1.npz").exists()
    assert found.stats["fullest"] < 128


@pytest.mark.usefixtures("tiny")
def test_a_tile_that_no_cut_makes_smaller(tmp_path: Path) -> None:
    """Everything in one place: block against block, with the rule for neighbours between them."""
    sheet = meshes.arrays(*SELVES["folded_fan"].build("big", 0))
    found = check([sheet, sheet], tmp_path, question=BOTH)
    assert found.stats["fullest"] > 40
    check([sheet, sheet], tmp_path / "others", question={"touching": "exclude"})


@pytest.mark.parametrize("self_collision", [False, True])
def test_more_pairs_than_a_worker_holds(tmp_path: Path, monkeypatch, self_collision: bool) -> None:
    """The core is stopped, and the triangles are halved until it is not."""
    bodies = [SELVES["self_soup_grid"].build("small", seed) for seed in range(4)]
    asked = solve._asked
    stopped = []

    def stop(trees, alone, touching, tick):
        if tick is not None:
            stopped.append(tick)
            raise solve._TooMany
        return asked(trees, alone, touching, tick)

    monkeypatch.setattr(solve, "_asked", stop)
    monkeypatch.setattr(solve, "_FEW", 60)
    check(bodies, tmp_path, question={"self_collision": self_collision}, tile=10_000)
    assert len(stopped) > 3


def test_the_core_is_stopped_when_memory_grows(monkeypatch) -> None:
    used = [10**9]
    monkeypatch.setattr(solve, "resident", lambda: used[0])
    tile = solve._Tile(np.zeros((2, 3)), None, Limits(10**9, 10, 10, 1000), None)
    tick = tile._tick(10**6)
    assert tick(0.1)
    used[0] += 1001 + 10**6 * QUERY_BYTES
    assert not tick(0.2)
    assert tile._tick(10) is None


def test_ignored_bodies(tmp_path: Path) -> None:
    bodies = SCENES["box_pile"].build("small", 0)
    expected = truth(bodies)
    a, b = expected[0, 0], expected[0, 2]
    left_out = (expected[:, 0] == a) & (expected[:, 2] == b)
    named = [(f"b{i}", body) for i, body in enumerate(bodies)]
    found = run(named, tmp_path, ignore=[(f"b{b}", f"b{a}")])
    assert np.array_equal(rows(found), expected[~left_out])


def test_the_summary_is_that_of_the_clashes(tmp_path: Path) -> None:
    from conformance.unions import scene_of
    from impinge.results.clashes import clashes_of

    bodies = SCENES["brick_wall"].build("small", 0) + SCENES["box_pile"].build("small", 1)
    found = run(bodies, tmp_path, **BOTH)
    clashes = clashes_of(scene_of(bodies).collide(**BOTH))
    summary = list(found.summary)
    assert len(summary) == len(clashes)
    for row, clash in zip(summary, clashes, strict=True):
        assert (row.pairs, row.kinds, row.crosses) == (clash.pairs, clash.kinds, clash.crosses)
        assert np.array_equal(row.bounds, clash.bounds)
        assert row.length == pytest.approx(clash.length)
    assert "pairs of faces" in repr(found)
