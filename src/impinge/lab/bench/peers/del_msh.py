"""del-msh: self-intersection by a tree of Morton codes, in float32 coordinates."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from impinge.lab.bench.cases import Deforming
from impinge.lab.bench.peers.protocol import Adapter, Task, nothing, sorted_pairs


class DelMsh(Adapter):
    name = "del-msh"
    distribution = "del-msh-numpy"
    module = "del_msh_numpy"

    def library(self) -> Any:
        return import_module("del_msh_numpy.TriMesh")

    def inputs(self, case: Deforming) -> tuple[Any, Any, Any]:
        return self.library(), case.faces.astype(np.uint64), case.frames.astype(np.float32)

    def boxes(self, faces: Any, points: Any, nodes: Any, boxes: Any = None) -> Any:
        # not by `aabbs_tri`, which hands its last argument on in the wrong place
        fit = import_module("del_msh_numpy.BVH").aabb_uniform_mesh
        return fit(faces, points, nodes, boxes, None)

    def itself(self, case: Deforming) -> Task:
        meshes, faces, frames = self.inputs(case)
        # kept, which is faster than a new tree for each frame
        nodes = meshes.bvhnodes_tri(faces, frames[0])

        def run(step: int) -> Any:
            points = frames[step]
            boxes = self.boxes(faces, points, nodes)
            return meshes.self_intersection(faces, points, nodes, boxes)

        return Task(run, lambda found: sorted_pairs(found[1]))

    def build(self, case: Deforming) -> Task:
        meshes, faces, frames = self.inputs(case)

        def run(step: int) -> Any:
            nodes = meshes.bvhnodes_tri(faces, frames[step])
            return self.boxes(faces, frames[step], nodes)

        return Task(run, nothing)

    def refit(self, case: Deforming) -> Task:
        meshes, faces, frames = self.inputs(case)
        nodes = meshes.bvhnodes_tri(faces, frames[0])
        boxes = self.boxes(faces, frames[0], nodes)
        return Task(lambda k: self.boxes(faces, frames[1 - k], nodes, boxes), nothing)
