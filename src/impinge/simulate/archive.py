"""Worlds in files: one .npz with every array and a description in JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from impinge._outputs import replacing
from impinge.errors import InputError, MeshFileError
from impinge.mesh import Mesh
from impinge.simulate.members import RigidBody, SoftBody
from impinge.simulate.solids import Solid

if TYPE_CHECKING:
    import os

    from impinge.detectors.protocol import Detector
    from impinge.simulate.members import Member
    from impinge.simulate.world import World

_FORMAT = 2
_OPTIONS = (
    "stiffness",
    "contact",
    "friction",
    "area_weight",
    "self_collision",
    "drag",
    "tolerance",
    "integrator",
    "impacts",
)
_STATE = ("positions", "velocities", "accelerations", "held")


def save(world: World, path: str | os.PathLike[str]) -> None:
    """Write a world; a method that is an instance is not kept, only that there was one."""
    arrays: dict[str, Any] = {name: getattr(world, f"_{name}") for name in _STATE}
    bodies = []
    for index, member in enumerate(world.bodies):
        described, own = _described(member)
        bodies.append(described)
        arrays.update({f"{index}_{name}": array for name, array in own.items()})
    named = world.method is None or isinstance(world.method, str)
    scene = world.scene
    about = {
        "format": _FORMAT,
        "gravity": world.gravity.tolist(),
        **{name: getattr(world, name) for name in _OPTIONS},
        "method": world.method if named else "",
        "time": world.time,
        "steps": world.steps,
        "bodies": bodies,
        "ignored": [[scene.bodies.index(b) for b in pair] for pair in scene.ignored],
    }
    with replacing(path) as partial, partial.open("wb") as file:
        np.savez_compressed(file, world=np.array(json.dumps(about)), **arrays)


def load(path: str | os.PathLike[str], method: str | Detector | None) -> World:
    """Read a world."""
    from impinge.simulate.world import World

    try:
        # NumPy leaves a damaged file open that it opened itself
        with open(path, "rb") as raw, np.load(raw, allow_pickle=False) as file:
            arrays = dict(file)
        about = json.loads(str(arrays["world"]))
        if about["format"] != _FORMAT:
            raise MeshFileError(path, "", f"is of format {about['format']}, known is {_FORMAT}")
        if method is None and about["method"] == "":
            raise InputError(
                "the world was saved with an instance of a detector; give it again: "
                "World.load(path, method=...)"
            )
        options = {name: about[name] for name in _OPTIONS if name in about}
        chosen = about["method"] if method is None else method
        world = World(gravity=about["gravity"], method=chosen, **options)
        for index, body in enumerate(about["bodies"]):
            prefix = f"{index}_"
            own = {k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)}
            _add(world, body, own)
        for name in _STATE:
            old, new = getattr(world, f"_{name}"), arrays[name]
            if old.shape != new.shape or old.dtype != new.dtype:
                raise MeshFileError(path, name, "does not fit the bodies")
            setattr(world, f"_{name}", new)
    except (KeyError, TypeError, ValueError, BadZipFile) as error:
        if isinstance(error, InputError):
            raise
        raise MeshFileError(path, "", "is not a world saved by World.save") from error
    for a, b in about["ignored"]:
        world.scene.ignore(a, b)
    world.time, world.steps = float(about["time"]), int(about["steps"])
    world._moved()
    return world


def _described(member: Member) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is told in words and numbers, and the arrays."""
    if isinstance(member, RigidBody):
        mesh = member.body.mesh
        about = {"kind": "rigid", "name": member.name, "density": member.density}
        return about, {"vertices": mesh.vertices, "faces": mesh.faces, "turn": member._turn}
    assert isinstance(member, SoftBody)
    about = {"name": member.name, **vars(member.material)}
    if member.sheet is not None:
        about |= {"kind": "cloth", **vars(member.sheet)}
        return about, {"rest": member.rest, "cells": member.cells}
    arrays = {"rest": member.rest, "cells": member.cells, "surface": member.surface}
    return about | {"kind": "solid"}, arrays | {"faces": member.body.faces}


def _add(world: World, about: dict[str, Any], arrays: dict[str, Any]) -> None:
    options = {key: value for key, value in about.items() if key != "kind"}
    if about["kind"] == "rigid":
        member = world.add_rigid(arrays["vertices"], arrays["faces"], **options)
        member._turn = arrays["turn"]
    elif about["kind"] == "cloth":
        world.add_cloth(Mesh(arrays["rest"], arrays["cells"]), **options)
    else:
        parts = (arrays[name] for name in ("rest", "cells", "faces", "surface"))
        world.add(Solid(*parts), **options)
