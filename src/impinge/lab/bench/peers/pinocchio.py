"""Pinocchio, which moves a robot and asks coal about its links."""

from __future__ import annotations

from typing import Any

import numpy as np

from impinge.lab.bench.cases import Machine
from impinge.lab.bench.peers.coal import Coal
from impinge.lab.bench.peers.protocol import Adapter, Task


class Pinocchio(Adapter):
    name = "pinocchio"
    distribution = "pin"
    module = "pinocchio"
    remark = "its times include the kinematics, a microsecond or two for each configuration"

    def machine(self, case: Machine) -> Task:
        pin, coal = self.library(), Coal()
        model = pin.buildModelFromUrdf(case.urdf)
        links = pin.GeometryModel()
        parts = zip(case.meshes, case.joints.tolist(), case.placements, strict=True)
        for index, (mesh, joint, placement) in enumerate(parts):
            geometry = coal.model(mesh.vertices, mesh.faces)
            where = pin.SE3(placement)
            links.addGeometryObject(pin.GeometryObject(str(index), joint, where, geometry))
        for a, b in case.pairs.tolist():
            links.addCollisionPair(pin.CollisionPair(a, b))
        data, found = model.createData(), links.createData()
        collide = pin.computeCollisions

        def run(_: int) -> Any:
            return [collide(model, data, links, found, q, True) for q in case.configurations]

        return Task(run, lambda hits: np.flatnonzero(hits)[:, None])
