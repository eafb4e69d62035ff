"""Input that has no size, too much of it, or none at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import impinge
from impinge.detectors import Detector
from impinge.errors import Cancelled
from support import oracle
from support.compare import answer, assert_same
from support.meshes import Arrays, box, empty, grid, merge, moved, soup, sphere

Make = Callable[..., Detector]
MODES: list[dict[str, Any]] = [
    {},
    {"conservative": False},
    {"conservative": False, "layers": 2, "deeper": "mark", "gap": 0.1},
]
RNG = np.random.default_rng(0)
POINT = np.zeros((1, 3, 3))
SLIVERS = RNG.uniform(-1, 1, (40, 1, 3)) + RNG.uniform(-1, 1, (40, 3, 1)) * (1.0, 1.0, 1.0)
CASES: dict[str, tuple[Arrays, Arrays]] = {
    "nothing": (empty(), empty()),
    "one body without faces": (empty(), box()),
    "one point": (soup(POINT), soup(POINT)),
    "a point in a face": (soup(POINT), soup(np.array([[(-1, -1, 0), (1, -1, 0), (0, 2, 0.0)]]))),
    "segments": (soup(SLIVERS), soup(SLIVERS[::-1] + 1e-9)),
    "edge-on": (grid(5, 5), moved(grid(5, 5), 0, scale=(1, 1, 0))),
    "the same twice": (sphere(6), sphere(6)),
    "far away": (moved(sphere(6), 1e9), moved(sphere(6), (1e9 + 0.5, 1e9, 1e9))),
    "tiny": (moved(sphere(6), 0, scale=1e-300), moved(sphere(6), 5e-301, scale=1e-300)),
    "huge": (moved(sphere(6), 0, scale=1e90), moved(sphere(6), 5e89, scale=1e90)),
    "huge and tiny": (moved(sphere(6), 0, scale=1e90), moved(sphere(6), 0, scale=1e-90)),
}
for _axis in range(3):
    _sheet = grid(6, 6)
    _turned = (np.roll(np.asarray(_sheet[0]), _axis, axis=1), _sheet[1])
    CASES[f"across axis {_axis}"] = (_turned, moved(sphere(6), 0.5, scale=0.3))


@pytest.mark.parametrize("resolution", [16, 64, None])
@pytest.mark.parametrize("name", CASES)
def test_pairs(peel: Make, name: str, resolution: int | None) -> None:
    a, b = CASES[name]
    truth = oracle.collide(a, b)
    assert_same(truth, answer(impinge.collide(a, b, method=peel(resolution=resolution))), a, b)
    for mode in MODES[1:]:
        hits = impinge.collide(a, b, method=peel(resolution=resolution, **mode))
        assert set(map(tuple, hits.pairs.tolist())) <= set(map(tuple, truth[0].tolist()))


@pytest.mark.parametrize("name", CASES)
def test_selves(peel: Make, name: str) -> None:
    both = merge(*CASES[name])
    for touching in ("include", "exclude"):
        for duplicates in (False, True):
            options = {"touching": touching, "report_duplicates": duplicates}
            truth = oracle.self_collide(both, **options)
            hits = impinge.self_collide(both, method=peel(), **options)
            assert_same(truth, answer(hits), both, label=str(options))


@pytest.mark.parametrize("mode", MODES)
def test_one_and_two_workers(peel: Make, mode: dict[str, Any]) -> None:
    scene = impinge.Scene()
    for at in range(6):
        scene.add(*moved(sphere(20), (0.9 * at, 0.1 * at, 0)))
    method = peel(resolution=256, **mode)
    one, two = (
        scene.collide(method=method, self_collision=True, workers=workers) for workers in (1, 2)
    )
    assert np.array_equal(one.pairs, two.pairs)
    assert np.array_equal(one.kinds, two.kinds)
    counted = one.stats.keys()
    assert counted == two.stats.keys()
    assert all(one.stats[name] == two.stats[name] for name in counted)


@pytest.mark.parametrize("mode", MODES[:2])
def test_it_can_be_cancelled(peel: Make, mode: dict[str, Any]) -> None:
    heard: list[float] = []
    impinge.collide(box(), box(), method=peel(**mode), progress=heard.append)
    assert heard[0] == 0.0
    assert heard[-1] == 1.0
    assert heard == sorted(heard)
    with pytest.raises(Cancelled):
        impinge.collide(box(), box(), method=peel(**mode), progress=lambda _: False)
