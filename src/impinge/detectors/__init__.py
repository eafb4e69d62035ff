"""Ways to find colliding pairs of faces or contact points: one module each, chosen by name."""

from impinge.detectors.protocol import (
    CAPABILITIES,
    ContactDetector,
    ContactsQuery,
    Detector,
    PairDetector,
    PosesQuery,
    RawContacts,
    RawPairs,
    SceneQuery,
)
from impinge.detectors.registry import detector, names, register, require, unregister

__all__ = [
    "CAPABILITIES",
    "ContactDetector",
    "ContactsQuery",
    "Detector",
    "PairDetector",
    "PosesQuery",
    "RawContacts",
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
register("cdfc", "impinge.detectors.cdfc:Cdfc")
