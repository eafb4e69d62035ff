"""How deep and how much two solids overlap."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._options import checked_bool, number, ticking, worker_count
from impinge.errors import InputError
from impinge.queries.depth_gradient import ACCURACY, depth_gradient
from impinge.queries.path import ask, two_meshes
from impinge.queries.penetrations import measured
from impinge.queries.solids import AT_REST, named, solids_of
from impinge.queries.volume_gradient import volume_gradient
from impinge.results.gradient import without_change
from impinge.results.penetration import Penetration
from impinge.results.relation import Relation

if TYPE_CHECKING:
    from impinge._options import Tick
    from impinge._types import Progress


def penetration(
    a: object,
    b: object,
    *,
    accuracy: float = 1e-3,
    gradient: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Penetration:
    """How deep two solids overlap, how much, and which way leads out.

    The depth is the greatest distance of a common point from the boundary of one of the solids: a
    wire that sticks 50 mm into a block is 50 mm deep, however thin, and two faces that overlap by
    a rounding error are that deep, however large. No translation that is shorter parts them.

    Parameters
    ----------
    a, b : Mesh, (vertices, faces), or objects with these attributes
        Closed, as for `relation`. Shells of one mesh may be glued together, but not overlap.
    accuracy : float, default 1e-3
        How close the bounds of the depth shall be to each other, relatively. Where that takes too
        long they are wider, but as certain.
    gradient : bool, default False
        Also tell how depth and volume change when vertices move, and when `b` moves: their first
        derivatives, see `impinge.results.Gradient`. The accuracy is then at least 1e-5.
    workers : int, optional
        Number of threads; all cores by default.
    progress : callable, optional
        Called with a fraction from 0 to 1; cancels by returning False.

    Returns
    -------
    Penetration
        `relation`, exact; `depth` with certain bounds; `volume`, `centroid` and `bounds` of the
        overlap, rounded; `translation`, after which they do not overlap, which is verified.

    Raises
    ------
    InputError
        When a mesh is open, encloses nothing, or has shells that overlap each other.

    See Also
    --------
    relation : Only how they lie to each other.
    distance : How far apart they are, when they are.

    Notes
    -----
    The **gradient of the volume** is exact up to rounding: a boundary integral over the pieces of
    both surfaces that are in the other solid. It changes continuously and has no jumps but where
    faces of both lie on each other; there it is the derivative of a place next to it. To part two
    solids, or to keep them apart in an optimisation, it is the better one of the two.

    The **gradient of the depth** is that of the distance between the deepest point and the faces
    of the boundary that are closest to it, with the point held by the faces it lies on. Its
    direction jumps from one set of faces to the next. Where several points are equally deep, as in
    boxes with parallel faces, there are only derivatives in a direction, and this is one of
    theirs. None when no deepest point is found next to `point`.

    Of solids that do not overlap all derivatives are zero, which where they touch are
    subgradients. Shells that are glued together are taken to stay so.

    Examples
    --------
    >>> import impinge
    >>> faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
    >>> corner = impinge.Mesh([(0, 0, 0), (6, 0, 0), (0, 6, 0), (0, 0, 6)], faces)
    >>> moved = impinge.Mesh([(2, 0, 0), (8, 0, 0), (2, 6, 0), (2, 0, 6)], faces)
    >>> found = impinge.penetration(corner, moved)
    >>> found.relation
    <Relation.OVERLAPPING: 2>
    >>> round(found.volume, 9)  # a corner with edges of 4
    10.666666667
    >>> round(found.depth, 3)  # of the centre of the largest ball in `b`, which is in `a`
    1.268
    >>> found.bounds
    array([[2., 0., 0.],
           [6., 4., 4.]])
    >>> further = impinge.Mesh(moved.vertices + (0, 1, 1), faces)
    >>> found = impinge.penetration(corner, further, gradient=True)
    >>> found.volume_gradient.translation.round(9)  # less by the area of a face, when it goes on
    array([-2., -2., -2.])
    """
    threads, tick = worker_count(workers), ticking(progress)
    relative = number("accuracy", accuracy, "a number from 1e-9 to 1", least=1e-9, most=1.0)
    pair = SolidPair(a, b, threads)
    if not checked_bool("gradient", gradient):
        return ask(tick, _measure, pair, relative, threads, tick)
    return ask(tick, _differentiate, pair, min(relative, ACCURACY), threads, tick)


def _differentiate(
    pair: SolidPair, accuracy: float, workers: int, tick: Tick | None
) -> Penetration:
    found = _measure(pair, accuracy, workers, tick)
    if found.point is None:
        none = without_change(*(len(mesh.vertices) for mesh in pair.meshes))
        return replace(found, depth_gradient=none, volume_gradient=none)
    return replace(
        found,
        depth_gradient=depth_gradient(pair.meshes, pair.solids, found.point, found.depth),
        volume_gradient=volume_gradient(pair.meshes, pair.solids, workers, tick),
    )


def _measure(pair: SolidPair, accuracy: float, workers: int, tick: Tick | None) -> Penetration:
    if not pair.overlap():
        return Penetration(pair.relation, 0.0, np.zeros(2), None, 0.0, None, None)
    found = measured(pair.solids, [(0, 1)], [0.0], accuracy=accuracy, workers=workers, tick=tick)
    depths = found.depths[0]
    return Penetration(
        pair.relation,
        float(depths[0]),
        depths,
        found.points[0],
        float(found.volumes[0]),
        found.centroids[0],
        found.bounds[0],
        _way_out=partial(_core.way_out, *pair.solids, found.ways[0], float(depths[0])),
    )


class SolidPair:
    """Two solids, and how they lie to each other."""

    def __init__(self, a: object, b: object, workers: int) -> None:
        self.meshes = meshes = two_meshes(a, b)
        self.names = [named(one, mesh.name) for one, mesh in zip("ab", meshes, strict=True)]
        # from here up: the question, and who asked it
        first, second = solids_of([mesh._shape for mesh in meshes], self.names, workers, 3)
        self.solids = first, second
        self.workers = workers

    @cached_property
    def relation(self) -> Relation:
        return Relation(int(_core.relations(*self.solids, AT_REST, self.workers, None)[0]))

    def overlap(self) -> bool:
        """Whether there is an overlap to be measured; shells that overlap are an error then."""
        if self.relation in (Relation.APART, Relation.TOUCHING):
            return False
        for solid, name in zip(self.solids, self.names, strict=True):
            if solid.overlaps_itself:
                raise InputError(
                    f"{name} has shells that overlap each other, and parts of it would count "
                    "twice; unite them first, or pass each shell as a mesh of its own"
                )
        return True
