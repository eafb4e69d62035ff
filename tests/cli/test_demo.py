"""`impinge demo`."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("name", ["tori", "chain"])
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
    assert "<h1>A chain of soft rings swings</h1>" in page
    assert "data:image/gif;base64," in page


def test_other_names_are_refused(impinge, tmp_path):
    answer = impinge("demo", "chain", "--out", tmp_path / "demo.mp4")
    assert answer.code == 2
    assert ".gif or .html" in answer.err
    answer = impinge("demo", "snow", "--out", tmp_path / "demo.gif")
    assert answer.code == 2
    assert "'tori', 'chain'" in answer.err
