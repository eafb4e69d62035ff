"""The bodies of a scene as all pictures and pages show them: names, colours, what is up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.render import palette

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import Floats


@dataclass(frozen=True, eq=False)
class ShownBodies:
    """What stays while bodies move."""

    names: tuple[str, ...]
    colours: tuple[palette.Colour, ...]
    up: str
    origin: Floats
    """(3,) what a page calls zero, so that float32 is enough."""
    frame: Floats | None = None
    """(2, 3) box to look at; None: that of the bodies."""

    @staticmethod
    def of(
        names: Sequence[str],
        shapes: Sequence[Shape],
        *,
        up: str,
        clashing: Sequence[tuple[int, int]] = (),
        frame: Floats | None = None,
    ) -> ShownBodies:
        """`clashing` are pairs of bodies that get different colours."""
        kinds: dict[str, int] = {}
        # bolts look like bolts, and not like nuts
        wanted = [kinds.setdefault("/".join(branches(name)), len(kinds)) for name in names]
        if len(names) <= len(palette.BODIES) or len(kinds) == 1:
            wanted = list(range(len(names)))
        first = [number % len(palette.BODIES) for number in wanted]
        colours = tuple(palette.assign(len(names), clashing, wanted=first))
        box = bounds_of(shapes) if frame is None else np.asarray(frame)
        return ShownBodies(tuple(names), colours, up, box.mean(axis=0), frame)


def bounds_of(shapes: Sequence[Shape]) -> Floats:
    """(2, 3) box of all bodies; zeros without any vertex."""
    ends = [
        end
        for shape in shapes
        if len(shape.vertices)
        for end in (shape.vertices.min(axis=0), shape.vertices.max(axis=0))
    ]
    return np.stack([np.min(ends, axis=0), np.max(ends, axis=0)]) if ends else np.zeros((2, 3))


def branches(name: str) -> list[str]:
    """Where a part hangs in the tree: "gearbox/bolt-03" on "bolt", which is on "gearbox"."""
    *above, last = name.split("/")
    return [*above, re.sub(r"[-_. ]*\d+$", "", last) or last]
