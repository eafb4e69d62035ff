"""Real meshes in the place of made ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge.lab import scenes
from impinge.lab.scenes import models
from support import meshes


def write_off(path: Path, mesh: meshes.Arrays) -> None:
    vertices, faces = mesh
    lines = ["OFF", f"{len(vertices)} {len(faces)} 0"]
    lines += [" ".join(map(repr, row)) for row in vertices.tolist()]
    lines += ["3 " + " ".join(map(str, row)) for row in faces.tolist()]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    write_off(tmp_path / "deep" / "bunny-small.off", meshes.sphere(4, radius=5.0))
    write_off(tmp_path / "bunny-large.off", meshes.moved(meshes.sphere(9), (7, 0, 0)))
    write_off(tmp_path / "bunny-open.off", meshes.grid(3, 3))
    (tmp_path / "bunny-broken.off").write_text("OFF\n1 1\n")
    (tmp_path / "bunny.txt").write_text("not a mesh")
    return tmp_path


def test_the_nearest_closed_mesh_is_taken(folder: Path) -> None:
    found = models.find(folder, "bunny", 300)
    assert found is not None
    vertices, faces, file = found
    assert file == "bunny-large.off"
    assert len(faces) == len(meshes.sphere(9)[1])
    np.testing.assert_allclose(vertices.mean(axis=0), 0.0, atol=1e-9)
    # the volume of the unit sphere
    assert np.linalg.norm(vertices, axis=1) == pytest.approx(1.0, rel=0.05)
    assert models.find(folder, "horse", 300) is None
    assert models.find(None, "bunny", 300) is None


def test_a_scene_of_real_meshes_says_which(folder: Path) -> None:
    run = scenes.make("rigid-bunnies", size="small", data=folder)
    faces = len(meshes.sphere(9)[1])
    assert run.title.endswith(f"(bunny-large.off, {faces} triangles)")
    assert run.faces == 12 * faces
    run = scenes.make("deformable-horses", size="small", data=folder)
    assert run.title == scenes.make("deformable-horses", size="small").title


def test_a_folder_that_is_not_there(folder: Path) -> None:
    with pytest.raises(impinge.InputError, match="nowhere is not a folder"):
        scenes.make("deformable-bunnies", data=folder / "nowhere")
