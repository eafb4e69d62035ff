"""MeshLib: mesh processing with a collision finder, in float32 coordinates."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from impinge.lab.bench.cases import Bodies, Deforming, Points, Posed
from impinge.lab.bench.peers.boxes import BroadPhase
from impinge.lab.bench.peers.fcl import ordered
from impinge.lab.bench.peers.protocol import (
    Adapter,
    Rows,
    Task,
    inside,
    nothing,
    number,
    one_if,
    pairs_of,
    sorted_pairs,
)


class MeshLib(Adapter):
    name = "meshlib"
    distribution = "meshlib"
    module = "meshlib"

    def library(self) -> Any:
        return import_module("meshlib.mrmeshpy")

    def mesh(self, vertices: Any, faces: Any) -> Any:
        mesh = import_module("meshlib.mrmeshnumpy").meshFromFacesVerts(faces, vertices)
        mesh.getAABBTree()
        return mesh

    def affine(self, pose: Any) -> Any:
        mr = self.library()
        rows = [mr.Vector3f(*row) for row in pose[:3, :3].tolist()]
        return mr.AffineXf3f(mr.Matrix3f(*rows), mr.Vector3f(*pose[:3, 3].tolist()))

    def parts(self, case: Posed) -> tuple[Any, Any, list[Any]]:
        mr = self.library()
        a, b = (mr.MeshPart(self.kept(mesh.vertices, mesh.faces)) for mesh in (case.a, case.b))
        return a, b, list(map(self.affine, case.poses))

    def kept(self, vertices: Any, faces: Any) -> Any:
        """A mesh that outlives the parts which only point to it."""
        mesh = self.mesh(vertices, faces)
        self.__dict__.setdefault("meshes", []).append(mesh)
        return mesh

    def move(self, mesh: Any, vertices: Any) -> None:
        """Refits the tree, which is faster than a new one for each frame."""
        points = import_module("meshlib.mrmeshnumpy").fromNumpyArray(vertices)
        mesh.points = self.library().VertCoords(points)
        mesh.updateCaches(mesh.topology.getValidVerts())

    def prepare(self, task: str, case: Any) -> Task:
        self.__dict__.pop("meshes", None)
        return super().prepare(task, case)

    def pair(self, case: Posed) -> Task:
        find = self.library().findCollidingTriangles
        a, b, moves = self.parts(case)
        return Task(lambda k: find(a, b, moves[k]), _pair_rows)

    def touch(self, case: Posed) -> Task:
        find = self.library().findCollidingTriangles
        a, b, moves = self.parts(case)
        return Task(lambda k: find(a, b, moves[k], True), lambda found: one_if(len(found)))

    def distance(self, case: Posed) -> Task:
        find = self.library().findDistance
        a, b, moves = self.parts(case)
        return Task(lambda k: find(a, b, moves[k]), lambda found: number(found.distSq**0.5))

    def contains(self, case: Points) -> Task:
        """By signed distances, which is what it has for many points."""
        mr = self.library()
        mesh = self.kept(case.mesh.vertices, case.mesh.faces)
        points = mr.VertCoords(import_module("meshlib.mrmeshnumpy").fromNumpyArray(case.points))
        return Task(
            lambda _: mr.findSignedDistances(mesh, points),
            lambda found: inside(np.fromiter(found.vec, dtype=float) < 0),
        )

    def itself(self, case: Deforming) -> Task:
        mr = self.library()

        mesh = self.kept(case.frames[0], case.faces)

        def run(step: int) -> Any:
            self.move(mesh, case.frames[step])
            return mr.findSelfCollidingTriangles(mr.MeshPart(mesh))

        return Task(run, lambda found: sorted_pairs(_pair_rows(found)))

    def bodies(self, case: Bodies) -> Task:
        mr = self.library()
        parts = [mr.MeshPart(self.kept(mesh.vertices, mesh.faces)) for mesh in case.meshes]
        broad = BroadPhase(case)

        def run(step: int) -> Any:
            moves = list(map(self.affine, case.poses[step]))
            back = [move.inverse() for move in moves]
            return [
                (i, j, mr.findCollidingTriangles(parts[i], parts[j], back[i] * moves[j]))
                for i, j in broad.pairs(step)
            ]

        def rows(found: Any) -> Rows:
            parts = ((i, j, _pair_rows(pairs)) for i, j, pairs in found)
            return ordered(np.insert(faces, [0, 0], [i, j], axis=1) for i, j, faces in parts)

        return Task(run, rows)

    def build(self, case: Deforming) -> Task:
        return Task(lambda k: self.mesh(case.frames[k], case.faces), nothing)

    def refit(self, case: Deforming) -> Task:
        mesh = self.kept(case.frames[0], case.faces)
        return Task(lambda k: self.move(mesh, case.frames[1 - k]), nothing)


def _pair_rows(found: Any) -> Rows:
    return pairs_of([(pair.aFace.get(), pair.bFace.get()) for pair in found])
