"""`impinge demo`."""

from __future__ import annotations

import pytest

from impinge.scenes import figures


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


@pytest.mark.parametrize(
    ("name", "method"),
    [("stairs", "cinder"), ("snow", "cinder"), ("bounce", "cinder"), ("bounce", "bvh")],
)
def test_pairs_are_told_frame_by_frame(impinge, tmp_path, monkeypatch, name, method):
    monkeypatch.setattr(figures, "_FREQUENCY", 6)
    out = tmp_path / "demo.gif"
    more = [] if name == "stairs" else ["--data", tmp_path]
    more += ["--spin", 5, "--hole"] if name == "snow" else []
    answer = impinge(
        "demo", name, "--frames", 3, "--count", 5, "--resolution", 64, "--device", "cpu",
        "--method", method, "--out", out, *more,
    )  # fmt: skip
    assert (answer.code, answer.err) == (0, "")
    assert f"3 frames by {method}" in answer.out
    assert "frames/s" in answer.out
    assert "\nlost     0 0\n" in answer.out
    assert out.read_bytes()[:6] == b"GIF89a"


def test_other_names_are_refused(impinge, tmp_path):
    answer = impinge("demo", "chain", "--out", tmp_path / "demo.mp4")
    assert answer.code == 2
    assert ".gif or .html" in answer.err
    answer = impinge("demo", "rain", "--out", tmp_path / "demo.gif")
    assert answer.code == 2
    assert "'tori', 'chain', 'stairs', 'snow', 'bounce'" in answer.err


def test_what_a_demo_does_not_have_is_refused(impinge, tmp_path):
    out = tmp_path / "demo.gif"
    answer = impinge("demo", "stairs", "--method", "ray", "--out", out)
    assert answer.code == 2
    assert "stairs has no method ray; choose one of 'cinder', 'bvh'" in answer.err
    answer = impinge("demo", "stairs", "--hole", "--out", out)
    assert answer.code == 2
    assert "stairs has no --hole" in answer.err
