"""A world of soft and rigid bodies that fall, deform and push each other apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from impinge._options import checked_bool, choice
from impinge._text import counted
from impinge.errors import InputError
from impinge.mesh import Mesh
from impinge.respond.penalty import CONTACTS, Forces, penalty_forces, vertex_areas
from impinge.scene import Scene
from impinge.simulate.assembly import elasticity, natural_stiffness, nodal_masses
from impinge.simulate.members import (
    Material,
    Member,
    RigidBody,
    Sheet,
    SoftBody,
    check_cloth,
    check_number,
)
from impinge.simulate.quantities import Energies, Momentum, energies_of, momentum_of
from impinge.simulate.rigid import mass_properties
from impinge.simulate.solids import Solid
from impinge.simulate.stepping import Step, advance

if TYPE_CHECKING:
    import os

    from impinge._types import Bools, Floats
    from impinge.detectors.protocol import Detector
    from impinge.results.contact_points import ContactPoints
    from impinge.simulate.system import Elasticity


class World:
    """Soft and rigid bodies that move, deform and push each other apart.

    `scene` has their surfaces at the present `time`, after so many `steps`. Units are yours, as
    long as they fit together; defaults are soft rubber in metres, kilograms and seconds.

    Parameters
    ----------
    gravity : (3,) array_like
        [length / time^2].
    method : {"ray", "proximity"}, Detector or None
        What finds the contact points; None is no contacts.
    stiffness : float, optional
        Of a contact [force / length]; None makes contacts as stiff as the bodies.
    contact : {"sliding", "published"}
        How contacts of method "ray" pull; see `impinge.respond.penalty_forces`.
    friction : float, default 0.0
        Coulomb's coefficient: contacts resist sliding with so much of their load.
    area_weight : bool, default False
        Stiffness is [force / length^3] and does not depend on how finely bodies are meshed.
    self_collision : bool, default False
        Bodies also have contacts with themselves.
    drag : float, default 0.0
        Slows all motion [1 / time].
    tolerance : float, default 1e-6
        Error of the solver in one step, by the size of all impulses.
    integrator : {"implicit", "explicit"}
        "explicit" is for comparison: no inner damping, and unstable for stiff bodies.
    impacts : bool, optional
        Whether steps are held where surfaces would pass through each other. None is where one of
        the two is a cloth, in a world with a `method`.
    workers : int, optional
        Threads; None is all cores.

    Examples
    --------
    >>> from impinge import simulate
    >>> world = simulate.World()
    >>> box = world.add(simulate.box(cells=2))
    >>> for _ in range(5):
    ...     step = world.step(0.02)
    >>> round(float(box.positions[:, 2].mean()), 4)
    -0.0589
    """

    def __init__(
        self,
        *,
        gravity: object = (0.0, 0.0, -9.81),
        method: str | Detector | None = "ray",
        stiffness: float | None = None,
        contact: str = "sliding",
        friction: float = 0.0,
        area_weight: bool = False,
        self_collision: bool = False,
        drag: float = 0.0,
        tolerance: float = 1e-6,
        integrator: str = "implicit",
        impacts: bool | None = None,
        workers: int | None = None,
    ) -> None:
        self.gravity = np.array(gravity, dtype=np.float64)
        if self.gravity.shape != (3,) or not np.isfinite(self.gravity).all():
            raise InputError(f"gravity must be three numbers, got {gravity!r}")
        if stiffness is not None:
            check_number("stiffness", stiffness)
        for name, value in (("friction", friction), ("drag", drag)):
            check_number(name, value)
        check_number("tolerance", tolerance, above=0.0)
        known = {name: name for name in ("implicit", "explicit")}
        self.integrator = choice("integrator", integrator, known)
        self.contact = choice("contact", contact, {name: name for name in CONTACTS})
        if friction and self.integrator == "explicit":
            raise InputError('friction needs integrator="implicit", got "explicit"')
        self.friction = float(friction)
        self.method, self.stiffness = method, stiffness
        self.area_weight, self.self_collision = bool(area_weight), bool(self_collision)
        self.impacts = impacts if impacts is None else checked_bool("impacts", impacts)
        self.drag, self.tolerance = float(drag), float(tolerance)
        self.workers = workers
        self.scene, self.time, self.steps = Scene(), 0.0, 0
        self._members: list[Member] = []
        self._positions, self._velocities = np.zeros((0, 3)), np.zeros((0, 3))
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
        """The bodies, in the order of those of `scene`."""
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
        """Add a soft solid, where its vertices are.

        Parameters
        ----------
        solid : Solid
            Tetrahedra at rest.
        density, young, poisson, damping : float
            See `Material`.
        name : str, optional
            None takes that of the solid.
        """
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
        """Add a cloth that is flat at rest.

        Parameters
        ----------
        mesh, faces : mesh-like, or vertices (n, 3) and faces (m, 3)
            The shape at rest.
        density, young, poisson, damping : float
            See `Material`.
        thickness : float
            [length].
        bending : float, optional
            Resistance to bending [force length]; None is that of a plate of this thickness.
        name : str, optional
            None takes that of the mesh.
        """
        made = Mesh.of(mesh) if faces is None else Mesh(mesh, faces)
        material = Material(density, young, poisson, damping)
        check_number("thickness", thickness, above=0.0)
        if bending is None:
            bending = young * thickness**3 / (12.0 * (1.0 - poisson**2))
        check_number("bending", bending)
        check_cloth(made)
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
        """Add a body that keeps its shape; `fix` it to make it an obstacle.

        Parameters
        ----------
        mesh, faces : mesh-like, or vertices (n, 3) and faces (m, 3)
            A closed surface, filled evenly.
        density : float
            [mass / length^3].
        pose : (4, 4) array_like, optional
            Where it is: a rotation and a translation.
        name : str, optional
            None takes that of the mesh.
        """
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
        """Hold a body, or some of its vertices, where they are.

        Parameters
        ----------
        body : SoftBody, RigidBody, str or int
            The body, its name or its index.
        vertices : array_like, optional
            Indices or a mask of vertices of a soft body; None is the whole body.
        """
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
        """Advance by one time step.

        Parameters
        ----------
        dt : float
            Length of the step [time].

        Raises
        ------
        SimulationError
            The motion went astray; the bodies are as they were before the step.
        """
        check_number("dt", dt, above=0.0)
        return advance(self, dt)

    def energy(self) -> Energies:
        """Kinetic, gravity, elastic and contact energy of the present state [force length]."""
        return energies_of(self)

    def momentum(self) -> Momentum:
        """Linear and angular momentum of all bodies together."""
        return momentum_of(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to an .npz file; steps after `load` are the same to the last bit.

        Parameters
        ----------
        path : str or path
            The file.
        """
        from impinge.simulate.archive import save

        save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, method: str | Detector | None = None) -> World:
        """A world that was saved.

        Parameters
        ----------
        path : str or path
            The file.
        method : str, Detector or None
            Needed when the world was saved with an instance of a detector.
        """
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
            self._elasticity = elasticity(self._members, len(self._positions), self.workers)
        return self._elasticity

    def _pushes(self) -> Forces | None:
        """The forces of the present contacts; None when there are none."""
        contacts = self.contact_points
        if not contacts:
            return None
        if self.area_weight and self._areas is None:
            meshes = (member.body.mesh for member in self._members)
            self._areas = [vertex_areas(mesh.vertices, mesh.faces) for mesh in meshes]
        stiffness = self._natural if self.stiffness is None else self.stiffness
        if stiffness is None:
            stiffness = natural_stiffness(self._members, area_weight=self.area_weight)
            self._natural = stiffness
        return penalty_forces(contacts, stiffness, area_weight=self._areas, contact=self.contact)

    def __repr__(self) -> str:
        counts = f"{counted(len(self._members), 'body')}, {counted(self.steps, 'step')}"
        return f"World({counts}, time {self.time:g})"
