"""`impinge show-passes`."""

from __future__ import annotations

NAMES = (
    "scene", "red-first", "green-first", "wires", "depth", "plus", "minus", "penetrating",
    "penetrated", "result", "printed",
)  # fmt: skip


def test_one_sheet(impinge, tmp_path):
    out = tmp_path / "passes.png"
    answer = impinge("show-passes", "--out", out, "--resolution", 64)
    assert (answer.code, answer.err) == (0, "")
    assert out.read_bytes()[:4] == b"\x89PNG"
    assert "1 picture; pairs: red and green, green and blue" in answer.out


def test_a_folder_with_each_of_them(impinge, tmp_path):
    out = tmp_path / "walk" / "through"
    answer = impinge("show-passes", "--out", out, "--resolution", 64)
    assert (answer.code, answer.err) == (0, "")
    assert {path.name for path in out.iterdir()} == {f"{name}.png" for name in ("passes", *NAMES)}


def test_where_nothing_can_be_written(impinge, tmp_path):
    (tmp_path / "file").write_text("")
    answer = impinge("show-passes", "--out", tmp_path / "file" / "a.png", "--resolution", 64)
    assert answer.code == 2
    assert "cannot be written" in answer.err
