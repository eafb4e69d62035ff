"""Bodies that are checked against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from impinge._bodies import Bodies
from impinge._options import checked_bool, is_zero
from impinge.body import bodies_of
from impinge.errors import InputError
from impinge.queries.collide import any_collision_of, collisions_of
from impinge.queries.path import checked
from impinge.queries.plan import BodySet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from pathlib import Path

    from impinge._bodies import PairRefs
    from impinge._types import Progress
    from impinge.detectors.protocol import Detector
    from impinge.mesh import Mesh
    from impinge.queries.path import Options
    from impinge.results.check import Check
    from impinge.results.collisions import Collisions
    from impinge.results.contact_points import ContactPoints
    from impinge.results.distances import BodyDistances
    from impinge.results.overlaps import Overlaps
    from impinge.results.relation import Relations

T = TypeVar("T")


class Scene(Bodies):
    """A set of bodies that are checked against each other.

    A body is found by its name, its index or itself: `scene["lid"]`, `scene[0]`. Iterating gives
    the bodies in the order in which they were added. One thread at a time asks a scene; bodies that
    are moved meanwhile, by other threads or the progress callable, count from the next query on.

    See Also
    --------
    impinge.load_scene : The parts of an assembly file as a scene.

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> scene = impinge.Scene()
    >>> anvil = scene.add(vertices, faces, name="anvil")
    >>> hammer = scene.add(vertices + 0.2, faces, name="hammer")
    >>> for pair in scene.collide().body_pairs:
    ...     print(pair.name_a, pair.name_b, pair.count)
    anvil hammer 3

    A body moves by its pose or deforms by its vertices; the scene is then asked again:

    >>> hammer.vertices = vertices + 0.5
    >>> len(scene.collide())
    0
    """

    def __init__(self) -> None:
        super().__init__()
        self._asked = False

    @classmethod
    def _of_meshes(cls, meshes: Sequence[Mesh]) -> Scene:
        scene = cls()
        for body in bodies_of(meshes):
            scene.add(body)
        return scene

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
            method,
            touching,
            mode,
            workers,
            progress,
            duplicates=report_duplicates,
            max_pairs=max_pairs,
        )
        checked_bool("self_collision", self_collision)
        if margin is not None or not is_zero(ignore_rings):
            from impinge.queries.margin import measured, with_margin

            options = with_margin(options, margin, touching, ignore_rings)
            return measured(
                self._ask(collisions_of, options, ignore, self_collision, refine), margin
            )
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

    def show(self, *, up: str = "z", path: str | PathLike[str] | None = None) -> Path | None:
        """Look at the bodies as they are now: in the browser, or in a notebook below the cell.

        Parameters
        ----------
        up, path
            As for `Collisions.show`.

        Returns
        -------
        pathlib.Path or None
            The page that was written; None in a notebook.
        """
        from impinge.view.show import show

        return show(self, up=up, path=path)

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

    def relations(
        self,
        *,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Relations:
        """How closed bodies lie to each other, exactly: one row per pair whose boxes meet.

        Parameters
        ----------
        ignore, workers, progress
            As for `collide`.

        Returns
        -------
        Relations
        """
        from impinge.queries.relation import relations_of

        return self._ask(relations_of, checked("bvh", workers=workers, progress=progress), ignore)

    def check(
        self,
        *,
        tolerance: float | str = 0.0,
        clearance: float | None = None,
        facets: bool = False,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Check:
        """Which parts clash, are inside each other, exist twice, touch, or are near each other.

        Closed bodies are solids; one that stays open is a surface, and `Check.warnings` tell why.

        Parameters
        ----------
        tolerance : float or "precision", default 0.0
            Parts that overlap no deeper are in contact, and so are parts with a gap that is not
            wider. 0.0 is exact: the verdicts are those of `impinge.relation`. "precision" takes
            for each pair the sum of what the coordinates of the two parts may be off,
            `Mesh.precision`.
        clearance : float, optional
            Also report pairs as near that have a gap not wider than this.
        facets : bool, default False
            Whether an overlap no deeper than the sagittas of the facets of the two parts there is
            a contact: a round peg and its round hole, cut into different facets, overlap so.
        ignore, workers, progress
            As for `collide`.

        Returns
        -------
        Check
            One row for each pair of bodies that has a verdict; all others are apart.

        See Also
        --------
        impinge.relation, impinge.penetration : About two meshes.

        Examples
        --------
        >>> import impinge
        >>> from impinge import data
        >>> scene = impinge.load_scene(data.path("gearbox.glb"))
        >>> scene.check(clearance=0.5).counts
        {'duplicate': 0, 'inside': 0, 'clash': 6, 'contact': 54, 'near': 19}
        """
        from impinge.queries.check import check_of, check_options

        asked = check_options(tolerance, clearance, facets)
        options = checked("bvh", workers=workers, progress=progress)
        return self._ask(check_of, options, ignore, asked)

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

    def _ask(self, question: Callable[..., T], options: Options, ignore: PairRefs, *more: Any) -> T:
        """The answer about all bodies; nobody else asks meanwhile."""
        with self._lock:
            if self._asked:
                # the trees are in use: a body that moved meanwhile must not refit its own
                raise InputError(
                    "a scene cannot be asked from the progress callable of its own query"
                )
            self._asked = True
            try:
                planned = self._planned
                if planned is None or type(ignore) is not tuple or ignore:
                    planned = self._body_set(ignore)
                return question(planned, options, *more)
            finally:
                self._asked = False

    def _body_set(self, ignore: PairRefs) -> BodySet:
        more = self._ignored_now(ignore)
        bodies = BodySet(self._bodies, self._rows(self._ignored | more), scene=self)
        if not more:
            self._planned = bodies
        return bodies
