"""The tree under the default detector: the same for any number of workers, whatever the input."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from impinge import _core
from support.meshes import Arrays, arrays, soup

ALONE = np.zeros(1, dtype=np.int32)
NOBODY = np.zeros(0, dtype=np.int32)
WORKERS = (1, 2, 3, 8)
SIZES = (1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 129, 511, 513, 4097)


def ask(*trees: _core.Tree, itself: bool = False) -> tuple[np.ndarray, dict[str, float]]:
    """Sorted pairs, and how much was looked at."""
    own = ALONE if itself else NOBODY
    pairs, _, _, counters = _core.bvh_scene(
        list(trees), None, None, own, True, False, False, 1, None
    )
    return pairs, {name: counters[name] for name in ("node_pairs", "leaf_pairs", "candidates")}


def scattered(n: int, seed: int = 0, *, size: float = 0.02) -> Arrays:
    rng = np.random.default_rng(seed)
    return soup(rng.uniform(-1, 1, (n, 1, 3)) + rng.uniform(-size, size, (n, 3, 3)))


def snapped(mesh: Arrays, step: float) -> Arrays:
    """Coordinates on a coarse grid: nearly every cut goes through equal centres."""
    return arrays(np.round(mesh[0] / step) * step, mesh[1])


MESHES = {
    "scattered": scattered(30_001),
    "snapped": snapped(scattered(30_001, size=0.2), 0.125),
    "along a line": arrays(scattered(30_001)[0] * (1, 1e-9, 0), scattered(30_001)[1]),
    "near one point": arrays(scattered(30_001)[0] ** 15, scattered(30_001)[1]),
}


@pytest.mark.parametrize("name", MESHES)
def test_any_number_of_workers_makes_the_same_tree(name: str) -> None:
    vertices, faces = MESHES[name]
    probe = _core.Tree(*scattered(300, 1, size=0.3), 1)
    answers = []
    for workers in WORKERS:
        built = _core.Tree(vertices, faces, workers)
        refitted = _core.Tree(vertices[::-1].copy(), faces, workers)
        refitted.refit(vertices, workers)
        answers.append((ask(built, probe), refitted.refit(vertices, workers), ask(refitted, probe)))
    for (pairs, counters), rebuilt, (pairs_after, counters_after) in answers:
        assert np.array_equal(pairs, answers[0][0][0])
        assert counters == answers[0][0][1]
        assert rebuilt == answers[0][1]
        assert np.array_equal(pairs_after, pairs)
        assert counters_after == answers[0][2][1]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("step", [0.0, 0.25])
def test_every_size_finds_what_brute_force_finds(n: int, step: float) -> None:
    mesh, probe = scattered(n, n, size=0.3), scattered(20, 1, size=1.0)
    if step:
        mesh = snapped(mesh, step)
    truth, _ = _core.brute_pairs(*mesh, *probe)
    for workers in (1, 2):
        found, _ = ask(_core.Tree(*mesh, workers), _core.Tree(*probe, workers))
        assert np.array_equal(found, truth)


@pytest.mark.parametrize("workers", WORKERS)
def test_equal_centres(workers: int) -> None:
    """There is nothing to cut by: all faces are copies of three triangles."""
    flat = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    three = flat + np.array([[[0, 0, 0]], [[5, 0, 0]], [[0, 5, 0]]])
    which = np.random.default_rng(0).integers(0, 3, 40_000)
    tree = _core.Tree(*soup(three[which]), workers)
    needle = soup(np.array([[[0.2, 0.2, -1], [0.3, 0.2, 1], [0.2, 0.3, 1]]]))
    found, _ = ask(tree, _core.Tree(*needle, workers))
    assert np.array_equal(found[:, 0], np.flatnonzero(which == 0))


def test_equal_vertices() -> None:
    """100,000 vertices in one point: faces without extent, one vertex after welding."""
    vertices = np.full((100_000, 3), 0.25)
    tree = _core.Tree(*arrays(vertices, np.arange(99_999)), 2)
    hit, missed = soup(np.array([[[0.25, 0.25, -1], [0.25, 0.25, 1], [0, 1, 0]]])), scattered(1)
    assert len(ask(tree, _core.Tree(*hit, 1))[0]) == 33_333
    assert len(ask(tree, _core.Tree(*missed, 1))[0]) == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_unused_vertices_change_nothing(workers: int) -> None:
    vertices, faces = scattered(9000, size=0.1)
    stray = np.array([[1e90, -1e90, 3.0], [0.1, 0.2, 0.3]])
    more = np.concatenate([stray, vertices, -stray])
    plain, strayed = (
        _core.Tree(*arrays(v, f), workers) for v, f in ((vertices, faces), (more, faces + 2))
    )
    pairs, counters = ask(plain, itself=True)
    assert len(pairs)
    for _ in range(2):
        pairs_too, counters_too = ask(strayed, itself=True)
        assert np.array_equal(pairs, pairs_too)
        assert counters == counters_too
        strayed.refit(more.copy(), workers)


def test_a_seam_that_opens_and_closes() -> None:
    """Welded or not, the answer is that of a fresh tree."""
    vertices, faces = snapped(scattered(6000, size=0.3), 0.125)
    shaken = vertices + np.random.default_rng(0).uniform(-1e-3, 1e-3, vertices.shape)
    tree = _core.Tree(vertices, faces, 2)
    for frame in (shaken, vertices, shaken):
        tree.refit(frame, 2)
        fresh = _core.Tree(frame, faces, 1)
        assert np.array_equal(ask(tree, itself=True)[0], ask(fresh, itself=True)[0])


def spikes(points: np.ndarray) -> Arrays:
    """A small triangle at each point, which is one of its corners exactly."""
    size = 1e-3 * np.ptp(points, axis=0).max()
    steps = np.random.default_rng(2).uniform(0, size, (len(points), 3, 3))
    steps[:, 0] = 0
    return soup(points[:, None] + steps)


def test_a_frame_that_is_kept_or_left() -> None:
    """Float copies may stay in an old frame: whatever came before, nothing is missed or added."""
    vertices, faces = scattered(700, size=0.2)
    vertices /= np.abs(vertices).max()
    edge, aside = np.nextafter(2.0, 0), np.array([1.0, -1.0, 0.0])
    far = vertices.copy()
    far[5] = (1e3, -1e3, 7)
    frames = [
        vertices, vertices * 1.5, vertices * edge, vertices * 2, vertices * edge, vertices * 1.01,
        vertices * 0.6, vertices + 0.9 * aside, vertices + aside, vertices + aside + [0, 0, 1e-9],
        vertices * 1e-3, vertices * 1e-3 + 0.5, vertices * 1e60, vertices, vertices * (1, 0, 1e-7),
        far, vertices, vertices * 1e-70, vertices * 1e-3,
    ]  # fmt: skip
    tree = _core.Tree(vertices, faces, 2)
    poses = np.eye(4)[None]
    for number, frame in enumerate(frames):
        tree.refit(frame, 1 + number % 2)
        fresh, probe = _core.Tree(frame, faces, 1), spikes(frame[::7])
        spiked = _core.Tree(*probe, 1)
        found, _ = ask(tree, spiked)
        assert np.array_equal(found, _core.brute_pairs(frame, faces, *probe)[0]), number
        assert len(found) >= len(probe[1])
        assert np.array_equal(ask(tree, itself=True)[0], ask(fresh, itself=True)[0]), number
        origins = frame[::11] + np.ptp(frame, axis=0).max() * np.array([0.3, 0.2, 2.0])
        rays = origins, frame[::11] - origins, 0, 0.0, np.inf, 1, None
        for mine, right in zip(
            _core.raycast(tree, *rays), _core.raycast(fresh, *rays), strict=True
        ):
            assert np.array_equal(mine, right), number
        apart = _core.Tree(*arrays(probe[0] + 9 * np.ptp(frame) * aside, probe[1]), 1)
        ours, right = (
            _core.bvh_distances(t, apart, poses, np.inf, None, 1, None) for t in (tree, fresh)
        )
        assert np.array_equal(ours[0], right[0])
        assert np.array_equal(ours[2], right[2]), number


def test_many_threads_ask_right_after_a_refit() -> None:
    """Leaves are made by whoever comes first, while the others wait for them."""
    vertices, faces = scattered(4000, size=0.1)
    shaken = vertices + np.random.default_rng(3).uniform(-0.02, 0.02, vertices.shape)
    tree, probe = _core.Tree(vertices, faces, 2), _core.Tree(*scattered(300, 1, size=0.3), 1)
    for frame in [shaken, vertices] * 5:
        tree.refit(frame, 2)
        with ThreadPoolExecutor(4) as pool:
            found = [pool.submit(ask, tree, probe) for _ in range(4)]
        pairs, _ = ask(_core.Tree(frame, faces, 1), probe)
        for one in found:
            assert np.array_equal(one.result()[0], pairs)
