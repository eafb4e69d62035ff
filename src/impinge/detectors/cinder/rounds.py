"""Looking again: from another side, in another order, and without the pairs that were found."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge._pairs import pair_keys
from impinge.detectors.cinder.view import View
from impinge.detectors.common.boxes import overlapping_boxes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._shape import Shape
    from impinge._types import Bools, Floats, Ints
    from impinge.detectors.cinder.options import CinderOptions
    from impinge.detectors.protocol import OverlapsQuery

_IDLE = 2
"""So many rounds that add nothing are the last."""
_GOLDEN = (math.sqrt(5) - 1) / 2
_FIRST = np.array([0.35, 0.55, 0.76])
"""The first direction: the last number is along the shortest side of the scene."""


class Round(NamedTuple):
    """What is drawn."""

    number: int
    order: Ints
    """(n,) bodies in the order in which they are drawn."""
    views: tuple[View, ...]
    known: Ints
    """(k, 2) positions in `order` of pairs that are not looked for any more."""

    def options(self, options: CinderOptions) -> CinderOptions:
        """The options with the reference body where it is drawn."""
        if options.payload != "normals":
            return options
        place = np.flatnonzero(self.order == options.reference)
        return replace(options, reference=int(place[0]) if len(place) else options.reference)


def candidates_of(query: OverlapsQuery, closed: Bools, options: CinderOptions) -> Ints:
    """(k, 2) pairs of bodies that can overlap, of those that are asked for."""
    pairs = overlapping_boxes(
        query.shapes, closed, body_pairs=query.body_pairs, ignored=query.ignored
    )
    if options.payload == "normals":
        pairs = pairs[(pairs == options.reference).any(axis=1)]
    return pairs


class Rounds:
    """The rounds of a query. `candidates` (k, 2) are all pairs of bodies that can overlap."""

    def __init__(self, shapes: Sequence[Shape], candidates: Ints, options: CinderOptions) -> None:
        self._shapes = shapes
        self._candidates = candidates
        self._options = options
        self._found = np.zeros((0, 2), dtype=np.int32)
        self._idle = 0
        self.count = 0

    @property
    def unseen(self) -> Ints:
        """(k, 2) candidates that were not found yet."""
        return self._candidates[~np.isin(pair_keys(self._candidates), pair_keys(self._found))]

    def next(self) -> Round | None:
        """None: no more is to be expected."""
        number, unseen = self.count, self.unseen
        if number == self._options.most_rounds or self._idle == _IDLE:
            return None
        if number and not len(unseen):
            return None
        self.count += 1
        # the first one is that of the paper: everything, in the order given
        drawn = np.unique(unseen) if number else np.arange(len(self._shapes), dtype=np.int32)
        order = _shuffled(drawn, number)
        return Round(number, order, self._views(number), self._known(order))

    def add(self, pairs: Ints) -> None:
        """The pairs (k, 2) of bodies that the last round showed, in any order."""
        pairs = np.unique(np.sort(pairs, axis=1), axis=0)
        new = pairs[~np.isin(pair_keys(pairs), pair_keys(self._found))]
        self._idle = 0 if len(new) else self._idle + 1
        self._found = np.concatenate([self._found, new])

    def _views(self, number: int) -> tuple[View, ...]:
        if self._options.views is not None:
            return self._options.all_views
        return (skew_view(self._shapes, number),)

    def _known(self, order: Ints) -> Ints:
        place = np.full(len(self._shapes), -1, dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        known: Ints = place[self._found]
        return np.ascontiguousarray(known[(known >= 0).all(axis=1)])


def skew_view(shapes: Sequence[Shape], number: int) -> View:
    """A view along none of the axes, and with none of them upright: edges of parts that are aligned
    do not hide each other."""
    return View.orthographic(_direction(shapes, number), up=_spread(number + 100))


def _direction(shapes: Sequence[Shape], number: int) -> Floats:
    if number:
        return _spread(number)
    seen = [shape for shape in shapes if len(shape.faces)]
    if not seen:
        return _FIRST
    vertices, faces = [one.vertices for one in seen], [one.faces for one in seen]
    low, high = _core.bounds_of_bodies(vertices, faces)
    shortest = int(np.argmin(high - low))
    return np.roll(_FIRST, shortest - 2)


def _spread(number: int) -> Floats:
    """Directions that are far from each other, all over the sphere."""
    height = 2 * ((number * _GOLDEN + 0.31) % 1) - 1
    angle = 2 * math.pi * ((number * (math.sqrt(2) - 1) + 0.17) % 1)
    wide = math.sqrt(1 - height * height)
    return np.array([wide * math.cos(angle), wide * math.sin(angle), height])


def _shuffled(bodies: Ints, number: int) -> Ints:
    """The second round is the first backwards, the others are at random."""
    if number < 2:
        return bodies[::-1].copy() if number else bodies
    return np.random.default_rng(number).permutation(bodies)
