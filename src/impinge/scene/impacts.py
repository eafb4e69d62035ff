"""Questions to a scene about bodies that deform: when they meet, how far they may go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from impinge._options import checked_bool
from impinge.errors import InputError
from impinge.queries.path import checked
from impinge.scene.questions import Questions

if TYPE_CHECKING:
    from impinge._types import Floats, Progress
    from impinge.body import Body
    from impinge.results.impacts import Impacts
    from impinge.scene.bodies import BodyRef, PairRefs


class ImpactQuestions(Questions):
    """What a scene can be asked about vertices that move along straight lines."""

    def impacts(
        self,
        *,
        to: Mapping[BodyRef, Any],
        minimum_separation: float = 0.0,
        tolerance: float | None = None,
        self_collision: bool = True,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Impacts:
        """All impacts when vertices move along straight lines.

        Parameters
        ----------
        to : mapping of body to (n, 3) array_like
            Where vertices go, as they would be assigned to `Body.vertices`: in local coordinates.
            Bodies by name, index or themselves; those not named stay.
        minimum_separation, tolerance, workers, progress
            As for `impinge.impacts`.
        self_collision : bool, default True
            Also report where a body that moves meets itself.
        ignore : iterable of pairs of bodies
            As for `collide`.

        Returns
        -------
        Impacts
            Of bodies of which at least one is named.

        See Also
        --------
        impinge.impacts : Of one mesh with itself.

        Examples
        --------
        >>> import impinge
        >>> import numpy as np
        >>> scene = impinge.Scene()
        >>> floor = scene.add([(0, 0, 0), (4, 0, 0), (0, 4, 0)], [(0, 1, 2)], name="floor")
        >>> drop = scene.add([(1, 1, 1), (1, 1, 3), (1, 2, 3)], [(0, 1, 2)], name="drop")
        >>> found = scene.impacts(to={"drop": drop.vertices - (0, 0, 2)})
        >>> found.features.tolist(), found.bodies.tolist(), round(found.time, 6)
        ([[0, 0, 1, 2]], [[1, 0]], 0.5)
        """
        from impinge.queries.feature_impacts import checked_limits
        from impinge.queries.impacts import Motion, impacts_of

        limits = checked_limits(minimum_separation, tolerance)
        options = checked("bvh", workers=workers, progress=progress)
        within = checked_bool("self_collision", self_collision)
        return self._ask(impacts_of, options, ignore, Motion(self._goals(to), limits, within))

    def collision_free_step(
        self,
        *,
        to: Mapping[BodyRef, Any],
        minimum_separation: float = 0.0,
        tolerance: float | None = None,
        self_collision: bool = True,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> float:
        """How far vertices may certainly move before any features meet.

        Parameters
        ----------
        to, self_collision, ignore
            As for `impacts`.
        minimum_separation, tolerance, workers, progress
            As for `impinge.collision_free_step`.

        Returns
        -------
        float
            A fraction from 0 to 1 that is free for certain.

        See Also
        --------
        impinge.collision_free_step : Of one mesh with itself.
        """
        from impinge.queries.feature_impacts import checked_limits
        from impinge.queries.impacts import Motion, free_step_of

        limits = checked_limits(minimum_separation, tolerance)
        options = checked("bvh", workers=workers, progress=progress)
        within = checked_bool("self_collision", self_collision)
        return self._ask(free_step_of, options, ignore, Motion(self._goals(to), limits, within))

    def _goals(self, to: object) -> dict[Body, Floats]:
        from impinge.queries.impacts import as_goal

        if not isinstance(to, Mapping):
            raise InputError(
                "to must be a mapping of bodies to vertices, such as {'cloth': vertices}, "
                f"got {type(to).__name__}"
            )
        goals = {}
        for key, vertices in to.items():
            argument = f"to[{key if isinstance(key, int) else str(getattr(key, 'name', key))!r}]"
            body = self._body(key, argument)
            if body in goals:
                raise InputError(f"{argument} is body {body.name!r}, which is named twice")
            if body._on_gpu:
                continue  # the question itself tells what is wrong with it
            goals[body] = as_goal(vertices, body, argument)
        return goals
