"""Octree and box tree find the same contacts, whatever has become of the bodies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from detectors.ray.scenes import same, scene_of
from impinge import _core, detector
from impinge.detectors import ray
from impinge.errors import CapabilityError
from support import meshes

OCTREE = detector("ray", accelerator="octree")
TREE = detector("ray", accelerator="bvh")
COUNTERS = ("rays_shot", "rays_unreliable", "rays_rejected_entering", "rays_rejected_outside")

BODIES = (
    meshes.torus(10, 6),
    meshes.sphere(6),
    meshes.box(),
    meshes.gear(5),
    meshes.merge(meshes.sphere(5), meshes.moved(meshes.sphere(4, radius=0.5), (0.3, 0.2, 0.1))),
)


def noise(vertices: np.ndarray, rng: np.random.Generator, size: float) -> np.ndarray:
    return vertices + rng.normal(0, size, vertices.shape)


def on_lattice(vertices: np.ndarray, cells: int) -> np.ndarray:
    """Equal vertices, faces without area, and many hits at one distance."""
    return np.round(vertices * cells) / cells


FATES: dict[str, Callable[[np.ndarray, np.random.Generator], np.ndarray]] = {
    "as it was": lambda v, _: v,
    "bumpy": lambda v, rng: noise(v, rng, 0.15),
    "crumpled": lambda v, rng: noise(v, rng, 0.6),
    "inside out": lambda v, _: v * [1, 1, -1],
    "on a lattice": lambda v, _: on_lattice(v, 3),
    "crumpled on a lattice": lambda v, rng: on_lattice(noise(v, rng, 0.4), 2),
    "heap on a lattice": lambda v, rng: on_lattice(rng.normal(0, 1, v.shape), 2),
    "thin": lambda v, _: v * [1, 1, 1e-9],
    "flat": lambda v, _: v * [1, 1, 0],
}


def ruined(seed: int) -> impinge.Scene:
    """Up to three closed bodies, each deformed in one of these ways, at some scale and place."""
    rng = np.random.default_rng(seed)
    scene = scene_of(*(BODIES[i] for i in rng.integers(len(BODIES), size=rng.integers(1, 4))))
    scale, away = 10.0 ** rng.integers(-6, 7), rng.normal(0, 10.0 ** rng.integers(-1, 5), 3)
    for body in scene.bodies:
        fate = FATES[rng.choice(list(FATES))]
        vertices = rng.choice([1, 0.5, 0.25]) * fate(np.array(body.vertices), rng)
        aside = on_lattice(rng.normal(0, 0.6, 3), 10) if rng.random() < 0.5 else np.zeros(3)
        body.vertices = (vertices + aside + np.round(away, 1)) * scale
    return scene


def check(scene: impinge.Scene) -> None:
    by_octree = scene.contact_points(method=OCTREE, self_collision=True, workers=1)
    by_tree = scene.contact_points(method=TREE, self_collision=True, workers=2)
    assert same(by_octree, by_tree)
    assert [by_octree.stats[c] for c in COUNTERS] == [by_tree.stats[c] for c in COUNTERS]


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_same_contacts(seed: int) -> None:
    check(ruined(seed))


def test_surfaces_that_do_not_meet() -> None:
    # a torus in the tube of another, turned inside out: it is taken the right way round, and
    # what is wholly inside has no contact points
    scene = scene_of(meshes.torus(12, 8, minor=0.1), meshes.torus(12, 8))
    scene[0].vertices = scene[0].vertices * [1, 1, -1]
    assert not scene.collide()
    found = scene.contact_points(method=TREE)
    assert len(found) == 0
    assert len(found.warnings) == 1
    check(scene)


@pytest.mark.parametrize("method", [OCTREE, TREE])
def test_open_bodies_are_refused(method: impinge.detectors.Detector) -> None:
    vertices, faces = meshes.sphere(6)
    scene = scene_of((vertices, faces[1:]), meshes.box())
    with pytest.raises(CapabilityError, match="is not closed"):
        scene.contact_points(method=method)


@pytest.mark.parametrize("name", ["bvh", "octree"])
def test_the_accelerator_is_the_one_that_is_asked_for(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers are equal, so that they cannot tell."""
    asked = []

    class Core:
        def ray_contacts(self, *arguments: object) -> object:
            asked.append(arguments[4])
            return _core.ray_contacts(*arguments)

    monkeypatch.setattr(ray, "_core", Core())
    bodies = (meshes.sphere(6), meshes.moved(meshes.sphere(6), (1.2, 0.1, 0.2)))
    assert len(impinge.contact_points(*bodies, method=detector("ray", accelerator=name)))
    assert asked == [name == "octree"]
