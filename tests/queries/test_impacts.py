"""Impacts of meshes and scenes: every pair of features, each once, in order, at any time."""

from __future__ import annotations

import pickle
from itertools import combinations

import numpy as np
import pytest

import impinge
from support.meshes import box, moved, sphere

Arrays = tuple[np.ndarray, np.ndarray]


def sheet(n: int, seed: int, rough: float = 0.1) -> Arrays:
    """A crumpled cloth of n by n quads."""
    g = np.random.default_rng(seed)
    x, y = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1))
    vertices = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    a, b, c, d = corner, corner + 1, corner + n + 2, corner + n + 1
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return vertices + g.normal(size=vertices.shape) * rough, faces.astype(np.int32)


def edges_of(faces: np.ndarray) -> list[tuple[int, int]]:
    sides = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    return [(a, b) for a, b in np.unique(sides, axis=0).tolist() if a != b]


def all_features(
    bodies: list[Arrays], pairs: list[tuple[int, int]]
) -> list[tuple[int, tuple[int, int], tuple[int, int, int, int]]]:
    """Kind, bodies, vertices of every pair of features without a common vertex."""
    rows: list[tuple[int, tuple[int, int], tuple[int, int, int, int]]] = []
    for i, j in pairs:
        for a, b in {(i, j), (j, i)}:
            vertices = np.unique(bodies[a][1]).tolist()
            for v in vertices:
                for face in bodies[b][1].tolist():
                    if a != b or v not in face:
                        rows.append((0, (a, b), (v, *face)))
        if i == j:
            both = list(combinations(edges_of(bodies[i][1]), 2))
        else:
            both = [(p, q) for p in edges_of(bodies[i][1]) for q in edges_of(bodies[j][1])]
        rows += [(1, (i, j), (*p, *q)) for p, q in both if i != j or not {*p} & {*q}]
    return rows


def by_hand(
    bodies: list[Arrays],
    ends: list[np.ndarray],
    pairs: list[tuple[int, int]],
    **options: float,
) -> dict[tuple[int, tuple[int, int], tuple[int, int, int, int]], float]:
    """Every pair of features alone."""
    found = {}
    rows = all_features(bodies, pairs)
    for kind, ask in ((0, impinge.vertex_face_impact), (1, impinge.edge_edge_impact)):
        some = [row for row in rows if row[0] == kind]
        first = 1 if kind == 0 else 2

        def points(at: list[np.ndarray], some: list = some, first: int = first) -> np.ndarray:
            return np.array(
                [[at[owners[k >= first]][v] for k, v in enumerate(ids)] for _, owners, ids in some]
            ).reshape(-1, 4, 3)

        times = ask(points([vertices for vertices, _ in bodies]), points(ends), **options)
        found |= {row: t for row, t in zip(some, times.tolist(), strict=True) if t <= 1}
    return found


def rows_of(found: impinge.results.Impacts) -> dict:
    keys = zip(
        found.kinds.tolist(),
        map(tuple, found.bodies.tolist()),
        map(tuple, found.features.tolist()),
        strict=True,
    )
    return dict(zip(keys, found.times.tolist(), strict=True))


@pytest.mark.parametrize("separation", [0.0, 0.02])
@pytest.mark.parametrize("seed", range(3))
def test_every_impact_of_a_cloth_with_itself_is_found(seed: int, separation: float) -> None:
    start, faces = sheet(4, seed)
    end = start + np.random.default_rng(seed + 9).normal(size=start.shape) * 0.4
    found = impinge.impacts((start, faces), to=end, minimum_separation=separation)
    wanted = by_hand([(start, faces)], [end], [(0, 0)], minimum_separation=separation)
    assert rows_of(found) == wanted
    assert len(found) > 30
    assert {0, 1} == {*found.kinds.tolist()}


def test_every_impact_of_a_scene_is_found() -> None:
    a, b = sheet(3, 1), sheet(3, 2)
    c = moved(box((0.2, 0.2, 0.2), (0.6, 0.7, 0.6)), (0.0, 0.0, 0.1))
    goals = [a[0] + np.array((0, 0, 0.5)), b[0] + np.array((0.1, 0, 0.9)), c[0]]
    scene = impinge.Scene()
    for name, mesh in zip("abc", (a, b, c), strict=True):
        scene.add(*mesh, name=name)
    found = scene.impacts(to={"a": goals[0], 1: goals[1]})
    # what does not move meets nothing by itself
    pairs = [(0, 1), (0, 2), (1, 2), (0, 0), (1, 1)]
    assert rows_of(found) == by_hand([a, b, c], goals, pairs)
    assert {(0, 1), (0, 2), (1, 2)} <= {tuple(sorted(row)) for row in found.bodies.tolist()}
    alone = scene.impacts(to={"a": goals[0], "b": goals[1]}, self_collision=False)
    assert rows_of(alone) == by_hand([a, b, c], goals, pairs[:3])
    scene.ignore("a", "b")
    some = scene.impacts(to={"a": goals[0], "b": goals[1]}, ignore=[("a", "a"), ("b", "c")])
    assert rows_of(some) == by_hand([a, b, c], goals, [(0, 2), (1, 1)])


def test_rows_are_in_order_and_the_same_for_any_number_of_threads() -> None:
    start, faces = sheet(12, 4)
    end = start + np.random.default_rng(1).normal(size=start.shape) * 0.1
    found = impinge.impacts((start, faces), to=end, workers=1)
    keys = [
        (t, *row[:1], *row[1], *row[2])
        for row, t in zip(rows_of(found), found.times.tolist(), strict=True)
    ]
    assert keys == sorted(keys)
    assert len(keys) > 500
    for workers in (2, 5):
        again = impinge.impacts((start, faces), to=end, workers=workers)
        assert again.features.tobytes() == found.features.tobytes()
        assert again.times.tobytes() == found.times.tobytes()


def test_a_body_goes_to_where_its_vertices_would_be_assigned() -> None:
    scene = impinge.Scene()
    floor = scene.add(*box((-2, -2, -1), (2, 2, 0)), name="floor")
    pose = np.eye(4)
    pose[2, 3] = 3
    ball = scene.add(*sphere(6), name="ball", pose=pose)
    found = scene.impacts(to={ball: ball.vertices - (0, 0, 4)})
    assert abs(found.time - 0.5) < 1e-6
    step = scene.collision_free_step(to={ball: ball.vertices - (0, 0, 4)})
    assert 0.4999 < step <= found.time
    ball.vertices = ball.vertices + np.array((0, 0, -4)) * step
    assert not scene.collides()
    # and what moves into what rests is the same as the other way around
    ball.vertices = ball.mesh.vertices
    other = scene.impacts(to={floor: floor.vertices + np.array((0, 0, 4))})
    assert {*map(tuple, other.features.tolist())} == {*map(tuple, found.features.tolist())}
    assert np.allclose(other.times, found.times, atol=1e-6)


def test_equal_vertices_that_stay_equal_are_one_and_others_are_not() -> None:
    left = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype=float)
    right = np.array([(1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=float)
    faces = [(0, 1, 2), (3, 4, 5)]
    start = np.concatenate((left, right))
    assert len(impinge.impacts((start, faces), to=start + np.array((0, 0, 1)))) == 0
    torn = start + np.array((0, 0, 1)) * (np.arange(6) > 2)[:, None]
    found = impinge.impacts((start, faces), to=torn)
    assert found.at_start.all()
    assert found.certain.all()
    assert len(found) > 0


def test_a_face_without_area_is_an_edge_and_meets_as_one() -> None:
    start = np.array([(0, 0, 0), (2, 0, 0), (1, -1, 1), (1, 1, 1)], dtype=float)
    faces = [(0, 1, 1), (2, 3, 3)]
    end = start - np.array((0, 0, 2)) * (np.arange(4) > 1)[:, None]
    found = impinge.impacts((start, faces), to=end)
    assert found.features[found.kinds == 1].tolist() == [[0, 1, 2, 3]]
    assert abs(found.time - 0.5) < 1e-6


def test_features_of_a_motion_that_is_free_have_no_rows() -> None:
    start, faces = sheet(6, 0, 0.0)
    found = impinge.impacts((start, faces), to=start + np.array((3, 2, 1)))
    assert len(found) == 0
    assert found.time == np.inf
    assert impinge.collision_free_step((start, faces), to=start + np.array((3, 2, 1))) == 1.0
    nothing = np.empty((0, 3))
    assert len(impinge.impacts((nothing, []), to=nothing)) == 0
    assert impinge.collision_free_step((nothing, []), to=nothing) == 1.0
    assert impinge.Scene().collision_free_step(to={}) == 1.0


@pytest.mark.parametrize("seed", range(8))
def test_a_step_is_free_and_long(seed: int) -> None:
    start, faces = sheet(6, seed, 0.01)
    end = start + np.random.default_rng(seed).normal(size=start.shape) * 0.3
    step = impinge.collision_free_step((start, faces), to=end)
    first = impinge.impacts((start, faces), to=end).time
    assert 0 < step <= first <= 1
    assert step > first - 1e-3
    here = impinge.Mesh(start + step * (end - start), faces)
    assert len(impinge.self_collide(here)) == 0
    for workers in (1, 3):
        assert impinge.collision_free_step((start, faces), to=end, workers=workers) == step


@pytest.mark.parametrize("separation", [10.0, 1e30, 1e300])
def test_a_separation_wider_than_all_is_contact_at_the_start(separation: float) -> None:
    start, faces = sheet(3, 1)
    found = impinge.impacts((start, faces), to=start + 1, minimum_separation=separation)
    assert len(found) == len(all_features([(start, faces)], [(0, 0)]))
    assert found.at_start.all()
    assert found.certain.all()
    assert not found.times.any()
    step = impinge.collision_free_step((start, faces), to=start + 1, minimum_separation=separation)
    assert step == 0.0


def test_steps_never_stop_before_what_is_apart() -> None:
    """Two faces come together by half of what is left, again and again, until nothing is left."""
    low = np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0)], dtype=float)
    start = np.concatenate((low, low[:, :] * 0.25 + np.array((0.5, 0.5, 1))))
    faces = [(0, 1, 2), (3, 4, 5)]
    goal = start.copy()
    goal[3:, 2] = -1
    for _ in range(30):
        step = impinge.collision_free_step((start, faces), to=goal)
        assert step > 0
        start = start + step * (goal - start)
        assert start[3:, 2].min() > 0
        if start[3, 2] < 1e-9:
            break
    assert start[3, 2] < 1e-9


def test_the_result_is_frozen_and_can_be_kept() -> None:
    start, faces = sheet(4, 0)
    found = impinge.impacts((start, faces), to=start + np.sin(9 * start))
    with pytest.raises(ValueError, match="read-only"):
        found.times[0] = 0
    again = pickle.loads(pickle.dumps(found))
    assert again.times.tolist() == found.times.tolist()
    assert found.to_dict()["count"] == len(found)
    assert repr(found).startswith(f"Impacts({len(found):,} impacts, the first at ")
    assert found.stats["candidates"] >= found.stats["undecided"] >= len(found)


def test_bad_input_is_named() -> None:
    start, faces = sheet(2, 0)
    mesh = impinge.Mesh(start, faces)
    with pytest.raises(impinge.InputError, match=r"to must have the shape \(9, 3\).*got \(8, 3\)"):
        impinge.impacts(mesh, to=start[:-1])
    with pytest.raises(impinge.InputError, match=r"to\[0\] = .* is not finite"):
        impinge.collision_free_step(mesh, to=start * np.nan)
    scene = impinge.Scene()
    scene.add(mesh, name="cloth")
    with pytest.raises(impinge.InputError, match="to must be a mapping of bodies"):
        scene.impacts(to=start)  # type: ignore[arg-type]
    with pytest.raises(impinge.InputError, match=r"to\['clth'\].*cloth"):
        scene.impacts(to={"clth": start})
    with pytest.raises(impinge.InputError, match="named twice"):
        scene.impacts(to={"cloth": start, 0: start})
    with pytest.raises(impinge.InputError, match="minimum_separation must be"):
        impinge.impacts(scene, to={"cloth": start}, minimum_separation=np.nan)
    with pytest.raises(impinge.errors.Cancelled):
        impinge.impacts(mesh, to=start, progress=lambda _: False)
