"""The robots of example-robot-data: all that can be read are, and answers are those of scenes."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge.errors import MeshFileError
from impinge.robots import Robot
from support import meshes

KNOWN = {
    "panda": ("panda_description/urdf/panda.urdf", "panda_description/srdf/panda.srdf"),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "ur_description/srdf/ur5.srdf"),
    "talos": ("talos_data/robots/talos_reduced.urdf", "talos_data/srdf/talos.srdf"),
}
# what is wrong with these is in the files
REFUSED = {
    "alex_psyonic_hands.urdf": "mimics 'index_q1', which does not exist",
    "talos_full_v2.urdf": "names no file of a package",
    "talos_full_v2_box.urdf": "names no file of a package",
    "ur3.urdf": "this has 0",
}


@pytest.fixture(params=KNOWN)
def known(request: pytest.FixtureRequest, example_robots: Path) -> Robot:
    """Without the pairs that always collide, by their SRDF and by samples."""
    urdf, srdf = KNOWN[request.param]
    made = Robot.load(example_robots / urdf, srdf=example_robots / srdf)
    found = made.ignored_pairs(samples=50)
    return made.ignoring(
        pair for pair, why in zip(found.pairs, found.reasons, strict=True) if why != "never"
    )


@pytest.fixture
def cell(known: Robot) -> impinge.Scene:
    """Rings around the robot, 5,000 triangles."""
    size = 1.8 if known.name == "talos" else 1.0
    rng = np.random.default_rng(0)
    world = impinge.Scene()
    for index in range(6):
        vertices, faces = meshes.torus(24, 16, major=0.2, minor=0.07)
        away = rng.normal(size=3)
        away *= size * rng.uniform(0.7, 1.0) / np.linalg.norm(away)
        world.add(vertices @ meshes.rotation(rng).T + away, faces, name=f"ring-{index}")
    return world


def test_verdicts_are_those_of_single_scenes(known: Robot, cell: impinge.Scene) -> None:
    Q = known.random(300, seed=1)
    poses = known.poses(Q)
    for world in (None, cell):
        scene = known.scene(world)
        truth = []
        for row in range(len(Q)):
            for link, pose in poses.items():
                scene[link].pose = pose[row]
            truth.append(scene.collides())
        assert known.collides(Q, world).tolist() == truth
        assert 0 < sum(truth) < len(truth)


def test_free_motions_hold_dense_samples(known: Robot, cell: impinge.Scene) -> None:
    rng = np.random.default_rng(3)
    starts = known.random(200, seed=3)
    starts = starts[~known.collides(starts, cell)][:20]
    ends = starts + rng.normal(size=starts.shape) * rng.choice((0.05, 0.3), (len(starts), 1))
    found = known.free(starts, ends, cell)
    steps = np.linspace(0.0, 1.0, 60)[:, None]
    for row in np.flatnonzero(found.free):
        assert not known.collides(starts[row] + steps * (ends - starts)[row], cell).any()
    assert known.collides(found.configurations[found.blocked], cell).all()
    assert found.uncertain.mean() < 0.2
    assert found.free.any()


def test_every_robot_is_read_or_says_what_is_wrong_with_it(example_robots: Path) -> None:
    refused, read = {}, 0
    for path in sorted(example_robots.rglob("*.urdf")):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                read += len(Robot.load(path).links) > 0
            except MeshFileError as error:
                refused[path.name] = str(error)
    assert read > 50
    assert refused.keys() == REFUSED.keys() & refused.keys()
    for name, message in refused.items():
        assert REFUSED[name] in message
