"""The solids that meshes enclose, for questions about two of them."""

from __future__ import annotations

import warnings
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.detectors.bvh import trees_of
from impinge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._shape import Shape
    from impinge._types import Floats

AT_REST = np.eye(4)[None]
"""The pose (1, 4, 4) that moves nothing."""


def solids_of(
    shapes: Sequence[Shape], called: Sequence[str], workers: int, stacklevel: int
) -> list[_core.Solid]:
    """What each shape encloses before its pose; one that encloses nothing is an error.

    `called` is what a message calls each of them; a shape that is inside out is told with the
    stack level of the caller.
    """
    solids = []
    for shape, tree, name in zip(shapes, trees_of(shapes, workers), called, strict=True):
        make = partial(_core.Solid, tree, workers)
        solid = shape.local_structures.get("pair_solid", shape.local, make)
        _check(solid, name)
        if solid.turned:
            warnings.warn(
                f"{name} is inside out, and is taken as if all its faces were turned around",
                stacklevel=stacklevel + 1,
            )
        solids.append(solid)
    return solids


def check_poses(poses: Floats, argument: str) -> None:
    """Raise when a pose of (m, 4, 4) makes everything flat."""
    flat = _core.first_flat(poses)
    if flat >= 0:
        raise InputError(
            f"{argument}[{flat}] has the determinant 0 and makes a solid flat; "
            "give a pose that turns, moves, scales or mirrors"
        )


def named(argument: str, name: str) -> str:
    """What a message calls a mesh."""
    return f"{argument} ({name!r})" if name else argument


def _check(solid: _core.Solid, name: str) -> None:
    if solid.open_edges:
        edges = "edge is" if solid.open_edges == 1 else "edges are"
        raise InputError(
            f"{name} is open and has no inside: {solid.open_edges:,} {edges} not used equally "
            "often in both directions; close it (Mesh.report() lists its open and flipped edges), "
            "or ask collide, which takes any mesh"
        )
    if not solid.closed or solid.empty:
        raise InputError(f"{name} encloses nothing; give a closed mesh with an inside")
