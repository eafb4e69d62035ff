"""How a robot is asked: on how many cores, and who is told how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from impinge import _core

if TYPE_CHECKING:
    from impinge._options import Tick


class Asked(NamedTuple):
    """What a question of many parts hands to each of them."""

    workers: int | None
    tick: Tick | None

    def reached(self, fraction: float) -> None:
        """Tells how far it is; whoever is told may cancel."""
        if self.tick is not None and not self.tick(fraction):
            raise _core.Cancelled
