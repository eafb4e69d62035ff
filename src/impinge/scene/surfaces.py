"""Questions to a scene about surfaces: which faces meet, how far apart they are, where to push."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from impinge._options import checked_bool, is_zero
from impinge.queries.collide import any_collision_of, collisions_of
from impinge.queries.path import checked
from impinge.scene.questions import Questions

if TYPE_CHECKING:
    from impinge._types import Bools, Progress
    from impinge.detectors.protocol import Detector
    from impinge.queries.path import Options
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
        poses: object = None,
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
        poses : mapping or (m, n, 4, 4) array_like, optional
            Where bodies are in each of m configurations: all of them are answered in one call, as
            if the bodies were moved there one configuration after the other. A mapping has a
            body, its name or its index with poses (m, 4, 4), world = R v + t, or a tuple of k of
            these with (m, k, 4, 4); one pose (4, 4) is for all configurations. Bodies that are not
            named stay where they are. An array has the poses of all n bodies, in their order.
        method, touching, margin, max_pairs, workers, progress
            As for `impinge.collide`.
        mode : {"all", "first"}
            "first" reports at most one pair of faces for each pair of bodies, in each
            configuration.
        self_collision : bool, default False
            Also report pairs of faces of the same body, as `impinge.self_collide` does.
        ignore_rings : int, default 0
            As for `impinge.self_collide`.
        ignore : iterable of pairs of bodies, or PairFilter
            More pairs of bodies to leave out of this query, by name, index or body, or those that
            a filter selects.
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

        Examples
        --------
        >>> import impinge
        >>> import numpy as np
        >>> scene, sheet = impinge.Scene(), ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        >>> floor, lift = scene.add(*sheet, name="floor"), scene.add(*sheet, name="lift")
        >>> up = np.tile(np.eye(4), (3, 1, 1))
        >>> up[:, 2, 3] = 0, 1, 0
        >>> hits = scene.collide(poses={"lift": up})
        >>> hits.pose.tolist(), hits.counts.tolist()
        ([0, 2], [1, 0, 1])
        """
        options = checked(
            method, touching, mode, workers, progress, duplicates=report_duplicates, limit=max_pairs
        )
        checked_bool("self_collision", self_collision)
        if margin is not None or not is_zero(ignore_rings):
            from impinge.queries.margin import measured, with_margin

            options = with_margin(options, margin, touching, ignore_rings)
            return measured(
                self._collisions(options, ignore, self_collision, refine, poses), margin
            )
        return self._collisions(options, ignore, self_collision, refine, poses)

    def _collisions(
        self,
        options: Options,
        ignore: PairRefs,
        self_collision: bool,
        refine: str | Detector | None,
        poses: object,
    ) -> Collisions:
        if poses is None:
            return self._ask(collisions_of, options, ignore, self_collision, refine)
        from impinge.queries.configurations import collisions_in

        return self._ask(collisions_in, options, ignore, self_collision, refine, poses)

    @overload
    def collides(
        self,
        *,
        poses: None = ...,
        method: str | Detector = ...,
        touching: str = ...,
        margin: float | None = ...,
        self_collision: bool = ...,
        ignore_rings: int = ...,
        ignore: PairRefs = ...,
        workers: int | None = ...,
        progress: Progress | None = ...,
    ) -> bool: ...

    @overload
    def collides(
        self,
        *,
        poses: object,
        method: str | Detector = ...,
        touching: str = ...,
        margin: float | None = ...,
        self_collision: bool = ...,
        ignore_rings: int = ...,
        ignore: PairRefs = ...,
        workers: int | None = ...,
        progress: Progress | None = ...,
    ) -> Bools: ...

    def collides(
        self,
        *,
        poses: object = None,
        method: str | Detector = "bvh",
        touching: str = "include",
        margin: float | None = None,
        self_collision: bool = False,
        ignore_rings: int = 0,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> bool | Bools:
        """Whether any two bodies share a point, or are within a margin; stops at the first pair.

        Parameters
        ----------
        poses, method, touching, margin, self_collision, ignore_rings, ignore, workers, progress
            As for `collide`. `self_collision` is about the faces of one body, not about the parts
            of one machine, which are bodies like all others.

        Returns
        -------
        bool or (m,) ndarray of bool
            One answer, or one for each configuration.

        See Also
        --------
        impinge.collides : The same question about two meshes, and many poses.
        impinge.Scene.ignore : Leave out parts that are joined.

        Examples
        --------
        >>> import impinge
        >>> import numpy as np
        >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
        >>> scene = impinge.Scene()
        >>> lower, upper = scene.add(*sheet), scene.add(*sheet)
        >>> upper.vertices = [(0, 0, 2), (1, 0, 2), (0, 1, 2)]
        >>> scene.collides(), scene.collides(margin=2.0)
        (False, True)

        In three configurations at once:

        >>> down = np.tile(np.eye(4), (3, 1, 1))
        >>> down[:, 2, 3] = 0, -1, -2
        >>> scene.collides(poses={upper: down}).tolist()
        [False, False, True]
        """
        options = checked(method, touching, "first", workers, progress)
        checked_bool("self_collision", self_collision)
        if margin is not None or not is_zero(ignore_rings):
            from impinge.queries.margin import with_margin

            options = with_margin(options, margin, touching, ignore_rings)
        if poses is None:
            return self._ask(any_collision_of, options, ignore, self_collision)
        from impinge.queries.configurations import touches_in

        return self._ask(touches_in, options, ignore, self_collision, poses)

    def distances(
        self,
        *,
        poses: object = None,
        upper_bound: float | None = None,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> BodyDistances:
        """How far apart the bodies are: one row per pair of them.

        Parameters
        ----------
        poses : mapping or (m, n, 4, 4) array_like, optional
            As for `collide`; then there is one row per configuration and pair.
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
        >>> import numpy as np
        >>> scene = impinge.Scene()
        >>> for z in (0, 1, 4):
        ...     _ = scene.add([(0, 0, z), (1, 0, z), (0, 1, z)], [(0, 1, 2)], name=f"z={z}")
        >>> for row in scene.distances(upper_bound=3):
        ...     print(row.name_a, row.name_b, row.value)
        z=0 z=1 1.0
        z=1 z=4 3.0

        While the second body moves away from the first, towards the last:

        >>> up = np.tile(np.eye(4), (3, 1, 1))
        >>> up[:, 2, 3] = 0, 1, 2
        >>> for row in scene.distances(poses={1: up}, upper_bound=1):
        ...     print(row.pose, row.name_a, row.name_b, row.value)
        0 z=0 z=1 1.0
        2 z=1 z=4 1.0
        """
        from impinge.queries.distance import distance_bound, distances_of

        bound = distance_bound(upper_bound)
        options = checked("bvh", workers=workers, progress=progress)
        if poses is None:
            return self._ask(distances_of, options, ignore, bound)
        from impinge.queries.configurations import distances_in

        return self._ask(distances_in, options, ignore, bound, poses)

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
