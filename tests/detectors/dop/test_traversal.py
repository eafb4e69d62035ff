"""Which nodes the two traversals meet, and how often nodes are transformed (T4, T5)."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from detectors.dop.tools import SIZES, tree
from impinge import _core
from support import meshes

CLASSIC = "A1 B2 D4 E4 D5 E5 C2 F4 G4 F5 G5 B3 C3"
SINGLE = "A1 B2 C2 D4 E4 F4 G4 D5 E5 F5 G5 B3 C3"


def worked_example() -> tuple[_core.DopTree, _core.DopTree]:
    """A(B(D,E), C(F,G)) and 1(2(4,5), 3): 2 meets both B and C, and 3 meets neither."""
    small = np.array([[0.0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]])
    row = np.stack([small + np.array([x, 0, 0]) for x in range(4)])
    wide = np.array([[-1.0, -1, -1], [4, 0, 0], [-1, 1, 1]])
    away = small + np.array([1.5, 9, 0])
    return tree(meshes.soup(row)), tree(meshes.soup(np.stack([wide, wide + 0.1, away])))


def named(meetings: np.ndarray) -> str:
    return " ".join(f"{' ABCDEFG'[a]}{b}" for a, b, _ in meetings)


def test_the_worked_example() -> None:
    a, b = worked_example()
    pose = np.eye(4)[None]
    meetings, transforms = _core.dop_trace(a, b, pose, "classic")
    assert named(meetings) == CLASSIC
    # the paper leaves out the last two
    assert transforms.tolist() == [1, 2, 4, 4, 5, 5, 2, 4, 4, 5, 5, 3, 3]
    meetings, transforms = _core.dop_trace(a, b, pose, "single")
    assert named(meetings) == SINGLE
    assert transforms.tolist() == [1, 2, 4, 5, 3]
    meetings, transforms = _core.dop_trace(a, b, pose, "siblings")
    assert sorted(named(meetings).split()) == sorted(SINGLE.split())
    assert transforms.tolist() == [1, 2, 3, 4, 5]


def near(seed: int) -> tuple[meshes.Arrays, meshes.Arrays, np.ndarray]:
    rng = np.random.default_rng(seed)
    matrix = meshes.pose(rng, spread=0.1)
    matrix[0, 3] += 1.2
    return meshes.torus(40, 17), meshes.sphere(9 + seed), matrix


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("seed", range(4))
def test_every_node_is_transformed_at_most_once(k: int, seed: int) -> None:
    mesh_a, mesh_b, matrix = near(seed)
    a, b = tree(mesh_a, k), tree(mesh_b, k)
    orders = ("siblings", "single", "classic")
    traces = {order: _core.dop_trace(a, b, matrix[None], order) for order in orders}
    leaves_a, leaves_b = np.flatnonzero(a.links < 0), np.flatnonzero(b.links < 0)

    def leaf_pairs(meetings: np.ndarray) -> list[list[int]]:
        both = np.isin(meetings[:, 0], leaves_a) & np.isin(meetings[:, 1], leaves_b)
        return sorted(meetings[both, :2].tolist())

    expected = sorted(traces["classic"][0].tolist())
    for order in ("siblings", "single"):
        meetings, transforms = traces[order]
        assert len(np.unique(transforms)) == len(transforms) < 2 * len(mesh_b[1])
        assert sorted(meetings.tolist()) == expected, "the same nodes meet"
        assert leaf_pairs(meetings) == leaf_pairs(traces["classic"][0])
    assert len(traces["classic"][1]) > 3 * len(traces["siblings"][1])


@pytest.mark.parametrize("workers", [1, 2])
def test_counters(workers: int) -> None:
    a, b, matrix = near(3)
    counted = {}
    for traversal in ("list", "classic"):
        method = impinge.detector("dop", traversal=traversal)
        hits = impinge.collide(a, b, poses=matrix[None], method=method, workers=workers)
        counted[traversal] = hits.stats
    few, many = counted["list"], counted["classic"]
    for name in ("node_pairs", "leaf_pairs", "candidates", "undecided", "hits"):
        assert few[name] == many[name], name
    assert few["transforms"] + few["transforms_saved"] == few["node_pairs"]
    assert few["transforms"] < 2 * len(b[1])
    assert many["transforms"] == many["node_pairs"]
    assert many["transforms_saved"] == many["lists"] == 0
    assert few["lists"] > 0
    assert few["list_pairs"] >= few["lists"]
    assert few["leaf_dops"] <= many["leaf_dops"]
    assert few["degenerate"] == 0


def test_counters_do_not_depend_on_threads() -> None:
    mesh, matrix = meshes.sphere(40), np.eye(4)
    matrix[0, 3] = 0.4
    counted = [
        impinge.collide(mesh, mesh, poses=matrix[None], method="dop", workers=workers).stats
        for workers in (1, 2, 3)
    ]
    for name in ("node_pairs", "transforms", "lists", "list_pairs", "leaf_pairs", "undecided"):
        assert len({stats[name] for stats in counted}) == 1, name


def test_degenerate_faces_are_counted() -> None:
    vertices = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]])
    faces = np.array([[0, 1, 2], [0, 1, 3], [0, 0, 1]])
    hits = impinge.collide((vertices, faces), meshes.box(), method="dop")
    assert hits.stats["degenerate"] == 2


@pytest.mark.parametrize("kernel", ["unit_closed", "unit_open"])
def test_faces_without_area_are_their_edges(kernel: str) -> None:
    """They have no map, but an edge of theirs can pierce another face; two of them never meet."""
    face = meshes.soup(np.array([[[0.0, 0, 0], [4, 0, 0], [0, 4, 0]]]))
    needle = meshes.soup(np.array([[[1.0, 1, -1], [1, 1, 0.5], [1, 1, 2]]]))
    other = meshes.soup(np.array([[[0.0, 1, 1], [1, 1, 1], [2, 1, 1]]]))
    method = impinge.detector("dop", kernel=kernel)
    for a, b, expected in ((face, needle, True), (needle, face, True), (needle, other, False)):
        hits = impinge.collide(a, b, method=method)
        assert bool(hits) == expected
        assert hits.stats["degenerate"] == 1 + (a is not face and b is not face)


@pytest.mark.parametrize("traversal", ["list", "classic"])
def test_counters_start_at_nothing(traversal: str) -> None:
    """Two faces that cross have no inner nodes, and are the only pair."""
    face = meshes.soup(np.array([[[0.0, 0, 0], [4, 0, 0], [0, 4, 0]]]))
    other = meshes.soup(np.array([[[1.0, 1, -1], [1, 1, 1], [2, 1, 1]]]))
    stats = impinge.collide(face, other, method=impinge.detector("dop", traversal=traversal)).stats
    assert [stats[name] for name in ("leaf_dops", "leaf_pairs", "hits")] == [0, 1, 1]
