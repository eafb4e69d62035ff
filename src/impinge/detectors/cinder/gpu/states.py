"""The fixed-function state of each pass: depth, stencil, culling and the channels it writes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from impinge.gpu import State

if TYPE_CHECKING:
    from impinge.detectors.cinder.options import CinderOptions

DEPTH = "depth32float-stencil8"
OWNERS = "r32uint"
FULL_STENCIL = 255
"""It counts no further."""


class Pixel(NamedTuple):
    """How the number of an edge and of a solid share a pixel."""

    format: str
    edge: str
    """Channels of the edge, and of the solid."""
    solid: str
    solid_bits: int
    """As in cinder/colour.wgsl."""

    @property
    def words(self) -> int:
        """Of four bytes."""
        return 2 if self.solid_bits == 0 else 1


def pixel_of(options: CinderOptions) -> Pixel:
    if options.ids == "32bit":
        return Pixel("rg32uint", "r", "g", 0)
    if options.payload == "normals":
        return Pixel("rgba8uint", "rgb", "a", 8)
    return Pixel("rgba8uint", "rg", "ba", 16)


class States(NamedTuple):
    """Passes 1, 2 and 5, 3 and 6, 4, and 7."""

    edges: State
    plus: State
    minus: State
    penetrating: State
    solid: State
    """The last two draw into the same image, each into its own channels."""


def states_of(options: CinderOptions) -> States:
    pixel = pixel_of(options)
    original, printed = options.variant == "original", options.variant == "printed"
    plain = State(targets=(pixel.format,), write="", depth=DEPTH)
    front = replace(plain, compare="less", cull="back")
    back = replace(plain, compare="less" if original else "less-equal", cull="front")
    return States(
        edges=State(targets=(OWNERS,), depth=DEPTH, compare="always", depth_write=True),
        plus=replace(front, stencil=_stencil("always", "increment-clamp")),
        minus=replace(back, stencil=_stencil("always", "decrement-clamp")),
        penetrating=replace(
            plain,
            write=pixel.edge,
            compare="equal" if original else "always",
            stencil=_stencil("not-equal", "zero" if original else "keep"),
            stencil_mask=0x7F if printed else 0xFF,
        ),
        solid=replace(
            back if printed else front,
            write=pixel.solid,
            stencil=_stencil("not-equal", "decrement-clamp" if printed else "zero"),
        ),
    )


def reversed_count(states: States) -> tuple[State, State]:
    """Backs counted up, then fronts down: what is left are backs without a front."""
    up, down = states.plus.stencil, states.minus.stencil
    return replace(states.minus, stencil=up), replace(states.plus, stencil=down)


def _stencil(test: str, change: str) -> tuple[tuple[str, str, str, str], tuple[str, str, str, str]]:
    """Of both facings: the stencil is compared with zero, and changed where depth passes too."""
    side = (test, "keep", "keep", change)
    return side, side
