"""What pairs of solids have in common, and how deep they overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._options import Tick
    from impinge._types import Bools, Floats, Signs

A_IN_B, B_IN_A, SAME_SURFACE = 1, 2, 4
"""Bits of `Measured.within`."""

MOST_CELLS = 20_000
"""Of a search for the deepest point inside."""


class Measured(NamedTuple):
    """One row for each pair of solids; NaN where there is no overlap."""

    relations: Signs
    """(k,) int8, the numbers of a `Relation`; exact."""
    depths: Floats
    """(k, 2) between which the depth is for certain; zero where no inner points are common."""
    points: Floats
    """(k, 3) a common point as deep as the lower bound."""
    volumes: Floats
    """(k,) of the overlap; NaN where shells of a solid overlap each other."""
    centroids: Floats
    """(k, 3) of the overlap."""
    bounds: Floats
    """(k, 2, 3) of the overlap."""
    within: np.ndarray[tuple[int], np.dtype[np.uint8]]
    """(k,) bits, of pairs deeper than their limit: no point of a is farther than that outside b,
    none of b outside a, and none of their surfaces is farther from the other one."""
    of_facets: Bools
    """(k,) of pairs deeper than their limit: no deeper than that and the sagittas of the faces
    there, when those are given."""
    ways: Floats
    """(k, 2, 4) directions in which b may leave a, and how far."""


def measured(
    solids: Sequence[_core.Solid],
    pairs: object,
    limits: object,
    *,
    sagittas: Sequence[Floats] = (),
    accuracy: float,
    cells: int = MOST_CELLS,
    workers: int,
    tick: Tick | None,
) -> Measured:
    """Pairs (k, 2) of solids at rest, each with its limit.

    The search ends when the depth is certainly not above the limit, or when it is known to the
    `accuracy`, relatively, or when that depth has cost a search of `cells`. `sagittas` are those
    of the faces of each solid.
    """
    return Measured(
        *_core.penetrations(
            list(solids),
            np.ascontiguousarray(pairs, dtype=np.int32).reshape(-1, 2),
            np.ascontiguousarray(limits, dtype=np.float64),
            list(sagittas),
            accuracy,
            cells,
            workers,
            tick,
        )
    )
