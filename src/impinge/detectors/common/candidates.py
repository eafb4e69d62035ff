"""For detectors that make candidates: all triangles in one soup, and the judge that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge import _core
from impinge.detectors.raw import RawPairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._shape import Shape
    from impinge._types import Ints
    from impinge.detectors.protocol import SceneQuery


def soup_of(query: SceneQuery) -> _core.Soup:
    """All faces of the query that may collide; the id of a triangle is its row."""
    own = set(query.self_bodies.tolist())
    return _core.Soup(
        [shape.vertices for shape in query.shapes],
        [shape.faces for shape in query.shapes],
        [
            stars_of(shape, query.workers) if index in own else None
            for index, shape in enumerate(query.shapes)
        ],
        query.body_pairs,
        query.workers,
    )


def stars_of(shape: Shape, workers: int) -> _core.Stars:
    """The faces around each vertex, kept with the shape."""

    def build() -> _core.Stars:
        return _core.Stars(shape.local, shape.faces, workers)

    def update(stars: _core.Stars) -> _core.Stars:
        return stars if stars.holds(shape.local) else build()

    return shape.local_structures.get("stars", shape.local, build, update)


def judged(
    soup: _core.Soup,
    candidates: Ints,
    query: SceneQuery,
    tick: Callable[[float], bool] | None = None,
) -> RawPairs:
    """Those of the candidates (n, 2) that collide, and colliding neighbours.

    Candidates are triangles of the soup, each pair once, whose bodies may collide and which have
    no common corner; the judge drops pairs whose boxes do not overlap.
    """
    pairs, bodies, kinds, counters = _core.judge_pairs(
        soup, candidates, query.touching, query.report_duplicates, query.workers, tick
    )
    return RawPairs(pairs, kinds, bodies, None, counters)
