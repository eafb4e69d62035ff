"""`impinge demo`."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("name", ["chain", "cloth"])
def test_an_animation(impinge, tmp_path, name):
    out = tmp_path / "demo.gif"
    answer = impinge("demo", name, "--frames", 2, "--out", out)
    assert (answer.code, answer.err) == (0, "")
    assert "bodies" in answer.out
    assert out.read_bytes()[:6] == b"GIF89a"


def test_a_page(impinge, tmp_path):
    out = tmp_path / "demo.html"
    assert impinge("demo", "chain", "--frames", 1, "--out", out).code == 0
    page = out.read_text()
    assert "<h1>A chain of soft rings is let go and swings.</h1>" in page
    assert "data:image/gif;base64," in page


def test_other_names_are_refused(impinge, tmp_path):
    answer = impinge("demo", "chain", "--out", tmp_path / "demo.mp4")
    assert answer.code == 2
    assert ".gif or .html" in answer.err
    answer = impinge("demo", "cloht", "--out", tmp_path / "demo.gif")
    assert answer.code == 2
    assert "did you mean 'cloth'" in answer.err
    answer = impinge("demo", "chain", "--method", "bvh", "--out", tmp_path / "demo.gif")
    assert answer.code == 2
    assert "'ray'" in answer.err
    answer = impinge("demo", "chain", "--headless")
    assert answer.code == 2
    assert "--out" in answer.err


def test_without_a_name_all_are_listed_with_a_sentence(impinge):
    answer = impinge("demo")
    assert (answer.code, answer.err) == (0, "")
    rows = dict(line.split(maxsplit=1) for line in answer.out.splitlines()[1:])
    assert {"tori", "chain", "cloth", "creatures", "dragon", "rigid-bunnies"} <= set(rows)
    assert all(sentence.endswith(".") for sentence in rows.values())


def test_a_picture_of_the_last_frame(impinge, tmp_path):
    out = tmp_path / "demo.png"
    assert impinge("demo", "cloth", "--frames", 2, "--png", out).code == 0
    assert out.read_bytes()[:4] == b"\x89PNG"
