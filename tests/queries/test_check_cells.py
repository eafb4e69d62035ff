"""Verdicts on unions of cells, against counting."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from support.solid_pairs import SolidPair, random_pair

BLOCK, BLOCKS = 40, 10
EXACT = {
    "APART": None,
    "TOUCHING": "contact",
    "OVERLAPPING": "clash",
    "A_INSIDE": "inside",
    "B_INSIDE": "inside",
    "EQUAL": "duplicate",
}


def check(pair: SolidPair, **options: object) -> impinge.results.Check:
    scene = impinge.Scene()
    scene.add(pair.a)
    scene.add(pair.b)
    return scene.check(workers=1, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("block", range(BLOCKS))
def test_exact_verdicts_are_those_of_counting(block: int) -> None:
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        shells = seed % 4 == 0
        pair = random_pair(np.random.default_rng(seed), overlapping_shells=shells)
        found = check(pair)
        verdicts = [row.verdict.value for row in found]
        expected = EXACT[pair.relation]
        assert (seed, verdicts) == (seed, [expected] if expected else [])
        if not expected:
            continue
        row = found[0]
        assert row.relation is not None
        assert row.relation.name == pair.relation
        assert row.volume is None or row.volume == pytest.approx(len(pair.common), rel=1e-12)
        assert row.volume is not None or shells
        assert (row.depth == 0) == (verdicts == ["contact"])


@pytest.mark.parametrize("block", range(BLOCKS))
def test_a_small_tolerance_changes_no_verdict(block: int) -> None:
    """All cells are far thicker than the tolerance, so that it decides nothing."""
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        pair = random_pair(np.random.default_rng(seed), overlapping_shells=seed % 4 == 0)
        verdicts = [row.verdict.value for row in check(pair, tolerance=1e-6)]
        expected = EXACT[pair.relation]
        if pair.relation == "APART" and impinge.collides(pair.a, pair.b):
            expected = "contact"  # of faces without area, which bound nothing
        assert (seed, verdicts) == (seed, [expected] if expected else [])


# of the first 2,000 pairs those with a gap
@pytest.mark.parametrize("seed", [3, 468, 469, 790, 796, 1184, 1187, 1564, 1908])
def test_gaps_are_found(seed: int) -> None:
    pair = random_pair(np.random.default_rng(seed), overlapping_shells=False)
    apart = impinge.distance(pair.a, pair.b).value
    assert (pair.relation, apart > 0) == ("APART", True)
    (row,) = check(pair, clearance=apart)
    assert (row.verdict, row.distance) == ("near", apart)
    assert len(check(pair, clearance=0.99 * apart)) == 0
