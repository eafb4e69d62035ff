"""coal, formerly hpp-fcl: the collision library of Pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np

from impinge.lab.bench.cases import Bodies, Deforming, Near, Posed
from impinge.lab.bench.peers.boxes import BroadPhase
from impinge.lab.bench.peers.fcl import ordered
from impinge.lab.bench.peers.protocol import Adapter, Rows, Task, nothing, number, one_if, pairs_of

_MOST = 10_000_000


class Coal(Adapter):
    name = "coal"
    distribution = "coal"
    module = "coal"

    def model(self, vertices: Any, faces: Any) -> Any:
        model = self.library().BVHModelOBBRSS()
        model.beginModel(len(faces), len(vertices))
        model.addVertices(vertices)
        model.addTriangles(np.asarray(faces, dtype=np.int64))
        model.endModel()
        return model

    def transform(self, pose: Any) -> Any:
        return self.library().Transform3s(np.ascontiguousarray(pose[:3, :3]), pose[:3, 3].copy())

    def parts(self, case: Posed) -> tuple[Any, Any, Any, list[Any]]:
        a, b = (self.model(mesh.vertices, mesh.faces) for mesh in (case.a, case.b))
        return a, b, self.library().Transform3s(), list(map(self.transform, case.poses))

    def request(self, most: int, margin: float = 0.0) -> Any:
        coal = self.library()
        request = coal.CollisionRequest(coal.CollisionRequestFlag.NO_REQUEST, most)
        request.security_margin = margin
        return request

    def pair(self, case: Posed) -> Task:
        return self.asked(case, self.request(_MOST), _contact_rows)

    def touch(self, case: Posed) -> Task:
        return self.asked(case, self.request(1), _any_contact)

    def near(self, case: Near) -> Task:
        return self.asked(case, self.request(_MOST, case.margin), _contact_rows)

    def near_touch(self, case: Near) -> Task:
        return self.asked(case, self.request(1, case.margin), _any_contact)

    def asked(self, case: Posed, request: Any, rows: Any) -> Task:
        coal = self.library()
        a, b, still, transforms = self.parts(case)

        def run(step: int) -> Any:
            result = coal.CollisionResult()
            coal.collide(a, still, b, transforms[step], request, result)
            return result

        return Task(run, rows)

    def distance(self, case: Posed) -> Task:
        coal = self.library()
        a, b, still, transforms = self.parts(case)
        request = coal.DistanceRequest()

        def run(step: int) -> Any:
            return coal.distance(a, still, b, transforms[step], request, coal.DistanceResult())

        return Task(run, number)

    def bodies(self, case: Bodies) -> Task:
        coal = self.library()
        models = [self.model(mesh.vertices, mesh.faces) for mesh in case.meshes]
        request, broad = self.request(_MOST), BroadPhase(case)

        def run(step: int) -> Any:
            transforms = list(map(self.transform, case.poses[step]))
            found = []
            for i, j in broad.pairs(step):
                result = coal.CollisionResult()
                if coal.collide(
                    models[i], transforms[i], models[j], transforms[j], request, result
                ):
                    found.append((i, j, result))
            return found

        def rows(found: Any) -> Rows:
            parts = ((i, j, _contact_rows(result)) for i, j, result in found)
            return ordered(np.insert(faces, [0, 0], [i, j], axis=1) for i, j, faces in parts)

        return Task(run, rows)

    def build(self, case: Deforming) -> Task:
        return Task(lambda k: self.model(case.frames[k], case.faces), nothing)


def _any_contact(result: Any) -> Rows:
    return one_if(result.isCollision())


def _contact_rows(result: Any) -> Rows:
    return pairs_of([(c.b1, c.b2) for c in result.getContacts()])
