"""IPC Toolkit: whether edges cross faces; no list of pairs of faces."""

from __future__ import annotations

from typing import Any

import numpy as np

from impinge.lab.bench.cases import Posed
from impinge.lab.bench.peers.protocol import Adapter, Task, one_if


class IpcToolkit(Adapter):
    name = "ipctk"
    distribution = "ipctk"
    module = "ipctk"

    def touch(self, case: Posed) -> Task:
        ipctk = self.library()
        still = len(case.a.vertices)
        points = np.concatenate([case.a.vertices, case.b.vertices])
        faces = np.concatenate([case.a.faces, case.b.faces + still])
        edges = ipctk.edges(faces)
        mesh = ipctk.CollisionMesh(points, edges, faces)

        def run(step: int) -> Any:
            pose = case.poses[step]
            moved = points.copy()
            moved[still:] = case.b.vertices @ pose[:3, :3].T + pose[:3, 3]
            return ipctk.has_intersections(mesh, moved)

        return Task(run, one_if)
