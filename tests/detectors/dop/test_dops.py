"""DOPs, their transformation and their overlap (T1, T2)."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.dop.tools import SIZES, apart, children, in_frame, moved, owners, tree
from impinge import _core
from support import meshes


def poses(rng: np.random.Generator) -> list[np.ndarray]:
    """Random ones, and those at which a direction falls on an edge or a corner of the hull."""
    quarter = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    eighth = np.array([[1.0, -1, 0], [1, 1, 0], [0, 0, np.sqrt(2)]]) / np.sqrt(2)
    tiny = np.eye(3) + 1e-9 * np.array([[0.0, -1, 2], [1, 0, -3], [-2, 3, 0]])
    turns = [np.eye(3), quarter, eighth, eighth.T @ quarter, tiny, -np.eye(3), 0.25 * quarter]
    turns += [np.diag([1.0, 2, 0.5]), *(meshes.rotation(rng) for _ in range(12))]
    made = np.tile(np.eye(4), (len(turns), 1, 1))
    made[:, :3, :3] = turns
    made[:, :3, 3] = rng.normal(size=(len(turns), 3)) * 10.0 ** rng.uniform(-6, 2, (len(turns), 1))
    made[0, :3, 3] = 0
    return list(made)


@pytest.mark.parametrize("k", SIZES)
def test_directions(k: int) -> None:
    directions = _core.dop_directions(k).astype(np.float64)
    assert directions.shape == (k, 3)
    np.testing.assert_array_equal(directions[k // 2 :], -directions[: k // 2])
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1, atol=1e-7)
    np.testing.assert_array_equal(directions[:3], np.eye(3))
    assert len(np.unique(directions, axis=0)) == k


def test_the_24_directions() -> None:
    signs = np.sign(_core.dop_directions(24)[:12]).astype(int).tolist()
    faces = [[1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]]
    bodies = [[1, 1, -1], [1, -1, 1], [-1, 1, 1]]
    assert signs == [[1, 0, 0], [0, 1, 0], [0, 0, 1], *faces, *bodies]


@pytest.mark.parametrize("k", SIZES)
def test_tree(k: int) -> None:
    """Each face is in one leaf, parents hold their children, and DOPs are those of the vertices."""
    mesh = meshes.torus(23, 11)
    made = tree(mesh, k)
    links, dops = made.links, made.dops.astype(np.float64)
    assert sorted((-1 - links[links < 0]).tolist()) == list(range(len(mesh[1])))
    rows = children(links)
    assert len(rows) == len(mesh[1]) - 1
    assert np.all(dops[rows[:, 1]] <= dops[rows[:, 0]])
    assert np.all(dops[rows[:, 2]] <= dops[rows[:, 0]])
    extents = in_frame(mesh[0], made)[mesh[1]] @ _core.dop_directions(k).astype(np.float64).T
    below = owners(links)
    exact = np.full_like(dops, -np.inf)
    np.maximum.at(exact, below[:, 0], extents.max(axis=1)[below[:, 1]])
    # a coordinate in the frame is rounded by at most 3e-8, and the sum to be maximised
    assert np.all(dops[1:] >= exact[1:] - 1.8 * 3e-8)
    assert np.all(dops[1:] <= exact[1:] + 1e-6)


@pytest.mark.parametrize("name", ["torus", "grid", "few"])
def test_faces_are_halved_at_the_median(name: str) -> None:
    """Of the centroids along the longest axis; of equal ones the first faces go to the left."""
    rng = np.random.default_rng(2)
    points, corners = {
        "torus": lambda: meshes.torus(23, 11),
        "grid": lambda: meshes.soup(rng.integers(0, 3, size=(400, 3, 3)).astype(np.float64)),
        "few": lambda: meshes.soup(rng.normal(size=(19, 3, 3))),
    }[name]()
    made = tree((points, corners))
    p, q, r = (in_frame(points, made).astype(np.float32)[corners[:, c]] for c in range(3))
    centres = p + q + r
    links = made.links

    def check(node: int, faces: np.ndarray) -> None:
        if len(faces) == 1:
            assert links[node] == -1 - faces[0]
            return
        here = centres[faces]
        axis = np.argmax(here.max(axis=0) - here.min(axis=0))
        order = np.argsort(here[:, axis], kind="stable")
        left = (len(faces) + 1) // 2
        check(2 * links[node], np.sort(faces[order[:left]]))
        check(2 * links[node] + 1, np.sort(faces[order[left:]]))

    check(1, np.arange(len(corners)))


@pytest.mark.parametrize("k", SIZES)
def test_transformed_dops_contain_transformed_points(k: int) -> None:
    rng = np.random.default_rng(k)
    directions = _core.dop_directions(k).astype(np.float64)
    points, corners = meshes.soup(rng.normal(size=(60, 3, 3)))
    a, b = tree(meshes.sphere(6), k), tree((points, corners), k)
    below, rows = owners(b.links), children(b.links)
    for matrix in poses(rng):
        correspondence = _core.dop_correspondence(a, b, matrix[None])
        c, j, _ = correspondence
        assert np.all(c >= 0)
        assert np.all((j >= 0) & (j < k))
        result = moved(b.dops, correspondence)
        world = meshes.transformed(points, matrix)
        extents = in_frame(world, a)[corners] @ directions.T
        truth = np.full(result.shape, -np.inf)
        np.maximum.at(truth, below[:, 0], extents.max(axis=1)[below[:, 1]])
        assert np.all(result[1:] >= truth[1:])
        assert np.all(result[rows[:, 1]] <= result[rows[:, 0]])
        assert np.all(result[rows[:, 2]] <= result[rows[:, 0]])


def test_looseness() -> None:
    """Of random points, without rotation nothing is lost, and otherwise a few percent."""
    rng = np.random.default_rng(0)
    directions = _core.dop_directions(24).astype(np.float64)
    points = rng.uniform(-0.5, 0.5, size=(60, 3, 3))
    made = tree(meshes.soup(points))
    lost = []
    for matrix in (np.eye(4), *(meshes.pose(rng) for _ in range(60))):
        result = moved(made.dops[1:2], _core.dop_correspondence(made, made, matrix[None]))[0]
        world = meshes.transformed(points.reshape(-1, 3), matrix)
        truth = (in_frame(world, made) @ directions.T).max(axis=0)
        wide, width = (d[:12] + d[12:] for d in (result, truth))
        lost.append((wide / width - 1).mean())
    assert 0 < lost[0] < 1e-5
    assert 0.05 < np.mean(lost[1:]) < 0.065


@pytest.mark.parametrize("k", SIZES)
def test_coefficients_give_the_direction(k: int) -> None:
    """The rows solve sum C b = u for the turned direction u, with at most three of them."""
    rng = np.random.default_rng(3)
    directions = _core.dop_directions(k).astype(np.float64)
    ball = tree(meshes.sphere(6), k)
    for matrix in poses(rng):
        c, j, _ = _core.dop_correspondence(ball, ball, matrix[None])
        sums = np.einsum("il,ilx->ix", c.astype(np.float64), directions[j])
        np.testing.assert_allclose(sums, directions @ matrix[:3, :3], atol=3e-7)


@pytest.mark.parametrize("k", SIZES)
def test_overlap_is_the_interval_test(k: int) -> None:
    rng = np.random.default_rng(7)
    a, b = tree(meshes.torus(30, 12), k), tree(meshes.sphere(12), k)
    aligned = a.dops
    inner = np.flatnonzero(b.links > 0)
    met = 0
    for _ in range(6):
        matrix = meshes.pose(rng, spread=0.8)[None]
        result = moved(b.dops, _core.dop_correspondence(a, b, matrix))
        meetings, _ = _core.dop_trace(a, b, matrix, "siblings")
        rows = meetings[np.isin(meetings[:, 1], inner)]
        expected = ~apart(result[rows[:, 1]], aligned[rows[:, 0]])
        np.testing.assert_array_equal(rows[:, 2].astype(bool), expected)
        met += len(rows)
    assert met > 500
