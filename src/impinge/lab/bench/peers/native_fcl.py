"""FCL itself: the Flexible Collision Library without Python between its calls."""

from __future__ import annotations

from impinge.lab.bench.cases import Bodies, Deforming, Posed
from impinge.lab.bench.compiled import Program, Version
from impinge.lab.bench.peers.fcl import ordered
from impinge.lab.bench.peers.native import Native, arrays, count, surface
from impinge.lab.bench.peers.native import Surface as Shape
from impinge.lab.bench.peers.protocol import Task, nothing, number, one_if


class NativeFcl(Native):
    name = "fcl"
    distribution = "libfcl-dev"
    module = ""
    program = Program(
        "fcl.cpp",
        versions=(Version("fcl/config.h", "FCL_VERSION"),),
        headers=("Eigen/Core",),
        links=(("-lfcl",),),
        packages="libfcl-dev",
        flags=("-I/usr/include/eigen3",),
    )

    def touch(self, case: Posed) -> Task:
        question = self.between("touch_new", case)
        return Task(self.caller("touch_run", question, case.poses), one_if)

    def distance(self, case: Posed) -> Task:
        question = self.between("distance_new", case)
        return Task(self.caller("distance_run", question, case.poses), number)

    def bodies(self, case: Bodies) -> Task:
        meshes = [arrays(mesh.vertices, mesh.faces) for mesh in case.meshes]
        shapes = (Shape * len(meshes))(*(surface(*mesh) for mesh in meshes))
        question = self.ask("bodies_new", shapes, count(meshes), keep=(meshes, shapes))
        run = self.runner("bodies_run", question, case.poses)
        return Task(run, lambda found: ordered([found.reshape(-1, 4)]))

    def build(self, case: Deforming) -> Task:
        frames = [arrays(frame, case.faces) for frame in case.frames]
        self.library()
        return Task(lambda k: self.ask("built_new", surface(*frames[k])), nothing)
