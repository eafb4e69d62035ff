"""Warp on the CPU: the tree of its meshes, in float32."""

from __future__ import annotations

from typing import Any

import numpy as np

from impinge.lab.bench.cases import Deforming
from impinge.lab.bench.peers.protocol import Adapter, Task, nothing


class Warp(Adapter):
    name = "warp"
    distribution = "warp-lang"
    module = "warp"

    def points(self, vertices: Any) -> Any:
        wp = self.library()
        return wp.array(vertices, dtype=wp.vec3, device="cpu")

    def mesh(self, vertices: Any, faces: Any) -> Any:
        wp = self.library()
        indices = wp.array(faces.ravel(), dtype=wp.int32, device="cpu")
        return wp.Mesh(points=self.points(vertices), indices=indices)

    def build(self, case: Deforming) -> Task:
        self.library().init()
        frames = case.frames.astype(np.float32)
        return Task(lambda k: self.mesh(frames[k], case.faces), nothing)

    def refit(self, case: Deforming) -> Task:
        self.library().init()
        frames = [self.points(frame) for frame in case.frames.astype(np.float32)]
        mesh = self.mesh(case.frames[0].astype(np.float32), case.faces)

        def run(step: int) -> Any:
            mesh.points.assign(frames[1 - step])
            mesh.refit()

        return Task(run, nothing)
