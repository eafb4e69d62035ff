"""The scenes of the papers, made from seeds, each moving through time."""

from impinge.lab.scenes.registry import make, names
from impinge.lab.scenes.run import PaperRow, SceneRun

__all__ = ["PaperRow", "SceneRun", "make", "names"]
