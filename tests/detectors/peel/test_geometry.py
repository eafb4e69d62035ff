"""The bodies of a query, put together."""

from __future__ import annotations

import numpy as np

from impinge.detectors.peel.geometry import geometry_of, view_of
from impinge.detectors.peel.options import PeelOptions
from impinge.detectors.protocol import SceneQuery
from impinge.mesh import Mesh
from support import meshes


def query_of(*bodies: meshes.Arrays, alone: tuple[int, ...] = ()) -> SceneQuery:
    shapes = tuple(Mesh(*body)._shape for body in bodies)
    return SceneQuery(shapes, self_bodies=np.array(alone, dtype=np.int32))


def test_faces_of_all_bodies_follow_each_other() -> None:
    bodies = meshes.box(), meshes.empty(), meshes.sphere(4)
    query, options = query_of(*bodies, alone=(2,)), PeelOptions(conservative=False)
    view = view_of(query, options)
    geometry = geometry_of(query, view, options)
    assert geometry.alone.tolist() == [False, False, True]
    for index, (vertices, faces) in enumerate(bodies):
        mine = geometry.body == index
        assert geometry.face[mine].tolist() == list(range(len(faces)))
        points = view.snap(np.asarray(vertices, dtype=float))[faces].reshape(-1, 3)
        assert np.array_equal(geometry.snapped[geometry.faces[mine]].reshape(-1, 3), points)
    assert np.all(np.diff(geometry.body) >= 0)


def test_vertices_of_a_body_that_is_alone_are_welded() -> None:
    soup = meshes.soup(
        np.array([[(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(1, 0, 0), (0, 1, 0), (1, 1, 1)]])
    )
    options = PeelOptions(conservative=False)
    for alone, distinct in (((), 6), ((0,), 4)):
        query = query_of(soup, alone=alone)
        geometry = geometry_of(query, view_of(query, options), options)
        assert len(np.unique(geometry.faces)) == distinct


def test_nothing_at_all() -> None:
    query, options = query_of(), PeelOptions()
    geometry = geometry_of(query, view_of(query, options), options)
    assert geometry.snapped.shape == geometry.faces.shape == (0, 3)
    assert geometry.body.shape == geometry.face.shape == (0,)
