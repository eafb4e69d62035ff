from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge import Kind, _core
from impinge.results.polygons import Polygons
from impinge.results.segments import moved
from support import meshes


def test_moving_triangles_is_the_transform_of_the_core() -> None:
    rng = np.random.default_rng(1)
    poses = np.stack([meshes.pose(rng) for _ in range(5)])
    poses[4, :3, :3] *= 1e-7
    corners = rng.normal(size=(200, 3, 3)) * 10.0 ** rng.integers(-9, 9, (200, 1, 1))
    pose = rng.integers(0, 5, 200).astype(np.int32)
    result = moved(corners, poses, pose)
    for index in range(200):
        expected = _core.transform(corners[index], poses[pose[index]])
        np.testing.assert_array_equal(result[index], expected)


def test_parts_make_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = meshes.box(), meshes.moved(meshes.box(), (0.5, 0.5, 0))
    whole = impinge.collide(a, b)
    segments, polygons = whole.segments, whole.polygons
    assert Kind.COPLANAR in whole.kinds
    monkeypatch.setattr("impinge.results.segments.PART", 3)
    again = impinge.collide(a, b)
    np.testing.assert_array_equal(again.segments, segments)
    np.testing.assert_array_equal(again.polygons.points, polygons.points)
    np.testing.assert_array_equal(again.polygons.offsets, polygons.offsets)


def test_coplanar_overlaps_have_outlines_and_others_have_none() -> None:
    hits = impinge.collide(meshes.box(), meshes.moved(meshes.box(), (0.5, 0.25, 1)))
    polygons = hits.polygons
    area = 0.0
    for kind, outline in zip(hits.kinds, polygons, strict=True):
        assert (len(outline) >= 3) == (kind == Kind.COPLANAR)
        if len(outline):
            assert set(outline[:, 2]) == {1.0}
            x, y = outline[:, 0], outline[:, 1]
            area += abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
    assert area == pytest.approx(0.5 * 0.75)


def test_polygons_are_a_sequence() -> None:
    points = np.arange(18.0).reshape(6, 3)
    polygons = Polygons(points, np.array([0, 3, 3, 6]))
    assert len(polygons) == 3
    assert [len(outline) for outline in polygons] == [3, 0, 3]
    np.testing.assert_array_equal(polygons[-1], points[3:])
    with pytest.raises(IndexError):
        polygons[3]
    assert repr(polygons) == "Polygons(2 outlines of 3 pairs)"
