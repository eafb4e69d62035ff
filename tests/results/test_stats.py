from __future__ import annotations

import pytest

from impinge.results.stats import Stage, Stats

COUNTERS = {
    "exact_seconds": 0.25,
    "traverse_seconds": 0.5,
    "broad_seconds": 0.125,
    "broad_pairs": 3.0,
    "node_pairs": 1200.0,
    "candidates": 40.0,
    "hits": 12.0,
    "warp_factor": 0.5,
    "sort_seconds": 0.125,
}


def test_stages_come_in_the_order_they_run() -> None:
    stats = Stats.of(COUNTERS)
    assert stats.stages == (
        Stage("broad", 0.125, {"broad_pairs": 3}),
        Stage("traverse", 0.5, {"node_pairs": 1200}),
        Stage("exact", 0.25, {"candidates": 40, "hits": 12}),
        Stage("sort", 0.125, {}),
        Stage("other", None, {"warp_factor": 0.5}),
    )
    assert stats.seconds == 1.0


def test_counters_and_times_are_found_by_name() -> None:
    stats = Stats.of(COUNTERS)
    assert stats["candidates"] == 40
    assert stats["exact_seconds"] == 0.25
    assert "hits" in stats
    assert "misses" not in stats
    with pytest.raises(KeyError, match="'misses' was not counted; counted are broad_pairs"):
        stats["misses"]


def test_whole_counters_are_integers() -> None:
    stats = Stats.of(COUNTERS)
    assert isinstance(stats["hits"], int)
    assert isinstance(stats["warp_factor"], float)


def test_as_dict_and_readable() -> None:
    stats = Stats.of(COUNTERS)
    assert stats.to_dict()["exact"] == {"seconds": 0.25, "candidates": 40, "hits": 12}
    lines = repr(stats).splitlines()
    assert lines[0] == "Stats(1000.000 ms)"
    assert "traverse     500.000 ms  node_pairs 1,200" in lines[2]
    assert repr(Stats()) == "Stats(0.000 ms)"
