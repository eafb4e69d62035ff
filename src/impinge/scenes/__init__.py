"""The scenes of the papers, made from seeds, each moving through time."""

from impinge.scenes.registry import make, names
from impinge.scenes.run import PaperRow, SceneRun

__all__ = ["PaperRow", "SceneRun", "make", "names"]
