"""`brute` gives what rational arithmetic gives: pairs and kinds, on every small family."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from families import PAIRS, SCENES, SELVES, SEQUENCES, cases
from support import rational
from support.compare import answer, assert_same

SEEDS = 5


@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, SEEDS))
def test_pairs(name: str, seed: int) -> None:
    a, b = PAIRS[name].build("small", seed)
    truth = rational.pairs(*a, *b)
    assert_same(truth, answer(impinge.collide(a, b, method="brute")), a, b)
    proper = truth[1] == rational.CROSSING
    found = answer(impinge.collide(a, b, method="brute", touching="exclude"))
    assert_same((truth[0][proper], truth[1][proper]), found, a, b, label="exclude")


@pytest.mark.parametrize("duplicates", [False, True], ids=["", "duplicates"])
@pytest.mark.parametrize(("name", "seed"), cases(SELVES, SEEDS))
def test_selves(name: str, seed: int, duplicates: bool) -> None:
    mesh = SELVES[name].build("small", seed)
    truth = rational.self_pairs(*mesh, report_duplicates=duplicates)
    found = impinge.self_collide(mesh, method="brute", report_duplicates=duplicates)
    assert_same(truth, answer(found), mesh)
    proper = truth[1] == rational.CROSSING
    found = impinge.self_collide(
        mesh, method="brute", report_duplicates=duplicates, touching="exclude"
    )
    assert_same((truth[0][proper], truth[1][proper]), answer(found), mesh, label="exclude")


@pytest.mark.parametrize(("name", "seed"), cases(SCENES, 2))
def test_scenes(name: str, seed: int) -> None:
    bodies = SCENES[name].build("small", seed)
    scene = impinge.Scene()
    for vertices, faces in bodies:
        scene.add(vertices, faces)
    hits = scene.collide(method="brute", self_collision=True)
    rows = []
    for i, a in enumerate(bodies):
        for j, b in enumerate(bodies[i:], start=i):
            pairs, kinds = rational.self_pairs(*a) if i == j else rational.pairs(*a, *b)
            rows += [(i, p[0], j, p[1], k) for p, k in zip(pairs, kinds, strict=True)]
    expected = np.array(sorted(rows), dtype=np.int64).reshape(-1, 5)
    found = np.column_stack(
        [hits.bodies[:, 0], hits.pairs[:, 0], hits.bodies[:, 1], hits.pairs[:, 1], hits.kinds]
    )
    assert np.array_equal(expected, found), (expected.tolist(), found.tolist())


@pytest.mark.parametrize(("name", "seed"), cases(SEQUENCES, 1))
def test_frames(name: str, seed: int) -> None:
    faces, frames = SEQUENCES[name].build("small", seed)
    for number, vertices in enumerate(frames):
        mesh = vertices, faces
        found = answer(impinge.self_collide(mesh, method="brute"))
        assert_same(rational.self_pairs(*mesh), found, mesh, label=f"frame {number}")
