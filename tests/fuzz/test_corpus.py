"""Every file of the corpus is read as its counter says, or refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.formats import FORMATS
from fuzz.judge import Judge


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_is_found_in_the_corpus(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    judge = Judge(form, tmp_path)
    verdicts = {seed: judge.verdict(data) for seed, data in form.seeds().items()}
    # mutations of what is refused stay shallow
    assert list(verdicts.values()).count("read") >= 10
