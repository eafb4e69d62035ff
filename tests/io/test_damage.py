"""Damaged files of every format: refused, or all that they declare is delivered."""

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

# These declare no counts (OBJ) or in words that damage may rewrite consistently (JSON, XML, names).
SILENT = {"text.obj", "scene.glb", "scene.gltf"}

many = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def attempt(name: str, data: bytes, *, lenient: bool = False) -> Model | None:
    """The model, or None when the file is refused; anything else fails the test."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                return read(path, lenient=lenient)
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


@pytest.mark.parametrize("name", FILES)
@many
@given(data=st.data())
def test_changed_bytes(name, data):
    damaged = bytearray(FILES[name])
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    model = attempt(name, bytes(damaged))
    if model is not None and name not in SILENT:
        assert model.triangles == TRIANGLES
    attempt(name, bytes(damaged), lenient=True)


@pytest.mark.parametrize("name", FILES)
@many
@given(data=st.data())
def test_missing_and_doubled_blocks(name, data):
    whole = FILES[name]
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    for damaged in (whole[:start] + whole[end:], whole[:end] + whole[start:]):
        model = attempt(name, damaged)
        if model is not None and name not in SILENT and damaged != whole:
            declared = TRIANGLES if name != "text.stl" else damaged.count(b"endfacet")
            assert model.triangles == declared
        attempt(name, damaged, lenient=True)


@pytest.mark.parametrize("extension", sorted({Path(name).suffix for name in FILES}))
@many
@given(noise=st.binary(min_size=1, max_size=300))
def test_noise(extension, noise):
    attempt("noise" + extension, noise)
    attempt("noise" + extension, noise, lenient=True)
