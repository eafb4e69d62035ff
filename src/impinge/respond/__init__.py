"""Where colliding faces should go: one unit vector per face, from the normals of its partners."""

from impinge.respond.normals import unit_normals
from impinge.respond.vectors import Responses, responses

__all__ = ["Responses", "responses", "unit_normals"]
