"""Scenes whose answer is published: contact or none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import impinge
from conformance.methods import able, judged
from shared_data.readers import bodies, contact_model, read
from support import oracle
from support.meshes import arrays, posed

CONTACT = {
    "Model_1_Scenario_1": (False, True),
    "Model_1_Scenario_2": (True, True),
    "Model_1_Scenario_3": (False, True),
    "Model_2_Scenario_1": (False, True),
    "Model_2_Scenario_2": (True, True),
}
FREE = [
    "arch_101",
    "bike_chain",
    "blender_100",
    "bolt",
    "card_house_4",
    "chain_net_8x8",
    "chain_net_16x16",
    "fracture_wall",
    "gears_chain",
    "piston",
    "punching_press",
]


@pytest.mark.parametrize("method", judged("pairs"))
@pytest.mark.parametrize("name", CONTACT)
def test_contact_scenarios(shared_data: Path, name: str, method: str) -> None:
    (a, b), frames = contact_model(shared_data / "contact" / f"{name}.txt")
    found = []
    for pose_a, pose_b in frames:
        scene = impinge.Scene()
        scene.add(a, pose=pose_a)
        scene.add(b, pose=pose_b)
        hits = scene.collide(method=method)
        found.append(bool(hits))
        truth = oracle.collide(posed(a, pose_a), posed(b, pose_b))
        assert np.array_equal(hits.pairs, truth[0])
    assert tuple(found) == CONTACT[name]


@pytest.mark.parametrize("method", judged("pairs", "bodies", "first"))
@pytest.mark.parametrize("name", FREE)
def test_assemblies_start_free(shared_data: Path, name: str, method: str) -> None:
    scene = impinge.Scene()
    for label, mesh in bodies(shared_data / "assembly" / f"{name}.ply"):
        scene.add(mesh, name=label)
    assert not scene.collide(method=method)
    assert not scene.collide(method=method, mode="first")


@pytest.mark.parametrize("method", able("pairs", "self"))
@pytest.mark.parametrize(("name", "meets"), [("far", 0), ("close", 0), ("intersecting", 96)])
def test_two_cubes(shared_data: Path, name: str, meets: int, method: str) -> None:
    vertices, faces = read(shared_data / "dynamic" / "two-cubes" / f"two-cubes-{name}.ply")
    assert len(impinge.self_collide((vertices, faces), method=method)) == meets
    half = len(faces) // 2
    a, b = arrays(vertices, faces[:half]), arrays(vertices, faces[half:])
    assert len(impinge.collide(a, b, method=method)) == meets
