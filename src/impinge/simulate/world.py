"""A world of soft and rigid bodies that fall, deform and push each other apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge._options import choice
from impinge._text import counted
from impinge.errors import InputError
from impinge.mesh import Mesh
from impinge.respond.penalty import Forces, penalty_forces, vertex_areas
from impinge.scene import Scene
from impinge.simulate.assembly import elasticity, natural_stiffness, nodal_masses
from impinge.simulate.members import Material, Member, RigidBody, Sheet, SoftBody, check_number
from impinge.simulate.polar import inner
from impinge.simulate.rigid import mass_properties
from impinge.simulate.solids import Solid
from impinge.simulate.stepping import Step, advance

if TYPE_CHECKING:
    import os

    from impinge._types import Bools, Floats
    from impinge.detectors.protocol import Detector
    from impinge.results.contact_points import ContactPoints
    from impinge.simulate.system import Elasticity


class Energies(NamedTuple):
    kinetic: float
    gravity: float
    """Zero where all coordinates are zero."""
    elastic: float
    contact: float

    @property
    def total(self) -> float:
        return float(sum(self))


class Momentum(NamedTuple):
    linear: Floats
    """(3,)"""
    angular: Floats
    """(3,) about the origin."""


class World:
    """Bodies and the laws they follow; `scene` holds their surfaces as they are now.

    `method` finds the contacts: "ray", "proximity", an instance of a detector, or None for none.
    `stiffness` of a contact [force / length]; None makes contacts as stiff as the bodies. With
    `area_weight` it is [force / length^3] and does not depend on how finely bodies are meshed.
    `drag` slows all motion [1 / time]. `tolerance` is the error of the solver in one step, by the
    size of all impulses. `integrator="explicit"` is only there to be compared with: it has no
    inner damping and is unstable for stiff bodies.
    """

    def __init__(
        self,
        *,
        gravity: object = (0.0, 0.0, -9.81),
        method: str | Detector | None = "ray",
        stiffness: float | None = None,
        area_weight: bool = False,
        self_collision: bool = False,
        drag: float = 0.0,
        tolerance: float = 1e-6,
        integrator: str = "implicit",
        workers: int | None = None,
    ) -> None:
        self.gravity = np.array(gravity, dtype=np.float64)
        if self.gravity.shape != (3,) or not np.isfinite(self.gravity).all():
            raise InputError(f"gravity must be three numbers, got {gravity!r}")
        if stiffness is not None:
            check_number("stiffness", stiffness)
        check_number("drag", drag)
        check_number("tolerance", tolerance, above=0.0)
        names = ("implicit", "explicit")
        self.integrator = choice("integrator", integrator, {name: name for name in names})
        self.method = method
        self.stiffness = stiffness
        self.area_weight = bool(area_weight)
        self.self_collision = bool(self_collision)
        self.drag = float(drag)
        self.tolerance = float(tolerance)
        self.workers = workers
        self.scene = Scene()
        self.time = 0.0
        self.steps = 0
        self._members: list[Member] = []
        self._positions = np.zeros((0, 3))
        self._velocities = np.zeros((0, 3))
        # the last change of velocities by time: the first guess for the next
        self._accelerations = np.zeros((0, 3))
        self._held: Bools = np.zeros(0, dtype=bool)
        self._masses = np.zeros(0)
        self._elasticity: Elasticity | None = None
        self._contact_points: ContactPoints | None = None
        self._areas: list[Floats] | None = None
        self._natural: float | None = None

    @property
    def bodies(self) -> tuple[Member, ...]:
        """In the order of the bodies of `scene`."""
        return tuple(self._members)

    def add(
        self,
        solid: Solid,
        *,
        density: float = 1000.0,
        young: float = 1e5,
        poisson: float = 0.3,
        damping: float = 0.01,
        name: str | None = None,
    ) -> SoftBody:
        """Add a soft solid, where its vertices are; defaults are those of soft rubber in metres."""
        if not isinstance(solid, Solid):
            raise InputError(
                f"add takes a Solid, got {type(solid).__name__}; make one with "
                "impinge.simulate.torus, box, ball, ring, solid_of, or Solid.of"
            )
        material = Material(density, young, poisson, damping)
        body = self.scene.add(solid.mesh, name=name)
        return self._append_soft(
            SoftBody(
                self,
                body,
                len(self._positions),
                rest=solid.vertices,
                cells=solid.tetrahedra,
                surface=solid.surface,
                material=material,
            )
        )

    def add_cloth(
        self,
        mesh: object,
        faces: object = None,
        *,
        density: float = 300.0,
        thickness: float = 1e-3,
        young: float = 1e5,
        poisson: float = 0.3,
        bending: float | None = None,
        damping: float = 0.01,
        name: str | None = None,
    ) -> SoftBody:
        """Add a cloth, flat at rest: a mesh, or vertices (n, 3) and faces (m, 3).

        `bending` [force length]; None takes that of a plate of this thickness.
        """
        made = Mesh.of(mesh) if faces is None else Mesh(mesh, faces)
        material = Material(density, young, poisson, damping)
        check_number("thickness", thickness, above=0.0)
        if bending is None:
            bending = young * thickness**3 / (12.0 * (1.0 - poisson**2))
        check_number("bending", bending)
        _check_cloth(made)
        body = self.scene.add(made, name=name or made.name or "cloth")
        return self._append_soft(
            SoftBody(
                self,
                body,
                len(self._positions),
                rest=made.vertices,
                cells=made.faces,
                surface=np.arange(len(made.vertices), dtype=np.int32),
                material=material,
                sheet=Sheet(thickness, bending),
            )
        )

    def add_rigid(
        self,
        mesh: object,
        faces: object = None,
        *,
        density: float = 1000.0,
        pose: object = None,
        name: str | None = None,
    ) -> RigidBody:
        """Add a closed mesh that keeps its shape; `fix` it to make it an obstacle."""
        made = Mesh.of(mesh) if faces is None else Mesh(mesh, faces)
        check_number("density", density, above=0.0)
        properties = mass_properties(made, density)
        body = self.scene.add(made, name=name or made.name or "rigid")
        start = len(self._positions)
        member = RigidBody(self, body, start, density=density, properties=properties)
        self._append(
            member, np.stack([properties.center, np.zeros(3)]), np.array([properties.mass, 0.0])
        )
        if pose is not None:
            member.pose = pose
        return member

    def fix(self, body: Member | str | int, vertices: object = None) -> None:
        """Hold vertices (ids or a mask) of a soft body where they are; without them the whole."""
        member = self._member(body)
        chosen = np.arange(member._nodes.start, member._nodes.stop)
        if vertices is not None:
            if isinstance(member, RigidBody):
                raise InputError(f"{member.name!r} is rigid and can only be fixed as a whole")
            try:
                chosen = chosen[np.asarray(vertices)]
            except IndexError as error:
                raise InputError(f"vertices of {member.name!r}: {error}") from error
        self._held[chosen] = True
        self._velocities[chosen] = 0.0

    @property
    def contact_points(self) -> ContactPoints | None:
        """The contacts of the present positions; None without a method."""
        if self.method is None or not self._members:
            return None
        if self._contact_points is None:
            if self.scene.bodies != tuple(member.body for member in self._members):
                raise InputError("bodies of a world are added to the world, not to its scene")
            found = self.scene.contact_points(
                method=self.method, self_collision=self.self_collision, workers=self.workers
            )
            if found.suspicious is not None and found.suspicious.any():
                # they would pull a vertex to the far side of its own body
                found = replace(found, weights=np.where(found.suspicious, 0.0, found.weights))
            self._contact_points = found
        return self._contact_points

    def step(self, dt: float) -> Step:
        """Advance by `dt`; raises `SimulationError` when the motion goes astray.

        The bodies are then as they were before the step.
        """
        check_number("dt", dt, above=0.0)
        return advance(self, dt)

    def energy(self) -> Energies:
        """[force length]; contacts are those of the present positions."""
        kinetic = 0.5 * inner(self._momenta(), self._velocities)
        weight = self._masses[:, None] * self.gravity
        pushes = self._pushes()
        contact = 0.0 if pushes is None else float(pushes.energies.sum())
        elastic = self._inner().forces(self._positions)[1]
        return Energies(kinetic, -inner(weight, self._positions), elastic, contact)

    def momentum(self) -> Momentum:
        """Of all bodies together."""
        momenta = self._momenta()
        moving = self._masses > 0.0
        angular = np.cross(self._positions[moving], momenta[moving]).sum(axis=0)
        return Momentum(momenta[moving].sum(axis=0), angular + momenta[~moving].sum(axis=0))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to an .npz file; steps after `load` are the same to the last bit."""
        from impinge.simulate.archive import save

        save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, method: str | Detector | None = None) -> World:
        """A world that was saved; `method` is needed when it was an instance of a detector."""
        from impinge.simulate.archive import load

        return load(path, method)

    def _append_soft(self, member: SoftBody) -> SoftBody:
        self._append(member, member.rest, nodal_masses(member))
        return member

    def _append(self, member: Member, positions: Floats, masses: Floats) -> None:
        still = np.zeros_like(positions)
        self._members.append(member)
        self._positions = np.concatenate([self._positions, positions])
        self._velocities = np.concatenate([self._velocities, still])
        self._accelerations = np.concatenate([self._accelerations, still])
        self._held = np.concatenate([self._held, np.zeros(len(positions), dtype=bool)])
        self._masses = np.concatenate([self._masses, masses])
        self._elasticity = self._contact_points = self._areas = self._natural = None

    def _member(self, body: Member | str | int) -> Member:
        if isinstance(body, Member):
            if body._world is not self:
                raise InputError(f"{body!r} is in another world")
            return body
        return self._members[self.scene.bodies.index(self.scene[body])]

    def _moved(self) -> None:
        """Let the scene follow."""
        self._contact_points = None
        for member in self._members:
            member._follow()

    def _inner(self) -> Elasticity:
        if self._elasticity is None:
            self._elasticity = elasticity(self._members, len(self._positions))
        return self._elasticity

    def _pushes(self) -> Forces | None:
        """The forces of the present contacts; None when there are none."""
        contacts = self.contact_points
        if not contacts:
            return None
        if self.area_weight and self._areas is None:
            meshes = [member.body.mesh for member in self._members]
            self._areas = [vertex_areas(mesh.vertices, mesh.faces) for mesh in meshes]
        stiffness = self.stiffness
        if stiffness is None:
            if self._natural is None:
                self._natural = natural_stiffness(self._members, area_weight=self.area_weight)
            stiffness = self._natural
        return penalty_forces(contacts, stiffness, area_weight=self._areas)

    def _momenta(self) -> Floats:
        """(n, 3) mass times velocity; of a turning rigid body inertia times spin."""
        result = self._masses[:, None] * self._velocities
        for member in self._members:
            if isinstance(member, RigidBody):
                node = member._nodes.start + 1
                result[node] = member._inertia() @ self._velocities[node]
        return result

    def __repr__(self) -> str:
        bodies = counted(len(self._members), "body")
        return f"World({bodies}, {counted(self.steps, 'step')}, time {self.time:g})"


def _check_cloth(mesh: Mesh) -> None:
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
