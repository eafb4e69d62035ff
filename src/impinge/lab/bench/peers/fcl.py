"""python-fcl: the Flexible Collision Library."""

from __future__ import annotations

from itertools import starmap
from typing import Any

import numpy as np

from impinge.lab.bench.cases import Bodies, Deforming, Machine, Near, Posed
from impinge.lab.bench.peers.protocol import Adapter, Rows, Task, nothing, number, one_if, pairs_of

_MOST = 10_000_000


class Fcl(Adapter):
    name = "python-fcl"
    distribution = "python-fcl"
    module = "fcl"

    def model(self, vertices: Any, faces: Any) -> Any:
        model = self.library().BVHModel()
        model.beginModel(len(vertices), len(faces))
        model.addSubModel(vertices, faces)
        model.endModel()
        return model

    def objects(self, case: Posed) -> tuple[Any, Any, list[Any]]:
        fcl = self.library()
        a, b = (
            fcl.CollisionObject(self.model(mesh.vertices, mesh.faces), fcl.Transform())
            for mesh in (case.a, case.b)
        )
        return a, b, list(map(self.transform, case.poses))

    def transform(self, pose: Any) -> Any:
        return self.library().Transform(np.ascontiguousarray(pose[:3, :3]), pose[:3, 3].copy())

    def pair(self, case: Posed) -> Task:
        fcl = self.library()
        a, b, transforms = self.objects(case)
        request = fcl.CollisionRequest(num_max_contacts=_MOST, enable_contact=False)

        def run(step: int) -> Any:
            b.setTransform(transforms[step])
            result = fcl.CollisionResult()
            fcl.collide(a, b, request, result)
            return result.contacts

        return Task(run, lambda contacts: pairs_of([(c.b1, c.b2) for c in contacts]))

    def touch(self, case: Posed) -> Task:
        fcl = self.library()
        a, b, transforms = self.objects(case)
        request = fcl.CollisionRequest(num_max_contacts=1, enable_contact=False)

        def run(step: int) -> Any:
            b.setTransform(transforms[step])
            return fcl.collide(a, b, request, fcl.CollisionResult())

        return Task(run, one_if)

    def distance(self, case: Posed) -> Task:
        fcl = self.library()
        a, b, transforms = self.objects(case)

        def run(step: int) -> Any:
            b.setTransform(transforms[step])
            return fcl.distance(a, b, fcl.DistanceRequest(), fcl.DistanceResult())

        return Task(run, number)

    def near_touch(self, case: Near) -> Task:
        """By the distance: there is no margin."""
        distance = self.distance(case)
        return Task(distance.run, lambda value: one_if(value <= case.margin))

    def bodies(self, case: Bodies) -> Task:
        fcl = self.library()
        geometries = [self.model(mesh.vertices, mesh.faces) for mesh in case.meshes]
        objects = [fcl.CollisionObject(geometry, fcl.Transform()) for geometry in geometries]
        index = {id(one): k for k, one in enumerate(geometries)}
        manager = fcl.DynamicAABBTreeCollisionManager()
        manager.registerObjects(objects)
        manager.setup()
        request = fcl.CollisionRequest(num_max_contacts=_MOST, enable_contact=False)

        def run(step: int) -> Any:
            for one, pose in zip(objects, case.poses[step], strict=True):
                one.setTransform(self.transform(pose))
            manager.update()
            found: list[tuple[int, int, Any]] = []

            def narrow(a: Any, b: Any, _: Any) -> bool:
                result = fcl.CollisionResult()
                if fcl.collide(a, b, request, result):
                    # the objects may be new wrappers, the geometries are those we made
                    contact = result.contacts[0]
                    found.append((index[id(contact.o1)], index[id(contact.o2)], result.contacts))
                return False

            manager.collide(None, narrow)
            return found

        return Task(run, _body_rows)

    def machine(self, case: Machine) -> Task:
        """Pair by pair, as a program does that ignores some: FCL has no list of pairs."""
        fcl = self.library()
        objects = [
            fcl.CollisionObject(self.model(mesh.vertices, mesh.faces), fcl.Transform())
            for mesh in case.meshes
        ]
        transforms = [list(map(self.transform, poses)) for poses in case.poses]
        pairs = [(objects[a], objects[b]) for a, b in case.pairs.tolist()]
        request = fcl.CollisionRequest(num_max_contacts=1, enable_contact=False)
        collide, result = fcl.collide, fcl.CollisionResult

        def hits(row: list[Any]) -> bool:
            for one, transform in zip(objects, row, strict=True):
                one.setTransform(transform)
            return any(collide(a, b, request, result()) for a, b in pairs)

        return Task(
            lambda _: [hits(row) for row in transforms],
            lambda found: np.flatnonzero(found)[:, None],
        )

    def build(self, case: Deforming) -> Task:
        return Task(lambda k: self.model(case.frames[k], case.faces), nothing)


def _body_rows(found: list[tuple[int, int, Any]]) -> Rows:
    return ordered(starmap(_contact_rows, found))


def _contact_rows(i: int, j: int, contacts: Any) -> Rows:
    faces = np.array([(c.b1, c.b2) for c in contacts], dtype=np.int64).reshape(-1, 2)
    return np.column_stack([np.broadcast_to([i, j], faces.shape), faces])


def ordered(parts: Any) -> Rows:
    """Rows of two bodies and their faces, with the lower body first."""
    rows = np.concatenate([np.empty((0, 4), dtype=np.int64), *parts])
    swapped = rows[:, 0] > rows[:, 1]
    rows[swapped] = rows[swapped][:, [1, 0, 3, 2]]
    return rows
