"""Pictures of simple solids: where things are, and what hides what."""

from __future__ import annotations

import numpy as np

from impinge.render.picture.camera import Camera
from impinge.render.picture.renderer import render
from impinge.render.picture.surface import Lines, Surface, drawn_mesh

RED, BLUE = (0.9, 0.1, 0.1), (0.1, 0.1, 0.9)
SQUARE = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
FACES = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)
CAMERA = Camera.fit(SQUARE, size=(80, 60), azimuth=0.0, elevation=0.0, up="y")


def _square(colour: tuple[float, float, float], *, z: float = 0.0, opacity: float = 1.0) -> Surface:
    return drawn_mesh(SQUARE + np.array([0.0, 0.0, z]), FACES).surface(colour, opacity=opacity)


def _centre(image: np.ndarray) -> np.ndarray:
    return image[30, 40].astype(int)


def test_the_nearer_square_hides_the_other_whatever_the_order() -> None:
    red, blue = _square(RED, z=0.5), _square(BLUE, z=-0.5)
    for surfaces in ([red, blue], [blue, red]):
        colour = _centre(render(surfaces, [], CAMERA))
        assert colour[0] > 2 * colour[2]


def test_a_ghost_veils_but_does_not_hide() -> None:
    plain = _centre(render([_square(RED)], [], CAMERA))
    veiled = _centre(render([_square(RED), _square(BLUE, z=0.5, opacity=0.3)], [], CAMERA))
    behind = _centre(render([_square(RED), _square(BLUE, z=-0.5, opacity=0.3)], [], CAMERA))
    assert veiled[2] > plain[2] + 10
    assert veiled[0] > 60
    assert np.array_equal(behind, plain)


def test_lines_are_drawn_over_their_surface_and_hidden_by_others() -> None:
    line = Lines(np.array([[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]]), (0.0, 0.0, 0.0), width=3.0)
    assert _centre(render([_square(RED)], [line], CAMERA)).max() < 40
    assert _centre(render([_square(RED, z=0.5)], [line], CAMERA))[0] > 100


def test_a_line_shown_through_is_stronger_where_it_is_visible() -> None:
    segments = np.array([[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]])
    line = Lines(segments, (0.0, 0.0, 0.0), width=3.0, through=True)
    visible = _centre(render([_square(RED)], [line], CAMERA))[0]
    hidden = _centre(render([_square(RED, z=0.5)], [line], CAMERA))[0]
    bare = _centre(render([_square(RED, z=0.5)], [], CAMERA))[0]
    assert visible < hidden < bare


def test_the_background_is_light_and_the_picture_repeatable() -> None:
    empty = render([], [], CAMERA)
    assert empty.shape == (60, 80, 3)
    assert empty.min() > 220
    assert np.array_equal(render([_square(RED)], [], CAMERA), render([_square(RED)], [], CAMERA))


def test_a_closed_body_shows_only_what_faces_the_eye() -> None:
    shape = drawn_mesh(SQUARE, FACES[:, ::-1])
    away = Surface(shape.corners, shape.normals, np.tile(RED, (2, 1)), closed=True)
    both = Surface(shape.corners, shape.normals, np.tile(RED, (2, 1)), closed=False)
    assert np.array_equal(render([away], [], CAMERA), render([], [], CAMERA))
    assert _centre(render([both], [], CAMERA))[0] > 100
