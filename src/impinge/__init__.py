"""Exact and fast collision detection between triangle meshes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from impinge import errors
from impinge.body import Body
from impinge.detectors.registry import detector
from impinge.detectors.registry import names as methods
from impinge.errors import ImpingeError, InputError
from impinge.mesh import Mesh
from impinge.queries.collide import collide, self_collide
from impinge.queries.collides import collides
from impinge.results.collisions import Collisions, Kind
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge import cluster as cluster
    from impinge import lab as lab
    from impinge import results
    from impinge import robots as robots
    from impinge import simulate as simulate
    from impinge.io import load_mesh, load_scene
    from impinge.motion import Motion
    from impinge.queries.contact_points import contact_points
    from impinge.queries.distance import distance
    from impinge.queries.feature_impacts import edge_edge_impact, vertex_face_impact
    from impinge.queries.impacts import collision_free_step, impacts
    from impinge.queries.nearest import nearest, signed_distance
    from impinge.queries.overlap import overlap
    from impinge.queries.penetration import penetration
    from impinge.queries.raycast import raycast
    from impinge.queries.relation import relation
    from impinge.queries.side import contains, side
    from impinge.queries.time_of_impact import time_of_impact
    from impinge.results.distances import Distance, Distances
    from impinge.results.nearest import Nearest
    from impinge.results.penetration import Penetration
    from impinge.results.rays import RayHits
    from impinge.results.relation import Relation
    from impinge.results.time_of_impact import TimeOfImpact, TimesOfImpact

    __version__: str

# rooms with more dependencies (`impinge.simulate`, `cluster`, `lab`) are not for `import *`
__all__ = [
    "Body",
    "Collisions",
    "Distance",
    "Distances",
    "ImpingeError",
    "InputError",
    "Kind",
    "Mesh",
    "Motion",
    "Nearest",
    "Penetration",
    "RayHits",
    "Relation",
    "Scene",
    "TimeOfImpact",
    "TimesOfImpact",
    "__version__",
    "collide",
    "collides",
    "collision_free_step",
    "contact_points",
    "contains",
    "detector",
    "distance",
    "edge_edge_impact",
    "errors",
    "impacts",
    "load_mesh",
    "load_scene",
    "methods",
    "nearest",
    "overlap",
    "penetration",
    "raycast",
    "relation",
    "results",
    "self_collide",
    "side",
    "signed_distance",
    "time_of_impact",
    "vertex_face_impact",
]

# what is not needed to collide two meshes is imported when it is first used
_ROOMS = ("cluster", "lab", "results", "robots", "simulate")
_MODULES = {
    "Distance": "results.distances",
    "Distances": "results.distances",
    "Motion": "motion",
    "Nearest": "results.nearest",
    "Penetration": "results.penetration",
    "RayHits": "results.rays",
    "Relation": "results.relation",
    "TimeOfImpact": "results.time_of_impact",
    "TimesOfImpact": "results.time_of_impact",
    "collision_free_step": "queries.impacts",
    "contains": "queries.side",
    "distance": "queries.distance",
    "edge_edge_impact": "queries.feature_impacts",
    "impacts": "queries.impacts",
    "contact_points": "queries.contact_points",
    "load_mesh": "io",
    "load_scene": "io",
    "nearest": "queries.nearest",
    "overlap": "queries.overlap",
    "penetration": "queries.penetration",
    "raycast": "queries.raycast",
    "relation": "queries.relation",
    "side": "queries.side",
    "signed_distance": "queries.nearest",
    "time_of_impact": "queries.time_of_impact",
    "vertex_face_impact": "queries.feature_impacts",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _MODULES:
        value = getattr(import_module(f"impinge.{_MODULES[name]}"), name)
    elif name in _ROOMS:
        value = import_module(f"impinge.{name}")
    elif name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            value = version("impinge")
        except PackageNotFoundError:
            value = "0+unknown"
    else:
        raise AttributeError(f"module 'impinge' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
