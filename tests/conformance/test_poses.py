"""A batch of poses is the loop of single poses, and a pose is its float64 transform."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from conformance.methods import able, sized
from families import PAIRS
from support import oracle
from support.compare import answer, assert_same
from support.meshes import Arrays, pose, posed

NAMES = [
    "soup_float",
    "soup_grid",
    "spheres",
    "linked_tori",
    "meshing_gears",
    "boxes_posed",
    "boxes_face_to_face",
    "bricks",
    "flat_grids",
    "degenerate",
    "needles",
    "mixed_scales",
    "scale_1e-12",
    "scale_1e12",
    "scale_denormal",
    "far_from_origin",
    "single_precision_limits",
    "one_empty",
    "single_triangles",
    "big_and_many_small",
]


def some_poses(rng: np.random.Generator, b: Arrays) -> np.ndarray:
    """(m, 4, 4): the identity, rigid, lattice, mirrored, flattening and scaling poses of b."""
    reach = float(np.abs(b[0]).max(initial=1.0))
    rigid = [pose(rng, spread=0.5 * reach) for _ in range(4)]
    lattice = np.eye(4)
    lattice[:3, :3] = np.eye(3)[rng.permutation(3)] * rng.choice([-1, 1], 3)
    lattice[:3, 3] = rng.integers(-2, 3, 3)
    flat, mirrored, scaled = np.eye(4), np.eye(4), np.eye(4)
    flat[2, 2] = 0
    mirrored[0, 0] = -1
    scaled[:3, :3] *= 3
    sheared = np.eye(4)
    sheared[:3] += 0.1 * rng.normal(size=(3, 4))
    return np.stack([np.eye(4), *rigid, lattice, flat, mirrored, scaled, sheared])


@pytest.mark.parametrize(("method", "size"), sized("pairs", "poses"))
@pytest.mark.parametrize("name", NAMES)
def test_batch_is_loop_is_transform(method: str, name: str, size: str) -> None:
    a, b = PAIRS[name].build(size, 1)
    poses = some_poses(np.random.default_rng(7), b)
    if size == "big":
        poses = poses[::3]
    batches = {
        (touching, workers): impinge.collide(
            a, b, method=method, poses=poses, touching=touching, workers=workers
        )
        for touching in ("include", "exclude")
        for workers in (1, 2)
    }
    for number, matrix in enumerate(poses):
        world = posed(b, matrix)
        truth = oracle.collide(a, world)
        loop = impinge.collide(a, b, method=method, poses=matrix[None])
        assert_same(truth, answer(loop), a, world, label=f"pose {number} alone")
        for (touching, workers), batch in batches.items():
            wanted = (truth[1] == impinge.Kind.CROSSING) | (touching == "include")
            of_this = batch.pose == number
            assert_same(
                (truth[0][wanted], truth[1][wanted]),
                (batch.pairs[of_this], batch.kinds[of_this]),
                a,
                world,
                label=f"pose {number}, {touching}, {workers} workers",
            )
            assert batch.counts[number] == np.count_nonzero(wanted)
            assert np.all(np.diff(batch.pose) >= 0)


@pytest.mark.parametrize("method", able("pairs", "poses"))
@pytest.mark.parametrize("name", NAMES)
def test_first_of_each_pose(method: str, name: str) -> None:
    a, b = PAIRS[name].build("small", 2)
    poses = some_poses(np.random.default_rng(8), b)
    every = impinge.collide(a, b, method=method, poses=poses)
    first = impinge.collide(a, b, method=method, poses=poses, mode="first")
    assert np.array_equal(np.unique(every.pose), first.pose)
    known = {(p, *ij) for p, ij in zip(every.pose.tolist(), every.pairs.tolist(), strict=True)}
    for p, ij in zip(first.pose.tolist(), first.pairs.tolist(), strict=True):
        assert (p, *ij) in known
    assert np.array_equal(impinge.collides(a, b, method=method, poses=poses), every.counts > 0)


@pytest.mark.parametrize("method", able("pairs", "poses"))
def test_no_poses_at_all(method: str) -> None:
    a, b = PAIRS["spheres"].build("small", 0)
    hits = impinge.collide(a, b, method=method, poses=np.zeros((0, 4, 4)))
    assert len(hits) == 0
    assert hits.counts.shape == (0,)


@pytest.mark.parametrize("method", able("pairs"))
@pytest.mark.parametrize("name", NAMES)
def test_a_posed_body_is_its_transformed_mesh(method: str, name: str) -> None:
    a, b = PAIRS[name].build("small", 3)
    for matrix in some_poses(np.random.default_rng(9), b)[1:6]:
        scene = impinge.Scene()
        scene.add(a)
        body = scene.add(b, pose=matrix)
        world = posed(b, matrix)
        assert np.array_equal(body.world_vertices, world[0])
        truth = oracle.collide(a, world)
        assert_same(truth, answer(scene.collide(method=method)), a, world)
