"""What the picture of the layers shows."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge.lab.pictures import layers_picture
from impinge.lab.pictures.layers import Layers, look
from support import meshes

BALL = meshes.sphere(12)


def scene_of(*places: tuple[float, float, float]) -> impinge.Scene:
    scene = impinge.Scene()
    for place in places:
        scene.add(*meshes.moved(BALL, place))
    return scene


@pytest.fixture(scope="module")
def crossing() -> Layers:
    return look(scene_of((0, 0, 0), (1.5, 0.1, 0.2)), resolution=64)


@pytest.fixture(scope="module")
def apart() -> Layers:
    return look(scene_of((0, 0, 0), (3, 0, 0)), resolution=64)


def test_fronts_and_backs_take_turns_where_no_ray_is_on(apart: Layers) -> None:
    assert apart.depth == 2
    assert [image.shape for image in apart.nearest] == [(64, 64)] * 2
    first, second = apart.nearest
    np.testing.assert_array_equal(first >= 0, second >= 0)
    assert not apart.back[first[first >= 0]].any()
    assert apart.back[second[second >= 0]].all()
    assert not apart.mask.any()
    assert len(apart.ids) == 0


def test_rays_are_found_layer_by_layer(crossing: Layers) -> None:
    assert crossing.depth == 4
    counts = [np.count_nonzero(found) for found in crossing.found]
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert counts[1] > 0
    np.testing.assert_array_equal(crossing.found[-1], crossing.mask)
    assert len(crossing.levels) == 7
    assert 0 < len(crossing.ids) < len(crossing.corners)
    assert len(crossing.boxes) == len(crossing.ids)


def test_light_is_that_of_the_normal(crossing: Layers) -> None:
    corners = BALL[0][BALL[1]]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    # the scene is shortest along y
    expected = np.abs(normals[:, 1])
    np.testing.assert_allclose(crossing.light[: len(expected)], expected, atol=0.01)


def count(image: np.ndarray, colour: tuple[float, float, float]) -> int:
    near = np.abs(image.reshape(-1, 3) / 255.0 - colour).max(axis=1) < 0.003
    return int(np.count_nonzero(near))


def test_the_picture_is_red_where_rays_are_on(crossing: Layers, apart: Layers) -> None:
    image = layers_picture.picture(crossing, title="two balls", facts=["a fact"])
    assert image.dtype == np.uint8
    # four panels of 5 x 64 pixels in a row, three rows of them
    assert image.shape[1] == 14 + 4 * (320 + 14)
    assert image.shape[0] == 24 + 2 * 14 + 3 * (320 + 26 + 14)
    calm = layers_picture.picture(apart, title="two balls", facts=["a fact"])
    assert count(image, layers_picture.RAY) > 25 * np.count_nonzero(crossing.mask)
    # the legend alone
    assert count(calm, layers_picture.RAY) == 16 * 24


def test_a_scene_without_faces_has_a_picture_too() -> None:
    scene = impinge.Scene()
    scene.add(*meshes.empty())
    empty = look(scene, resolution=64)
    assert empty.depth == 0
    assert layers_picture.picture(empty, title="nothing").shape[2] == 3
