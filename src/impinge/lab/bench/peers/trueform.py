"""trueform: fast trees and pair queries; no list of self-intersecting pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from impinge.lab.bench.cases import Bodies, Deforming, Posed
from impinge.lab.bench.peers.boxes import BroadPhase
from impinge.lab.bench.peers.fcl import ordered
from impinge.lab.bench.peers.protocol import Adapter, Rows, Task, nothing, number, one_if, pairs_of


class Trueform(Adapter):
    name = "trueform"
    distribution = "trueform"
    module = "trueform"

    def mesh(self, vertices: Any, faces: Any) -> Any:
        mesh = self.library().Mesh(faces, vertices)
        mesh.build_tree()
        return mesh

    def moving(self, case: Posed, ask: Any) -> Any:
        a, b = (self.mesh(mesh.vertices, mesh.faces) for mesh in (case.a, case.b))

        def run(step: int) -> Any:
            b.transformation = case.poses[step]
            return ask(a, b)

        return run

    def pair(self, case: Posed) -> Task:
        return Task(self.moving(case, self.library().gather_intersecting_ids), pairs_of)

    def touch(self, case: Posed) -> Task:
        return Task(self.moving(case, self.library().intersects), one_if)

    def distance(self, case: Posed) -> Task:
        return Task(self.moving(case, self.library().distance), number)

    def bodies(self, case: Bodies) -> Task:
        find, broad = self.library().gather_intersecting_ids, BroadPhase(case)
        meshes = [self.mesh(mesh.vertices, mesh.faces) for mesh in case.meshes]

        def run(step: int) -> Any:
            for mesh, pose in zip(meshes, case.poses[step], strict=True):
                mesh.transformation = pose
            return [(i, j, find(meshes[i], meshes[j])) for i, j in broad.pairs(step)]

        def rows(found: Any) -> Rows:
            return ordered(np.insert(pairs_of(p), [0, 0], [i, j], axis=1) for i, j, p in found)

        return Task(run, rows)

    def build(self, case: Deforming) -> Task:
        return Task(lambda k: self.mesh(case.frames[k], case.faces), nothing)
