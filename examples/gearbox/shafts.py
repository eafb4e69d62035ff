"""Stepped shafts, with keyways where asked."""

from dataclasses import dataclass
from itertools import pairwise

from gearbox.loops import Loop, circle, slotted
from gearbox.solid import Solid


@dataclass(frozen=True)
class Keyway:
    """A closed keyway at the top of a step: its width, the height of its floor, its ends."""

    width: float
    floor: float
    start: float
    end: float


@dataclass(frozen=True)
class Step:
    """One cylindrical step of a shaft between two heights."""

    radius: float
    low: float
    high: float
    keyway: Keyway | None = None

    def loop(self) -> Loop:
        if self.keyway is None:
            return circle(self.radius)
        return slotted(self.radius, width=self.keyway.width, floor=self.keyway.floor)[0]


def shaft(steps: list[Step], *, chamfer: float = 0.75) -> Solid:
    """A solid shaft of consecutive steps, both ends chamfered."""
    solid = Solid()
    first, last = steps[0], steps[-1]
    for step in steps:
        low = step.low + (chamfer if step is first else 0.0)
        high = step.high - (chamfer if step is last else 0.0)
        _side(solid, step, low, high)
    for lower, upper in pairwise(steps):
        up = lower.radius > upper.radius
        outer, inner = (lower, upper) if up else (upper, lower)
        solid.cap(outer.loop(), lower.high, holes=(inner.loop(),), up=up)
    small_low, small_high = circle(first.radius - chamfer), circle(last.radius - chamfer)
    solid.cone(small_low, first.low, circle(first.radius), first.low + chamfer)
    solid.cone(circle(last.radius), last.high - chamfer, small_high, last.high)
    solid.cap(small_low, first.low, up=False)
    solid.cap(small_high, last.high)
    return solid


def _side(solid: Solid, step: Step, low: float, high: float) -> None:
    if step.keyway is None:
        solid.wall(step.loop(), low, high)
        return
    way = step.keyway
    full, cut, slot = slotted(step.radius, width=way.width, floor=way.floor)
    solid.wall(full, low, way.start)
    solid.cap(slot, way.start)
    solid.wall(cut, way.start, way.end)
    solid.cap(slot, way.end, up=False)
    solid.wall(full, way.end, high)
