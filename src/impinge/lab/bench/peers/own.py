"""impinge itself, through the same protocol as everybody else."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from impinge.lab.bench.cases import (
    Bodies,
    Deforming,
    Machine,
    Near,
    NearItself,
    Points,
    Posed,
    Rays,
    Surface,
)
from impinge.lab.bench.features import clear_rows
from impinge.lab.bench.peers.protocol import (
    Adapter,
    Rows,
    Task,
    inside,
    nothing,
    number,
    one_if,
    placed,
)

_FAR_AWAY = (1e6 + np.eye(3), [[0, 1, 2]])


class Impinge(Adapter):
    """The default detector, which all ratios refer to."""

    name = "impinge"
    distribution = "impinge"
    module = "impinge"
    method = "bvh"

    @property
    def version(self) -> str:
        version: str = self.library().__version__
        return version

    def mesh(self, surface: Surface) -> Any:
        """A mesh with its tree built."""
        impinge = self.library()
        mesh = impinge.Mesh(surface.vertices, surface.faces)
        # any question builds the tree; this one is over at once
        impinge.collides(mesh, impinge.Mesh(*_FAR_AWAY), method=self.method, workers=self.threads)
        return mesh

    def pair(self, case: Posed) -> Task:
        collide, method, workers = self.library().collide, self.method, self.threads
        a, b = self.mesh(case.a), self.mesh(case.b)
        poses = [case.poses[k : k + 1] for k in range(len(case.poses))]
        return Task(
            lambda k: collide(a, b, poses=poses[k], method=method, workers=workers),
            lambda r: r.pairs,
        )

    def pair_batch(self, case: Posed) -> Task:
        collide, method, workers = self.library().collide, self.method, self.threads
        a, b = self.mesh(case.a), self.mesh(case.b)
        return Task(
            lambda _: collide(a, b, poses=case.poses, method=method, workers=workers),
            lambda r: np.column_stack([r.pose, r.pairs]),
        )

    def one_shot(self, case: Posed) -> Task:
        collide, workers = self.library().collide, self.threads
        a, b = ((mesh.vertices, mesh.faces) for mesh in (case.a, case.b))
        poses = [case.poses[k : k + 1] for k in range(len(case.poses))]
        return Task(lambda k: collide(a, b, poses=poses[k], workers=workers), lambda r: r.pairs)

    def itself(self, case: Deforming) -> Task:
        scene, workers = self.library().Scene(), self.threads
        body = scene.add(case.frames[0], case.faces)
        scene.collide(self_collision=True, workers=workers)

        def run(step: int) -> Any:
            body.vertices = case.frames[step]
            return scene.collide(self_collision=True, workers=workers)

        return Task(run, lambda r: np.sort(r.pairs, axis=1))

    def contacts(self, case: NearItself) -> Task:
        impinge, workers = self.library(), self.threads
        method = impinge.detector("proximity", threshold=case.threshold)
        scene = impinge.Scene()
        body = scene.add(case.frames[0], case.faces)
        scene.contact_points(method=method, self_collision=True, workers=workers)

        def run(step: int) -> Any:
            body.vertices = case.frames[step]
            found = scene.contact_points(method=method, self_collision=True, workers=workers)
            return step, found

        def rows(answer: Any) -> Rows:
            step, found = answer
            edges = found.faces < 0
            return clear_rows(case.frames[step], found.vertices[~edges], found.vertices[edges])

        return Task(run, rows)

    def bodies(self, case: Bodies) -> Task:
        scene, workers = self.library().Scene(), self.threads
        bodies = [scene.add(mesh.vertices, mesh.faces) for mesh in case.meshes]
        scene.collide(mode="first", workers=workers)

        def run(step: int) -> Any:
            for body, pose in zip(bodies, case.poses[step], strict=True):
                body.pose = pose
            return scene.collide(workers=workers)

        return Task(run, lambda r: np.column_stack([r.bodies, r.pairs]))

    def machine(self, case: Machine) -> Task:
        scene, workers = self.library().Scene(), self.threads
        for mesh in case.meshes:
            scene.add(mesh.vertices, mesh.faces)
        wanted = set(map(tuple, case.pairs.tolist()))
        for pair in combinations(range(len(scene)), 2):
            if pair not in wanted:
                scene.ignore(*pair)
        moving = tuple(range(len(case.meshes) - case.still))
        poses = np.ascontiguousarray(case.poses[:, : len(moving)])
        scene.collides(poses={moving: poses[:2]}, workers=workers)
        return Task(
            lambda _: scene.collides(poses={moving: poses}, workers=workers),
            lambda r: np.flatnonzero(r)[:, None],
        )

    def touch(self, case: Posed) -> Task:
        collides, method, workers = self.library().collides, self.method, self.threads
        a, b = self.mesh(case.a), self.mesh(case.b)
        poses = [case.poses[k : k + 1] for k in range(len(case.poses))]
        return Task(
            lambda k: collides(a, b, poses=poses[k], method=method, workers=workers),
            lambda r: one_if(r[0]),
        )

    def touch_batch(self, case: Posed) -> Task:
        collides, method, workers = self.library().collides, self.method, self.threads
        a, b = self.mesh(case.a), self.mesh(case.b)
        return Task(
            lambda _: collides(a, b, poses=case.poses, method=method, workers=workers),
            lambda r: np.flatnonzero(r)[:, None],
        )

    def near(self, case: Near) -> Task:
        collide, workers, margin = self.library().collide, self.threads, case.margin
        a, b = self.mesh(case.a), self.mesh(case.b)
        poses = [case.poses[k : k + 1] for k in range(len(case.poses))]
        return Task(
            lambda k: collide(a, b, poses=poses[k], margin=margin, workers=workers),
            lambda r: r.pairs,
        )

    def near_touch(self, case: Near) -> Task:
        collides, workers, margin = self.library().collides, self.threads, case.margin
        a, b = self.mesh(case.a), self.mesh(case.b)
        poses = [case.poses[k : k + 1] for k in range(len(case.poses))]
        return Task(
            lambda k: collides(a, b, poses=poses[k], margin=margin, workers=workers),
            lambda r: one_if(r[0]),
        )

    def distance(self, case: Posed) -> Task:
        distance, workers = self.library().distance, self.threads
        a, b = self.mesh(case.a), self.mesh(case.b)
        poses = [case.poses[k : k + 1] for k in range(len(case.poses))]
        return Task(lambda k: distance(a, b, poses=poses[k], workers=workers), lambda r: r.values)

    def rays(self, case: Rays) -> Task:
        raycast, workers, mesh = self.library().raycast, self.threads, self.mesh(case.mesh)
        return Task(
            lambda _: raycast(mesh, case.origins, case.directions, workers=workers),
            lambda r: r.first_t,
        )

    def overlap(self, case: Posed) -> Task:
        """With its depth."""
        impinge, workers = self.library(), self.threads
        a = self.mesh(case.a)
        moved = [Surface(placed(case, k), case.b.faces) for k in range(len(case.poses))]
        meshes = [self.mesh(one) for one in moved]
        for b in meshes:
            # what is found out about a solid is kept, as what a manifold is made of
            impinge.relation(a, b, workers=workers)
        return Task(
            lambda k: impinge.penetration(a, meshes[k], workers=workers),
            lambda found: number(found.volume),
        )

    def contains(self, case: Points) -> Task:
        contains, workers, mesh = self.library().contains, self.threads, self.mesh(case.mesh)
        return Task(lambda _: contains(mesh, case.points, workers=workers), inside)

    def build(self, case: Deforming) -> Task:
        tree, workers = _core_tree(), self.threads or 0
        return Task(lambda k: tree(case.frames[k], case.faces, workers), nothing)

    def refit(self, case: Deforming) -> Task:
        workers = self.threads or 0
        tree = _core_tree()(case.frames[0], case.faces, workers)
        # starts away from where it is
        return Task(lambda k: tree.refit(case.frames[1 - k], workers), nothing)


class Dop(Impinge):
    """The DOP trees, beside the default, in what both are made for."""

    name = "impinge-dop"
    method = "dop"

    @property
    def tasks(self) -> tuple[str, ...]:
        return ("pair", "pair_batch", "touch", "touch_batch")


OWN = (Impinge.name, Dop.name)
"""Contenders that are no peers."""


def _core_tree() -> Any:
    from impinge import _core

    return _core.Tree
