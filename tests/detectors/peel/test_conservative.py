"""By default nothing is missed, at any resolution, on every family of the conformance suite."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import impinge
from conformance.unions import rows, scene_of, union
from detectors.peel.scenes import query_of, sampled, seen_by
from families import PAIRS, SCENES, SELVES
from impinge import _core
from impinge.detectors import Detector
from impinge.detectors.peel.geometry import geometry_of
from impinge.detectors.peel.options import PeelOptions
from support import oracle
from support.compare import answer, assert_same

Make = Callable[..., Detector]
RESOLUTIONS = [32, 256, 1024]


@pytest.fixture
def device() -> str:
    """The CPU only: gpu/test_detector.py has smaller images, since GPUs in software are slow."""
    return "cpu"


@pytest.mark.parametrize("name", PAIRS)
def test_pairs(peel: Make, name: str) -> None:
    a, b = PAIRS[name].build("small", 1)
    truth = oracle.collide(a, b)
    for resolution in RESOLUTIONS:
        hits = impinge.collide(a, b, method=peel(resolution=resolution))
        assert_same(truth, answer(hits), a, b, label=f"resolution {resolution}")


@pytest.mark.parametrize("name", SELVES)
def test_selves(peel: Make, name: str) -> None:
    mesh = SELVES[name].build("small", 1)
    truth = oracle.self_collide(mesh)
    for resolution in RESOLUTIONS:
        hits = impinge.self_collide(mesh, method=peel(resolution=resolution))
        assert_same(truth, answer(hits), mesh, label=f"resolution {resolution}")
        # neighbours are tested too
        assert len(hits) <= hits.stats["tests"] <= len(mesh[1]) ** 2


@pytest.mark.parametrize("name", SCENES)
def test_scenes(peel: Make, name: str) -> None:
    bodies = SCENES[name].build("small", 1)
    truth = union(bodies, self_collision=True, touching="include")
    for resolution in RESOLUTIONS:
        hits = scene_of(bodies).collide(method=peel(resolution=resolution), self_collision=True)
        assert np.array_equal(rows(hits), truth)


@pytest.mark.parametrize("name", ["spheres", "soup_float", "mixed_scales", "needles", "long_boxes"])
def test_a_skew_view(peel: Make, name: str) -> None:
    a, b = PAIRS[name].build("small", 2)
    truth = oracle.collide(a, b)
    for direction in np.random.default_rng(0).normal(size=(4, 3)):
        hits = impinge.collide(a, b, method=peel(resolution=64, direction=direction))
        assert_same(truth, answer(hits), a, b, label=str(direction))


@pytest.mark.parametrize("resolution", [32, 256])
@pytest.mark.parametrize("name", [*PAIRS, *SCENES])
def test_faces_left_out_switch_nothing_on(device: str, name: str, resolution: int) -> None:
    """The mask with all faces is the mask of those that are near another body."""
    family = (PAIRS | SCENES)[name]
    size = "big" if name in ("spheres", "linked_tori", "long_boxes") else "small"
    query = query_of(*family.build(size, 0))
    found = sampled(device, query, resolution=resolution)
    view, near, _ = seen_by(query, resolution=resolution)
    whole = geometry_of(query, view, PeelOptions(resolution=resolution, conservative=False))
    mask, counters = _core.sample_squares(whole.seen(resolution))
    assert np.array_equal(found.mask, mask)
    assert found.counters["fragments"] <= counters["fragments"]
    assert len(near.faces) <= len(whole.faces)


def test_faces_far_from_all_others_are_left_out() -> None:
    from support.meshes import moved, sphere

    query = query_of(sphere(24), moved(sphere(24), (1.95, 0, 0)))
    _, near, _ = seen_by(query)
    total = sum(len(shape.faces) for shape in query.shapes)
    assert 0 < len(near.faces) < 0.2 * total
