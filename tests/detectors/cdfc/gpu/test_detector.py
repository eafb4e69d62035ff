"""The detector with device="gpu": what brute force finds (T1, T2, T7, T9)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import impinge
import impinge.gpu
from conformance.unions import rows, scene_of
from detectors.cdfc.scenes import confetti, crumpled
from families import PAIRS, SELVES
from impinge.errors import Cancelled, InputError
from support.compare import answer, assert_same
from support.meshes import box, grid, merge, moved, pose, posed, soup, sphere

pytestmark = pytest.mark.usefixtures("gpu_device")


def cdfc(device="gpu", **options):
    # the centres need not be good
    return impinge.detector("cdfc", **{"device": device, "iterations": 3, **options})


@pytest.mark.parametrize(
    ("clusters", "rule"),
    [*((clusters, "bisector") for clusters in (1, 2, 8, 16, 32)), (8, "generous")],
)
def test_sizes_of_one_to_a_hundred(clusters, rule):
    rng = np.random.default_rng(clusters)
    for mesh in (confetti(rng, 400), crumpled(rng, 10)):
        truth = answer(impinge.self_collide(mesh, method="brute"))
        method = cdfc(clusters=clusters, membership=rule)
        assert_same(truth, answer(impinge.self_collide(mesh, method=method)), mesh)


def test_families():
    method = cdfc(clusters=5, iterations=1)
    for name in PAIRS:
        a, b = PAIRS[name].build("small", 1)
        truth = answer(impinge.collide(a, b, method="brute"))
        assert_same(truth, answer(impinge.collide(a, b, method=method)), a, b, label=name)
    for name in SELVES:
        mesh = SELVES[name].build("small", 1)
        truth = answer(impinge.self_collide(mesh, method="brute", report_duplicates=True))
        found = impinge.self_collide(mesh, method=method, report_duplicates=True)
        assert_same(truth, answer(found), mesh, label=name)


def test_pairs_that_just_touch():
    """The filter keeps what is within its rounding, whatever the size and however far away."""
    rng = np.random.default_rng(1)
    count = 1500
    size = 10.0 ** rng.uniform(-6, -0.5, (count, 1))
    first, second = (rng.normal(size=(count, 3, 3)) * size[:, None] for _ in range(2))
    weights = rng.dirichlet((1, 1, 1), (2, count))
    # a corner, a point of an edge or one of the inside of the first, and as such of the second
    weights[0, : count // 3] = (1, 0, 0)
    weights[:, count // 3 : 2 * count // 3, 2] = 0
    weights[1, 2 * count // 3 :] = (0, 1, 0)
    weights /= weights.sum(axis=2, keepdims=True)
    at = (first * weights[0, :, :, None]).sum(axis=1) - (second * weights[1, :, :, None]).sum(
        axis=1
    )
    places = rng.uniform(-1, 1, (count, 1, 3))
    a, b = soup(first + places), soup(second + at[:, None] + places)
    truth = impinge.collide(a, b, method="bvh")
    assert len(truth.pairs) > count / 3
    found = impinge.collide(a, b, method=cdfc(clusters=6))
    assert np.array_equal(found.pairs, truth.pairs)
    assert np.array_equal(found.kinds, truth.kinds)
    assert found.stats["gpu_undecided"] >= 0.99 * count
    # and lets go of what is clearly apart
    apart = impinge.collide(
        a, soup(second + at[:, None] + places + 0.3 * size[:, None]), method=cdfc()
    )
    assert apart.stats["gpu_undecided"] < apart.stats["tests"] / 2


def test_seed_and_clusters_change_nothing():
    mesh = crumpled(np.random.default_rng(2), 12)
    truth = answer(impinge.self_collide(mesh, method="brute"))
    copies = set()
    for options in ({"seed": 3}, {"fuzziness": 1.3}, {"iterations": 1}, {"clusters": 33}):
        hits = impinge.self_collide(mesh, method=cdfc(**{"clusters": 9, **options}))
        assert_same(truth, answer(hits), mesh, label=str(options))
        copies.add(hits.stats["copies"])
    assert len(copies) > 1


def test_rigid_motion_leaves_the_pairs():
    rng = np.random.default_rng(3)
    mesh = crumpled(rng, 12)
    truth = impinge.self_collide(mesh, method="brute")
    for _ in range(2):
        found = impinge.self_collide(posed(mesh, pose(rng, spread=5.0)), method=cdfc(clusters=8))
        assert np.array_equal(truth.pairs, found.pairs)


def test_absolute_thresholds_miss_pairs():
    mesh = confetti(np.random.default_rng(4), 600, ratio=5)
    truth = {tuple(p) for p in impinge.self_collide(mesh).pairs.tolist()}
    recalls = []
    for threshold in (0.3, 0.05):
        method = cdfc(clusters=16, membership="absolute", threshold=threshold)
        found = {tuple(p) for p in impinge.self_collide(mesh, method=method).pairs.tolist()}
        assert found <= truth
        recalls.append(len(found) / len(truth))
    assert recalls[0] < 0.9
    assert recalls[1] == 1


def test_some_bodies_alone_some_pairs_asked():
    rng = np.random.default_rng(5)
    bodies = [crumpled(rng, 8), sphere(6), moved(crumpled(rng, 8), 0.1), box(), grid(3, 3)]
    scene = scene_of(bodies)
    for ignored in ((1, 1), (3, 3), (0, 3), (1, 2)):
        scene.ignore(*ignored)
    for own in (True, False):
        for touching in ("include", "exclude"):
            options = {"self_collision": own, "touching": touching}
            truth = rows(scene.collide(method="brute", **options))
            assert len(truth) > 50
            assert np.array_equal(rows(scene.collide(method=cdfc(clusters=4), **options)), truth)


def test_frames_start_from_the_centres_of_the_last():
    vertices, faces = crumpled(np.random.default_rng(6), 12)
    scene = impinge.Scene()
    cloth = scene.add(vertices, faces)
    iterations = []
    for step in range(2):
        cloth.vertices = vertices + 0.001 * step
        hits = scene.collide(method=cdfc(clusters=4, iterations=60), self_collision=True)
        assert np.array_equal(hits.pairs, impinge.self_collide((vertices, faces)).pairs)
        iterations.append(hits.stats["iterations"])
    assert iterations[0] > 4 > iterations[1]


def test_nothing_there():
    far = moved(sphere(4), 100)
    assert len(impinge.collide(sphere(4), far, method=cdfc()).pairs) == 0
    point = merge(*[(np.zeros((3, 3)), np.array([[0, 1, 2]]))] * 3)
    for clusters in (1, 4):
        found = impinge.self_collide(point, method=cdfc(clusters=clusters))
        assert_same(answer(impinge.self_collide(point, method="brute")), answer(found), point)


def test_counters():
    mesh = crumpled(np.random.default_rng(7), 14)
    method = {device: cdfc(device, clusters=6) for device in ("cpu", "gpu")}
    stats = {name: impinge.self_collide(mesh, method=one).stats for name, one in method.items()}
    assert [stage.name for stage in stats["gpu"].stages] == [
        "transfer", "gather", "cluster", "pca", "boxes", "sort", "collect", "intersect",
    ]  # fmt: skip
    assert all(stage.seconds is not None for stage in stats["gpu"].stages)
    for name in ("clusters", "iterations", "hits", "star_tests"):
        assert stats["gpu"][name] == stats["cpu"][name]
    for name in ("copies", "sweep_pairs", "y_pairs", "z_pairs", "tests"):
        assert stats["gpu"][name] == pytest.approx(stats["cpu"][name], rel=0.1)
    assert stats["gpu"]["gpu_undecided"] < stats["gpu"]["tests"]


def test_cancelling():
    mesh = sphere(8)
    seen: list[float] = []
    impinge.collide(mesh, mesh, method=cdfc(), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled):
        impinge.collide(mesh, mesh, method=cdfc(), progress=lambda fraction: fraction > 0.2)


def test_threads_share_a_detector():
    method = cdfc(clusters=3)
    a = sphere(6)
    others = [moved(a, (0.2 * i, 0.1, 0)) for i in range(3)]
    truth = [impinge.collide(a, b, method="brute").pairs for b in others]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda b: impinge.collide(a, b, method=method).pairs, others))
    assert all(np.array_equal(x, y) for x, y in zip(truth, found, strict=True))


def test_which_device_is_taken(monkeypatch, gpu_device):
    a = sphere(4)
    for device in (None, gpu_device):
        monkeypatch.setattr(impinge.gpu, "find_device", lambda device=device: device)
        stats = impinge.collide(a, a, method=cdfc("auto")).stats
        assert ("bytes_up" in stats) == (device is not None)
    with pytest.raises(InputError, match="device"):
        cdfc("tpu")
