"""A scene in many configurations against the same scene, moved there one after the other."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import impinge
from impinge import InputError, Scene
from impinge.errors import Cancelled, CapabilityError, TooManyPairsError
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


def lift() -> tuple[Scene, np.ndarray]:
    """Three sheets above each other, one apart; and poses that raise by 0 to 4."""
    scene, sheet = Scene(), impinge.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    for z, name in enumerate(("low", "middle", "high")):
        pose = np.eye(4)
        pose[2, 3] = z
        scene.add(sheet, name=name, pose=pose)
    up = np.tile(np.eye(4), (5, 1, 1))
    up[:, 2, 3] = range(5)
    return scene, up


def test_poses_are_given_in_many_ways() -> None:
    scene, up = lift()
    still, never = scene["middle"].pose, [False] * 5
    raised = [False, True, True, False, False]
    for key in ("low", 0, -3, scene["low"]):
        assert scene.collides(poses={key: up}).tolist() == raised
        assert scene.collides(poses={(key,): up[:, None]}).tolist() == raised
    chain = np.stack([up, np.broadcast_to(still, up.shape)], axis=1)
    assert scene.collides(poses={("low", "middle"): chain}).tolist() == raised
    assert scene.collides(poses={("middle", "low"): chain[:, ::-1]}).tolist() == raised
    everybody = np.stack([up, up, up], axis=1)
    everybody[:, 1:, 2, 3] += 7, 9
    assert scene.collides(poses=everybody).tolist() == never
    everybody[3, 2] = everybody[3, 0]
    assert scene.collides(poses=everybody.tolist()).tolist() == [False, False, False, True, False]
    assert scene.collides(poses=everybody[3]).tolist() == [True]
    # one pose is for all configurations
    assert scene.collides(poses={"low": up, "middle": np.eye(4)}).tolist() == [
        True, False, True, False, False]  # fmt: skip
    assert scene.collides(poses={"low": up[3:4], "high": up}).tolist() == [
        False, True, False, True, False]  # fmt: skip
    assert scene.collides(poses={"low": up[3], "high": up[4]}).tolist() == [False]
    assert scene.collides(poses={"low": up[::2].astype(int)}).tolist() == [False, True, False]
    # or there are none
    assert scene.collides(poses={}).tolist() == [False]
    assert scene.collides(poses={"low": [], "high": up[0]}).tolist() == []
    assert scene.collide(poses={"low": []}).counts.tolist() == []
    assert scene.distances(poses={"low": []}).pose.tolist() == []
    assert Scene().collides(poses={}).tolist() == [False]
    assert Scene().collides(poses=np.zeros((4, 0, 4, 4))).tolist() == [False]


BAD: list[tuple[Any, str]] = [
    ({"lov": np.eye(4)}, r"poses\['lov'\] 'lov' does not exist .did you mean 'low'"),
    ({7: np.eye(4)}, "does not exist, the scene has 3 bodies"),
    ({1.5: np.eye(4)}, "must be a body, its name or its index"),
    ({"low": np.eye(3)}, r"poses\['low'\] must have shape \(m, 4, 4\), or \(4, 4\)"),
    ({"low": [["a"] * 4] * 4}, r"poses\['low'\] must be real numbers, got dtype"),
    ({"low": [np.eye(4), np.eye(3)]}, r"poses\['low'\] must be real numbers"),
    (np.eye(4), r"poses must have shape \(m, 3, 4, 4\), or \(3, 4, 4\)"),
    (np.zeros((5, 2, 4, 4)), r"for 3 bodies; got \(5, 2, 4, 4\)"),
    ({("low", "high"): np.zeros((5, 3, 4, 4))}, r"poses\['low', 'high'\] must have shape"),
    ({"low": np.eye(4), 0: np.eye(4)}, r"poses\[0\] and poses\['low'\] are both about"),
    ({("low", "low"): np.tile(np.eye(4), (2, 1, 1))}, "are both about body 'low'"),
    (
        {"low": np.tile(np.eye(4), (2, 1, 1)), "high": np.tile(np.eye(4), (3, 1, 1))},
        r"poses\['low'\] has 2 poses of body 'low', but poses\['high'\] has 3",
    ),
]


@pytest.mark.parametrize(("poses", "message"), BAD)
def test_bad_poses_are_told(poses: Any, message: str) -> None:
    scene, _ = lift()
    for ask in (scene.collides, scene.collide, scene.distances):
        with pytest.raises(InputError, match=message):
            ask(poses=poses)


@pytest.mark.parametrize("count", [1, 4])
def test_a_bad_pose_is_named(count: int) -> None:
    scene, _ = lift()
    poses = np.tile(np.eye(4), (count, 1, 1))
    for place, value, message in [
        ((0, 0), np.nan, "has an entry that is not finite"),
        ((3, 0), 1.0, "the translation stands in the last column"),
        ((0, 3), 1e200, "moves the mesh beyond 1e100"),
    ]:
        bad = poses.copy()
        bad[count - 1][place] = value
        with pytest.raises(InputError, match=rf"poses\['high'\]\[{count - 1}\] .*{message}"):
            scene.collides(poses={"high": bad})
        chain = np.stack([poses, bad], axis=1)
        with pytest.raises(InputError, match=rf"poses\['low', 'high'\]\[:, 1\]\[{count - 1}\] "):
            scene.collides(poses={("low", "high"): chain})


def test_too_many_pairs_are_an_error() -> None:
    scene, up = lift()
    hits = scene.collide(poses={"low": up, "middle": up})
    assert len(scene.collide(poses={"low": up, "middle": up}, max_pairs=len(hits))) == len(hits)
    for method in ("bvh", "brute"):
        with pytest.raises(TooManyPairsError):
            scene.collide(poses={"low": up, "middle": up}, max_pairs=len(hits) - 1, method=method)


@pytest.mark.parametrize("method", ["bvh", "brute"])
def test_progress_and_cancel(method: str) -> None:
    scene, up = lift()
    for ask in (
        lambda **more: scene.collides(poses={0: up}, method=method, **more),
        lambda **more: scene.collide(poses={0: up}, method=method, **more),
        lambda **more: scene.distances(poses={0: up}, **more),
    ):
        told: list[float] = []
        ask(progress=told.append)
        assert told[0] == 0.0
        assert told[-1] == 1.0
        assert told == sorted(told)
        with pytest.raises(Cancelled):
            ask(progress=lambda _: False)


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


def test_the_answer_keeps_its_poses() -> None:
    import pickle

    scene, up = lift()
    given = up.copy()
    hits = scene.collide(poses={"low": given}, margin=0.5)
    given[:] = 0.0
    scene["low"].pose = up[4]
    again = pickle.loads(pickle.dumps(hits))
    for each in (hits, again):
        assert each.pose.tolist() == [1, 2]
        assert each.counts.tolist() == [0, 1, 1, 0, 0]
        assert each.segments[:, :, 2].tolist() == [[1, 1], [2, 2]]
        assert each.distances.tolist() == [0.0, 0.0]
        assert [row.count for row in each.body_pairs] == [1, 1]
        with pytest.raises(ValueError, match="read-only"):
            each.pose[0] = 3


def test_bodies_of_the_gpu_are_refused() -> None:
    from impinge.gpu.bodies.body import GpuBody

    scene, up = lift()
    body = scene["high"]
    assert not isinstance(body, GpuBody)
    scene._planned = None
    type(body)._on_gpu = True
    try:
        with pytest.raises(CapabilityError, match="configurations need vertices"):
            scene.collides(poses={"low": up})
    finally:
        type(body)._on_gpu = False


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
