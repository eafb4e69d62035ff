"""impinge itself, through the same protocol as everybody else."""

from __future__ import annotations

from typing import Any

import numpy as np

from impinge.bench.cases import Bodies, Deforming, Posed, Rays, Surface
from impinge.bench.peers.protocol import Adapter, Rows, Task, nothing, one_if


class Impinge(Adapter):
    name = "impinge"
    distribution = "impinge"
    module = "impinge"

    def mesh(self, surface: Surface) -> Any:
        """A mesh with its tree built."""
        mesh = self.library().Mesh(surface.vertices, surface.faces)
        build_tree(mesh._shape, self.threads)
        return mesh

    def pair(self, case: Posed) -> Task:
        collide, workers = self.library().collide, self.threads
        a, b = self.mesh(case.a), self.mesh(case.b)
        poses = [case.poses[k : k + 1] for k in range(len(case.poses))]
        return Task(lambda k: collide(a, b, poses=poses[k], workers=workers), lambda r: r.pairs)

    def pair_batch(self, case: Posed) -> Task:
        collide, workers = self.library().collide, self.threads
        a, b = self.mesh(case.a), self.mesh(case.b)
        return Task(
            lambda _: collide(a, b, poses=case.poses, workers=workers),
            lambda r: np.column_stack([r.pose, r.pairs]),
        )

    def itself(self, case: Deforming) -> Task:
        scene, workers = self.library().Scene(), self.threads
        body = scene.add(case.frames[0], case.faces)
        scene.collide(self_collision=True, workers=workers)

        def run(step: int) -> Any:
            body.vertices = case.frames[step]
            return scene.collide(self_collision=True, workers=workers)

        return Task(run, lambda r: np.sort(r.pairs, axis=1))

    def bodies(self, case: Bodies) -> Task:
        scene, workers = self.library().Scene(), self.threads
        bodies = [scene.add(mesh.vertices, mesh.faces) for mesh in case.meshes]
        scene.collide(mode="first", workers=workers)

        def run(step: int) -> Any:
            for body, pose in zip(bodies, case.poses[step], strict=True):
                body.pose = pose
            return scene.collide(workers=workers)

        return Task(run, lambda r: np.column_stack([r.bodies, r.pairs]))

    def touch(self, case: Posed) -> Task:
        touches, workers = self.library().touches, self.threads
        a, b = self.mesh(case.a), self.mesh(case.b)
        poses = [case.poses[k : k + 1] for k in range(len(case.poses))]
        return Task(
            lambda k: touches(a, b, poses=poses[k], workers=workers), lambda r: one_if(r[0])
        )

    def touch_batch(self, case: Posed) -> Task:
        touches, workers = self.library().touches, self.threads
        a, b = self.mesh(case.a), self.mesh(case.b)
        return Task(
            lambda _: touches(a, b, poses=case.poses, workers=workers),
            lambda r: np.flatnonzero(r)[:, None],
        )

    def distance(self, case: Posed) -> Task:
        distance = self.library().distance
        a, b = self.mesh(case.a), self.mesh(case.b)
        poses = [case.poses[k : k + 1] for k in range(len(case.poses))]
        return Task(lambda k: distance(a, b, poses=poses[k]), lambda r: _numbers(r, "distance"))

    def rays(self, case: Rays) -> Task:
        raycast, mesh = self.library().raycast, self.mesh(case.mesh)
        return Task(
            lambda _: raycast(mesh, case.origins, case.directions), _ray_rows(len(case.origins))
        )

    def build(self, case: Deforming) -> Task:
        tree, workers = _core_tree(), self.threads or 0
        return Task(lambda k: tree(case.frames[k], case.faces, workers), nothing)

    def refit(self, case: Deforming) -> Task:
        workers = self.threads or 0
        tree = _core_tree()(case.frames[0], case.faces, workers)
        # starts away from where it is
        return Task(lambda k: tree.refit(case.frames[1 - k], workers), nothing)


def build_tree(shape: Any, threads: int | None) -> Any:
    """The tree that a query would build first."""
    from impinge.detectors.bvh import _tree

    return _tree(shape, threads or 0, {})


def _core_tree() -> Any:
    from impinge import _core

    return _core.Tree


def _numbers(result: Any, *names: str) -> Rows:
    """The numbers of a result: an array, or an object that names them."""
    for name in names:
        for candidate in (name, f"{name}s"):
            if hasattr(result, candidate):
                result = getattr(result, candidate)
                break
    return np.atleast_1d(np.asarray(result, dtype=np.float64))


def _ray_rows(count: int) -> Any:
    def rows(result: Any) -> Rows:
        # one entry per ray, or only the rays that hit
        values = _numbers(result, "t", "distance")
        values = np.where(np.isfinite(values) & (values >= 0), values, np.inf)
        if len(values) == count:
            return values
        all_rays = np.full(count, np.inf)
        all_rays[np.asarray(getattr(result, "rays", getattr(result, "ray", ())))] = values
        return all_rays

    return rows
