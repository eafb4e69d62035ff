"""The answers: frozen, with read-only arrays; each is imported when it is first used.

`Collisions`, `Kind`, `Distance`, `Distances`, `Nearest`, `Penetration`, `RayHits`, `Relation`,
`TimeOfImpact` and `TimesOfImpact` are names of `impinge` itself; the others are these. `None` means
"not asked for", an empty array "none found".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from impinge.results.body_pairs import BodyPair, BodyPairs
    from impinge.results.check import Check
    from impinge.results.check_row import CheckRow, OverlapPieces
    from impinge.results.contact_points import ContactPoints
    from impinge.results.distances import BodyDistance, BodyDistances
    from impinge.results.free import BodyMotion, BodyMotions, MotionVerdict
    from impinge.results.gradient import Gradient, Gradients, VertexGradient
    from impinge.results.ignored_pairs import IgnoredPairs
    from impinge.results.impacts import ImpactKind, Impacts
    from impinge.results.loops import Loop
    from impinge.results.mesh_report import MeshReport
    from impinge.results.overlaps import Overlaps
    from impinge.results.polygons import Polygons
    from impinge.results.relation import BodyRelation, Relations
    from impinge.results.robot_motions import RobotMotions
    from impinge.results.stats import Stage, Stats
    from impinge.results.time_of_impact import BodyImpact, BodyImpacts, Start
    from impinge.results.verdict import Verdict

__all__ = [
    "BodyDistance",
    "BodyDistances",
    "BodyImpact",
    "BodyImpacts",
    "BodyMotion",
    "BodyMotions",
    "BodyPair",
    "BodyPairs",
    "BodyRelation",
    "Check",
    "CheckRow",
    "ContactPoints",
    "Gradient",
    "Gradients",
    "IgnoredPairs",
    "ImpactKind",
    "Impacts",
    "Loop",
    "MeshReport",
    "MotionVerdict",
    "OverlapPieces",
    "Overlaps",
    "Polygons",
    "Relations",
    "RobotMotions",
    "Stage",
    "Start",
    "Stats",
    "Verdict",
    "VertexGradient",
]

_MODULES = {
    "BodyDistance": "distances",
    "BodyDistances": "distances",
    "BodyPair": "body_pairs",
    "BodyPairs": "body_pairs",
    "BodyRelation": "relation",
    "Gradient": "gradient",
    "Gradients": "gradient",
    "Check": "check",
    "CheckRow": "check_row",
    "ImpactKind": "impacts",
    "Impacts": "impacts",
    "IgnoredPairs": "ignored_pairs",
    "Loop": "loops",
    "MeshReport": "mesh_report",
    "OverlapPieces": "check_row",
    "Overlaps": "overlaps",
    "ContactPoints": "contact_points",
    "Polygons": "polygons",
    "Relations": "relation",
    "RobotMotions": "robot_motions",
    "Stage": "stats",
    "Stats": "stats",
    "VertexGradient": "gradient",
    "BodyImpact": "time_of_impact",
    "BodyImpacts": "time_of_impact",
    "BodyMotion": "free",
    "BodyMotions": "free",
    "MotionVerdict": "free",
    "Start": "time_of_impact",
    "Verdict": "verdict",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'impinge.results' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"impinge.results.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
