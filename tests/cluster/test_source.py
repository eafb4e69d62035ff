"""Sources: folders, files, lists of parts, a mesh in chunks; and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import impinge.cluster
from cluster.tools import rows, run, truth
from impinge.cluster import source, store
from impinge.cluster.limits import Limits, as_bytes, piece_count, piece_rows
from impinge.errors import InputError, MeshFileError
from support import mesh_files, meshes

BOX = meshes.box()
CROSSING = meshes.moved(BOX, (0.5, 0.25, 0.25))
BALL = meshes.moved(meshes.sphere(6), (0.5, 0.5, 1.0))


def test_a_folder_of_all_formats(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.stl").write_bytes(mesh_files.binary_stl(BOX))
    (folder / "b.stl").write_bytes(mesh_files.text_stl(CROSSING, BALL, names=("one", "two")))
    (folder / "sub" / "a.ply").write_bytes(mesh_files.ply(CROSSING, order="<"))
    (folder / "notes.txt").write_text("not a mesh")
    found = run(folder, tmp_path / "out")
    assert found.names == ("a", "b/one", "b/two", "sub/a")
    assert np.array_equal(rows(found), truth([BOX, CROSSING, BALL, CROSSING]))


def test_a_mesh_in_chunks_is_never_of_two(tmp_path: Path, monkeypatch) -> None:
    """Faces that are wrong, and an end between the two files, leave the old mesh or none."""
    folder = impinge.cluster.write_mesh(tmp_path / "m", [BOX[0]], [BOX[1]])
    before = [(folder / name).read_bytes() for name in (store.VERTICES, store.FACES)]
    with pytest.raises(InputError, match="has index"):
        impinge.cluster.write_mesh(folder, [BOX[0] + 1], [BOX[1] + 99])
    assert [(folder / name).read_bytes() for name in (store.VERTICES, store.FACES)] == before
    assert len(list(folder.iterdir())) == 2
    replace, done = os.replace, []

    def once(old: Path, new: Path) -> None:
        if done:
            raise KeyboardInterrupt
        done.append(replace(old, new))

    monkeypatch.setattr(os, "replace", once)
    with pytest.raises(KeyboardInterrupt):
        impinge.cluster.write_mesh(folder, [BOX[0] + 1], [BOX[1][:4]])
    assert not store.is_store(folder)


def test_a_list_of_parts(tmp_path: Path) -> None:
    path = tmp_path / "box.stl"
    path.write_bytes(mesh_files.binary_stl(BOX))
    parts = [path, ("ball", lambda: BALL), impinge.Mesh(*CROSSING, name="box"), lambda: CROSSING]
    found = run(parts, tmp_path / "out")
    assert found.names == ("box", "ball", "box-2", "part-3")
    assert np.array_equal(rows(found), truth([BOX, BALL, CROSSING, CROSSING]))
    named = run({"x": BOX, "y": lambda: BALL}, tmp_path / "named")
    assert named.names == ("x", "y")


def test_a_large_stl_is_cut_into_pieces(tmp_path: Path, monkeypatch) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    vertices, faces = meshes.moved(meshes.sphere(10), (0.3, 0.1, 0))
    ball = meshes.arrays(np.float32(vertices), faces)
    (folder / "a.stl").write_bytes(mesh_files.binary_stl(BOX))
    (folder / "b.stl").write_bytes(mesh_files.binary_stl(ball))
    monkeypatch.setattr(source, "piece_rows", lambda triangles, done, workers: 64)
    monkeypatch.setattr(source, "ROWS", 10)
    found = run(folder, tmp_path / "out", self_collision=True, tile=100)
    assert found.stats["pieces"] == 1 + -(-len(ball[1]) // 64)
    assert found.names == ("a", "b")
    assert np.array_equal(rows(found), truth([BOX, ball], self_collision=True))


def test_a_mesh_in_chunks(tmp_path: Path, monkeypatch) -> None:
    """Vertices and faces in chunks of any size, faces that reach across them."""
    rng = np.random.default_rng(0)
    vertices, faces = meshes.merge(meshes.sphere(8), meshes.moved(meshes.sphere(7), (0.4, 0, 0.1)))
    faces = faces[rng.permutation(len(faces))]
    monkeypatch.setattr(impinge.cluster.store, "BATCH", 37)
    monkeypatch.setattr(source, "piece_rows", lambda triangles, done, workers: 50)
    folder = impinge.cluster.write_mesh(
        tmp_path / "huge", np.array_split(vertices, 3), np.array_split(faces, 4)
    )
    found = run(folder, tmp_path / "out", self_collision=True, tile=100)
    assert found.names == ("huge",)
    assert np.array_equal(rows(found), truth([(vertices, faces)], self_collision=True))


def test_a_chunk_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"face 14 has index 8, but valid indices are 0\.\.7"):
        impinge.cluster.write_mesh(tmp_path / "m", [BOX[0]], [BOX[1], BOX[1] + 1])
    with pytest.raises(InputError, match="not finite"):
        impinge.cluster.write_mesh(tmp_path / "m", [BOX[0] * np.nan], [BOX[1]])
    assert not (tmp_path / "m" / "faces.arrow").exists()


def test_broken_files_give_the_errors_of_check(tmp_path: Path) -> None:
    whole = mesh_files.binary_stl(BALL)
    holed = bytearray(whole)
    holed[84 + 50 * 3 + 12 : 84 + 50 * 3 + 16] = np.float32(np.nan).tobytes()
    broken = {"cut.stl": whole[:-7], "nan.stl": bytes(holed), "x.stl": b"", "x.obj": b"f 1 2 3\n"}
    for name, data in broken.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(MeshFileError) as expected:
            impinge.io.read(path)
        with pytest.raises(MeshFileError) as got:
            run([path, BOX], tmp_path / f"{name}-out")
        assert str(got.value) == str(expected.value)
    with pytest.raises(MeshFileError, match="no such file"):
        run(tmp_path / "none.stl", tmp_path / "out")


def test_a_lenient_run_warns(tmp_path: Path) -> None:
    path = tmp_path / "cut.stl"
    path.write_bytes(mesh_files.binary_stl(BALL)[:-7])
    found = run([path, BOX], tmp_path / "out", lenient=True)
    assert len(found.warnings) == 1
    assert "truncated" in found.warnings[0]


def test_what_is_no_source(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for wrong, text in (
        (tmp_path / "empty", "no mesh file in this folder"),
        ([], "source has no parts"),
        (7, "source must be a folder"),
    ):
        with pytest.raises(InputError, match=text):
            run(wrong, tmp_path / "out")


def test_a_file_that_does_not_fit(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "a.obj"
    path.write_bytes(b"v 0 0 0\n" * 1000)
    monkeypatch.setitem(source._GROWTH, ".obj", 10**6)
    with pytest.raises(InputError, match=r"impinge\.cluster\.write_mesh"):
        run([path], tmp_path / "out")


def test_a_source_that_changes_between_reads(tmp_path: Path) -> None:
    given = [BOX, BALL]
    with pytest.raises(InputError, match="must not change during a run"):
        run([given.pop], tmp_path / "out")


def test_memory() -> None:
    assert as_bytes("2GB") == 2 * 10**9
    assert as_bytes(" 1.5 GiB") == 3 * 2**29
    assert as_bytes(7) == 7
    for wrong in ("much", "2XB", None, True):
        with pytest.raises(InputError, match="memory must be"):
            as_bytes(wrong)
    with pytest.raises(InputError, match="at least 400 MB"):
        Limits.of(10**6)


@pytest.mark.parametrize("triangles", [1, 1000, 10**5, 10**7, 5 * 10**7, 10**10])
@pytest.mark.parametrize("workers", [1, 2, 100])
def test_pieces_shrink_towards_the_end(triangles: int, workers: int) -> None:
    sizes: list[int] = []
    while sum(sizes) < triangles:
        sizes.append(piece_rows(triangles, sum(sizes), workers))
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == piece_count(triangles, workers)
    assert triangles != 5 * 10**7 or workers == 100 or 4 * sizes[-1] <= sizes[0]
