"""Open3D: rays by Embree in its raycasting scene."""

from __future__ import annotations

from typing import Any

import numpy as np

from impinge.lab.bench.cases import Deforming, Points, Rays
from impinge.lab.bench.peers.protocol import Adapter, Task, inside, nothing


class Open3D(Adapter):
    name = "open3d"
    distribution = "open3d"
    module = "open3d"

    def scene(self, vertices: Any, faces: Any) -> Any:
        core, geometry = self.library().core, self.library().t.geometry
        scene = geometry.RaycastingScene(nthreads=self.threads or 0)
        scene.add_triangles(core.Tensor(vertices), core.Tensor(faces))
        # the tree is built by the first ray
        scene.cast_rays(core.Tensor(np.full((1, 6), 1e6, dtype=np.float32)))
        return scene

    def rays(self, case: Rays) -> Task:
        scene = self.scene(case.mesh.vertices.astype(np.float32), case.mesh.faces.astype(np.uint32))
        both = np.concatenate([case.origins, case.directions], axis=1).astype(np.float32)
        rays = self.library().core.Tensor(both)
        return Task(lambda _: scene.cast_rays(rays)["t_hit"], lambda t: t.numpy().astype(float))

    def contains(self, case: Points) -> Task:
        mesh = case.mesh
        scene = self.scene(mesh.vertices.astype(np.float32), mesh.faces.astype(np.uint32))
        points = self.library().core.Tensor(case.points.astype(np.float32))
        return Task(lambda _: scene.compute_occupancy(points), lambda t: inside(t.numpy()))

    def build(self, case: Deforming) -> Task:
        frames, faces = case.frames.astype(np.float32), case.faces.astype(np.uint32)
        return Task(lambda k: self.scene(frames[k], faces), nothing)
