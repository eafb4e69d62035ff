"""How two solids lie to each other."""

from __future__ import annotations

from enum import IntEnum


class Relation(IntEnum):
    """How solid `a` lies to solid `b`; both are closed sets, with their boundaries."""

    APART = 0
    """No point in common; also one in a cavity of the other."""
    TOUCHING = 1
    """Points in common, but none that is inside both."""
    OVERLAPPING = 2
    """Points inside both, and points of each outside the other."""
    A_INSIDE = 3
    """All of `a` is in `b`, touching its boundary or not, and not all of `b` in `a`."""
    B_INSIDE = 4
    """All of `b` is in `a`, and not all of `a` in `b`."""
    EQUAL = 5
    """The same set of points, however the surfaces are cut into faces."""
