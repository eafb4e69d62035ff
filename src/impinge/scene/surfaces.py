"""Questions to a scene about surfaces: which faces meet, how far apart they are, where to push."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge._options import checked_bool, is_zero
from impinge.queries.collide import any_collision_of, collisions_of
from impinge.queries.path import checked
from impinge.scene.questions import Questions

if TYPE_CHECKING:
    from impinge._types import Progress
    from impinge.detectors.protocol import Detector
    from impinge.results.collisions import Collisions
    from impinge.results.contact_points import ContactPoints
    from impinge.results.distances import BodyDistances
    from impinge.results.overlaps import Overlaps
    from impinge.scene.bodies import PairRefs


class SurfaceQuestions(Questions):
    """What a scene can be asked about the faces of its bodies."""

    def collide(
        self,
        *,
        method: str | Detector = "bvh",
        touching: str = "include",
        mode: str = "all",
        margin: float | None = None,
        self_collision: bool = False,
        ignore_rings: int = 0,
        ignore: PairRefs = (),
        report_duplicates: bool = False,
        refine: str | Detector | None = None,
        max_pairs: int | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Collisions:
        """All pairs of faces of different bodies that share a point, or are within a margin.

        Parameters
        ----------
        method, touching, margin, max_pairs, workers, progress
            As for `impinge.collide`.
        mode : {"all", "first"}
            "first" reports at most one pair of faces for each pair of bodies.
        self_collision : bool, default False
            Also report pairs of faces of the same body, as `impinge.self_collide` does.
        ignore_rings : int, default 0
            As for `impinge.self_collide`.
        ignore : iterable of pairs of bodies
            More pairs of bodies to leave out of this query, by name, index or body.
        report_duplicates : bool, default False
            With `self_collision`, also report faces of one body with the same three corners.
        refine : str or Detector, optional
            For a `method` that finds bodies only ("cinder"): the detector that then looks for the
            faces of the pairs it found.

        Returns
        -------
        Collisions

        See Also
        --------
        impinge.Scene.ignore : Leave out a pair of bodies in every query.
        impinge.Scene.collides : Whether there is any.
        """
        options = checked(
            method, touching, mode, workers, progress, duplicates=report_duplicates, limit=max_pairs
        )
        checked_bool("self_collision", self_collision)
        if margin is not None or not is_zero(ignore_rings):
            from impinge.queries.margin import measured, with_margin

            options = with_margin(options, margin, touching, ignore_rings)
            found = self._ask(collisions_of, options, ignore, self_collision, refine)
            return measured(found, margin)
        return self._ask(collisions_of, options, ignore, self_collision, refine)

    def collides(
        self,
        *,
        method: str | Detector = "bvh",
        touching: str = "include",
        margin: float | None = None,
        self_collision: bool = False,
        ignore_rings: int = 0,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> bool:
        """Whether any two bodies share a point, or are within a margin; stops at the first pair.

        Parameters
        ----------
        method, touching, margin, self_collision, ignore_rings, ignore, workers, progress
            As for `collide`.

        Returns
        -------
        bool

        See Also
        --------
        impinge.collides : The same question about two meshes, and many poses.

        Examples
        --------
        >>> import impinge
        >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
        >>> scene = impinge.Scene()
        >>> lower, upper = scene.add(*sheet), scene.add(*sheet)
        >>> upper.vertices = [(0, 0, 2), (1, 0, 2), (0, 1, 2)]
        >>> scene.collides(), scene.collides(margin=2.0)
        (False, True)
        """
        options = checked(method, touching, "first", workers, progress)
        checked_bool("self_collision", self_collision)
        if margin is not None or not is_zero(ignore_rings):
            from impinge.queries.margin import with_margin

            options = with_margin(options, margin, touching, ignore_rings)
        return self._ask(any_collision_of, options, ignore, self_collision)

    def distances(
        self,
        *,
        upper_bound: float | None = None,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> BodyDistances:
        """How far apart the bodies are: one row per pair of them.

        Parameters
        ----------
        upper_bound : float, optional
            Leave out pairs that are farther apart. Shortens the search.
        ignore, workers, progress
            As for `collide`.

        Returns
        -------
        BodyDistances
            To float64 rounding; 0.0 exactly where bodies collide. A body without faces has no
            distances.

        See Also
        --------
        impinge.distance : The same for two meshes, and many poses.

        Examples
        --------
        >>> import impinge
        >>> scene = impinge.Scene()
        >>> for z in (0, 1, 4):
        ...     _ = scene.add([(0, 0, z), (1, 0, z), (0, 1, z)], [(0, 1, 2)], name=f"z={z}")
        >>> for row in scene.distances(upper_bound=3):
        ...     print(row.name_a, row.name_b, row.value)
        z=0 z=1 1.0
        z=1 z=4 3.0
        """
        from impinge.queries.distance import distance_bound, distances_of

        bound = distance_bound(upper_bound)
        options = checked("bvh", workers=workers, progress=progress)
        return self._ask(distances_of, options, ignore, bound)

    def overlaps(
        self,
        *,
        method: str | Detector = "cinder",
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Overlaps:
        """Pairs of closed bodies that overlap, as far as an image of the scene shows them.

        Parameters
        ----------
        method : str or Detector, default "cinder"
            Detector of overlaps.
        ignore, workers, progress
            As for `Scene.collide`.

        Returns
        -------
        Overlaps
            May lack pairs that are smaller than a pixel or hidden; `Overlaps.warnings` tells more.

        See Also
        --------
        impinge.Scene.collide : With ``method="cinder", refine="bvh"``, the faces of these pairs.
        impinge.detectors.cinder.Cinder
        """
        from impinge.queries.overlaps import overlaps_of

        return self._ask(overlaps_of, checked(method, workers=workers, progress=progress), ignore)

    def contact_points(
        self,
        *,
        method: str | Detector = "ray",
        self_collision: bool = False,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> ContactPoints:
        """Contact points: pairs of points in which bodies press into each other, for forces.

        Parameters
        ----------
        method : {"ray", "proximity"} or Detector
            "ray" takes closed bodies that overlap, however deeply; "proximity" any bodies that are
            near each other.
        self_collision, ignore, workers, progress
            As for `Scene.collide`.

        Returns
        -------
        ContactPoints

        See Also
        --------
        impinge.contact_points, impinge.respond.penalty_forces
        """
        from impinge.queries.contact_points import contact_points_of

        options = checked(method, workers=workers, progress=progress)
        checked_bool("self_collision", self_collision)
        return self._ask(contact_points_of, options, ignore, self_collision)
