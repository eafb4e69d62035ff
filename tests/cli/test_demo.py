"""`impinge demo`."""

from __future__ import annotations

import pytest

from impinge.lab.scenes import figure as figures


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
    assert f"3 frames by {method}, 0.12 s" in answer.out
    assert "frames/s" in answer.out
    assert "\nlost     0 0 0\n" in answer.out
    assert out.read_bytes()[:6] == b"GIF89a"


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
    assert {
        "tori",
        "chain",
        "stairs",
        "snow",
        "bounce",
        "cloth",
        "creatures",
        "dragon",
        "rigid-bunnies",
    } <= set(rows)
    assert all(sentence.endswith(".") for sentence in rows.values())


def test_a_picture_of_the_last_frame(impinge, tmp_path):
    out = tmp_path / "demo.png"
    assert impinge("demo", "cloth", "--frames", 2, "--png", out).code == 0
    assert out.read_bytes()[:4] == b"\x89PNG"


def test_what_a_demo_does_not_have_is_refused(impinge, tmp_path):
    out = tmp_path / "demo.gif"
    answer = impinge("demo", "stairs", "--method", "ray", "--out", out)
    assert answer.code == 2
    assert "the methods of stairs are 'cinder', 'bvh'" in answer.err
    answer = impinge("demo", "stairs", "--hole", "--out", out)
    assert answer.code == 2
    assert "stairs has no --hole" in answer.err
    answer = impinge("demo", "tori", "--count", 99, "--out", out)
    assert answer.code == 2
    assert "--count of tori must be from 2 to 8" in answer.err


def test_without_pillow_there_are_pictures_but_no_animation(impinge, tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "PIL", None)
    rooms = {
        "demos": ("gif",),
        "pictures": ("lettering", "panels", "layers_picture", "passes_picture"),
    }
    for room, names in rooms.items():
        for name in names:
            monkeypatch.delitem(sys.modules, f"impinge.lab.{room}.{name}", raising=False)
            monkeypatch.delattr(f"impinge.lab.{room}.{name}", raising=False)
    out = tmp_path / "demo.gif"
    for command in (
        ("demo", "cloth", "--out", out),
        ("show-layers", "cloth", "--out", tmp_path / "layers.png"),
        ("show-passes", "--out", tmp_path / "passes.png"),
    ):
        answer = impinge(*command)
        assert answer.code == 2
        assert "needs Pillow: pip install " in answer.err
    assert not out.exists()
    picture = tmp_path / "cloth.png"
    assert impinge("demo", "cloth", "--frames", 1, "--png", picture).code == 0
    assert picture.read_bytes()[:4] == b"\x89PNG"
