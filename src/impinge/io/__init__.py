"""Reads mesh files into checked parts: what a file declares is what you get, or an error."""

from impinge.io.load import load_mesh, load_scene
from impinge.io.model import Model, Part
from impinge.io.read import EXTENSIONS, read

__all__ = ["EXTENSIONS", "Model", "Part", "load_mesh", "load_scene", "read"]
