"""A detector that only makes candidates: the shared judge does the rest.

Boxes are sorted along x, and each is compared with those that start before it ends. What a new
detector needs is here: a name, what it can do, candidates, and one call of `register`.
"""

from __future__ import annotations

import numpy as np

from impinge import _core
from impinge.detectors import PosesQuery, RawPairs, SceneQuery, register
from impinge.detectors.common.candidates import judged, soup_of
from impinge.detectors.common.fallback import first_of_each, loop_over_poses
from impinge.detectors.protocol import PAIR_CAPABILITIES


class SortAndSweep:
    """All pairs of faces whose boxes overlap, found by a sweep along x."""

    name = "sort_and_sweep"
    capabilities = PAIR_CAPABILITIES

    def scene(self, query: SceneQuery) -> RawPairs:
        soup = soup_of(query)
        candidates = wanted(soup, query, overlapping(*boxes(soup)))
        found = judged(soup, candidates, query, query.tick)
        return first_of_each(found) if query.first else found

    def poses(self, query: PosesQuery) -> RawPairs:
        return loop_over_poses(self.scene, query)


def register_it() -> None:
    register(SortAndSweep.name, SortAndSweep)


def boxes(soup: _core.Soup) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) lowest and highest corners; rounding to float32 is monotone, so no overlap is lost."""
    corners = soup.points[soup.corners]
    return corners.min(axis=1), corners.max(axis=1)


def overlapping(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """(k, 2) pairs of boxes, each once."""
    order = np.argsort(low[:, 0], kind="stable")
    low, high = low[order], high[order]
    here = np.arange(len(low))
    count = np.searchsorted(low[:, 0], high[:, 0], side="right") - here - 1
    first = np.repeat(here, count)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(count) - count, count)
    meet = (low[first, 1:] <= high[second, 1:]) & (low[second, 1:] <= high[first, 1:])
    rows = meet.all(axis=1)
    return np.stack([order[first[rows]], order[second[rows]]], axis=1)


def wanted(soup: _core.Soup, query: SceneQuery, pairs: np.ndarray) -> np.ndarray:
    """Without pairs of bodies that may not collide, and without neighbours."""
    count = len(query.shapes)
    allowed = np.full((count, count), query.body_pairs is None)
    np.fill_diagonal(allowed, False)
    if query.body_pairs is not None:
        low, high = query.body_pairs.T
        allowed[low, high] = allowed[high, low] = True
    allowed[query.self_bodies, query.self_bodies] = True
    body_a, body_b = soup.owners[pairs, 0].T
    a, b = soup.corners[pairs.T]
    neighbours = (a[:, :, None] == b[:, None, :]).any(axis=(1, 2))
    return pairs[allowed[body_a, body_b] & ~neighbours].astype(np.int32)
