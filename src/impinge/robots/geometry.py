"""The collision geometry of links: one mesh for each, in the coordinates of its link."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.errors import InputError, MeshFileError
from impinge.io import collada, read
from impinge.io.load import mesh_of
from impinge.io.read import read_with
from impinge.mesh import Mesh
from impinge.robots import primitives
from impinge.robots.packages import Finder

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.robots.urdf import Description, Link, Shape


class Workshop:
    """Makes the meshes of one robot; a file that is used many times is read once."""

    def __init__(self, robot: Description, finder: Finder, error: float, lenient: bool) -> None:
        self._findings = robot.findings
        self._finder = finder
        self._error = error
        self._lenient = lenient
        self._read: dict[Path, Mesh] = {}

    def mesh_of(self, link: Link) -> Mesh | None:
        """All shapes of a link as one mesh; None when it has none."""
        if not link.shapes:
            return None
        pieces = [self._placed(shape, link) for shape in link.shapes]
        if len(pieces) == 1:
            return Mesh._trusted(
                pieces[0].vertices, pieces[0].faces, link.name, pieces[0].precision
            )
        first = np.cumsum([0] + [len(piece.vertices) for piece in pieces])
        faces = [piece.faces + np.int32(at) for piece, at in zip(pieces, first, strict=False)]
        return Mesh(
            np.concatenate([piece.vertices for piece in pieces]),
            np.concatenate(faces),
            name=link.name,
            precision=max(piece.precision for piece in pieces),
        )

    def _placed(self, shape: Shape, link: Link) -> Mesh:
        """A shape in the coordinates of its link."""
        mesh = self._mesh(shape, link)
        pose = shape.origin.copy()
        if shape.kind == "mesh":
            pose[:3, :3] *= shape.sizes
        if np.array_equal(pose, np.eye(4)):
            return mesh
        nbytes = mesh.vertices.nbytes + mesh.faces.nbytes
        self._findings.spend(nbytes, "its geometry", place=f"line {shape.element.line}")
        vertices: Floats = _core.transform(mesh.vertices, pose)
        faces: Ints = mesh.faces
        if np.prod(np.sign(shape.sizes)) < 0:
            # mirrored: inside stays inside
            faces = np.ascontiguousarray(faces[:, ::-1])
        stretch = float(np.abs(shape.sizes).max()) if shape.kind == "mesh" else 1.0
        return Mesh(vertices, faces, precision=mesh.precision * stretch)

    def _mesh(self, shape: Shape, link: Link) -> Mesh:
        if shape.kind == "mesh":
            return self._file(shape, link)
        try:
            arrays = _primitive(shape, self._error)
        except InputError as error:
            shape.element.fail(str(error))
        nbytes = arrays[0].nbytes + arrays[1].nbytes
        self._findings.spend(nbytes, "its geometry", place=f"line {shape.element.line}")
        return Mesh(*arrays)

    def _file(self, shape: Shape, link: Link) -> Mesh:
        path = self._finder.find(shape.file, shape.element)
        known = self._read.get(path)
        if known is not None:
            return known
        try:
            if path.suffix.lower() == ".dae":
                model = read_with(collada.read_parts, path, lenient=self._lenient, split=False)
            else:
                model = read(path, lenient=self._lenient, split=False)
            mesh = mesh_of(model)
        except MeshFileError as error:
            # where it is used, beside what is wrong with it
            used = f"line {shape.element.line}, link {link.name!r}"
            raise MeshFileError(self._findings.path, used, str(error)) from error
        self._findings.budget.grow(path.stat().st_size)
        self._read[path] = mesh
        return mesh


def _primitive(shape: Shape, error: float) -> tuple[Floats, Ints]:
    if shape.kind == "box":
        return primitives.box(shape.sizes)
    if shape.kind == "sphere":
        return primitives.sphere(shape.sizes[0], error)
    make = primitives.cylinder if shape.kind == "cylinder" else primitives.capsule
    return make(shape.sizes[0], shape.sizes[1], error)
