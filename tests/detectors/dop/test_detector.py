"""`dop` with each of its options gives what the oracle gives (T3, T7, T9)."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import impinge
from detectors.dop.tools import SIZES, tree
from families import PAIRS
from families.triangles import grid_triangles
from impinge import _core
from impinge.errors import Cancelled, CapabilityError, InputError
from support import meshes
from support.compare import answer, assert_same

KERNELS = ("unit_closed", "unit_open")


def many_poses(rng: np.random.Generator, count: int, spread: float) -> np.ndarray:
    return np.stack([meshes.pose(rng, spread=spread) for _ in range(count)])


@pytest.mark.parametrize("traversal", ["list", "classic"])
@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("name", ["soup_float", "soup_grid", "spheres", "mixed_scales", "bricks"])
def test_all_options_are_brute(name: str, k: int, traversal: str) -> None:
    a, b = PAIRS[name].build("small", 1)
    method = impinge.detector("dop", k=k, traversal=traversal)
    for touching in ("include", "exclude"):
        truth = answer(impinge.collide(a, b, method="brute", touching=touching))
        for workers in (1, 2):
            hits = impinge.collide(a, b, method=method, touching=touching, workers=workers)
            assert_same(truth, answer(hits), a, b)
    first = impinge.collide(a, b, method=method, mode="first")
    assert len(first) == min(1, len(impinge.collide(a, b)))
    truth = answer(impinge.self_collide(a, method="brute"))
    assert_same(truth, answer(impinge.self_collide(a, method=method)), a)


@pytest.mark.parametrize("k", SIZES)
def test_posed(k: int) -> None:
    """Open soups, single triangles and trees of unequal depths, in random poses."""
    rng = np.random.default_rng(k)
    one = meshes.soup(rng.normal(size=(1, 3, 3)))
    few = meshes.soup(rng.normal(size=(5, 3, 3)))
    many = meshes.soup(0.3 * rng.normal(size=(300, 3, 3)) + rng.normal(size=(300, 1, 3)))
    matrices = many_poses(rng, 6, 0.7)
    for a in (one, few, many):
        for b in (one, few, many):
            hits = impinge.collide(a, b, poses=matrices, method=impinge.detector("dop", k=k))
            for index, matrix in enumerate(matrices):
                moved = meshes.posed(b, matrix)
                truth = answer(impinge.collide(a, moved, method="brute"))
                rows = hits.pose == index
                assert_same(truth, (hits.pairs[rows], hits.kinds[rows]), a, moved)


@pytest.mark.parametrize("k", SIZES)
def test_no_touching_pair_is_lost_to_rounding(k: int) -> None:
    """Triangles on a grid touch everywhere; far away and turned, all margins are needed."""
    rng = np.random.default_rng(k)
    a = meshes.soup(grid_triangles(rng, 25))
    method = impinge.detector("dop", k=k)
    found = 0
    for scale, offset in ((1.0, 0.0), (1e-3, 1.0), (1.0, 1e5), (1e12, 1e9), (1e-150, 0.0)):
        b = meshes.moved(a, offset, scale=scale)
        for matrix in (np.eye(4), *many_poses(rng, 8, 0.0)):
            moved = meshes.posed(b, matrix)
            truth = answer(impinge.collide(moved, moved, method="brute"))
            scene = impinge.Scene()
            scene.add(*b, pose=matrix)
            scene.add(*moved)
            hits = scene.collide(method=method)
            assert_same(truth, answer(hits), moved, moved, label=f"{scale}, {offset}")
            truth = answer(impinge.self_collide(moved, method="brute"))
            scene.remove(1)
            hits = scene.collide(method=method, self_collision=True)
            assert_same(truth, answer(hits), moved, label=f"self, {scale}, {offset}")
            found += len(truth[0])
    assert found > 1000


@pytest.mark.parametrize("traversal", ["list", "classic"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_unit_kernels_in_general_position(kernel: str, traversal: str) -> None:
    rng = np.random.default_rng(5)
    a = meshes.soup(0.3 * rng.normal(size=(400, 3, 3)) + rng.normal(size=(400, 1, 3)))
    matrices = many_poses(rng, 4, 0.5)
    method = impinge.detector("dop", kernel=kernel, traversal=traversal)
    hits = impinge.collide(a, a, poses=matrices, method=method)
    truth = impinge.collide(a, a, poses=matrices, method="bvh")
    assert len(truth) > 1000
    assert hits.stats["leaf_pairs"] > 10_000
    np.testing.assert_array_equal(hits.pairs, truth.pairs)
    np.testing.assert_array_equal(hits.pose, truth.pose)
    assert np.all(hits.kinds == impinge.Kind.CROSSING)


TOUCHING = {
    "coplanar overlap": [[1, 1, 0], [3, 1, 0], [1, 3, 0]],
    "coplanar, one corner": [[4, 0, 0], [8, 0, 0], [8, 4, 0]],
    "a vertex on the face": [[1, 1, 0], [1, 1, 3], [2, 1, 3]],
    "an edge in the face": [[1, 1, 0], [2, 1, 0], [1, 1, 3]],
    "a shared vertex": [[0, 0, 0], [-1, 0, 2], [0, -1, 2]],
    "an edge on the edge": [[1, 0, 0], [2, 0, 0], [1, 0, 3]],
    "a vertex on the edge": [[2, 0, 0], [2, -1, 3], [3, -1, 3]],
}


@pytest.mark.parametrize("name", TOUCHING)
def test_touching_by_kernel(name: str) -> None:
    """The printed test is open: what only touches is none of its business."""
    low = meshes.soup(np.array([[[0.0, 0, 0], [4, 0, 0], [0, 4, 0]]]))
    high = meshes.soup(np.array([TOUCHING[name]], dtype=np.float64))
    expected = {"exact": True, "unit_closed": True, "unit_open": False}
    for kernel, hit in expected.items():
        method = impinge.detector("dop", kernel=kernel)
        assert impinge.collides(low, high, method=method) == hit, kernel
        assert impinge.collides(high, low, method=method) == hit, kernel


@pytest.mark.parametrize("name", ["soup_float", "soup_grid", "spheres", "bricks", "flat_grids"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_unit_kernels_are_those_of_brute(kernel: str, name: str) -> None:
    a, b = PAIRS[name].build("small", 0)
    truth = impinge.collide(a, b, method=impinge.detector("brute", kernel=kernel))
    for traversal in ("list", "classic"):
        method = impinge.detector("dop", kernel=kernel, traversal=traversal)
        assert_same(answer(truth), answer(impinge.collide(a, b, method=method)), a, b)


def test_two_threads_on_the_same_trees() -> None:
    rng = np.random.default_rng(1)
    a, b = impinge.Mesh(*meshes.torus(60, 25)), impinge.Mesh(*meshes.sphere(20))
    matrices = many_poses(rng, 16, 0.8)
    truth = impinge.collide(a, b, poses=matrices, method="dop", workers=1)
    assert len(truth) > 1000
    wrong: list[object] = []

    def ask() -> None:
        for workers in (1, 2, 1):
            hits = impinge.collide(a, b, poses=matrices, method="dop", workers=workers)
            same = np.array_equal(hits.pairs, truth.pairs) and np.array_equal(hits.pose, truth.pose)
            if not same or hits.stats["transforms"] != truth.stats["transforms"]:
                wrong.append(hits)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_first_stops_early() -> None:
    ball = meshes.sphere(30)
    shifted = meshes.moved(ball, (0.5, 0, 0))
    every = impinge.collide(ball, shifted, method="dop").stats
    first = impinge.collide(ball, shifted, method="dop", mode="first").stats
    assert first["node_pairs"] < every["node_pairs"] / 4


def test_build_does_not_depend_on_threads() -> None:
    mesh = meshes.sphere(60)
    alone, shared = tree(mesh, workers=1), tree(mesh, workers=2)
    np.testing.assert_array_equal(alone.links, shared.links)
    np.testing.assert_array_equal(alone.dops, shared.dops)


def test_trees_of_a_scene_are_built_side_by_side() -> None:
    made = [meshes.sphere(4), meshes.torus(9, 5), meshes.sphere(7)]
    scene = impinge.Scene()
    for mesh in made:
        scene.add(*mesh)
    assert scene.collide(method="dop").stats["trees"] == 3
    assert "trees" not in scene.collide(method="dop").stats
    arrays = [[np.ascontiguousarray(mesh[k]) for mesh in made] for k in (0, 1)]
    for workers in (1, 2, 8):
        together = _core.build_dop_trees(*arrays, 18, False, workers)
        for one, mesh in zip(together, made, strict=True):
            np.testing.assert_array_equal(one.dops, tree(mesh, 18).dops)
    with pytest.raises(ValueError, match="as many as vertices"):
        _core.build_dop_trees(arrays[0], arrays[1][:2], 24, False)


def test_a_detector_can_be_pickled() -> None:
    method = pickle.loads(pickle.dumps(impinge.detector("dop", k=18)))
    ball = meshes.sphere(5)
    assert len(impinge.collide(ball, ball, method=method)) == len(impinge.collide(ball, ball))


@pytest.mark.parametrize("kernel", ["exact", "unit_closed"])
def test_touches(kernel: str) -> None:
    rng = np.random.default_rng(3)
    a, b = impinge.Mesh(*meshes.torus(30, 12)), impinge.Mesh(*meshes.sphere(6))
    matrices = many_poses(rng, 40, 1.5)
    method = impinge.detector("dop", kernel=kernel)
    truth = impinge.collides(a, b, poses=matrices, method="bvh")
    assert 0 < truth.sum() < len(truth)
    for workers in (1, 2):
        found = impinge.collides(a, b, poses=matrices, method=method, workers=workers)
        np.testing.assert_array_equal(found, truth)
    nothing = impinge.Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=int))
    assert not impinge.collides(a, nothing, poses=matrices, method=method).any()


def test_refit_keeps_the_tree_until_it_is_loose() -> None:
    vertices, faces = meshes.sphere(20)
    made = tree((vertices, faces))
    before = made.links
    assert not made.refit(vertices * np.array([1.0, 1.1, 0.9]))
    np.testing.assert_array_equal(made.links, before)
    mixed = vertices.copy()
    np.random.default_rng(0).shuffle(mixed)
    assert made.refit(mixed)
    np.testing.assert_array_equal(made.dops, tree((mixed, faces)).dops)


def test_trees_that_do_not_fit_are_refused() -> None:
    a, b = tree(meshes.box(), 24), tree(meshes.box(), 18)
    poses = np.eye(4)[None]
    with pytest.raises(ValueError, match="k must be 6, 14, 18, 24 or 26"):
        tree(meshes.box(), 12)
    with pytest.raises(ValueError, match="the same k"):
        _core.dop_poses(a, b, poses, "exact", "list", True, False, 1, None)
    with pytest.raises(ValueError, match="trees with maps"):
        _core.dop_poses(a, a, poses, "unit_open", "list", True, False, 1, None)
    with pytest.raises(ValueError, match="keep their number"):
        a.refit(np.zeros((3, 3)))


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="k must be one of 6, 14, 18, 24, 26, got 8"):
        impinge.detector("dop", k=8)
    with pytest.raises(InputError, match="traversal must be one of 'list', 'classic'"):
        impinge.detector("dop", traversal="lists")
    with pytest.raises(InputError, match="kernel must be one of 'exact', 'unit_closed'"):
        impinge.detector("dop", kernel="moller")
    with pytest.raises(CapabilityError):
        impinge.self_collide(meshes.box(), method=impinge.detector("dop", kernel="unit_open"))


ASK_A_LEVEL = """
import sys
sys.path[:0] = sys.argv[1:]
import families, impinge
from impinge import _core
print(_core.cpu)
for name, family in families.PAIRS.items():
    for k in (6, 24):
        hits = impinge.collide(*family.build("big", 1), method=impinge.detector("dop", k=k))
        first = impinge.collide(*family.build("big", 1), method="dop", mode="first")
        counted = [hits.stats[key] for key in ("node_pairs", "transforms", "leaf_pairs")]
        print(name, hash((hits.pairs.tobytes(), hits.kinds.tobytes())), counted, first.pairs)
"""


def test_every_instruction_set_goes_the_same_way() -> None:
    def answers_of(level: str) -> list[str]:
        environment = {**os.environ, "IMPINGE_CPU": level, "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-c", ASK_A_LEVEL, *sys.path]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    baseline, best = answers_of("baseline"), answers_of("")
    assert baseline[0] == "baseline"
    assert len(baseline) > 10
    assert baseline[1:] == best[1:]


@pytest.mark.parametrize("traversal", ["list", "classic"])
def test_progress_can_cancel(traversal: str) -> None:
    points = np.random.default_rng(0).random((6000, 3, 3))
    mesh = impinge.Mesh(*meshes.soup(points))
    seen: list[float] = []

    def stop_soon(fraction: float) -> bool:
        seen.append(fraction)
        return len(seen) < 3

    method = impinge.detector("dop", traversal=traversal)
    with pytest.raises(Cancelled):
        impinge.collide(mesh, mesh, method=method, progress=stop_soon)
    assert len(seen) == 3
