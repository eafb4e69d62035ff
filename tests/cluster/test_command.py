"""`impinge check --cluster`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cluster.tools import Here
from impinge.cluster import run
from support import mesh_files, meshes

BOX = meshes.box()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    """Three boxes, of which two cross and two touch; tasks run in this process."""
    monkeypatch.setattr(run, "as_workers", lambda client, workers, memory: Here())
    parts = tmp_path / "parts"
    parts.mkdir()
    for name, offset in (("a", (0, 0, 0)), ("b", (0.5, 0.25, 0.25)), ("c", (1, 0, 0))):
        (parts / f"{name}.stl").write_bytes(mesh_files.binary_stl(meshes.moved(BOX, offset)))
    return parts


def test_the_answer_is_that_of_check(impinge, folder, tmp_path) -> None:
    files = sorted(folder.glob("*.stl"))
    plain = impinge("check", *files, "--json", tmp_path / "plain.json")
    out, target = tmp_path / "out", tmp_path / "t.json"
    tiled = impinge("check", "--cluster", "local", folder, "--out", out, "--json", target)
    assert tiled.code == plain.code == 1
    assert tiled.err == ""
    assert (
        "2 pairs of parts that cross and 1 that only touch among 3 parts (36 triangles); exact, "
        "without a tolerance.\n"
    ) in tiled.out
    assert tiled.out.endswith(f"pairs of triangles in {out / 'pairs'}\n")
    expected = json.loads((tmp_path / "plain.json").read_text())
    got = json.loads(target.read_text())
    assert (got["schema"], got["failed"]) == (1, True)
    for key in ("parts", "triangles", "clashes"):
        assert got["summary"][key] == expected["summary"][key]
    assert got["summary"]["contacts"] == expected["summary"]["contact"]

    def verdicts(rows: list[dict[str, object]]) -> list[tuple[object, ...]]:
        return sorted((row["a"], row["b"], row["verdict"]) for row in rows)

    assert verdicts(got["rows"]) == verdicts(expected["rows"])
    pairs = {(row["a"], row["b"]): row["face_pairs"] for row in expected["rows"]}
    assert {(row["a"], row["b"]): row["pairs"] for row in got["rows"]} == pairs


def test_contacts_fail_when_asked(impinge, folder, tmp_path) -> None:
    (folder / "b.stl").unlink()
    asked = ("check", folder, "--cluster", "local", "--out", tmp_path / "out", "--quiet")
    assert impinge(*asked).code == 0
    assert impinge(*asked, "--fail-on", "contact").code == 1


def test_ignored_and_nothing_left(impinge, folder, tmp_path) -> None:
    pairs = ("a", "b"), ("a", "c"), ("b", "c")
    ignored = [word for pair in pairs for word in ("--ignore", *pair)]
    answer = impinge("check", folder, "--cluster", "local", "--out", tmp_path / "out", *ignored)
    assert answer.code == 0
    assert answer.out.startswith("No pair of parts crosses or touches among 3 parts (36 triangles)")


def test_an_interrupted_run_says_how_to_go_on(impinge, folder, tmp_path, monkeypatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Here, "results", interrupted)
    answer = impinge("check", folder, "--cluster", "local", "--out", tmp_path / "out")
    assert answer.code == 130
    assert "the same command goes on from there" in answer.err


def test_what_does_not_go_together(impinge, folder, tmp_path) -> None:
    for arguments, text in (
        (["--out", "x"], "--out and --memory need --cluster"),
        (["--cluster", "local"], "--cluster needs --out"),
        (["--cluster", "local", "--out", "x", "--method", "dop"], "--method does not go with"),
        (["--cluster", "local", "--out", "x", "--tolerance", "1"], "--tolerance does not go with"),
        (["--cluster", "local", "--out", "x", "--clearance", "1"], "--clearance does not go with"),
    ):
        answer = impinge("check", folder, *arguments)
        assert answer.code == 2
        assert text in answer.err
    one = impinge("check", folder / "a.stl", "--cluster", "local", "--out", tmp_path / "one")
    assert one.code == 2
    assert "one part and nothing to check it against" in one.err


def test_without_the_packages(monkeypatch) -> None:
    """What is missing is told with the command that brings it."""
    import sys
    from importlib import reload

    import impinge.cluster
    from impinge.errors import MissingDependencyError

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependencyError, match=r"pip install .*\"pyarrow>=17\""):
        reload(impinge.cluster)
