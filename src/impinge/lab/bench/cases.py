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
class Machine:
    """Parts of a machine in many configurations, with what stands around it.

    In configuration i part k is at `poses[i, k]` (m, n, 4, 4). The last `still` meshes stay; their
    poses are the identity. `pairs` (k, 2) are those to ask about. A library with kinematics of its
    own finds the machine in the file `urdf`, where part k is at `placements[k]` (n, 4, 4) on the
    joint `joints[k]`, and moves it to `configurations` (m, q).
    """

    meshes: tuple[Surface, ...]
    pairs: Ints
    poses: Floats
    still: int
    urdf: str
    joints: Ints
    placements: Floats
    configurations: Floats


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


Case: TypeAlias = Posed | Deforming | Bodies | Machine | Rays | Points
