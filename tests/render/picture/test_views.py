"""The pictures of two boxes that clash: colours, ghosts, cuts."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge.render import palette
from impinge.render.drawing import Drawing
from impinge.render.picture.camera import Camera
from impinge.render.picture.views import closeup, gap_cut, overview, section
from impinge.results import Verdict

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
    # faces alone: whole triangles are marked
    assert clashing.crossing_faces[0].sum() == 2
    assert clashing.crossing_faces[1].sum() == 8


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
    assert closeup(clashing, clashing.clashes[0], size=(100, 80)).image.shape == (80, 100, 3)


def _scene(*shifts: tuple[float, float, float]) -> impinge.Scene:
    scene = impinge.Scene()
    for shift in shifts:
        scene.add(CORNERS + np.array(shift), FACES)
    return scene


def _reddish(image: np.ndarray) -> np.ndarray:
    """(n, 2) pixels, x and y, in which red wins."""
    red, green, blue = image.astype(int).transpose(2, 0, 1)
    rows, columns = np.nonzero((red > green + 60) & (red > blue + 60))
    return np.stack([columns, rows], axis=1)


def _outline(camera: Camera, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """(2, 2) the box of a box in a picture."""
    corners = np.where(CORNERS > 0.5, high, low)
    spots = camera.project(corners)[:, :2]
    return np.stack([spots.min(axis=0), spots.max(axis=0)])


@pytest.mark.parametrize("kind", ["overview", "closeup"])
def test_only_the_overlap_is_red(kind: str) -> None:
    shift = np.array([0.9, 0.85, 0.8])
    drawing = Drawing(_scene((0, 0, 0), tuple(shift)).check())
    (finding,) = drawing.clashes
    size = (480, 360)
    view = (
        overview(drawing, size=size) if kind == "overview" else closeup(drawing, finding, size=size)
    )
    low, high = _outline(view.camera, shift, np.ones(3))
    red = _reddish(view.image)
    assert len(red) > 50
    # the crossing curve is drawn with a width
    assert (red >= low - 4).all()
    assert (red <= high + 4).all()
    # faces alone know no better than whole triangles
    faces = overview(Drawing(_scene((0, 0, 0), tuple(shift)).collide()), size=size)
    assert len(_reddish(faces.image)) > 5 * len(_reddish(overview(drawing, size=size).image))


def test_what_is_inside_another_is_red_through_it() -> None:
    scene = impinge.Scene()
    scene.add(CORNERS * 4.0, FACES, name="block")
    scene.add(CORNERS + 1.5, FACES, name="bolt")
    drawing = Drawing(scene.check())
    assert [one.verdict for one in drawing.clashes] == [Verdict.INSIDE]
    view = overview(drawing, size=(240, 180))
    low, high = _outline(view.camera, np.full(3, 1.5), np.full(3, 2.5))
    red = _reddish(view.image)
    assert np.abs(red.min(axis=0) - low).max() < 4
    assert np.abs(red.max(axis=0) - high).max() < 4


def test_a_gap_has_its_dimension_line_in_true_length() -> None:
    drawing = Drawing(_scene((0, 0, 0), (1.2, 0.1, 0.05)).check(clearance=0.5))
    (finding,) = drawing.near
    view = gap_cut(drawing, finding, size=(300, 200))
    assert view is not None
    ends = view.camera.project(finding.gap)[:, :2]
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(0.2 * view.camera.scale)
    assert closeup(drawing, finding, size=(100, 80)).image.shape == (80, 100, 3)
    for shown in (view, closeup(drawing, finding, size=(300, 200))):
        x, y = shown.camera.project(finding.center)[:2].astype(int)
        red, green, blue = shown.image[y - 3 : y + 4, x - 3 : x + 4].astype(int).reshape(-1, 3).T
        assert ((blue > red + 60) & (blue > green + 40)).any()


def test_gaps_of_open_parts_have_no_cut() -> None:
    scene = _scene((0, 0, 0))
    scene.add(CORNERS + np.array([1.2, 0, 0]), FACES[2:], name="open")
    drawing = Drawing(scene.check(clearance=0.5))
    assert gap_cut(drawing, drawing.near[0]) is None


def test_bodies_without_faces_do_not_disturb() -> None:
    drawing = _drawing((CORNERS, FACES), (np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32)))
    assert np.array_equal(drawing.bounds, [[0, 0, 0], [1, 1, 1]])
    overview(drawing, size=(60, 40))


def test_colours_repeat_only_when_they_must() -> None:
    complete = [(a, b) for a in range(4) for b in range(a)]
    assert len(set(palette.assign(4, complete))) == 4
    assert len(palette.assign(9, [(a, b) for a in range(9) for b in range(a)])) == 9
