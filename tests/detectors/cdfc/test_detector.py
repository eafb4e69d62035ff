"""The whole detector: any clusters, rule, seed, order and motion give one answer (T1, T2, T7-9)."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import impinge
from conformance.unions import rows, scene_of
from detectors.cdfc.scenes import confetti, crumpled, pairs_of_clusters, query_of
from families import PAIRS, SELVES
from impinge.detectors.cdfc import stages
from impinge.detectors.cdfc.options import CdfcOptions
from impinge.detectors.common.candidates import soup_of
from support.compare import answer, assert_same
from support.meshes import Arrays, box, grid, merge, moved, pose, posed, sphere

CLUSTERS = (1, 2, 8, 16, 32)


def check(mesh: Arrays, **options: object) -> None:
    method = impinge.detector("cdfc", **options)
    for touching in ("include", "exclude"):
        truth = answer(impinge.self_collide(mesh, method="brute", touching=touching))
        found = impinge.self_collide(mesh, method=method, touching=touching)
        assert_same(truth, answer(found), mesh, label=str(options))


@pytest.mark.parametrize("rule", ["bisector", "generous"])
@pytest.mark.parametrize("clusters", CLUSTERS)
def test_sizes_of_one_to_a_hundred(clusters: int, rule: str) -> None:
    rng = np.random.default_rng(clusters)
    check(confetti(rng, 500), clusters=clusters, membership=rule)
    check(crumpled(rng, 14), clusters=clusters, membership=rule)


@pytest.mark.parametrize("clusters", CLUSTERS[1:])
def test_families(clusters: int) -> None:
    method = impinge.detector("cdfc", clusters=clusters)
    for name in PAIRS:
        a, b = PAIRS[name].build("small", clusters)
        truth = answer(impinge.collide(a, b, method="brute"))
        assert_same(truth, answer(impinge.collide(a, b, method=method)), a, b, label=name)
    for name in SELVES:
        mesh = SELVES[name].build("small", clusters)
        truth = answer(impinge.self_collide(mesh, method="brute", report_duplicates=True))
        found = impinge.self_collide(mesh, method=method, report_duplicates=True)
        assert_same(truth, answer(found), mesh, label=name)


def test_seed_fuzziness_and_iterations_change_nothing() -> None:
    mesh = crumpled(np.random.default_rng(1))
    truth = answer(impinge.self_collide(mesh, method="brute"))
    copies = set()
    for options in ({"seed": 3}, {"fuzziness": 1.2}, {"fuzziness": 4.0}, {"iterations": 1}):
        hits = impinge.self_collide(mesh, method=impinge.detector("cdfc", clusters=9, **options))
        assert_same(truth, answer(hits), mesh, label=str(options))
        copies.add(hits.stats["copies"])
    assert len(copies) > 1


def test_rigid_motion_leaves_the_pairs() -> None:
    rng = np.random.default_rng(2)
    mesh = crumpled(rng)
    truth = impinge.self_collide(mesh, method="brute")
    assert np.all(truth.kinds == impinge.Kind.CROSSING)
    for _ in range(3):
        turned = posed(mesh, pose(rng, spread=5.0))
        found = impinge.self_collide(turned, method=impinge.detector("cdfc", clusters=8))
        assert np.array_equal(truth.pairs, found.pairs)


def test_clusters_one_by_one_in_any_order() -> None:
    """Each cluster alone finds its pairs; together, without those that come twice, it is all."""
    rng = np.random.default_rng(3)
    mesh = crumpled(rng)
    options = CdfcOptions(clusters=8)
    query = query_of(mesh)
    scene = soup_of(query)
    middles, _ = stages.centres(scene, options)
    found = stages.members(scene, middles, options)
    truth = {tuple(p) for p in impinge.self_collide(mesh, method="brute").pairs.tolist()}
    candidates: list[tuple[int, int]] = []
    for index in rng.permutation(8):
        pairs, _ = stages.collect(stages.sort(scene, found.of(index)))
        candidates += {tuple(sorted(pair)) for pair in pairs.tolist()}
    assert truth <= set(candidates)
    assert len(candidates) > len(set(candidates))
    raws = [stages.collide(scene, middles[rng.permutation(8)], query, options) for _ in range(3)]
    for raw in raws:
        assert {tuple(p) for p in raw.pairs.tolist()} == truth
        assert len(raw.pairs) == len(truth)


def test_clusters_in_other_processes() -> None:
    mesh = crumpled(np.random.default_rng(3))
    middles, _ = stages.centres(soup_of(query_of(mesh)), CdfcOptions(clusters=8))
    truth = {tuple(p) for p in impinge.self_collide(mesh, method="brute").pairs.tolist()}
    shares = [5, 0, 3], [7, 1], [2, 6, 4]
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        jobs = [pool.submit(pairs_of_clusters, mesh, middles, share) for share in shares]
        found = [{tuple(p) for p in job.result().tolist()} for job in jobs]
    assert set().union(*found) == truth
    assert all(some < truth for some in found)


def test_absolute_thresholds_miss_pairs() -> None:
    """The published rule: what it reports is right, but it is not all (T9)."""
    mesh = confetti(np.random.default_rng(4), 1500, ratio=5)
    truth = {tuple(p) for p in impinge.self_collide(mesh).pairs.tolist()}
    recalls = []
    for threshold in (0.3, 0.2, 0.01):
        method = impinge.detector("cdfc", clusters=16, membership="absolute", threshold=threshold)
        hits = impinge.self_collide(mesh, method=method)
        found = {tuple(p) for p in hits.pairs.tolist()}
        assert found <= truth
        assert hits.stats["copies"] >= len(mesh[1])
        recalls.append(len(found) / len(truth))
    assert recalls[0] < recalls[1] < 1
    assert recalls[2] == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_some_bodies_alone_some_pairs_asked(workers: int) -> None:
    rng = np.random.default_rng(5)
    bodies = [crumpled(rng, 10), sphere(6), moved(crumpled(rng, 8), 0.1), box(), grid(3, 3)]
    scene = scene_of(bodies)
    for ignored in ((1, 1), (3, 3), (4, 4), (0, 3), (1, 2)):
        scene.ignore(*ignored)
    for own in (True, False):
        truth = rows(scene.collide(method="brute", self_collision=own))
        assert len(truth) > 100
        for clusters in (1, 6):
            method = impinge.detector("cdfc", clusters=clusters)
            hits = scene.collide(method=method, self_collision=own, workers=workers)
            assert np.array_equal(rows(hits), truth)


def test_frames_start_from_the_centres_of_the_last() -> None:
    rng = np.random.default_rng(6)
    vertices, faces = crumpled(rng, 24)
    scene = impinge.Scene()
    cloth = scene.add(vertices, faces)
    method = impinge.detector("cdfc", clusters=12, iterations=500)
    iterations = []
    for step in range(3):
        cloth.vertices = vertices + 0.001 * step
        hits = scene.collide(method=method, self_collision=True)
        fresh = impinge.self_collide((cloth.vertices, faces), method="bvh")
        assert np.array_equal(hits.pairs, fresh.pairs)
        iterations.append(hits.stats["iterations"])
    assert 500 > iterations[0] > 4 > iterations[1] >= iterations[2]


def test_welds_that_open_and_close() -> None:
    """Fans are kept between frames only while what was one point stays one."""
    corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
    mesh = merge((corner, np.array([[0, 1, 2]])), (corner * [-1, 1, 1], np.array([[0, 1, 2]])))
    scene = impinge.Scene()
    body = scene.add(*mesh)
    for shift in (0.0, 0.25, 0.0, -0.25, 0.0):
        vertices = mesh[0].copy()
        vertices[3:, 0] += shift
        vertices[3:, 2] += 0.1 * (np.arange(3) == 1)
        body.vertices = vertices
        truth = answer(impinge.self_collide((vertices, mesh[1]), method="brute"))
        found = scene.collide(method="cdfc", self_collision=True)
        assert_same(truth, answer(found), (vertices, mesh[1]), label=str(shift))


def test_counters() -> None:
    mesh = crumpled(np.random.default_rng(8), 30)
    stats = impinge.self_collide(mesh, method=impinge.detector("cdfc", clusters=6)).stats
    assert [stage.name for stage in stats.stages] == [
        "gather", "cluster", "pca", "boxes", "sort", "collect", "intersect",
    ]  # fmt: skip
    assert stats["clusters"] == 6
    assert len(mesh[1]) < stats["copies"] < 2 * len(mesh[1])
    assert stats["sweep_pairs"] > stats["y_pairs"] > stats["z_pairs"] > stats["tests"]
    assert stats["tests"] + stats["star_tests"] > stats["hits"] > 0
    assert all(stage.seconds is not None for stage in stats.stages)
