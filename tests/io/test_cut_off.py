"""A file that is cut off anywhere is refused, or all that it declares is delivered."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from impinge.errors import MeshFileError
from impinge.io import Model, read
from support import mesh_files, meshes

SHAPES = (meshes.sphere(3), meshes.moved(meshes.box(), (5, 0, 0)))
TRIANGLES = sum(len(faces) for _, faces in SHAPES)
WHOLE = meshes.merge(*SHAPES)

FILES = {
    "binary.stl": mesh_files.binary_stl(WHOLE),
    "text.stl": mesh_files.text_stl(*SHAPES),
    "text.ply": mesh_files.ply(WHOLE),
    "little.ply": mesh_files.ply(WHOLE, order="<"),
    "big.ply": mesh_files.ply(WHOLE, order=">", kind="f4"),
    "text.off": mesh_files.off(WHOLE),
    "text.obj": mesh_files.obj(*SHAPES, names=("a", "b")),
    "scene.glb": mesh_files.glb_of(*SHAPES),
    "scene.gltf": mesh_files.gltf(*mesh_files.gltf_document(list(SHAPES))),
    "scene.3mf": mesh_files.threemf(*SHAPES),
}

many = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def attempt(name: str, data: bytes) -> Model | None:
    """The model, or None when the file is refused; anything else fails the test."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                return read(path)
        except MeshFileError:
            return None


@pytest.mark.parametrize("name", FILES)
def test_undamaged(name):
    assert attempt(name, FILES[name]).triangles == TRIANGLES


@pytest.mark.parametrize("name", FILES)
@many
@given(data=st.data())
def test_cut_off(name, data):
    whole = FILES[name]
    # A last line break is no loss.
    cut = whole[: data.draw(st.integers(1, len(whole.rstrip()) - 1))]
    model = attempt(name, cut)
    if name == "text.obj":
        return
    assert model is None or (model.triangles == TRIANGLES and cut[-20:] != whole[-20:])
    if model is not None:
        # Only the tail of a name, a colour or a last digit may be missing.
        assert name.startswith("text.")
        assert len(whole) - len(cut) < 12
