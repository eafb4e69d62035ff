"""Asking about configurations: poses in all their forms, limits, progress, and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import impinge
from impinge import InputError, Scene
from impinge.errors import Cancelled, CapabilityError, TooManyPairsError


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
