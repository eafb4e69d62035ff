"""Options are checked when they are made; a scene that is not large is one cluster."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest

import impinge
from impinge.detectors.cdfc.options import CdfcOptions
from impinge.errors import InputError
from support.meshes import grid


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"device": "tpu"}, "device must be one of 'auto', 'cpu', 'gpu', got 'tpu'"),
        ({"clusters": 2.0}, "clusters must be an integer from 1 to .*, got 2.0"),
        ({"clusters": "2"}, "clusters must be an integer"),
        ({"iterations": None}, "iterations must be an integer"),
        ({"iterations": True}, "iterations must be an integer"),
        ({"iterations": 0}, "iterations must be an integer"),
        ({"seed": "1"}, "seed must be an integer from 0"),
        ({"clusters": 0}, "clusters must be an integer from 1 to 1024, got 0"),
        ({"membership": "fuzzy"}, "membership"),
        ({"threshold": 0.2}, 'threshold=0.2 is for membership="absolute"'),
        ({"membership": "absolute", "threshold": 2}, "threshold must be above 0 and at most 1"),
        ({"fuzziness": 1}, "fuzziness must be above 1"),
        ({"cluster": 3}, "has no option 'cluster'"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        impinge.detector("cdfc", **options)


def test_clusters_that_are_not_asked_for() -> None:
    """One up to ten thousand faces, then one for each four thousand, up to 64."""
    options = CdfcOptions()
    wanted = {0: 1, 9_999: 1, 10_000: 2, 14_001: 4, 40_000: 10, 256_000: 64, 10**7: 64}
    assert {faces: options.clusters_for(faces) for faces in wanted} == wanted
    assert CdfcOptions(clusters=5).clusters_for(10**7) == 5


def test_stages_take_no_longer_than_all_of_it() -> None:
    began = perf_counter()
    hits = impinge.self_collide(grid(20, 20), method=impinge.detector("cdfc", clusters=4))
    whole = perf_counter() - began
    assert len(hits.stats.stages) == 7
    assert all(0 <= stage.seconds <= whole for stage in hits.stats.stages)
