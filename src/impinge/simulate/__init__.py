"""Soft and rigid bodies in motion: contacts push them apart, an implicit solver moves them."""

from impinge.errors import MissingDependencyError

try:
    import scipy  # noqa: F401
except ImportError:
    raise MissingDependencyError("SciPy", "simulate", "impinge.simulate") from None

from impinge.simulate.members import Material, RigidBody, SoftBody
from impinge.simulate.overlap import overlap_volume
from impinge.simulate.quantities import Energies, Momentum
from impinge.simulate.shapes import ball, box, ring, torus
from impinge.simulate.solids import Solid
from impinge.simulate.stepping import Step
from impinge.simulate.tetrahedralize import solid_of
from impinge.simulate.world import World

__all__ = [
    "Energies",
    "Material",
    "Momentum",
    "RigidBody",
    "SoftBody",
    "Solid",
    "Step",
    "World",
    "ball",
    "box",
    "overlap_volume",
    "ring",
    "solid_of",
    "torus",
]
