"""Mutations of the corpus, the same in every run; `scripts/fuzz` goes on from there."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from fuzz.formats import FORMATS
from fuzz.judge import FindingError, Judge

INPUTS = 4000


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", FORMATS)
def test_nothing_is_found_near_the_corpus(name: str, seed: int, tmp_path: Path) -> None:
    form, rng = FORMATS[name], Random(seed)
    judge, seeds = Judge(form, tmp_path), list(form.seeds().values())
    for number in range(INPUTS):
        data = form.mutated(rng.choice(seeds), rng)
        try:
            judge.verdict(data)
        except FindingError as finding:
            pytest.fail(f"input {number}: {finding}\n{data[:2000]!r}")
