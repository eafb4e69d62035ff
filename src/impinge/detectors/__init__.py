"""Ways to find colliding pairs of faces: one module or folder each, chosen by name."""

from impinge.detectors.protocol import (
    CAPABILITIES,
    Detector,
    PosesQuery,
    RawPairs,
    SceneQuery,
)
from impinge.detectors.registry import detector, names, register, require, unregister

__all__ = [
    "CAPABILITIES",
    "Detector",
    "PosesQuery",
    "RawPairs",
    "SceneQuery",
    "detector",
    "names",
    "register",
    "require",
    "unregister",
]

register("bvh", "impinge.detectors.bvh:Bvh")
register("brute", "impinge.detectors.brute:Brute")
register("peel", "impinge.detectors.peel:Peel")
