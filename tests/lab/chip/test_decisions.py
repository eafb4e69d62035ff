"""The emulated units decide as the formulas do in float32, and lane by lane as all at once (T8)."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from families.triangles import grid_triangles
from impinge import _core
from impinge.lab.chip.comparators import as_integers, overlap
from impinge.lab.chip.dotadd import DotAdd
from impinge.lab.chip.memory import Hierarchy, Triangles
from impinge.lab.chip.registers import DOP_LINES, CorrespondenceFile, DopFile, MatrixFile
from impinge.lab.chip.setup import prepare
from impinge.lab.chip.timing import HALF_OF_THE_PARAMETERS
from lab.chip import reference
from lab.chip.tools import crowd, make_tester, triangles
from support import meshes


def inverse_of(pose: np.ndarray) -> np.ndarray:
    return np.linalg.inv(pose)[:3].astype(np.float32)


@pytest.mark.parametrize("seed", range(4))
def test_100_000_pairs_of_triangles(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = 25_000
    pose = meshes.pose(rng, spread=0.2)
    if seed == 3:
        # corners on a grid, which touch everywhere
        pose = np.eye(4)
        a, b = (grid_triangles(rng, count).astype(np.float32) for _ in range(2))
    else:
        a, b = (rng.normal(size=(count, 3, 3)).astype(np.float32) for _ in range(2))
    aligned, tumbled = triangles(a), triangles(b)
    forth, back = pose[:3].astype(np.float32), inverse_of(pose)
    hits = make_tester(forth, back).test(aligned, tumbled)

    matrices = [t.matrix.T.reshape(-1, 3, 4) for t in (aligned, tumbled)]
    forward = reference.some_edge_hits(b, forth, matrices[0]) & ~aligned.flawed
    expected = forward | (reference.some_edge_hits(a, back, matrices[1]) & ~tumbled.flawed)
    np.testing.assert_array_equal(hits, expected)
    assert 1000 < hits.sum() < count - 1000
    # one direction alone is not enough
    assert forward.sum() < hits.sum()

    if seed < 3:
        # in general position the exact test says the same, but for rounding
        exact = _core.classify(
            a.astype(np.float64), meshes.transformed(b.astype(np.float64).reshape(-1, 3), pose)
            .reshape(-1, 3, 3),
        )  # fmt: skip
        assert (hits != (exact != 0)).sum() <= 3


def test_lane_by_lane() -> None:
    rng = np.random.default_rng(7)
    pose = meshes.pose(rng, spread=0.2)
    made = [triangles(rng.normal(size=(200, 3, 3))) for _ in range(2)]
    together = make_tester(pose[:3].astype(np.float32), inverse_of(pose))
    hits = together.test(*made)
    alone = make_tester(pose[:3].astype(np.float32), inverse_of(pose))
    for lane in range(200):
        one: list[Triangles] = [t.lanes(slice(lane, lane + 1)) for t in made]
        assert alone.test(*one)[0] == hits[lane]
    assert alone.cycles == together.cycles


def trees(rng: np.random.Generator) -> tuple[Hierarchy, Hierarchy]:
    return Hierarchy(impinge.Mesh(*crowd(rng, 500))), Hierarchy(impinge.Mesh(*crowd(rng, 300)))


def test_10_000_pairs_of_dops() -> None:
    rng = np.random.default_rng(0)
    aligned, tumbled = trees(rng)
    inner = [np.flatnonzero(tree.link > 0) for tree in (aligned, tumbled)]
    met = 0
    for _ in range(10):
        setup = prepare(aligned, tumbled, meshes.pose(rng, spread=1.0))
        nodes = [rng.choice(some, 1000) for some in inner]
        matrices, correspondence, registers = MatrixFile(), CorrespondenceFile(), DopFile()
        matrices.load(setup.dop, setup.pose, setup.inverse)
        correspondence.load(setup.places, setup.awaited)
        registers.fill(tumbled.words[nodes[1]].T)
        lines, results = DotAdd(matrices, correspondence, registers).run(DOP_LINES)
        moved = np.empty_like(results)
        moved[lines] = results
        d = tumbled.words[nodes[1]]
        expected = reference.moved_dop(d, setup.dop[:, :3], setup.places, setup.dop[:, 3])
        np.testing.assert_array_equal(moved.T, expected)
        verdicts = overlap(moved.T, aligned.words[nodes[0]])
        np.testing.assert_array_equal(
            verdicts, reference.dops_overlap(expected, aligned.words[nodes[0]])
        )
        met += int(verdicts.sum())
        # one node and one line after the other, in Python
        for lane in range(3):
            for i in range(24):
                k, m, n = setup.places[i]
                c0, c1, c2, c3 = setup.dop[i]
                scalar = ((d[lane, k] * c0 + d[lane, m] * c1) + d[lane, n] * c2) + c3
                assert moved[i, lane] == scalar
    assert 1000 < met < 9000


def test_lines_find_their_operands() -> None:
    """In the order of the file, one in each cycle, no d is read before it has been written."""
    rng = np.random.default_rng(1)
    aligned, tumbled = trees(rng)
    for _ in range(200):
        setup = prepare(aligned, tumbled, meshes.pose(rng, spread=1.0))
        correspondence = CorrespondenceFile()
        correspondence.load(setup.places, setup.awaited)
        lines = correspondence.lines[DOP_LINES]
        assert sorted(lines[:, 0].tolist()) == list(range(24))
        needed = setup.awaited[lines[:, 0]]
        assert np.all(needed < HALF_OF_THE_PARAMETERS + np.arange(24))


def test_floats_are_compared_as_integers() -> None:
    tiny = np.float32(1e-45)
    values = np.array([-np.inf, -3e38, -1, -tiny, -0.0, 0.0, tiny, 0.5, 1, np.inf], np.float32)
    order = as_integers(values)
    np.testing.assert_array_equal(values[:, None] < values, order[:, None] < order)


def test_dops_that_touch_overlap() -> None:
    d = np.ones((1, 24), dtype=np.float32)
    e = d.copy()
    e[0, 12] = -1
    assert overlap(d, e)
    e[0, 12] = np.nextafter(np.float32(-1), np.float32(-2))
    assert not overlap(d, e)
    assert not overlap(e, d)


def test_dops_of_leaves_are_those_of_the_core() -> None:
    made, _ = trees(np.random.default_rng(2))
    leaves = np.flatnonzero(made.link < 0)
    np.testing.assert_array_equal(made.dops(leaves), made.tree.dops[leaves])
