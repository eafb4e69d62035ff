"""Ways to find pairs of faces, contact points or overlapping bodies: chosen by name."""

from impinge.detectors.protocol import (
    CAPABILITIES,
    ConfigurationsQuery,
    ContactPointDetector,
    ContactPointsQuery,
    Detector,
    OverlapDetector,
    OverlapsQuery,
    PairDetector,
    PosesQuery,
    SceneQuery,
)
from impinge.detectors.raw import RawContactPoints, RawOverlaps, RawPairs
from impinge.detectors.registry import detector, names, register, require, unregister

__all__ = [
    "CAPABILITIES",
    "ConfigurationsQuery",
    "ContactPointDetector",
    "ContactPointsQuery",
    "Detector",
    "OverlapDetector",
    "OverlapsQuery",
    "PairDetector",
    "PosesQuery",
    "RawContactPoints",
    "RawOverlaps",
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
register("ray", "impinge.detectors.ray:Ray")
register("proximity", "impinge.detectors.proximity:Proximity")
register("dop", "impinge.detectors.dop:Dop")
register("cinder", "impinge.detectors.cinder:Cinder")
register("cdfc", "impinge.detectors.cdfc:Cdfc")
