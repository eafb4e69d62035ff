"""Every detector gives what `brute` gives, with one worker and with two, touching or not."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import impinge
from conformance.methods import able, judged, sized, spread
from families import PAIRS, SELVES, cases
from families.triangles import grid_triangles
from support import oracle
from support.compare import Answer, answer, assert_same
from support.meshes import Arrays, soup

PAIR_CASES = spread(PAIRS, judged("pairs"), small=4, big=2)
SELF_CASES = spread(SELVES, judged("pairs", "self"), small=4, big=2)


def assert_first(every: Answer, first: Answer, a: Arrays, b: Arrays | None = None) -> None:
    """At most one pair, one of all of them, and none only when there are none."""
    assert len(first[0]) == min(1, len(every[0]))
    if len(first[0]):
        at = np.flatnonzero((every[0] == first[0][0]).all(axis=1))
        assert len(at) == 1, f"first {first[0]} is not among all pairs"
        assert_same((every[0][at], every[1][at]), first, a, b, label="first")


@pytest.mark.parametrize(("method", "size", "name", "seed"), PAIR_CASES)
def test_pairs(method: str, size: str, name: str, seed: int) -> None:
    a, b = PAIRS[name].build(size, seed)
    # arrays are asked about once, meshes keep what was built
    forms = [(a, b)] if method != "bvh" else [(a, b), (impinge.Mesh(*a), impinge.Mesh(*b))]
    for touching in ("include", "exclude"):
        truth = oracle.collide(a, b, touching=touching)
        for workers, (one, other) in product((1, 2), forms):
            hits = impinge.collide(one, other, method=method, touching=touching, workers=workers)
            label = f"{touching}, {workers} workers, {type(one).__name__}"
            assert_same(truth, answer(hits), a, b, label=label)
            assert np.array_equal(hits.bodies, np.tile([0, 1], (len(hits.pairs), 1)))


@pytest.mark.parametrize(("method", "size", "name", "seed"), SELF_CASES)
def test_selves(method: str, size: str, name: str, seed: int) -> None:
    mesh = SELVES[name].build(size, seed)
    for touching in ("include", "exclude"):
        for duplicates in (False, True):
            options = {"touching": touching, "report_duplicates": duplicates}
            truth = oracle.self_collide(mesh, **options)
            for workers in (1, 2):
                hits = impinge.self_collide(mesh, method=method, workers=workers, **options)
                assert_same(truth, answer(hits), mesh, label=f"{options}, {workers} workers")


@pytest.mark.parametrize(("method", "size"), sized("pairs", "first"))
@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, 1))
def test_first_pair(method: str, size: str, name: str, seed: int) -> None:
    a, b = PAIRS[name].build(size, seed)
    for touching in ("include", "exclude"):
        every = answer(impinge.collide(a, b, method=method, touching=touching))
        for workers in (1, 2):
            first = impinge.collide(
                a, b, method=method, touching=touching, mode="first", workers=workers
            )
            assert_first(every, answer(first), a, b)
        assert impinge.collides(a, b, method=method, touching=touching) == bool(len(every[0]))


@pytest.mark.parametrize("method", able("pairs", "self", "first"))
@pytest.mark.parametrize(("name", "seed"), cases(SELVES, 1))
def test_first_self_pair(method: str, name: str, seed: int) -> None:
    mesh = SELVES[name].build("small", seed)
    for touching in ("include", "exclude"):
        every = answer(impinge.self_collide(mesh, method=method, touching=touching))
        first = impinge.self_collide(mesh, method=method, touching=touching, mode="first")
        assert_first(every, answer(first), mesh)


@pytest.mark.parametrize("method", judged("pairs", "self"))
@pytest.mark.parametrize("touching", ["include", "exclude"])
def test_every_number_of_faces(method: str, touching: str) -> None:
    """Leaves and nodes filled to every degree."""
    rng = np.random.default_rng(4)
    other = soup(grid_triangles(rng, 20))
    kept = impinge.Mesh(*other)
    for count in range(70):
        mesh = soup(grid_triangles(rng, count))
        options = {"touching": touching}
        truth = oracle.collide(mesh, other, **options)
        found = answer(impinge.collide(mesh, kept, method=method, **options))
        assert_same(truth, found, mesh, other, label=f"{count} faces")
        truth = oracle.self_collide(mesh, **options)
        found = answer(impinge.self_collide(mesh, method=method, **options))
        assert_same(truth, found, mesh, label=f"{count} faces")


@pytest.mark.parametrize("method", able("pairs"))
@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, 1))
def test_swapped_operands(method: str, name: str, seed: int) -> None:
    a, b = PAIRS[name].build("small", seed)
    pairs, kinds = answer(impinge.collide(a, b, method=method))
    order = np.lexsort((pairs[:, 0], pairs[:, 1]))
    swapped = pairs[order][:, ::-1], kinds[order]
    assert_same(swapped, answer(impinge.collide(b, a, method=method)), b, a)
