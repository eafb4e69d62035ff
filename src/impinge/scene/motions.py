"""Questions to a scene about motion: when bodies meet, and whether they can move freely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge.errors import InputError
from impinge.queries.path import checked
from impinge.scene.questions import Questions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from impinge._types import Progress
    from impinge.body import Body
    from impinge.results.free import BodyMotion, BodyMotions
    from impinge.results.time_of_impact import BodyImpact, BodyImpacts
    from impinge.scene.bodies import BodyRef, PairRefs


class MotionQuestions(Questions):
    """What a scene can be asked about bodies that move."""

    def time_of_impact(
        self,
        motions: Mapping[BodyRef, object],
        *,
        tolerance: float | None = None,
        touching: str = "include",
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> BodyImpact | BodyImpacts:
        """When any two bodies first meet, never later than they really do.

        Parameters
        ----------
        motions : mapping of bodies to motions
            How bodies, by name, index or body, move: each as `motion_b` of
            `impinge.time_of_impact`, its poses in place of the body's own. Bodies not named stay,
            and pairs of bodies that both stay are not asked about.
        tolerance, touching
            As for `impinge.time_of_impact`.
        ignore, workers, progress
            As for `collide`.

        Returns
        -------
        BodyImpact or BodyImpacts
            One answer, or one for each motion.

        See Also
        --------
        impinge.time_of_impact : The same for two meshes.
        impinge.Scene.free

        Examples
        --------
        >>> import impinge
        >>> import numpy as np
        >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
        >>> scene = impinge.Scene()
        >>> _ = scene.add(*sheet, name="floor"), scene.add(*sheet, name="plate")
        >>> down = np.tile(np.eye(4), (2, 1, 1))
        >>> down[:, 2, 3] = 1.0, -3.0
        >>> round(scene.time_of_impact({"plate": down}).time, 9)
        0.25
        """
        from impinge.queries.time_of_impact import impact_of, impact_options

        asked = impact_options(tolerance, touching)
        options = checked("bvh", workers=workers, progress=progress)
        return self._ask(impact_of, options, ignore, self._moving(motions), *asked)

    def free(
        self,
        motions: Mapping[BodyRef, object],
        *,
        tolerance: float | None = None,
        touching: str = "include",
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> BodyMotion | BodyMotions:
        """Whether bodies can move so without meeting: certainly, certainly not, or not certain.

        Parameters
        ----------
        motions, tolerance, touching, ignore, workers, progress
            As for `time_of_impact`. A smaller tolerance leaves fewer motions uncertain.

        Returns
        -------
        BodyMotion or BodyMotions
            One answer, or one for each motion; what is free is never wrong.

        See Also
        --------
        impinge.Scene.time_of_impact : When they meet.
        impinge.results.MotionVerdict

        Examples
        --------
        >>> import impinge
        >>> import numpy as np
        >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
        >>> scene = impinge.Scene()
        >>> _ = scene.add(*sheet, name="floor"), scene.add(*sheet, name="plate")
        >>> aside = np.tile(np.eye(4), (2, 1, 1))
        >>> aside[:, 2, 3], aside[1, 0, 3] = 1.0, 5.0
        >>> scene.free({"plate": aside}).verdict.name
        'FREE'
        """
        from impinge.queries.free import free_of
        from impinge.queries.time_of_impact import impact_options

        asked = impact_options(tolerance, touching)
        options = checked("bvh", workers=workers, progress=progress)
        return self._ask(free_of, options, ignore, self._moving(motions), *asked)

    def _moving(self, motions: Mapping[BodyRef, object]) -> dict[Body, object]:
        if not hasattr(motions, "items"):
            raise InputError(
                "motions must map bodies to motions, as {'arm': motion}; "
                f"got {type(motions).__name__}"
            )
        result: dict[Body, object] = {}
        for key, motion in motions.items():
            body = self._body(key, "motions")
            if body in result:
                raise InputError(f"motions names the body {body.name!r} twice")
            if motion is None:
                raise InputError(f"motions[{body.name!r}] is None; leave out bodies that stay")
            result[body] = motion
        return result
