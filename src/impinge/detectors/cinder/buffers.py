"""What the passes draw into, and what is read from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from impinge._types import Bytes, Ints, Words

STAGES = ("edges", "plus", "minus", "penetrating", "penetrated", "result")
"""After pass 1, 2, 3, 4 and 7, and after pixels that are no pair were blanked.

The variant "original" counts up and down body by body, so that it has no "plus".
"""


class Stage(NamedTuple):
    """The buffers after a pass, each (W, W) by row and column."""

    depth: Ints
    """Of the edge that was drawn last; 0 where there is none."""
    stencil: Bytes
    edge_id: Words
    """Colour of the penetrating edge."""
    solid_id: Words
    """Colour of the penetrated body."""


@dataclass(frozen=True, eq=False)
class Buffers:
    """The result of all passes; in `stages` those in between, when they were asked for."""

    edge_id: Words
    solid_id: Words
    counters: dict[str, float]
    stages: dict[str, Stage] = field(default_factory=dict)


class Hits(NamedTuple):
    """Pixels that are read back: (k,) colours of edges and of the bodies they are in."""

    edge: Words
    solid: Words
    counters: dict[str, float]
