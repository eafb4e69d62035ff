"""Bodies inside others: found when and only when every point is inside and none touches."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from impinge.detectors.common.inside import inside_pairs
from support import meshes

NONE = np.zeros((0, 2), dtype=np.int32)
seeds = st.integers(0, 2**32 - 1)


def inside(*bodies: meshes.Arrays, **options: object) -> list[list[int]]:
    parts = [impinge.Mesh(*body) for body in bodies]
    closed = np.array([part.report().closed for part in parts])
    found = inside_pairs([part._shape for part in parts], closed, NONE, **options)
    assert found.dtype == np.int32
    return found.tolist()


def flipped(mesh: meshes.Arrays) -> meshes.Arrays:
    return meshes.arrays(mesh[0], mesh[1][:, ::-1])


def sphere(radius: float, offset: object = (0, 0, 0), n: int = 8) -> meshes.Arrays:
    return meshes.moved(meshes.sphere(n, radius=radius), offset)


def test_a_sphere_in_a_sphere() -> None:
    assert inside(sphere(1), sphere(3)) == [[0, 1]]
    assert inside(sphere(3), sphere(1)) == [[1, 0]]


def test_nested_three_deep() -> None:
    assert inside(sphere(1), sphere(3), sphere(2)) == [[0, 1], [0, 2], [2, 1]]


def test_beside_and_partly_overlapping() -> None:
    assert inside(sphere(1), sphere(1, (5, 0, 0))) == []
    assert inside(sphere(1), sphere(2, (2, 0, 0))) == []
    # the boxes nest, the surfaces cross: the corner of a box reaches out of a sphere
    assert inside(meshes.box((-0.9,) * 3, (0.9,) * 3), sphere(1)) == []


def test_boxes_that_nest_around_nothing() -> None:
    ring = meshes.torus(24, 12, major=3.0, minor=0.5)
    assert inside(sphere(0.3), ring) == []
    assert inside(sphere(0.3, (3.0, 0, 0)), ring) == [[0, 1]]


@pytest.mark.parametrize(
    "inner",
    [
        meshes.box((0, 1, 1), (2, 2, 2)),
        meshes.tetrahedron((2, 2, 2), 2),
        meshes.tetrahedron((1, 2, 2), 1),
        meshes.box((0, 0, 0), (4, 4, 4)),
    ],
    ids=["face", "corners", "edge", "equal"],
)
def test_touching_from_within_is_not_inside(inner: meshes.Arrays) -> None:
    outer = meshes.box((0, 0, 0), (4, 4, 4))
    assert inside(inner, outer) == []
    # with a slightly larger box it is
    assert inside(inner, meshes.box((-0.5,) * 3, (4.5,) * 3)) == [[0, 1]]


def test_crossing_is_seen_although_nobody_told() -> None:
    """The vertices are inside; an edge passes the wall of a notch that reaches in."""
    notch = meshes.merge(
        meshes.box((0, 0, 0), (10, 10, 10)), flipped(meshes.box((4, 4, 4), (6, 6, 6)))
    )
    needle = meshes.box((1, 4.9, 4.9), (9, 5.1, 5.1))
    assert inside(needle, notch) == []
    assert inside(meshes.box((1, 1, 1), (9, 2, 2)), notch) == [[0, 1]]


def test_a_cavity_is_outside() -> None:
    hollow = meshes.merge(sphere(3), flipped(sphere(2)))
    assert inside(sphere(1), hollow) == []
    assert inside(sphere(0.2, (2.5, 0, 0)), hollow) == [[0, 1]]
    # two walls turned the same way enclose what is between and within
    assert inside(sphere(1), meshes.merge(sphere(3), sphere(2))) == [[0, 1]]


def test_every_part_must_be_inside() -> None:
    ring = meshes.torus(24, 12, major=3.0, minor=0.5)
    left, right, middle = sphere(0.2, (-3, 0, 0)), sphere(0.2, (3, 0, 0)), sphere(0.2)
    assert inside(meshes.merge(left, right), ring) == [[0, 1]]
    assert inside(meshes.merge(left, middle, right), ring) == []


def test_turned_inside_out_and_unwelded() -> None:
    assert inside(flipped(sphere(1)), flipped(sphere(3))) == [[0, 1]]
    assert inside(meshes.unwelded(sphere(1)), meshes.unwelded(sphere(3))) == [[0, 1]]


def test_open_bodies_contain_nothing() -> None:
    vertices, faces = sphere(3)
    assert inside(sphere(1), (vertices, faces[1:])) == []
    assert inside((sphere(1)[0], faces[1:]), (vertices, faces)) == []


def test_known_and_unwanted_pairs_are_left_out() -> None:
    shapes = [impinge.Mesh(*sphere(radius))._shape for radius in (1, 2, 3)]
    closed = np.ones(3, dtype=bool)
    met = np.array([[0, 2]], dtype=np.int32)
    assert inside_pairs(shapes, closed, met).tolist() == [[0, 1], [1, 2]]
    asked = np.array([[0, 1], [0, 2]], dtype=np.int32)
    assert inside_pairs(shapes, closed, NONE, body_pairs=asked).tolist() == [[0, 1], [0, 2]]
    assert inside_pairs(shapes, np.array([True, False, True]), NONE).tolist() == [[0, 2]]


def test_nothing_at_all() -> None:
    assert inside() == []
    assert inside(meshes.empty(), sphere(1)) == []


def test_poses_move_the_bodies() -> None:
    pose = np.eye(4)
    pose[:3, 3] = 5, 6, 7
    scene = impinge.Scene()
    scene.add(*sphere(1), pose=pose)
    scene.add(*sphere(3))
    shapes = [body._current() for body in scene]
    assert inside_pairs(shapes, np.ones(2, dtype=bool), NONE).tolist() == []
    scene[1].pose = pose
    shapes = [body._current() for body in scene]
    assert inside_pairs(shapes, np.ones(2, dtype=bool), NONE).tolist() == [[0, 1]]


@settings(max_examples=40)
@given(seeds)
def test_turned_boxes_agree_with_half_spaces(seed: int) -> None:
    """Of a convex body: inside when every corner is strictly behind every face."""
    rng = np.random.default_rng(seed)
    outer = meshes.posed(meshes.box((-1,) * 3, (1,) * 3), meshes.pose(rng, spread=0.2))
    inner = meshes.posed(meshes.box((-0.4,) * 3, (0.4,) * 3), meshes.pose(rng, spread=0.8))
    corners = outer[0][outer[1]]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    depth = ((corners[:, :1] - inner[0]) * normals[:, None]).sum(axis=2)
    expected = [[0, 1]] if (depth > 0).all() else []
    assert inside(inner, outer) == expected


@settings(max_examples=60)
@given(seeds)
def test_on_a_lattice_every_ray_meets_edges(seed: int) -> None:
    """Blocks of whole numbers, subdivided: the rays run through vertices and along faces."""
    rng = np.random.default_rng(seed)
    low = rng.integers(0, 5, (2, 3))
    high = low + rng.integers(1, 5, (2, 3))
    blocks = [_cut_block(a, b) for a, b in zip(low, high, strict=True)]
    expected = [
        [i, 1 - i] for i in (0, 1) if (low[i] > low[1 - i]).all() and (high[i] < high[1 - i]).all()
    ]
    assert inside(*blocks) == expected


def _cut_block(low: np.ndarray, high: np.ndarray) -> meshes.Arrays:
    """A box of unit cells' walls: every lattice point of its surface is a vertex."""
    parts = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        size = high - low
        for end, order in ((low, -1), (high, 1)):
            flat, faces = meshes.grid(
                int(size[u]), int(size[v]), width=float(size[u]), height=float(size[v])
            )
            points = np.zeros_like(flat)
            points[:, u], points[:, v] = flat[:, 0] + low[u], flat[:, 1] + low[v]
            points[:, axis] = end[axis]
            parts.append(meshes.arrays(points, faces[:, ::order]))
    return meshes.merge(*parts)


def test_results_carry_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the detector to the result, without ignored pairs."""

    class Finder:
        name = "finder"
        capabilities = frozenset(impinge.detectors.CAPABILITIES)

        def scene(self, query: impinge.detectors.SceneQuery) -> impinge.detectors.RawPairs:
            raw = impinge.detector("brute").scene(query)
            closed = np.ones(len(query.shapes), dtype=bool)
            found = inside_pairs(query.shapes, closed, NONE, body_pairs=query.body_pairs)
            return raw._replace(inside=found)

        def poses(self, query: object) -> impinge.detectors.RawPairs:
            raise NotImplementedError

    scene = impinge.Scene()
    for radius in (1, 3, 2):
        scene.add(*sphere(radius))
    hits = scene.collide(method=Finder())
    assert hits.inside.tolist() == [[0, 1], [0, 2], [2, 1]]
    assert not hits.inside.flags.writeable
    assert hits.to_dict()["inside"] == [[0, 1], [0, 2], [2, 1]]
    scene.ignore(1, 2)
    assert scene.collide(method=Finder()).inside.tolist() == [[0, 1], [0, 2]]
    monkeypatch.setattr("impinge.queries.plan._MOST_WANTED_PAIRS", 0)
    scene = copy.copy(scene)
    assert scene.collide(method=Finder()).inside.tolist() == [[0, 1], [0, 2]]
    assert scene.collide().inside is None
    assert scene.collide().to_dict()["inside"] is None
