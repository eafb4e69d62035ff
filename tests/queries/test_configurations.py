"""A scene in many configurations against the same scene, moved there one after the other."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import impinge
from impinge import InputError, Scene
from impinge.errors import Cancelled
from impinge.filters import groups, within
from support import meshes

EMPTY = np.zeros((0, 3)), np.zeros((0, 3), dtype=int)
SHAPES = [
    meshes.box(),
    meshes.tetrahedron(size=0.7),
    meshes.torus(9, 6),
    meshes.torus(24, 12),
    ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]),
    EMPTY,
    # two sheets of one body that cross, so that it meets itself
    ([(0, 0, 0), (2, 0, 0), (0, 2, 0), (0.5, 0.5, -1), (0.5, 0.5, 1), (2, 2, 0)],
     [(0, 1, 2), (3, 4, 5)]),
]  # fmt: skip


def random_poses(rng: np.random.Generator, *shape: int, size: float = 4.0) -> np.ndarray:
    """Turned, moved, some of them mirrored, some of them only moved by whole numbers."""
    poses = np.zeros((*shape, 4, 4))
    turns = np.linalg.qr(rng.normal(size=(*shape, 3, 3)))[0]
    plain = rng.random(shape) < 0.3
    poses[..., :3, :3] = np.where(plain[..., None, None], np.eye(3), turns)
    poses[..., :3, 3] = rng.uniform(0, size, (*shape, 3))
    poses[plain, :3, 3] = poses[plain, :3, 3].round()
    poses[..., 3, 3] = 1
    return poses


def random_scene(rng: np.random.Generator, count: int, size: float = 4.0) -> Scene:
    scene = Scene()
    chosen = rng.integers(len(SHAPES), size=count)
    for index, pose in zip(chosen, random_poses(rng, count, size=size), strict=True):
        scene.add(*SHAPES[index], pose=pose, groups=f"g{index % 3}")
    return scene


def moved(scene: Scene, poses: dict[int, np.ndarray], configuration: int) -> Scene:
    for body, own in poses.items():
        scene[body].pose = own[configuration]
    return scene


def rows(hits: impinge.Collisions) -> list[tuple[Any, ...]]:
    return [
        (*bodies, *pair, kind)
        for bodies, pair, kind in zip(
            hits.bodies.tolist(), hits.pairs.tolist(), hits.kinds.tolist(), strict=True
        )
    ]


def in_configuration(hits: impinge.Collisions, index: int) -> list[tuple[Any, ...]]:
    assert hits.pose is not None
    here = hits.pose == index
    return [row for row, kept in zip(rows(hits), here, strict=True) if kept]


OPTIONS: list[dict[str, Any]] = [
    {},
    {"touching": "exclude"},
    {"self_collision": True},
    {"self_collision": True, "report_duplicates": True},
    {"margin": 0.25},
    {"margin": 0.25, "self_collision": True, "ignore_rings": 1},
]


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seed", range(6))
def test_is_the_scene_moved_there(seed: int, options: dict[str, Any], workers: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 9))
    scene = random_scene(rng, count)
    for i, j in product(range(count), repeat=2):
        if rng.random() < 0.1:
            scene.ignore(i, j)
    if seed % 2:
        scene.ignore(within(groups(*scene[0].groups)) & ~within(scene[0]))
    chosen = rng.permutation(count)[: rng.integers(0, count + 1)].tolist()
    poses = {body: random_poses(rng, 13) for body in chosen}
    before = [body.pose.copy() for body in scene]
    hits = scene.collide(poses=poses, workers=workers, **options)
    first = scene.collide(poses=poses, workers=workers, mode="first", **options)
    plain = {name: each for name, each in options.items() if name != "report_duplicates"}
    yes = scene.collides(poses=poses, workers=workers, **plain)
    length = 13 if chosen else 1
    assert all(np.array_equal(a, b.pose) for a, b in zip(before, scene, strict=True))
    assert yes.shape == (length,)
    assert yes.dtype == bool
    assert hits.counts is not None
    assert len(hits.counts) == length
    for index in range(length):
        alone = moved(scene, poses, index).collide(workers=workers, **options)
        assert in_configuration(hits, index) == rows(alone)
        assert np.array_equal(hits.segments[hits.pose == index], alone.segments, equal_nan=True)
        if "margin" in options:
            assert hits.distances is not None
            assert alone.distances is not None
            assert np.array_equal(hits.distances[hits.pose == index], alone.distances)
        assert yes[index] == scene.collides(**plain)
        found = in_configuration(first, index)
        assert {row[:2] for row in found} == {row[:2] for row in rows(alone)}
        assert len(found) == len({row[:2] for row in found})
        assert set(found) <= set(rows(alone))


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("bound", [None, 0.0, 0.5])
@pytest.mark.parametrize("seed", range(4))
def test_distances_are_those_of_the_scene_moved_there(
    seed: int, bound: float | None, workers: int
) -> None:
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, 7, size=5.0)
    scene.ignore(0, 3)
    poses = {body: random_poses(rng, 9, size=5.0) for body in (1, 3, 4)}
    found = scene.distances(poses=poses, upper_bound=bound, workers=workers)
    assert found.pose is not None
    assert np.all(np.diff(found.pose) >= 0)
    for index in range(9):
        alone = moved(scene, poses, index).distances(upper_bound=bound)
        here = found.pose == index
        assert np.array_equal(found.bodies[here], alone.bodies)
        assert np.array_equal(found.values[here], alone.values)
        apart = alone.values > 0
        assert np.array_equal(found.pairs[here][apart], alone.pairs[apart])
        assert np.array_equal(found.points[here][apart], alone.points[apart])
    assert [row.pose for row in found] == found.pose.tolist()


@pytest.mark.parametrize("method", ["brute", "dop", "cdfc", "peel"])
def test_other_detectors_are_asked_one_by_one(method: str) -> None:
    rng = np.random.default_rng(7)
    scene = Scene()
    for pose in random_poses(rng, 4, size=2.0):
        scene.add(*meshes.box(), pose=pose)
    poses = {0: random_poses(rng, 5, size=2.0), 2: random_poses(rng, 5, size=2.0)}
    wanted, found = (scene.collide(poses=poses, method=name) for name in ("bvh", method))
    assert rows(found) == rows(wanted)
    assert found.pose.tolist() == wanted.pose.tolist()
    assert np.array_equal(scene.collides(poses=poses, method=method), scene.collides(poses=poses))
    nothing = scene.collide(poses={0: np.zeros((0, 4, 4))}, method=method)
    assert nothing.counts.tolist() == []
    assert len(nothing) == 0


@pytest.mark.parametrize("far", [0.0, 1e7])
@pytest.mark.parametrize("size", [1.0, 1e-5])
def test_at_the_distance_of_first_contact(size: float, far: float) -> None:
    """Where balls around parts of the bodies are nearest to saying that they are apart."""
    rng = np.random.default_rng(11)
    vertices, faces = meshes.torus(32, 16)
    ring = impinge.Mesh(np.asarray(vertices) * size + far * size, faces)
    scene = Scene()
    for name in ("still", "moved"):
        scene.add(ring, name=name)
    count = 40
    poses, low, high = random_poses(rng, count), np.zeros(count), np.full(count, 10.0)
    middle = np.array(ring.vertices).mean(axis=0)
    ways = rng.normal(size=(count, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)

    def at(distance: np.ndarray) -> np.ndarray:
        where = middle + ways * (distance * size)[:, None]
        poses[:, :3, 3] = where - poses[:, :3, :3] @ middle
        return poses

    for _ in range(60):
        half = (low + high) / 2
        hit = impinge.collides(ring, ring, poses=at(half), method="brute")
        low, high = np.where(hit, half, low), np.where(hit, high, half)
    for gap in (-1e-3, -1e-9, -1e-14, 0.0, 1e-14, 1e-9, 1e-3):
        truth = impinge.collides(ring, ring, poses=at(low + gap), method="brute")
        assert np.array_equal(scene.collides(poses={"moved": at(low + gap)}), truth)
        assert np.array_equal(scene.collides(poses={"moved": poses, "still": poses}), [True] * 40)
    assert truth.sum() < count


@pytest.mark.parametrize("still", [True, False])
@pytest.mark.parametrize("cells", [3, 150, 700])
def test_bars_that_meet_at_their_tips(cells: int, still: bool) -> None:
    """Balls around bars in a row, and around parts of them, meet no sooner than the bars do."""
    x = np.linspace(0, 1, cells + 1)
    edge = np.stack([x, np.full_like(x, 1e-4) * np.sin(np.pi * x), np.zeros_like(x)], axis=1)
    vertices = np.concatenate([edge * (1, -1, 1), edge])
    i = np.arange(cells)
    upper = i + cells + 1
    faces = np.concatenate([np.stack([i, i + 1, upper], 1), np.stack([i + 1, upper + 1, upper], 1)])
    bar = impinge.Mesh(vertices, faces)
    scene = Scene()
    for name in ("left", "right"):
        scene.add(bar, name=name)
    rng = np.random.default_rng(2)
    turns = random_poses(rng, 60)
    turns[:, :3, 3] = 0.0
    turns[:20] = np.eye(4)
    gaps = np.tile(np.array([-1e-3, -1e-7, -1e-12, 0.0, 1e-12, 1e-7]), 10)
    step = np.tile(np.eye(4), (60, 1, 1))
    step[:, 0, 3] = 1 + gaps
    if still:
        turns[:] = np.eye(4)
    beside = turns @ step
    poses = {"right": beside} if still else {"left": turns, "right": beside}
    truth = [
        impinge.collides(scene["left"].mesh, scene["left"].mesh, poses=own[None], method="brute")[0]
        if still
        else moved(scene, dict(enumerate(poses.values())), index).collides(method="brute")
        for index, own in enumerate(beside)
    ]
    scene["left"].pose = scene["right"].pose = None
    assert 20 < sum(truth) < 60
    assert scene.collides(poses=poses).tolist() == truth
    assert scene.collide(poses=poses).counts.astype(bool).tolist() == truth  # type: ignore[union-attr]


def pile(seed: int, count: int, size: float) -> Scene:
    rng = np.random.default_rng(seed)
    scene = Scene()
    for pose in random_poses(rng, count, size=size):
        scene.add(*meshes.tetrahedron(), pose=pose)
    return scene


@pytest.mark.parametrize("count", [110, 660])
def test_many_bodies(count: int) -> None:
    """So many pairs that they are not looked at one by one, nor listed when some are ignored."""
    rng = np.random.default_rng(3)
    scene = pile(3, count, size=6.0 * (count / 110) ** (1 / 3))
    for a, b, *_ in rows(scene.collide(mode="first"))[::3]:
        scene.ignore(a, b)
    scene.ignore(count - 1, count - 2)
    poses = {body: random_poses(rng, 2, size=6.0) for body in range(1, count - 5)}
    hits = scene.collide(poses=poses)
    far = {}
    for body in range(count):
        far[body] = np.tile(np.eye(4), (2, 1, 1))
        far[body][:, 0, 3] = 10.0 * body
        far[body][1, :3, 3] = 0.0
    parted = scene.collides(poses=far)
    near = scene.distances(poses=poses, upper_bound=0.02)
    assert parted.tolist() == [False, True]
    for index in range(2):
        alone = moved(scene, poses, index).collide()
        assert in_configuration(hits, index) == rows(alone)
        assert len(alone) > count / 10
        close = scene.distances(upper_bound=0.02)
        assert np.array_equal(near.bodies[near.pose == index], close.bodies)


def test_a_check_is_that_of_the_scene_moved_there() -> None:
    rng = np.random.default_rng(5)
    scene = random_scene(rng, 6, size=2.0)
    scene.ignore(0, 1)
    poses = {body: random_poses(rng, 5, size=2.0) for body in (0, 2, 5)}
    wanted = {"clearance": 0.3, "tolerance": 0.01}
    many = scene.check(poses=poses, **wanted)
    assert many.pose is not None
    assert np.all(np.diff(many.pose) >= 0)
    verdicts = set()
    for index in range(5):
        alone = moved(scene, poses, index).check(**wanted)
        here = many[many.pose == index]
        verdicts |= set(alone.verdicts.tolist())
        for name in ("bodies", "verdicts", "reasons", "relations", "depths", "volumes"):
            assert np.array_equal(
                getattr(here, name),
                getattr(alone, name),
                **({"equal_nan": True} if name in ("depths", "volumes") else {}),
            )
        for row, other in zip(here, alone, strict=True):
            assert row.pose == index
            assert row.to_dict() == {**other.to_dict(), "pose": index}
            assert np.array_equal(row.face_pairs, other.face_pairs)
            mine, theirs = row.overlap(), other.overlap()
            assert (mine is None) == (theirs is None)
            assert mine is None or np.array_equal(mine.vertices, theirs.vertices)
    assert len(verdicts) > 1
    assert many.sorted("bodies").pose.tolist() == many.pose.tolist()
    assert many.to_csv().splitlines()[0].endswith(",face_pairs,pose")
    assert many.clashes.pose is not None
    nothing = scene.check(poses={0: np.zeros((0, 4, 4))}, **wanted)
    assert len(nothing) == len(nothing.collisions) == 0
    with pytest.raises(InputError, match="shows one pose"):
        many.to_image()
    with pytest.raises(Cancelled):
        scene.check(poses=poses, progress=lambda fraction: fraction < 0.3)


def test_a_long_query_is_cancelled_on_its_way() -> None:
    scene = pile(0, 3, size=2.0)
    scene[2].pose = np.eye(4)
    apart = random_poses(np.random.default_rng(0), 2)
    apart[:, :3, 3] = (5, 0, 0), (0, 5, 0)
    for ask, count in ((scene.collides, 10**8), (scene.distances, 10**5), (scene.collide, 10**6)):
        # the same numbers again and again: no memory for each
        poses = {body: np.broadcast_to(own, (count, 4, 4)) for body, own in enumerate(apart)}
        with pytest.raises(Cancelled):
            ask(poses=poses, progress=lambda fraction: fraction == 0.0, workers=2)
