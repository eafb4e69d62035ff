"""The data of a workload, in plain arrays: what a contender is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from impinge._types import Floats, Ints


@dataclass(frozen=True)
class Surface:
    """Triangles `faces` (m, 3) int32 of `vertices` (n, 3) float64."""

    vertices: Floats
    faces: Ints


@dataclass(frozen=True)
class Posed:
    """Two meshes, the second one moved by each of `poses` (k, 4, 4) in turn."""

    a: Surface
    b: Surface
    poses: Floats


@dataclass(frozen=True)
class Near(Posed):
    """The same, asked for what is not farther apart than the margin."""

    margin: float


@dataclass(frozen=True)
class Deforming:
    """One mesh whose vertices follow `frames` (k, n, 3)."""

    faces: Ints
    frames: Floats


@dataclass(frozen=True)
class NearItself(Deforming):
    """The same, asked for its features that are nearer to each other than the threshold."""

    threshold: float


@dataclass(frozen=True)
class Bodies:
    """Many meshes, all moved in each frame by `poses` (k, b, 4, 4)."""

    meshes: tuple[Surface, ...]
    poses: Floats


@dataclass(frozen=True)
class Rays:
    """Rays (n, 3) against one mesh."""

    mesh: Surface
    origins: Floats
    directions: Floats


@dataclass(frozen=True)
class Points:
    """Points (n, 3) in and around one closed mesh."""

    mesh: Surface
    points: Floats


Case: TypeAlias = Posed | Deforming | Bodies | Rays | Points
