"""The table of statistics is complete: every counter and stage of every detector, and no other."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from impinge.results import Stats
from impinge.results.stats import _STAGE_OF
from support.meshes import box, moved, sphere

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
Seen = dict[tuple[str, str], set[str]]

PAIRS: dict[str, list[dict[str, Any]]] = {
    "bvh": [{}],
    "brute": [{}],
    "dop": [{}, {"traversal": "classic"}],
    "cdfc": [{"clusters": 3}],
    "peel": [
        {},
        *({"conservative": False, "sampling": each} for each in ("lists", "peel", "dual")),
    ],
}
IMAGES: list[dict[str, Any]] = [
    {},
    {"variant": "original"},
    {"reduce": "stages", "stages": 1},
    {"reduce": "lossless"},
    {"reduce": "pack"},
]
ON_GPU = ("cdfc", "peel", "cinder")


def places() -> list[str]:
    return ["cpu"] if os.environ.get("IMPINGE_GPU") == "skip" else ["cpu", "gpu"]


def scene() -> tuple[impinge.Scene, impinge.Body]:
    result = impinge.Scene()
    ball = sphere(8)
    result.add(*ball, name="a")
    moving = result.add(*moved(ball, (0.9, 0.1, 0.2)), name="b")
    result.add(*box((0.3, 0.2, 0.1), (1.2, 1.3, 1.4)), name="c")
    return result, moving


def stats_of_pairs(method: impinge.detectors.Detector) -> Iterator[Stats]:
    bodies, moving = scene()
    for size in (1.0, 1.01, 1.02):
        yield bodies.collide(method=method, self_collision=True).stats
        moving.vertices = moving.mesh.vertices * size
    yield bodies.collide(method=method, mode="first").stats
    a, b = bodies["a"].mesh, bodies["c"].mesh
    yield impinge.collide(a, b, method=method, poses=np.eye(4)[None]).stats
    yield impinge.collide((a.vertices, a.faces), (b.vertices, b.faces), method=method).stats


def stats_of_made_bodies() -> Iterator[Stats]:
    """Bodies whose vertices are made on the GPU."""
    still = "fn deform(rest: vec3<f32>, v: u32, p: u32, t: f32) -> vec3<f32> { return rest; }"
    for conservative in (True, False):
        bodies, _ = scene()
        vertices, faces = sphere(8)
        bodies.add(impinge.Body.from_shader(still, faces, rest=vertices + 0.5, name="made"))
        method = impinge.detector("peel", device="gpu", conservative=conservative)
        yield bodies.collide(method=method, self_collision=True).stats


def all_stats() -> Iterator[tuple[str, Stats]]:
    for place in places():
        for name, choices in PAIRS.items():
            if place == "gpu" and name not in ON_GPU:
                continue
            at = {"device": place} if name in ON_GPU else {}
            for options in choices:
                method = impinge.detector(name, **options, **at)
                yield from ((f"{name} {place}", each) for each in stats_of_pairs(method))
        if place == "gpu":
            yield from (("peel gpu", each) for each in stats_of_made_bodies())
        for options in IMAGES:
            method = impinge.detector("cinder", device=place, resolution=64, judge=True, **options)
            yield f"cinder {place}", scene()[0].overlaps(method=method).stats
            yield "refine cpu", scene()[0].collide(method=method, refine="bvh").stats
    bodies, moving = scene()
    for shift in (0.0, 0.1):
        moving.vertices = moving.vertices + shift
        yield "impacts cpu", bodies.impacts(to={"b": moving.vertices + 0.3}).stats
    for name, options in (("ray", {}), ("ray", {"accelerator": "octree"}), ("proximity", {})):
        method = impinge.detector(name, **options)
        points = scene()[0].contact_points(method=method, self_collision=True)
        yield f"{name} cpu", points.stats


@pytest.fixture(scope="module")
def seen() -> tuple[Seen, Seen]:
    """Who times which stage, and who counts what in which stage."""
    times: Seen = defaultdict(set)
    counts: Seen = defaultdict(set)
    for who, stats in all_stats():
        for stage in stats.stages:
            if stage.seconds is not None:
                times[stage.name, ""].add(who)
            for counter in stage.counters:
                # `cdfc` calls its narrow phase as its paper does
                name = "exact" if stage.name == "intersect" else stage.name
                counts[name, counter].add(who)
    return _without_parts(times), _without_parts(counts)


def test_every_detector_is_asked() -> None:
    assert set(impinge.methods()) <= {*PAIRS, "cinder", "ray", "proximity"}


def test_no_stage_is_told_of_a_counter_that_is_not_there() -> None:
    assert set(_STAGE_OF) <= {row[0] for row in _rows("Counters")}


def test_stages(seen: tuple[Seen, Seen]) -> None:
    table = {(name, ""): _givers(by) for name, _, by in _rows("Stages")}
    assert {key: by for key, by in table.items() if by} == seen[0]


def test_counters(seen: tuple[Seen, Seen]) -> None:
    table = {(stage, name): _givers(by) for name, stage, _, by in _rows("Counters")}
    assert {key: by for key, by in table.items() if by} == seen[1]


def test_every_meaning_is_one_line() -> None:
    meanings = [row[-2] for heading in ("Stages", "Counters") for row in _rows(heading)]
    assert all(10 <= len(meaning) <= 140 for meaning in meanings if meaning != "clusters")


def _without_parts(found: Seen) -> Seen:
    """What a refined query has from its two detectors is theirs."""
    parts = {"bvh cpu", "cinder cpu", "cinder gpu"}
    return {key: who - ({"refine cpu"} if who & parts else set()) for key, who in found.items()}


def _givers(cell: str) -> set[str]:
    """`cdfc`, `peel` (GPU): where each of them gives it."""
    givers = set()
    for name, only in re.findall(r"`(\w+)`(?: \((CPU|GPU)\))?", cell):
        both = ["cpu", "gpu"] if name in ON_GPU else ["cpu"]
        givers |= {f"{name} {place}" for place in ([only.lower()] if only else both)}
    return {giver for giver in givers if giver.split()[1] in places()}


def _rows(heading: str) -> list[list[str]]:
    section = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    rows = [line.strip("| ").split(" | ") for line in lines[2:]]
    return [[row[0].strip("`"), *row[1:]] for row in rows]
