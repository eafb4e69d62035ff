"""`Scene.distances` against `impinge.distance`, pair by pair, and against all pairs of faces."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import impinge
from impinge import InputError
from impinge.errors import Cancelled
from support import distance_reference, meshes


def pile(seed: int, count: int = 12) -> impinge.Scene:
    """Bodies here and there, some of them turned by their pose."""
    rng = np.random.default_rng(seed)
    scene = impinge.Scene()
    shapes = [meshes.box(), meshes.tetrahedron(size=0.5), meshes.torus(9, 6)]
    for index in range(count):
        pose = np.eye(4)
        if index % 3:
            pose[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        pose[:3, 3] = rng.uniform(0, 6, 3)
        scene.add(*shapes[index % 3], name=f"part-{index}", pose=pose)
    return scene


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("bound", [None, 0.0, 0.75, 2.0, 100.0])
@pytest.mark.parametrize("seed", range(3))
def test_is_distance_of_each_pair(seed: int, bound: float | None, workers: int) -> None:
    scene = pile(seed)
    world = [impinge.Mesh(body.world_vertices, body.faces) for body in scene]
    found = scene.distances(upper_bound=bound, workers=workers)
    rows = iter(found)
    for i, j in combinations(range(len(world)), 2):
        one = impinge.distance(world[i], world[j], upper_bound=bound)
        if np.isinf(one.value):
            continue
        row = next(rows)
        assert (row.a, row.b, row.name_a, row.name_b) == (i, j, f"part-{i}", f"part-{j}")
        assert row.value == float(row) == one.value
        if one.value > 0:
            assert row.pair == one.pair
            assert np.array_equal(row.points, one.points)
            assert np.array_equal(row.normal, one.normal)
            brute = distance_reference.mesh_distance(
                *((mesh.vertices, mesh.faces) for mesh in (world[i], world[j]))
            )
            assert (row.value, row.pair) == brute
        else:
            assert impinge.collides(world[i], world[j])
            assert row.normal is None
    assert next(rows, None) is None
    assert len(found) == len(found.bodies) == len(found.values) == len(found.pairs)
    assert found.points.shape == (len(found), 2, 3)
    assert not found.values.flags.writeable


def test_many_bodies() -> None:
    # so many that pairs are found by the tree of bodies
    scene = pile(9, count=60)
    every = scene.distances()
    assert len(every) == 60 * 59 // 2
    near = scene.distances(upper_bound=0.5)
    kept = every.values <= 0.5
    assert np.array_equal(near.bodies, every.bodies[kept])
    assert kept.any()
    assert np.array_equal(near.values, every.values[kept])


def test_a_bound_is_within() -> None:
    scene = impinge.Scene()
    scene.add(meshes.box())
    scene.add(meshes.box((1.5, 0, 0), (2.5, 1, 1)))
    assert scene.distances(upper_bound=0.5).values.tolist() == [0.5]
    assert len(scene.distances(upper_bound=np.nextafter(0.5, 0))) == 0


def test_ignored_and_empty_bodies_have_no_row() -> None:
    scene = pile(1, count=4)
    scene.add(meshes.empty(), name="nothing")
    scene.ignore("part-0", "part-1")
    found = scene.distances(ignore=[("part-2", "part-3")])
    assert found.bodies.tolist() == [[0, 2], [0, 3], [1, 2], [1, 3]]
    assert "part-0 × part-2" in repr(found)
    assert len(impinge.Scene().distances()) == 0


@pytest.mark.parametrize("bound", [-1, float("nan"), "far"])
def test_what_is_no_bound(bound: object) -> None:
    with pytest.raises(InputError, match="upper_bound must be None or a number of at least 0"):
        pile(0).distances(upper_bound=bound)


def test_cancelling() -> None:
    with pytest.raises(Cancelled):
        pile(0).distances(progress=lambda _: False)
