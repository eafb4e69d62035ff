"""The shipped gearbox: 6 clashes and 54 contacts, however it is turned, saved or doubled."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge import data
from impinge.results import Check
from support.meshes import rotation

DEPTHS = {
    ("idler-gear", "breather"): (3.395, 107.3),
    ("cover", "idler-shaft"): (3.0, 632.9),
    ("cover-bolt-03", "nut-03"): (1.0, 105.0),
    ("idler-pinion", "output-gear"): (0.85, 132.4),
    ("cover", "cover-bolt-03"): (0.5, 112.4),
    ("housing", "cover-bolt-03"): (0.5, 112.4),
}
"""Depth and volume of what overlaps."""


@pytest.fixture(scope="module")
def gearbox() -> impinge.Scene:
    return impinge.load_scene(data.path("gearbox.glb"))


def counts(check: Check) -> dict[str, int]:
    return {name: count for name, count in check.counts.items() if count}


def rounded(vertices: np.ndarray) -> tuple[np.ndarray, float]:
    """As a file with float32 numbers has them, and how far they are off at most."""
    single = vertices.astype(np.float32).astype(np.float64)
    return single, float(2.0**-24 * np.abs(vertices).max())


def turned(scene: impinge.Scene, motion: np.ndarray) -> impinge.Scene:
    result = impinge.Scene()
    for body in scene:
        vertices, off = rounded(body.world_vertices @ motion[:3, :3].T + motion[:3, 3])
        result.add(impinge.Mesh(vertices, body.faces, name=body.name, precision=off))
    return result


def random_motion(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    motion = np.eye(4)
    motion[:3, :3] = rotation(rng)
    motion[:3, 3] = rng.uniform(-50, 50, 3)
    return motion


def test_as_it_is(gearbox: impinge.Scene) -> None:
    check = gearbox.check()
    assert counts(check) == {"clash": 6, "contact": 54}
    assert set(check.contacts.reasons) == {"touch"}
    found = {(row.name_a, row.name_b): row for row in check.clashes}
    assert set(found) == set(DEPTHS)
    for pair, (depth, volume) in DEPTHS.items():
        assert found[pair].depth == pytest.approx(depth, rel=2e-3)
        assert found[pair].volume == pytest.approx(volume, rel=1e-3)


@pytest.mark.parametrize("seed", range(8))
def test_turned_and_rounded(gearbox: impinge.Scene, seed: int) -> None:
    expected = {(row.name_a, row.name_b): row.depth for row in gearbox.check().clashes}
    scene = turned(gearbox, random_motion(seed))
    assert len(scene.check().clashes) > 6  # by rounding alone
    check = scene.check(tolerance="precision")
    assert counts(check) == {"clash": 6, "contact": 54}
    assert check.warnings == ()
    for row in check.clashes:
        assert row.depth == pytest.approx(expected[row.name_a, row.name_b], rel=1e-3)
    assert (check.contacts.depths[:, 1] <= check.contacts.tolerances).all()


def test_by_poses(gearbox: impinge.Scene) -> None:
    scene = impinge.Scene()
    motion = random_motion(4)
    for body in gearbox:
        scene.add(body.mesh, name=body.name, pose=motion @ body.pose)
    assert counts(scene.check(tolerance=1e-9)) == {"clash": 6, "contact": 54}


def test_doubled_parts(gearbox: impinge.Scene) -> None:
    scene = turned(gearbox, random_motion(11))
    before = scene.check(tolerance="precision")
    rng = np.random.default_rng(2)
    for name in ("dowel-1", "nut-03"):
        mesh = scene[name].mesh
        # as far off as two copies in a file can be
        shaken = mesh.vertices + rng.uniform(-0.5, 0.5, mesh.vertices.shape) * mesh.precision
        double = impinge.Mesh(shaken, mesh.faces, precision=2 * mesh.precision)
        scene.add(double, name=f"{name}-again")
    check = scene.check(tolerance="precision")
    assert counts(check)["duplicate"] == 2
    for name in ("dowel-1", "nut-03"):
        of_first = {_other(row, name): row.verdict for row in before if _has(row, name)}
        again = f"{name}-again"
        of_double = {_other(row, again): row.verdict for row in check if _has(row, again)}
        assert of_double.pop(name) == "duplicate"
        assert of_double == of_first


def test_mirrored_part(gearbox: impinge.Scene) -> None:
    mirror = np.diag([1.0, -1.0, 1.0, 1.0])
    scene = impinge.Scene()
    for body in gearbox:
        if body.name == "housing":
            there = body.world_vertices @ mirror[:3, :3]
            scene.add((there, body.faces[:, ::-1].copy()), name=body.name, pose=mirror)
        else:
            scene.add(body.mesh, name=body.name, pose=body.pose)
    check = scene.check()
    assert counts(check) == {"clash": 6, "contact": 54}
    assert check.warnings == ()


def test_other_faces_change_no_verdict(gearbox: impinge.Scene) -> None:
    scene = impinge.Scene()
    for body in gearbox:
        scene.add(_quartered(body.world_vertices, body.faces), name=body.name)
    check = scene.check(tolerance=1e-9)
    assert counts(check) == {"clash": 6, "contact": 54}
    found = {(row.name_a, row.name_b): row.depth for row in check.clashes}
    for pair, (depth, _) in DEPTHS.items():
        assert found[pair] == pytest.approx(depth, rel=2e-3)


def _quartered(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each face cut into four at the middles of its sides."""
    corners = vertices[faces]
    middles = (corners + np.roll(corners, -1, axis=1)) / 2
    a, b, c = corners.swapaxes(0, 1)
    ab, bc, ca = middles.swapaxes(0, 1)
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    triangles = np.concatenate([np.stack(part, axis=1) for part in parts])
    return triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3)


def _has(row: impinge.results.CheckRow, name: str) -> bool:
    return name in (row.name_a, row.name_b)


def _other(row: impinge.results.CheckRow, name: str) -> str:
    return row.name_b if row.name_a == name else row.name_a
