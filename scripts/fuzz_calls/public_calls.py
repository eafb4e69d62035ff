"""Random calls of the public functions on meshes and scenes, with all detectors on the CPU."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from values import Draw

import impinge
from impinge.filters import groups, within

REFUSALS: tuple[type[BaseException], ...] = (impinge.ImpingeError,)

Call = tuple[str, Callable[[], Any]]

# of two meshes, of one, and of one with points
OF_PAIRS = ("collide", "collides", "contact_points", "distance", "overlap", "penetration")
OF_PAIRS += ("relation", "time_of_impact")
WITH_POINTS = ("raycast", "contains", "nearest", "side", "signed_distance")
OF_VERTICES = ("impacts", "collision_free_step")
OF_MESHES = ("self_collide", *WITH_POINTS, *OF_VERTICES)
OF_MOTIONS = ("time_of_impact", "free")
OF_FEATURES = ("vertex_face_impact", "edge_edge_impact")
OF_SCENES = ("collide", "collides", "contact_points", "distances", "overlaps", "relations", "check")
OF_SCENES += (*OF_MOTIONS, *OF_VERTICES)
NAMES = (*OF_PAIRS, *OF_MESHES, *OF_FEATURES, "Mesh", "Scene.change")
NAMES += tuple(f"Scene.{name}" for name in OF_SCENES)

_CHOICES: dict[str, tuple[Any, ...]] = {
    "touching": ("include", "exclude"),
    "mode": ("all", "first"),
    "margin": (None, 0.0, 0.1, 1e-300, 5.0),
    "workers": (None, 1, 2, 3, 10**6),
    "progress": (None, lambda done: None, lambda done: True),
    "ignore_rings": (0, 1, 3),
    "report_duplicates": (False, True),
    "max_pairs": (None, 0, 3, 10**6),
    "self_collision": (False, True),
    "upper_bound": (None, 0.0, 0.5),
    "gradient": (False, True),
    "accuracy": (1e-2, 1e-1, 1.0),
    "t_min": (0.0, -1.0, 0.5),
    "t_max": (float("inf"), 1.0),
    "tolerance": (0.0, 1e-3, 0.5, None, "precision"),
    "clearance": (None, 0.0, 0.3),
    "facets": (False, True),
    "refine": (None,),
    "hint": (None,),
    "name": (None, "part", "bolt\n"),
    "groups": (None, "legs", ("legs", "arms"), ()),
    "minimum_separation": (0.0, 1e-3, 0.5),
}
_DETECTORS: dict[str, dict[str, tuple[Any, ...]]] = {
    "bvh": {},
    "brute": {"kernel": ("exact", "moller", "unit_closed", "unit_open")},
    "dop": {
        "k": (6, 14, 18, 24, 26),
        "traversal": ("list", "classic"),
        "kernel": ("exact", "exact", "unit_closed", "unit_open"),
    },
    "cdfc": {
        "clusters": (None, 1, 2, 5, 10**6),
        "membership": ("bisector", "generous", "absolute"),
        "threshold": (None, 0.1, 0.9),
        "fuzziness": (2.0, 1.2),
        "iterations": (1, 3),
    },
    "peel": {
        "resolution": (None, 16, 64),
        "direction": (None, (0, 0, 1)),
        "conservative": (True, False),
        "layers": (None, 1, 4),
    },
    "cinder": {
        "resolution": (16, 64),
        "variant": ("corrected", "original", "printed"),
        "judge": (False, True),
    },
    "ray": {"accelerator": ("bvh", "octree"), "symmetric": (True, False)},
    "proximity": {"threshold": (None, 0.1, 0.01)},
}
_OF_PAIRS, _OF_POINTS = ("bvh", "bvh", "brute", "dop", "cdfc", "peel"), ("ray", "proximity")
_OF_IMAGES = ("peel", "cinder", "cdfc")


class Options:
    """Options of a function by the names of its parameters."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.detectors: tuple[str, ...] = ()
        self.bodies: int | None = None

    def of(self, function: Callable[..., Any]) -> dict[str, Any]:
        given = {}
        owner = getattr(function, "__self__", None)
        self.bodies = len(owner.bodies) if isinstance(owner, impinge.Scene) else None
        of_points, of_images = "contact" in function.__name__, "overlaps" in function.__name__
        self.detectors = _OF_POINTS if of_points else ("cinder",) if of_images else _OF_PAIRS
        for name, parameter in inspect.signature(function).parameters.items():
            free = parameter.kind is inspect.Parameter.KEYWORD_ONLY and name != "to"
            if free and self.draw.chance(0.4):
                given[name] = self.value(name)
        return given

    def value(self, name: str) -> Any:
        draw = self.draw
        drawn: dict[str, Callable[[], Any]] = {
            "method": self.detector,
            "poses": self.configurations,
            "pose": lambda: draw.poses(1)[0],
            "ignore": self.ignored,
            "motion_a": lambda: motion(draw),
            "motion_b": lambda: motion(draw),
        }
        return drawn[name]() if name in drawn else draw.one_of(_CHOICES[name])

    def ignored(self) -> Any:
        draw = self.draw
        if self.bodies is not None and draw.chance(0.3):
            return within(groups("legs"))
        return draw.rng.integers(0, draw.one_of((1, 4)), (draw.whole(0, 3), 2))

    def configurations(self) -> Any:
        """Poses of some bodies of a scene, or of all; of a mesh, where there is no scene."""
        draw, count = self.draw, self.draw.whole(0, 4)
        if self.bodies is None:
            return draw.poses(count)
        chosen = [i for i in range(self.bodies) if draw.chance(0.6)]
        if draw.chance(0.2):
            return draw.poses(count * self.bodies).reshape(count, self.bodies, 4, 4)
        return {i: draw.poses(count) if draw.chance(0.8) else draw.poses(1)[0] for i in chosen}

    def detector(self) -> Any:
        draw = self.draw
        name = draw.one_of([*_DETECTORS] if draw.chance(0.1) else self.detectors)
        if draw.chance(0.3) and name not in _OF_IMAGES:
            return name
        chosen = {
            option: draw.one_of(values)
            for option, values in _DETECTORS[name].items()
            if draw.chance(0.5)
        }
        if name in _OF_IMAGES:
            chosen["device"] = "cpu"
        if name == "cinder":
            chosen.setdefault("resolution", 64)
        if draw.chance(0.1):
            _spoil(draw, [], chosen)
        return impinge.detector(name, **chosen)


def operand(draw: Draw) -> Any:
    """Something that stands for a mesh, mostly."""
    vertices, faces = draw.mesh()
    kind = draw.rng.random()
    if kind < 0.5:
        return impinge.Mesh(vertices, faces)
    if kind < 0.75:
        return vertices, faces
    if kind < 0.8:
        return {"vertices": vertices, "faces": faces}
    if kind < 0.85:
        return SimpleNamespace(vertices=vertices, faces=faces)
    if kind < 0.9:
        return impinge.Body(impinge.Mesh(vertices, faces), pose=draw.poses(1)[0])
    return draw.spoilt((vertices, faces)) if draw.chance(0.5) else (vertices, faces)


def scene(draw: Draw) -> impinge.Scene:
    made = impinge.Scene()
    for _ in range(draw.whole(0, 4)):
        made.add(operand(draw), **Options(draw).of(made.add))
    return made


def motion(draw: Draw) -> Any:
    """How a body moves: a motion, poses, or several motions."""
    kind, steps = draw.whole(0, 4), draw.whole(1, 3)
    if kind == 0:
        return draw.rigid(steps + 1)
    if kind == 1:
        return np.stack([draw.rigid(steps + 1) for _ in range(draw.one_of((1, 2, 2)))])
    if kind == 2:
        return [draw.motion(steps) for _ in range(draw.one_of((1, 2, 2)))]
    return draw.motion(steps)


def moving_bodies(draw: Draw, bodies: impinge.Scene, name: str) -> dict[Any, Any]:
    """What a question about a scene that moves is given first."""
    chosen = [i for i in range(len(bodies.bodies)) if draw.chance(0.6)]
    if name in OF_VERTICES:
        return {i: draw.moved(bodies.bodies[i].vertices) for i in chosen}
    return {i: motion(draw) for i in chosen}


def changed(draw: Draw) -> Any:
    """A scene whose bodies come, move, deform and go between questions."""
    made = scene(draw)
    for _ in range(draw.whole(1, 4)):
        kind, bodies = draw.whole(0, 4), made.bodies
        if kind == 0 or not bodies:
            made.add(operand(draw), pose=draw.poses(1)[0] if draw.chance(0.5) else None)
        elif kind == 1:
            made.remove(draw.one_of(bodies) if draw.chance(0.8) else draw.anything())
        elif kind == 2:
            pose = draw.poses(1)[0]
            draw.one_of(bodies).pose = draw.spoilt(pose) if draw.chance(0.3) else pose
        elif kind == 3:
            body = draw.one_of(bodies)
            vertices = body.vertices + draw.rng.normal(size=3) * 0.1
            body.vertices = draw.spoilt(vertices) if draw.chance(0.3) else vertices
        else:
            made.ignore(draw.whole(0, len(bodies)), draw.whole(0, len(bodies)))
        made.collides()
    return made.collide(self_collision=draw.chance(0.5))


def call(draw: Draw) -> Call:
    """A random call: its name, and what makes it."""
    name = draw.one_of(NAMES)
    if name == "Scene.change":
        return name, lambda: changed(draw)
    if name == "Mesh":
        vertices, faces = draw.spoilt(draw.mesh()), None
        pair = vertices if isinstance(vertices, tuple) and len(vertices) == 2 else (vertices, faces)
        return name, lambda: impinge.Mesh(*pair).report()
    owner, _, method = name.rpartition(".")
    function: Callable[..., Any] = getattr(scene(draw) if owner else impinge, method)
    operands: list[Any] = []
    options = Options(draw).of(function)
    if owner:
        if method in OF_VERTICES:
            options["to"] = moving_bodies(draw, function.__self__, method)
        elif method in OF_MOTIONS:
            operands = [moving_bodies(draw, function.__self__, method)]
    elif name in OF_FEATURES:
        operands = [*draw.rng.normal(size=(2, draw.whole(0, 5), 4, 3)).round(draw.whole(0, 3))]
    elif name in OF_VERTICES:
        mesh = impinge.Mesh(*draw.mesh())
        operands, options["to"] = [mesh], draw.moved(mesh.vertices)
    else:
        operands = [operand(draw) for _ in range(1 + (name in OF_PAIRS))]
        if name == "raycast":
            operands += [draw.points(5), draw.points(5)]
        elif name in WITH_POINTS:
            operands.append(draw.points())
    if draw.chance(0.4):
        _spoil(draw, operands, options)
    return name, lambda: function(*operands, **options)


def _spoil(draw: Draw, operands: list[Any], options: dict[str, Any]) -> None:
    at = draw.whole(0, len(operands) + len(options) - 1) if operands or options else -1
    if 0 <= at < len(operands):
        operands[at] = draw.spoilt(operands[at])
    elif at >= 0:
        name = [*options][at - len(operands)]
        options[name] = draw.spoilt(options[name])


def look_at(answer: Any) -> None:
    """Ask an answer for all that it computes late."""
    if isinstance(answer, np.ndarray | bool | impinge.Mesh) or answer is None:
        return
    for name in dir(type(answer)):
        if not name.startswith("_") and not callable(getattr(type(answer), name)):
            getattr(answer, name)
    if isinstance(answer, impinge.Collisions):
        str(answer), answer.stats
