"""Files straight into the nouns: a mesh, or a scene of all their parts."""

from __future__ import annotations

import os
import warnings

import numpy as np

from impinge import _core
from impinge._text import one_line
from impinge.errors import InputError, MeshFileError
from impinge.io.checks import checked_name
from impinge.io.model import Model, Part
from impinge.io.read import read
from impinge.mesh import Mesh
from impinge.scene import Scene

_MOST_JOINED = 1 << 30


def load_mesh(path: str | os.PathLike[str], *, lenient: bool = False) -> Mesh:
    """Read a file as one mesh; the parts of an assembly are joined in world coordinates.

    Parameters
    ----------
    path : str or path
        An STL, OBJ, PLY, OFF, GLB, glTF or 3MF file. Coordinates are in its units.
    lenient : bool, default False
        Leave out what is broken, with a warning, instead of raising.

    Returns
    -------
    Mesh

    Raises
    ------
    MeshFileError
        The file cannot be read or trusted; the message tells where in it and why.

    See Also
    --------
    impinge.load_scene : One body for each part.

    Examples
    --------
    >>> import impinge
    >>> from impinge import data
    >>> impinge.load_mesh(data.path("gearbox.glb"))
    Mesh('gearbox', 9,110 vertices, 18,304 faces)
    """
    return mesh_of(read(path, lenient=lenient, split=False))


def mesh_of(model: Model) -> Mesh:
    """One mesh of a model already read, in world coordinates."""
    _warn(model, 4)
    if len(model.parts) == 1 and _stays(model.parts[0]):
        return model.parts[0].mesh
    _refuse_too_large(model)
    vertices, faces, first = [], [], 0
    for part in model.parts:
        vertices.append(_core.transform(part.mesh.vertices, part.pose))
        faces.append(part.mesh.faces.astype(np.int64) + first)
        first += len(part.mesh.vertices)
    return Mesh(
        np.concatenate(vertices),
        np.concatenate(faces),
        name=checked_name(model.path.stem),
        precision=max(part.precision for part in model.parts),
    )


def load_scene(*paths: str | os.PathLike[str], lenient: bool = False) -> Scene:
    """Read files as a scene with one body for each part.

    Parameters
    ----------
    *paths : str or path
        Files as for `impinge.load_mesh`. Bodies take the names of the parts; with several files it
        is "file/part", or "file" when it has one part.
    lenient : bool, default False
        Leave out what is broken, with a warning, instead of raising.

    Returns
    -------
    Scene

    Raises
    ------
    MeshFileError
        A file cannot be read or trusted.

    See Also
    --------
    impinge.load_mesh : One mesh of a whole file.

    Examples
    --------
    The gearbox that comes with the package, 44 parts with six deliberate clashes:

    >>> import impinge
    >>> from impinge import data
    >>> scene = impinge.load_scene(data.path("gearbox.glb"))
    >>> scene
    Scene(44 bodies, 18,304 faces)
    >>> len(scene.collide(touching="exclude").body_pairs)
    6
    """
    if not paths:
        raise InputError("load_scene needs at least one path")
    models = [read(path, lenient=lenient) for path in paths]
    for model in models:
        _warn(model, 3)
    return scene_of(models)


def scene_of(models: list[Model]) -> Scene:
    """The scene of models already read."""
    scene = Scene()
    for model in models:
        for part in model.parts:
            name = part.name
            if len(models) > 1:
                stem = checked_name(model.path.stem)
                name = stem if len(model.parts) == 1 else f"{stem}/{part.name}"
            scene.add(part.mesh, name=name, pose=part.pose)
    return scene


def _refuse_too_large(model: Model) -> None:
    """Parts that share a mesh are small in a scene, and as many meshes when they are joined."""
    joined = sum(part.mesh.vertices.nbytes + part.mesh.faces.nbytes for part in model.parts)
    once = {id(part.mesh): part.mesh for part in model.parts}.values()
    apart = sum(mesh.vertices.nbytes + mesh.faces.nbytes for mesh in once)
    if joined > max(_MOST_JOINED, 2 * apart):
        raise MeshFileError(
            model.path,
            "",
            f"its {len(model.parts):,} parts would take {joined:,} bytes as one mesh; the limit "
            f"is {_MOST_JOINED:,}; use load_scene, in which they share {len(once):,} of them",
        )


def _stays(part: Part) -> bool:
    return bool(np.array_equal(part.pose, np.eye(4)))


def _warn(model: Model, stacklevel: int) -> None:
    for text in model.warnings:
        warnings.warn(one_line(f"{model.path}: {text}"), stacklevel=stacklevel)
