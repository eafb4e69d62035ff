"""trimesh: its collision manager, which asks python-fcl."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from impinge.lab.bench.cases import Bodies, Points, Posed, Surface
from impinge.lab.bench.peers.fcl import ordered
from impinge.lab.bench.peers.protocol import Adapter, Rows, Task, inside, one_if, pairs_of


class Trimesh(Adapter):
    name = "trimesh"
    distribution = "trimesh"
    module = "trimesh"

    @property
    def installed(self) -> bool:
        return super().installed and find_spec("fcl") is not None

    @property
    def cure(self) -> str:
        return "pip install trimesh python-fcl"

    def mesh(self, surface: Surface) -> Any:
        return self.library().Trimesh(surface.vertices, surface.faces, process=False)

    def contains(self, case: Points) -> Task:
        """By rays, which embreex casts when it is there."""
        mesh = self.mesh(case.mesh)
        mesh.contains(case.points[:1])
        return Task(lambda _: mesh.contains(case.points), inside)

    def manager(self, *meshes: Surface) -> Any:
        from importlib import import_module

        manager = import_module("trimesh.collision").CollisionManager()
        for index, mesh in enumerate(meshes):
            manager.add_object(str(index), self.mesh(mesh))
        return manager

    def pair(self, case: Posed) -> Task:
        manager = self.manager(case.a, case.b)

        def run(step: int) -> Any:
            manager.set_transform("1", case.poses[step])
            return manager.in_collision_internal(return_data=True)[1]

        return Task(run, lambda found: pairs_of([(c.index("0"), c.index("1")) for c in found]))

    def touch(self, case: Posed) -> Task:
        manager = self.manager(case.a, case.b)

        def run(step: int) -> Any:
            manager.set_transform("1", case.poses[step])
            return manager.in_collision_internal()

        return Task(run, one_if)

    def bodies(self, case: Bodies) -> Task:
        manager = self.manager(*case.meshes)

        def run(step: int) -> Any:
            for index, pose in enumerate(case.poses[step]):
                manager.set_transform(str(index), pose)
            return manager.in_collision_internal(return_data=True)[1]

        return Task(run, _body_rows)


def _body_rows(found: Any) -> Rows:
    rows = []
    for contact in found:
        a, b = contact.names
        rows.append((int(a), int(b), contact.index(a), contact.index(b)))
    import numpy as np

    return ordered([np.array(rows, dtype=np.int64).reshape(-1, 4)])
