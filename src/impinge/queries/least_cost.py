"""The cheapest way to a balance: a small linear program."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Floats

_MOST_STEPS = 500
_GAIN, _PIVOT = 1e-14, 1e-11


class Balance(NamedTuple):
    """The cheapest amounts of columns that add up to a target."""

    amounts: Floats
    """(n,) none negative, and at most as many as there are rows above zero."""
    prices: Floats
    """(r,) what one more unit of each row would cost."""


def least_cost(columns: Floats, costs: Floats, target: Floats, basis: list[int]) -> Balance:
    """Of columns (n, r) and their costs (n,), by the simplex method.

    The target (r,) is the sum of some amounts, none negative, of the `basis`: r columns to begin
    with.
    """
    basis = list(basis)
    for step in range(_MOST_STEPS):
        chosen = columns[basis].T
        levels = np.linalg.solve(chosen, target)
        prices = np.linalg.solve(chosen.T, costs[basis])
        gains = costs - columns @ prices
        cheaper = np.flatnonzero(gains < -_GAIN)
        if not len(cheaper):
            break
        # the first one of them never goes round in circles, the best one is faster
        enters = cheaper[0] if step > _MOST_STEPS // 2 else cheaper[gains[cheaper].argmin()]
        falls = np.linalg.solve(chosen, columns[enters])
        ratios = np.full(len(basis), np.inf)
        ratios[falls > _PIVOT] = np.maximum(levels[falls > _PIVOT], 0.0) / falls[falls > _PIVOT]
        basis[int(ratios.argmin())] = int(enters)
    amounts: Floats = np.zeros(len(columns))
    amounts[basis] = np.maximum(levels, 0.0)
    return Balance(amounts, np.asarray(prices, dtype=np.float64))
