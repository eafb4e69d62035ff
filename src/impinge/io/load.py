"""Files straight into the nouns: a mesh, or a scene of all their parts."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import numpy as np

from impinge import _core
from impinge.errors import InputError
from impinge.io.model import Model, Part
from impinge.io.read import read
from impinge.mesh import Mesh
from impinge.scene import Scene


def load_mesh(path: str | os.PathLike[str], *, lenient: bool = False) -> Mesh:
    """One mesh of the whole file; the parts of an assembly are joined in world coordinates."""
    model = read(path, lenient=lenient, split=False)
    _warn(model)
    if len(model.parts) == 1 and _stays(model.parts[0]):
        return model.parts[0].mesh
    vertices, faces, first = [], [], 0
    for part in model.parts:
        vertices.append(_core.transform(part.mesh.vertices, part.pose))
        faces.append(part.mesh.faces.astype(np.int64) + first)
        first += len(part.mesh.vertices)
    return Mesh(np.concatenate(vertices), np.concatenate(faces), name=Path(path).stem)


def load_scene(*paths: str | os.PathLike[str], lenient: bool = False) -> Scene:
    """A scene with one body for each part of each file.

    Bodies take the parts' names; with several files `file/part`, or `file` when it has one part.
    """
    if not paths:
        raise InputError("load_scene needs at least one path")
    models = [read(path, lenient=lenient) for path in paths]
    for model in models:
        _warn(model)
    return scene_of(models)


def scene_of(models: list[Model]) -> Scene:
    """The scene of models already read."""
    scene = Scene()
    for model in models:
        for part in model.parts:
            name = part.name
            if len(models) > 1:
                stem = model.path.stem
                name = stem if len(model.parts) == 1 else f"{stem}/{part.name}"
            scene.add(part.mesh, name=name, pose=part.pose)
    return scene


def _stays(part: Part) -> bool:
    return bool(np.array_equal(part.pose, np.eye(4)))


def _warn(model: Model) -> None:
    for text in model.warnings:
        warnings.warn(f"{model.path}: {text}", stacklevel=3)
