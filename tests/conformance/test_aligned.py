"""Scenes of aligned, flush, mirrored, inside-out and equal bodies: each detector as it promises.

The exact ones have all pairs of faces. What samples or leaves out on purpose may lose some, but
invents none, and a view along no axis finds all that cross.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import impinge
from conformance.methods import able, judged
from conformance.unions import rows, union
from families import ALIGNED, cases
from families.aligned import Part
from support import oracle
from support.compare import answer, assert_same
from support.meshes import box, merge

CASES = [("small", *case) for case in cases(ALIGNED, 4)] + [
    ("big", *case) for case in cases(ALIGNED, 2)
]
AXES = {"along x": (1, 0, 0), "along y": (0, 1, 0), "along z": (0, 0, 1)}
SKEW = (0.36, 0.48, 0.8)
FINE = 512

EXACT: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (name, {}) for name in able("pairs", "bodies")},
    **{f"peel {name}": ("peel", {"direction": axis}) for name, axis in AXES.items()},
    "cdfc, clusters": ("cdfc", {"clusters": 5}),
}
LOSSY: dict[str, tuple[str, dict[str, Any]]] = {
    "peel, rays": ("peel", {"conservative": False}),
    **{
        f"peel, rays {name}": ("peel", {"conservative": False, "direction": axis})
        for name, axis in AXES.items()
    },
    "peel, rays in passes": ("peel", {"conservative": False, "sampling": "peel"}),
    "peel, six layers": ("peel", {"conservative": False, "layers": 6}),
    "peel, not dilated": ("peel", {"conservative": False, "dilate": 0}),
    "cdfc, clusters that hardly overlap": (
        "cdfc",
        {"clusters": 4, "membership": "absolute", "threshold": 0.3},
    ),
}

_known: dict[tuple[str, str, int], tuple[impinge.Scene, np.ndarray]] = {}


def asked(size: str, name: str, seed: int) -> tuple[impinge.Scene, np.ndarray]:
    """The scene, and its rows by the oracle; the last one is remembered for all methods."""
    key = (size, name, seed)
    if key not in _known:
        made = ALIGNED[name].build(size, seed)
        world = [part.world for part in made]
        truth = union(world, self_collision=False, touching="include")
        _known.clear()
        _known[key] = scene_of_parts(made), truth
    return _known[key]


def scene_of_parts(made: list[Part]) -> impinge.Scene:
    scene = impinge.Scene()
    for part in made:
        scene.add(*part.mesh, pose=part.pose)
    return scene


def crossing(found: np.ndarray) -> np.ndarray:
    return found[found[:, 4] == impinge.Kind.CROSSING]


@pytest.mark.parametrize("label", EXACT)
@pytest.mark.parametrize(("size", "name", "seed"), CASES)
def test_exact_detectors_have_all_pairs(size: str, name: str, seed: int, label: str) -> None:
    scene, truth = asked(size, name, seed)
    method, options = EXACT[label]
    detector = impinge.detector(method, **options)
    hits = scene.collide(method=detector)
    assert np.array_equal(truth, rows(hits))
    assert hits.warnings == ()
    # more workers than there is work for most of these
    proper = scene.collide(method=detector, touching="exclude", workers=2)
    assert np.array_equal(crossing(truth), rows(proper))


@pytest.mark.parametrize("label", LOSSY)
@pytest.mark.parametrize(("size", "name", "seed"), CASES)
def test_lossy_detectors_invent_nothing(size: str, name: str, seed: int, label: str) -> None:
    scene, truth = asked(size, name, seed)
    method, options = LOSSY[label]
    hits = rows(scene.collide(method=impinge.detector(method, **options)))
    assert set(map(tuple, hits.tolist())) <= set(map(tuple, truth.tolist()))
    assert len(np.unique(hits, axis=0)) == len(hits)


@pytest.mark.parametrize("sampling", ["lists", "peel"])
@pytest.mark.parametrize(("name", "seed"), cases(ALIGNED, 4))
def test_peel_along_no_axis_finds_all_that_cross(name: str, seed: int, sampling: str) -> None:
    scene, truth = asked("small", name, seed)
    rays = impinge.detector(
        "peel", conservative=False, sampling=sampling, direction=SKEW, resolution=FINE
    )
    hits = scene.collide(method=rays, touching="exclude")
    assert np.array_equal(crossing(truth), rows(hits))


@pytest.mark.parametrize("method", judged("pairs", "self"))
@pytest.mark.parametrize(("name", "seed"), cases(ALIGNED, 2))
def test_parts_as_one_body(name: str, seed: int, method: str) -> None:
    mesh = merge(*(part.world for part in ALIGNED[name].build("small", seed)))
    for touching in ("include", "exclude"):
        truth = oracle.self_collide(mesh, touching=touching)
        found = answer(impinge.self_collide(mesh, method=method, touching=touching))
        assert_same(truth, found, mesh, label=touching)


@pytest.mark.parametrize("name", ALIGNED)
def test_families_hold_what_they_are_for(name: str) -> None:
    """Something crosses and something only touches in some of the cases of each family."""
    kinds = [asked("small", name, seed)[1][:, 4] for seed in range(4)]
    every = np.concatenate(kinds)
    assert (every == impinge.Kind.CROSSING).any()
    assert (every != impinge.Kind.CROSSING).any()


@pytest.mark.parametrize("label", EXACT)
def test_neighbours_of_a_grid_by_hand(label: str) -> None:
    """Boxes that reach into the next cell meet their 26 neighbours."""
    cells = np.argwhere(np.ones((3, 3, 3), dtype=bool))
    scene = impinge.Scene()
    for low in cells:
        scene.add(*box(low, low + 1.25))
    near = np.abs(cells[:, None] - cells).max(axis=2) == 1
    expected = np.argwhere(np.triu(near))
    method, options = EXACT[label]
    hits = scene.collide(method=impinge.detector(method, **options))
    assert np.array_equal(expected, np.unique(hits.bodies, axis=0))
