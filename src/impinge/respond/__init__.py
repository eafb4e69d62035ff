"""From a result to motion: response vectors of colliding faces, penalty forces of contacts."""

from impinge.respond.normals import unit_normals
from impinge.respond.penalty import Forces, penalty_forces, vertex_areas
from impinge.respond.vectors import Responses, responses

__all__ = [
    "Forces",
    "Responses",
    "penalty_forces",
    "responses",
    "unit_normals",
    "vertex_areas",
]
