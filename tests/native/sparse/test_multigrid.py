"""An approximate inverse by multigrid: symmetric, the same for all threads, and worth its time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import cg, spsolve

from impinge import _core


class Case:
    """Springs along a grid of nodes with masses, contacts of far nodes, and nodes that are held."""

    def __init__(
        self, n: int, *, contacts: int = 30, unit: float = 1.0, stiff: float = 1e4
    ) -> None:
        rng, stiff = np.random.default_rng(7), 1e4
        number = np.arange(n * n).reshape(n, n)
        pairs = [(number[1:], number[:-1]), (number[:, 1:], number[:, :-1])]
        a, b = (np.concatenate([p[k].reshape(-1) for p in pairs]) for k in range(2))
        size, links = n * n, np.arange(len(a))
        shape = (len(a), size)
        ones = np.ones(len(a))
        gaps = sparse.csr_array((ones, (links, a)), shape) - sparse.csr_array(
            (ones, (links, b)), shape
        )
        block = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.1], [0.0, 0.1, 1.5]])
        stiffness = sparse.kron(gaps.T @ gaps, stiff * block)
        inner = (stiffness + sparse.kron(sparse.eye_array(size), 0.01 * np.eye(3))) * unit
        blocks = sparse.bsr_array(inner.tobsr((3, 3)))
        blocks.sort_indices()
        self.blocks = blocks.data
        self.columns = blocks.indices.astype(np.int32)
        self.starts = blocks.indptr.astype(np.int32)
        rows = np.repeat(np.arange(contacts), 6)
        places = rng.integers(0, 3 * size, len(rows))
        values = rng.normal(size=len(rows)) * np.sqrt(unit * stiff)
        self.pulls = sparse.csr_array((values, (rows, places)), shape=(contacts, 3 * size))
        self.factor = 3.0
        self.held = np.zeros(size, dtype=bool)
        self.held[:n] = True
        whole = (inner + self.factor**2 * (self.pulls.T @ self.pulls)).tocsr()
        self.free = np.flatnonzero(~np.repeat(self.held, 3))
        self.whole = whole
        self.matrix = whole[self.free][:, self.free]

    def multigrid(self, workers: int = 1) -> _core.Multigrid:
        pattern = _core.BlockPattern(self.columns, self.starts)
        pulls = (self.pulls.indptr.astype(np.int32), self.pulls.indices.astype(np.int32))
        return _core.Multigrid(
            _core.Hierarchy(pattern),
            self.blocks,
            self.held,
            *pulls,
            self.pulls.data,
            self.factor,
            workers,
        )

    def applied(self, cycle: _core.Multigrid, vector: np.ndarray, workers: int = 1) -> np.ndarray:
        """The approximate inverse of the free part."""
        whole = np.zeros(3 * len(self.held))
        whole[self.free] = vector
        result = cycle.apply(whole, workers)
        assert not result[np.repeat(self.held, 3)].any()
        return result[self.free]


def test_it_is_symmetric_and_positive() -> None:
    case = Case(40)
    cycle = case.multigrid()
    x, y = np.random.default_rng(1).normal(size=(2, len(case.free)))
    mx, my = case.applied(cycle, x), case.applied(cycle, y)
    assert x @ my == pytest.approx(y @ mx, rel=1e-3, abs=1e-4 * np.sqrt((x @ mx) * (y @ my)))
    assert x @ mx > 0.0


@pytest.mark.parametrize("contacts", [0, 30])
@pytest.mark.parametrize("unit", [1.0, 1e-30, 1e25])
def test_it_solves_in_few_iterations(contacts: int, unit: float) -> None:
    case = Case(60, contacts=contacts, unit=unit)
    right = np.random.default_rng(2).normal(size=len(case.free))
    truth = spsolve(case.matrix.tocsc(), right)
    counts = []
    cycle = case.multigrid()
    diagonal = case.matrix.diagonal()
    for inverse in (lambda v: v / diagonal, lambda v: case.applied(cycle, v)):
        seen: list[int] = []
        shape = (len(right), len(right))
        guide = sparse.linalg.LinearOperator(shape, matvec=inverse, dtype=np.float64)
        x, failed = cg(
            case.matrix,
            right,
            rtol=1e-9,
            maxiter=4000,
            M=guide,
            callback=lambda _, s=seen: s.append(1),
        )
        assert not failed
        assert np.abs(x - truth).max() < 1e-5 * np.abs(truth).max()
        counts.append(len(seen))
    assert counts[1] < 0.3 * counts[0]


def test_threads_do_not_change_it() -> None:
    case = Case(80)
    vector = np.random.default_rng(3).normal(size=len(case.free))
    one = case.applied(case.multigrid(1), vector, 1)
    np.testing.assert_array_equal(case.applied(case.multigrid(2), vector, 2), one)


def test_levels_get_few_and_unjoined_nodes_stay() -> None:
    pattern = _core.BlockPattern(Case(60).columns, Case(60).starts)
    sizes = _core.Hierarchy(pattern).sizes
    assert sizes[0] == 3600
    assert sizes[-1] <= 60
    assert all(b < 0.5 * a for a, b in pairwise(sizes))
    alone = _core.BlockPattern(np.arange(500, dtype=np.int32), np.arange(501, dtype=np.int32))
    assert _core.Hierarchy(alone).sizes == [500]


def test_all_held_and_flat_blocks_are_no_division_by_zero() -> None:
    case = Case(20)
    case.held[:] = True
    np.testing.assert_array_equal(case.multigrid().apply(np.ones(3 * len(case.held)), 1), 0.0)
    case = Case(20)
    case.blocks[:] = 0.0
    case.pulls.data[:] = 0.0
    assert np.isfinite(case.multigrid().apply(np.ones(3 * len(case.held)), 1)).all()


def test_sizes_are_checked() -> None:
    case = Case(4)
    hierarchy = _core.Hierarchy(_core.BlockPattern(case.columns, case.starts))
    none, start, numbers = np.zeros(0, np.int32), np.zeros(1, np.int32), np.zeros(0)
    good = (hierarchy, case.blocks, case.held, start, none, numbers, 1.0)
    assert _core.Multigrid(*good).apply(np.zeros(48)).shape == (48,)
    with pytest.raises(ValueError, match="three numbers per row"):
        _core.Multigrid(*good).apply(np.zeros(47))
    for place, value, message in (
        (1, case.blocks[1:], "one block per place"),
        (2, case.held[1:], "one flag per row"),
        (3, np.array([0, 2], np.int32), "no sparse matrix"),
        (3, none, "no sparse matrix"),
    ):
        bad = [*good]
        bad[place] = value
        with pytest.raises(ValueError, match=message):
            _core.Multigrid(*bad)
    for column in (-1, 48):
        bad = [*good[:3], np.array([0, 1], np.int32), np.array([column], np.int32), np.ones(1), 1.0]
        with pytest.raises(ValueError, match="columns of contacts"):
            _core.Multigrid(*bad)
