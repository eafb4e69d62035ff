"""Questions to a scene about solids: how parts lie to each other, which clash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge.queries.kept import Kept
from impinge.queries.path import checked
from impinge.scene.questions import Questions

if TYPE_CHECKING:
    from impinge._types import Progress
    from impinge.results.check import Check
    from impinge.results.relation import Relations
    from impinge.scene.bodies import PairRefs


class SolidQuestions(Questions):
    """What a scene can be asked about its parts."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = Kept()

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
        poses: object = None,
        tolerance: float | str = 0.0,
        clearance: float | None = None,
        facets: bool = False,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Check:
        """Which parts clash, are inside each other, exist twice, touch, or are near each other.

        Closed bodies are solids; one that stays open is a surface, and `Check.warnings` tell why.
        What was measured of two bodies is kept: of pairs that are as they were when the scene was
        checked last, the answer is the same, bit by bit, and is not searched for again.

        Parameters
        ----------
        poses : mapping or (m, n, 4, 4) array_like, optional
            As for `collide`: many configurations, which are checked one after the other.
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
            One row for each pair of bodies that has a verdict, in each configuration; all others
            are apart.

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

        asked = check_options(tolerance, clearance, facets, self._kept)
        options = checked("bvh", workers=workers, progress=progress)
        if poses is None:
            return self._ask(check_of, options, ignore, asked)
        from impinge.queries.check_configurations import checks_in

        return self._ask(checks_in, options, ignore, asked, poses)
