"""How a scene is asked: one question at a time, about bodies that stay as they are meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from impinge.errors import InputError
from impinge.filters import PairFilter
from impinge.queries.plan import BodySet
from impinge.scene.bodies import Bodies

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge.queries.path import Options
    from impinge.scene import Scene
    from impinge.scene.bodies import PairRefs

T = TypeVar("T")


class Questions(Bodies):
    """Bodies that questions are asked about."""

    def __init__(self) -> None:
        super().__init__()
        self._asked = False

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
        pairs, filters = self._ignored, self._filters
        if isinstance(ignore, PairFilter):
            ignore._check(self._bodies)
            filters = [*filters, ignore]
        else:
            pairs = pairs | self._ignored_now(ignore)
        rows = self._ignored_rows(pairs, filters)
        bodies = BodySet(self._bodies, rows, scene=cast("Scene", self))
        if pairs == self._ignored and filters is self._filters:
            self._planned = bodies
        return bodies
