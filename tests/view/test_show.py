"""Pictures and pages of results, in Python and in notebooks."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge.errors import InputError
from support.meshes import box, moved


def hits() -> impinge.Collisions:
    return impinge.collide(box(), moved(box(), (0.5, 0.3, 0.2)))


def test_show_opens_a_page_that_needs_nothing(monkeypatch, tmp_path: Path) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    file = hits().show()
    assert opened == [file.as_uri()]
    page = file.read_text(encoding="utf-8")
    assert 'data-mode="alone"' in page
    assert "src=" not in page
    assert "href=" not in page


def test_with_a_path_nothing_is_opened(monkeypatch, tmp_path: Path, boxes) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: pytest.fail("opened"))
    for what, name in ((hits(), "hits.html"), (boxes, "scene.html")):
        assert what.show(up="y", path=tmp_path / name) == tmp_path / name
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("<!doctype html>")
    with pytest.raises(InputError, match="'y' or 'z'"):
        boxes.show(up="x", path=tmp_path / "scene.html")


def test_a_check_is_shown_as_its_faces_are(monkeypatch, tmp_path: Path, boxes) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: pytest.fail("opened"))
    check = boxes.check(clearance=3.0)
    page = check.show(path=tmp_path / "check.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    image = check.to_image(size=(160, 120))
    assert image.shape == (120, 160, 3)
    red, green, blue = image.astype(int).transpose(2, 0, 1)
    whole = boxes.collide().to_image(size=(160, 120)).astype(int).transpose(2, 0, 1)
    # the overlap, and not the whole faces that cross
    assert 0 < ((red > 120) & (green < 80)).sum() < ((whole[0] > 120) & (whole[1] < 80)).sum()
    assert ((blue > 150) & (red < 90)).any()
    html = check._repr_html_()
    assert html.startswith("<iframe srcdoc=")
    assert "<table>" in html


def test_an_image_is_an_array_with_red_where_it_collides() -> None:
    image = hits().to_image(size=(160, 120))
    assert image.shape == (120, 160, 3)
    assert image.dtype == np.uint8
    red, green, blue = image.astype(int).transpose(2, 0, 1)
    assert ((red > 120) & (green < 80) & (blue < 90)).sum() > 100


def test_a_notebook_gets_a_view_and_a_table() -> None:
    html = hits()._repr_html_()
    assert html.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in html
    assert "<table>" in html
    assert len(html) < 500_000


def test_where_there_is_nothing_to_look_at_only_the_table_is_given() -> None:
    many = impinge.collide(box(), box(), poses=np.eye(4)[None])
    assert many._repr_html_().startswith("<table>")
    with pytest.raises(InputError, match="one pose"):
        many.to_image()
    with pytest.raises(InputError, match="one pose"):
        many.show()


def test_names_do_not_leave_their_frame(boxes) -> None:
    html = boxes.collide()._repr_html_()
    assert "<script" not in html
