"""The pictures of two boxes that clash: colours, ghosts, cuts."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge.render import palette
from impinge.render.drawing import Drawing
from impinge.render.picture.views import closeup, overview, section

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
FACES = np.array([t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))], dtype=np.int32)
CLASH = np.round(255 * np.array(palette.CLASH))


def _drawing(*boxes: tuple[np.ndarray, np.ndarray]) -> Drawing:
    scene = impinge.Scene()
    for vertices, faces in boxes:
        scene.add(vertices, faces, name="box")
    return Drawing(scene.collide())


@pytest.fixture(scope="module")
def clashing() -> Drawing:
    inner = CORNERS * 0.5 + np.array([0.75, 0.25, 0.25])
    return _drawing((CORNERS, FACES), (inner, FACES))


def _red(image: np.ndarray) -> int:
    return int((np.abs(image - CLASH) < 3).all(axis=2).sum())


def test_partners_have_different_colours(clashing: Drawing) -> None:
    assert clashing.colours[0] != clashing.colours[1]
    assert clashing.clashing[0].sum() == 2
    assert clashing.clashing[1].sum() == 8


def test_the_cut_shows_the_overlap_in_red(clashing: Drawing) -> None:
    cut = section(clashing, clashing.clashes[0], size=(200, 150))
    assert cut is not None
    # a quarter by a half of the box, or a half by a half: never less than a part of the picture
    assert 0.02 < _red(cut.image) / (200 * 150) < 0.5


def test_no_cut_without_two_closed_bodies() -> None:
    inner = CORNERS * 0.5 + np.array([0.75, 0.25, 0.25])
    drawing = _drawing((CORNERS, FACES), (inner, FACES[2:]))
    assert section(drawing, drawing.clashes[0]) is None


def test_pictures_have_the_asked_size(clashing: Drawing) -> None:
    image, camera = overview(clashing, size=(120, 90))
    assert image.shape == (90, 120, 3)
    assert camera.size == (120, 90)
    assert closeup(clashing, clashing.clashes[0], size=(100, 80)).shape == (80, 100, 3)


def test_bodies_without_faces_do_not_disturb() -> None:
    drawing = _drawing((CORNERS, FACES), (np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32)))
    assert np.array_equal(drawing.bounds, [[0, 0, 0], [1, 1, 1]])
    overview(drawing, size=(60, 40))


def test_colours_repeat_only_when_they_must() -> None:
    complete = [(a, b) for a in range(4) for b in range(a)]
    assert len(set(palette.assign(4, complete))) == 4
    assert len(palette.assign(9, [(a, b) for a in range(9) for b in range(a)])) == 9
