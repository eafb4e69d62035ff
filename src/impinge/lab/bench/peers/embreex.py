"""embreex: rays by Embree."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from impinge.lab.bench.cases import Deforming, Rays
from impinge.lab.bench.peers.protocol import Adapter, Task, nothing

# farther than anything that is hit
_NOTHING = 1e36


class Embreex(Adapter):
    name = "embreex"
    distribution = "embreex"
    module = "embreex"

    def scene(self, vertices: Any, faces: Any) -> Any:
        scene = import_module("embreex.rtcore_scene").EmbreeScene()
        import_module("embreex.mesh_construction").TriangleMesh(scene, vertices, faces)
        # the tree is built by the first ray
        point = np.full((1, 3), 1e6, dtype=np.float32)
        scene.run(point, np.ones((1, 3), dtype=np.float32))
        return scene

    def rays(self, case: Rays) -> Task:
        scene = self.scene(case.mesh.vertices.astype(np.float32), case.mesh.faces)
        origins, directions = (a.astype(np.float32) for a in (case.origins, case.directions))

        def run(_: int) -> Any:
            return scene.run(origins, directions, query="DISTANCE")

        return Task(run, lambda t: np.where(t < _NOTHING, t, np.inf))

    def build(self, case: Deforming) -> Task:
        frames = case.frames.astype(np.float32)
        return Task(lambda k: self.scene(frames[k], case.faces), nothing)
