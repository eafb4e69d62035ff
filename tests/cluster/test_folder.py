"""A run removes its own files only, and follows no links."""

from __future__ import annotations

from pathlib import Path

import pytest

from cluster.tools import run
from impinge.cluster.folder import RunFolder
from impinge.errors import Cancelled, ImpingeError, InputError
from support import meshes

BODIES = [meshes.box(), meshes.moved(meshes.box(), (0.5, 0.25, 0.25))]
CUTTING = [1, 10**9, False]


def opened(path: Path) -> RunFolder:
    return RunFolder(path, {}, CUTTING)


def tree(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@pytest.mark.parametrize("name", ["survey/thesis.docx", "scatter/0-0000000.rows", "notes.txt"])
def test_a_folder_of_somebody_else(tmp_path: Path, name: str) -> None:
    mine = tmp_path / "data" / name
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    before = tree(tmp_path)
    with pytest.raises(InputError, match=r"neither empty nor the folder of a run: it holds '"):
        run(BODIES, tmp_path / "data")
    assert tree(tmp_path) == before
    assert mine.read_text() == "mine"


@pytest.mark.parametrize("content", ["", "{", '{"name": "mine"}', "[]", '{"checksum": 0}'])
def test_a_run_json_of_somebody_else(tmp_path: Path, content: str) -> None:
    (tmp_path / "run.json").write_text(content)
    (tmp_path / "survey").mkdir()
    (tmp_path / "survey" / "0000000.npz").write_text("mine")
    with pytest.raises(ImpingeError, match=r"run\.json: is damaged; give another folder, or "):
        run(BODIES, tmp_path)
    assert (tmp_path / "run.json").read_text() == content
    assert (tmp_path / "survey" / "0000000.npz").read_text() == "mine"
    assert tree(tmp_path) == ["run.json", "survey", "survey/0000000.npz"]


def test_what_is_put_into_the_folder_of_a_run_stays(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        run(BODIES, tmp_path, progress=lambda fraction: fraction < 0.5)
    mine = [tmp_path / stage / "thesis.docx" for stage in ("survey", "scatter", "summary", "pairs")]
    left = tmp_path / "summary" / ".impinge-0123456789abcdef.partial"
    for path in (*mine, left):
        path.write_text("mine")
    assert len(run(BODIES, tmp_path)) > 0
    assert all(path.read_text() == "mine" for path in mine)
    assert not left.exists()


def test_a_run_that_was_killed_before_it_began(tmp_path: Path) -> None:
    (tmp_path / ".lock").touch()
    (tmp_path / ".impinge-0123456789abcdef.partial").write_text("{")
    assert len(run(BODIES, tmp_path)) > 0


@pytest.mark.parametrize("stage", ["survey", "scatter", "pairs", "summary"])
def test_a_linked_folder_is_refused(tmp_path: Path, stage: str) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "0000000.npz").write_text("mine")
    out = tmp_path / "out"
    opened(out).close()
    (out / stage).rmdir()
    (out / stage).symlink_to(victim)
    with pytest.raises(InputError, match=rf"{stage}: is no folder but a link or a file"):
        opened(out)
    assert tree(victim) == ["0000000.npz"]


def test_a_folder_that_becomes_a_link_is_left_alone(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "0000000.npz").write_text("mine")
    folder = opened(tmp_path / "out")
    (folder.path / "survey").rmdir()
    (folder.path / "survey").symlink_to(victim)
    folder.clear("survey")
    folder.close()
    assert tree(victim) == ["0000000.npz"]


def test_links_in_place_of_files(tmp_path: Path) -> None:
    """They are refused or replaced; what they lead to is neither read nor written."""
    victim = tmp_path / "victim.txt"
    victim.write_text("mine")
    for name in (".lock", "run.json"):
        out = tmp_path / f"out-{name}"
        opened(out).close()
        (out / name).unlink()
        (out / name).symlink_to(victim)
        with pytest.raises(ImpingeError, match=rf"{name}: (is damaged|cannot be opened)"):
            opened(out)
    out = tmp_path / "out"
    with pytest.raises(Cancelled):
        run(BODIES, out, progress=lambda fraction: fraction < 0.5)
    for name in ("plan-0.npz", "bodies.parquet", "summary.parquet", "pairs/tile-0000000.parquet"):
        (out / name).unlink(missing_ok=True)
        (out / name).symlink_to(victim)
    assert len(run(BODIES, out)) > 0
    assert victim.read_text() == "mine"


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(InputError, match="is a file; give a folder"):
        run(BODIES, tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"
