"""A deformed body gives what a fresh one gives, frame after frame."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from conformance.methods import able, sized
from conformance.unions import rows, scene_of, union
from families import SEQUENCES, cases
from support import oracle
from support.compare import answer, assert_same
from support.meshes import box, moved, pose, transformed


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(("method", "size"), sized("pairs", "self", "deformable"))
@pytest.mark.parametrize(("name", "seed"), cases(SEQUENCES, 1))
def test_alone(method: str, size: str, name: str, seed: int, workers: int) -> None:
    faces, frames = SEQUENCES[name].build(size, seed)
    scene = impinge.Scene()
    body = scene.add(frames[0], faces)
    for number, vertices in enumerate([*frames, *frames[::-1]]):
        body.vertices = vertices
        mesh = vertices, faces
        fresh = oracle.self_collide(mesh)
        hits = scene.collide(method=method, self_collision=True, workers=workers)
        assert_same(fresh, answer(hits), mesh, label=f"frame {number}")


@pytest.mark.parametrize("method", able("pairs", "bodies", "self", "deformable"))
@pytest.mark.parametrize(("name", "seed"), cases(SEQUENCES, 1))
def test_among_others_and_posed(method: str, name: str, seed: int) -> None:
    faces, frames = SEQUENCES[name].build("small", seed)
    rng = np.random.default_rng(seed)
    still = moved(box(), (-0.3, -0.3, -0.3))
    bodies = [still, (frames[0], faces), moved(still, (0.5, 0, 0))]
    scene = scene_of(bodies)
    for number, vertices in enumerate(frames):
        matrix = pose(rng, spread=0.3)
        scene.bodies[1].vertices = vertices
        scene.bodies[1].pose = matrix
        bodies[1] = transformed(vertices, matrix), faces
        truth = union(bodies, self_collision=True, touching="include")
        hits = scene.collide(method=method, self_collision=True)
        assert np.array_equal(truth, rows(hits)), f"{name}, seed {seed}, frame {number}"


@pytest.mark.parametrize("method", able("pairs", "bodies", "self", "deformable"))
def test_frames_between_questions(method: str) -> None:
    """Frames nobody asked about leave no trace, and the setter's array stays the caller's."""
    faces, frames = SEQUENCES["crumpling"].build("small", 0)
    scene = impinge.Scene()
    body = scene.add(frames[0], faces)
    for vertices in frames:
        mine = vertices.copy()
        body.vertices = mine
        mine[:] = 0
    truth = oracle.self_collide((frames[-1], faces))
    found = answer(scene.collide(method=method, self_collision=True))
    assert_same(truth, found, (frames[-1], faces))
