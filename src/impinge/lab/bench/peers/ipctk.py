"""IPC Toolkit: whether edges cross faces, and features that are near each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from impinge.lab.bench.cases import Near, NearItself, Posed
from impinge.lab.bench.features import clear_rows
from impinge.lab.bench.peers.protocol import Adapter, Rows, Task, one_if, placed


class IpcToolkit(Adapter):
    name = "ipctk"
    distribution = "ipctk"
    module = "ipctk"

    def touch(self, case: Posed) -> Task:
        ipctk, mesh, moved = self.library(), self.mesh(case), self.placer(case)
        return Task(lambda k: ipctk.has_intersections(mesh, moved(k)), one_if)

    def near_touch(self, case: Near) -> Task:
        """By the pairs of vertices, edges and faces that a barrier would act on."""
        ipctk, mesh, moved = self.library(), self.mesh(case), self.placer(case)
        sizes = len(case.a.vertices), len(case.b.vertices)
        mesh.can_collide = ipctk.make_vertex_patches_filter(np.repeat([0, 1], sizes))

        def run(step: int) -> Any:
            found = ipctk.NormalCollisions()
            found.build(mesh, moved(step), case.margin)
            return found

        return Task(run, lambda found: one_if(len(found)))

    def contacts(self, case: NearItself) -> Task:
        """The collisions of a barrier."""
        ipctk = self.library()
        mesh = ipctk.CollisionMesh(case.frames[0], ipctk.edges(case.faces), case.faces)
        edges, faces = np.asarray(mesh.edges), np.asarray(mesh.faces)

        def run(step: int) -> Any:
            found = ipctk.NormalCollisions()
            found.build(mesh, case.frames[step], case.threshold)
            return step, found

        def rows(answer: Any) -> Rows:
            step, found = answer
            points = np.array([(c.vertex_id, c.face_id) for c in found.fv_collisions], dtype=int)
            lines = np.array([(c.edge0_id, c.edge1_id) for c in found.ee_collisions], dtype=int)
            points, lines = points.reshape(-1, 2), lines.reshape(-1, 2)
            corners = np.column_stack([points[:, :1], faces[points[:, 1]]])
            return clear_rows(case.frames[step], corners, edges[lines].reshape(-1, 4))

        return Task(run, rows)

    def mesh(self, case: Posed) -> Any:
        """Both in one, as it takes them."""
        points = np.concatenate([case.a.vertices, case.b.vertices])
        faces = np.concatenate([case.a.faces, case.b.faces + len(case.a.vertices)])
        return self.library().CollisionMesh(points, self.library().edges(faces), faces)

    def placer(self, case: Posed) -> Callable[[int], Any]:
        """The vertices of both in a pose."""
        return lambda step: np.concatenate([case.a.vertices, placed(case, step)])
