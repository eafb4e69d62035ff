"""CGAL itself: its box search, its trees and its exact predicates."""

from __future__ import annotations

from typing import Any

import numpy as np

from impinge.lab.bench.cases import Deforming, Posed, Rays
from impinge.lab.bench.compiled import Program, Version
from impinge.lab.bench.peers.native import Native, address, arrays, count, surface
from impinge.lab.bench.peers.protocol import Task, nothing, one_if

_REST = ("-lgmp", "-lmpfr")


class Cgal(Native):
    name = "cgal"
    distribution = "libcgal-dev"
    module = ""
    program = Program(
        "cgal.cpp",
        versions=(Version("CGAL/version.h", "CGAL_VERSION"),),
        headers=("CGAL/Rigid_triangle_mesh_collision_detection.h",),
        # with threads where TBB is installed
        links=(("-DCGAL_LINKED_WITH_TBB", "-ltbb", *_REST), _REST),
        packages="libcgal-dev",
    )

    itself = Native.within

    def touch(self, case: Posed) -> Task:
        question = self.between("touch_new", case)
        return Task(self.caller("touch_run", question, case.poses), one_if)

    def rays(self, case: Rays) -> Task:
        library = self.library()
        mesh = arrays(case.mesh.vertices, case.mesh.faces)
        question = self.ask("built_new", surface(*mesh))
        origins, directions = (
            np.ascontiguousarray(part, dtype=float) for part in (case.origins, case.directions)
        )

        def run(_: int) -> Any:
            t = np.empty(len(origins))
            library.rays_run(
                question.handle, address(origins), address(directions), count(origins), address(t)
            )
            return t

        return Task(run, lambda t: t)

    def build(self, case: Deforming) -> Task:
        frames = [arrays(frame, case.faces) for frame in case.frames]
        self.library()
        return Task(lambda k: self.ask("built_new", surface(*frames[k])), nothing)
