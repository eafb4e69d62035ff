"""Detectors against the oracle on real meshes: scans, robots, buildings, broken files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import impinge
from conformance.methods import DEFAULT, judged
from conformance.unions import rows
from shared_data.readers import bodies, read
from support import oracle, rational
from support.compare import answer, assert_same
from support.meshes import pose, posed

SELF = [
    "single/cow.obj",
    "single/cow25k.obj",
    "single/cow100K.obj",
    "single/koala.obj",
    "single/nefertiti-lowres.obj",
    "single/cactus25k.obj",
    "single/fertility.obj",
    "single/hammer.obj",
    "single/boot.obj",
    "single/torus.obj",
    "single/spot.obj",
    "single/hand_closed.obj",
    "single/height-field.ply",
    "stanford-terms/bunny.obj",
    "stanford-terms/bunny100k.obj",
    "stanford-terms/armadillo.obj",
    "stanford-terms/bunny5k.ply",
    "contact/env.obj",
    "contact/rob.obj",
    "nasty/chair_model.obj",
    "nasty/featuretype.STL",
    "nasty/bunny_nonmanifold.ply",
    "nasty/self_intersectB.obj",
    "nasty/openscad-nonmanifold-crash.obj",
    "nasty/Offset1.obj",
    "nasty/Offset2.obj",
    "nasty/ballA.off",
    "dynamic/dress/drape.obj",
]
TINY = [
    "nasty/soup.stl",
    "nasty/not_convex.obj",
    "nasty/wallhole.obj",
    "nasty/shared.STL",
    "nasty/joined_tetrahedra.obj",
    "nasty/multibody.stl",
    "nasty/large_block_obb.STL",
    "nasty/three_cubes.stl",
    "nasty/Cray_left.obj",
    "nasty/Cray_right.obj",
    "nasty/Havocglass8_left.obj",
    "nasty/Havocglass8_right.obj",
    "nasty/deg_faces.obj",
    "nasty/degenerate_mesh.obj",
    "nasty/non_manifold_wrap.obj",
    "dynamic/thick-cloth/t0.ply",
    "dynamic/thick-cloth/t1.ply",
]
PAIRS = [
    ("single/cow.obj", "single/cow25k.obj"),
    ("single/fertility.obj", "single/hand_closed.obj"),
    ("single/boot.obj", "single/boot.obj"),
    ("single/torus.obj", "stanford-terms/bunny5k.ply"),
    ("contact/env.obj", "contact/rob.obj"),
    ("nasty/Offset1.obj", "nasty/Offset2.obj"),
    ("nasty/self_intersectA.obj", "nasty/self_intersectB.obj"),
    ("nasty/Cray_left.obj", "nasty/Cray_right.obj"),
]
SCENES = [
    "robots/fanuc_collision",
    "robots/panda_collision",
    "bim/pcert_building",
    "bim/pcert_bridge",
    "assembly/staircase_koroibot",
    "assembly/toy_car",
    "assembly/spheres_a",
    "assembly/bike_chain",
    "assembly/blender_100",
]
LARGE_SCENES = ["assembly/chronograph_watch", "assembly/cycloidal_drive", "robots/panda_visual"]


@pytest.mark.parametrize(
    ("file", "method"),
    [
        (file, method)
        for number, file in enumerate(SELF)
        for method in judged("pairs", "self")
        if method == DEFAULT or number % 2
    ],
)
def test_selves(shared_data: Path, file: str, method: str) -> None:
    mesh = read(shared_data / file)
    truth = oracle.self_collide(mesh, report_duplicates=True)
    for workers in (1, 2):
        hits = impinge.self_collide(mesh, method=method, report_duplicates=True, workers=workers)
        assert_same(truth, answer(hits), mesh, label=f"{workers} workers")
    proper = truth[1] == impinge.Kind.CROSSING
    hits = impinge.self_collide(mesh, method=method, touching="exclude")
    assert_same((truth[0][proper], truth[1][proper]), answer(hits), mesh, label="exclude")


@pytest.mark.parametrize("method", judged("pairs", "self"))
@pytest.mark.parametrize("file", TINY)
def test_tiny_files_against_rational(shared_data: Path, file: str, method: str) -> None:
    mesh = read(shared_data / file)
    for duplicates in (False, True):
        truth = rational.self_pairs(*mesh, report_duplicates=duplicates)
        for name in ("brute", method):
            found = impinge.self_collide(mesh, method=name, report_duplicates=duplicates)
            assert_same(truth, answer(found), mesh, label=name)


@pytest.mark.parametrize("method", judged("pairs"))
@pytest.mark.parametrize(("file_a", "file_b"), PAIRS)
def test_pairs_at_poses(shared_data: Path, file_a: str, file_b: str, method: str) -> None:
    """As they lie, and at random poses around each other's middle."""
    a, b = read(shared_data / file_a), read(shared_data / file_b)
    rng = np.random.default_rng(5)
    placed = [b]
    if "Cray" not in file_a:
        middle = a[0].mean(axis=0) - b[0].mean(axis=0)
        for _ in range(2):
            matrix = pose(rng, spread=0.3 * float(np.ptp(a[0], axis=0).min()))
            matrix[:3, 3] += middle
            placed.append(posed(b, matrix))
    for number, other in enumerate(placed):
        truth = oracle.collide(a, other)
        # as arrays, which are asked about once, and with a mesh that keeps what is built
        for workers, first in ((1, a), (2, impinge.Mesh(*a))):
            found = answer(impinge.collide(first, other, method=method, workers=workers))
            assert_same(truth, found, a, other, label=f"placement {number}, {workers} workers")


def scene_at(path: Path) -> impinge.Scene:
    scene = impinge.Scene()
    for label, mesh in bodies(path):
        scene.add(mesh, name=label)
    return scene


@cache
def scene_truth(path: Path) -> np.ndarray:
    return rows(scene_at(path).collide(method="brute", self_collision=True))


@pytest.mark.parametrize(
    ("name", "method"),
    [(name, method) for name in SCENES for method in judged("pairs", "bodies", "self")]
    + [(name, DEFAULT) for name in LARGE_SCENES],
)
def test_scenes(shared_data: Path, name: str, method: str) -> None:
    scene = scene_at(shared_data / f"{name}.ply")
    truth = scene_truth(shared_data / f"{name}.ply")
    for workers in (1, 2):
        hits = scene.collide(method=method, self_collision=True, workers=workers)
        assert np.array_equal(truth, rows(hits)), workers
    proper = truth[:, 4] == impinge.Kind.CROSSING
    hits = scene.collide(method=method, self_collision=True, touching="exclude")
    assert np.array_equal(truth[proper], rows(hits)), "exclude"
