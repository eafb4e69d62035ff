"""Bodies of a world: what was added, and how it moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import as_pose, as_vertices
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.body import Body
    from impinge.mesh import Mesh
    from impinge.simulate.rigid import MassProperties
    from impinge.simulate.world import World


@dataclass(frozen=True)
class Material:
    """What a soft body is made of.

    Examples
    --------
    >>> from impinge import simulate
    >>> rubber = simulate.Material(density=1000.0, young=1e5, poisson=0.3, damping=0.01)
    >>> rubber.young
    100000.0
    """

    density: float
    """[mass / length^3]"""
    young: float
    """Young's modulus [force / length^2]: how hard it is to stretch."""
    poisson: float
    """Poisson's ratio: how much it narrows when stretched."""
    damping: float
    """How long inner motion goes on [time]; the motion of the whole body is not slowed."""

    def __post_init__(self) -> None:
        for name in ("density", "young"):
            check_number(name, getattr(self, name), above=0.0)
        check_number("damping", self.damping)
        if not -1.0 < self.poisson < 0.5:
            raise InputError(f"poisson must be more than -1 and less than 0.5, got {self.poisson}")


@dataclass(frozen=True)
class Sheet:
    """What only cloth has."""

    thickness: float
    """[length]"""
    bending: float
    """Resistance to bending [force length]."""


class Member(ABC):
    """A body of a world; `body` is the one of the world's scene that follows it."""

    def __init__(self, world: World, body: Body, start: int, count: int) -> None:
        self._world = world
        self.body = body
        self._nodes = slice(start, start + count)

    @property
    def name(self) -> str:
        """The name of its body in the scene."""
        return self.body.name

    @property
    def mass(self) -> float:
        """[mass]"""
        return float(self._world._masses[self._nodes].sum())

    @abstractmethod
    def _follow(self) -> None:
        """Let the body of the scene be where this is."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class SoftBody(Member):
    """A solid of tetrahedra or a cloth of triangles; its vertices move on their own.

    Made by `World.add` and `World.add_cloth`; `body` is the body of the world's scene.

    See Also
    --------
    impinge.simulate.World.add, impinge.simulate.World.add_cloth

    Examples
    --------
    >>> from impinge import simulate
    >>> world = simulate.World()
    >>> cube = world.add(simulate.box(cells=1), density=1000.0)
    >>> round(cube.mass, 6)
    1000.0
    >>> cube.velocities = (0, 0, 1)
    >>> cube.positions.shape
    (8, 3)
    """

    def __init__(
        self,
        world: World,
        body: Body,
        start: int,
        *,
        rest: Floats,
        cells: Ints,
        surface: Ints,
        material: Material,
        sheet: Sheet | None = None,
    ) -> None:
        super().__init__(world, body, start, len(rest))
        self.rest = rest
        """(n, 3) where the vertices are without any force."""
        self.cells = cells
        """(m, 4) tetrahedra, or (m, 3) triangles of cloth."""
        self.surface = surface
        """(s,) the vertex that each vertex of `body` is."""
        self.material = material
        self.sheet = sheet

    @property
    def positions(self) -> Floats:
        """(n, 3) of all vertices, also those inside. Assign to move them."""
        return self._world._positions[self._nodes].copy()

    @positions.setter
    def positions(self, values: object) -> None:
        self._world._positions[self._nodes] = self._checked(values, "positions")
        self._world._moved()

    @property
    def velocities(self) -> Floats:
        """(n, 3) [length / time]. Assign (n, 3), or (3,) for all vertices."""
        return self._world._velocities[self._nodes].copy()

    @velocities.setter
    def velocities(self, values: object) -> None:
        chosen = self._checked(values, "velocities")
        held = self._world._held[self._nodes]
        self._world._velocities[self._nodes] = np.where(held[:, None], 0.0, chosen)

    def _checked(self, values: object, argument: str) -> Floats:
        array = np.asarray(values, dtype=np.float64)
        if argument == "velocities" and array.shape == (3,):
            array = np.broadcast_to(array, self.rest.shape)
        if array.shape != self.rest.shape:
            raise InputError(
                f"{argument} of {self.name!r} must have shape {self.rest.shape}, got {array.shape}"
            )
        return as_vertices(array, argument=argument)

    def _follow(self) -> None:
        self.body.vertices = self._world._positions[self._nodes][self.surface]


class RigidBody(Member):
    """A body that never changes its shape.

    Made by `World.add_rigid`; `body` is the body of the world's scene.

    See Also
    --------
    impinge.simulate.World.add_rigid

    Examples
    --------
    >>> from impinge import simulate
    >>> world = simulate.World()
    >>> cube = world.add_rigid(simulate.box(cells=1).mesh, density=1000.0)
    >>> cube.spin = (0, 0, 3.14)
    >>> step = world.step(0.5)
    >>> round(float(cube.center[2]), 1)
    -2.5
    """

    def __init__(
        self, world: World, body: Body, start: int, *, density: float, properties: MassProperties
    ) -> None:
        super().__init__(world, body, start, 2)
        self.density = density
        """[mass / length^3]"""
        self.properties = properties
        """As given by its mesh, before any motion."""
        self._turn = np.eye(3)

    @property
    def mass(self) -> float:
        """[mass]"""
        return self.properties.mass

    @property
    def center(self) -> Floats:
        """(3,) the middle of its mass."""
        return np.array(self._world._positions[self._nodes.start])

    @property
    def pose(self) -> Floats:
        """(4, 4) from its mesh to where it is now. Assign one to put it elsewhere."""
        pose = np.eye(4)
        pose[:3, :3] = self._turn
        pose[:3, 3] = self.center - self._turn @ self.properties.center
        return pose

    @pose.setter
    def pose(self, value: object) -> None:
        pose = as_pose(value)
        turn = pose[:3, :3]
        if np.abs(turn @ turn.T - np.eye(3)).max() > 1e-9 or np.linalg.det(turn) < 0.0:
            raise InputError(f"pose of {self.name!r} must be a rotation and a translation")
        self._turn = turn.copy()
        self._world._positions[self._nodes.start] = turn @ self.properties.center + pose[:3, 3]
        self._world._moved()

    @property
    def velocity(self) -> Floats:
        """(3,) of its center [length / time]."""
        return np.array(self._world._velocities[self._nodes.start])

    @velocity.setter
    def velocity(self, value: object) -> None:
        self._set_velocity(value, self._nodes.start, "velocity")

    @property
    def spin(self) -> Floats:
        """(3,) angular velocity [radians / time]."""
        return np.array(self._world._velocities[self._nodes.start + 1])

    @spin.setter
    def spin(self, value: object) -> None:
        self._set_velocity(value, self._nodes.start + 1, "spin")

    def _set_velocity(self, value: object, node: int, argument: str) -> None:
        array = np.asarray(value, dtype=np.float64)
        if array.shape != (3,) or not np.isfinite(array).all():
            raise InputError(f"{argument} of {self.name!r} must be three numbers, got {value!r}")
        self._world._velocities[node] = 0.0 if self._world._held[node] else array

    def _inertia(self) -> Floats:
        """(3, 3) in world directions, at the present pose."""
        return np.asarray(self._turn @ self.properties.inertia @ self._turn.T)

    def _follow(self) -> None:
        self.body.pose = self.pose


def check_number(name: str, value: float, *, above: float | None = None) -> None:
    """Raise unless the value is finite, and at least 0 or more than `above`."""
    good = np.isfinite(value) and (value >= 0.0 if above is None else value > above)
    if not good:
        bound = "at least 0" if above is None else f"more than {above:g}"
        raise InputError(f"{name} must be a finite number, {bound}, got {value!r}")


def check_cloth(mesh: Mesh) -> None:
    """Raise unless every face has an area and every vertex a face."""
    corners = mesh.vertices[mesh.faces]
    areas = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    flat = ~(areas > 0.0)
    if flat.any():
        raise InputError(f"faces[{int(np.argmax(flat))}] of the cloth has no area; remove it")
    unused = np.setdiff1d(np.arange(len(mesh.vertices)), mesh.faces)
    if len(unused):
        raise InputError(f"vertices[{unused[0]}] of the cloth belongs to no face; remove it")
