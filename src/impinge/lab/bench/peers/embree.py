"""Embree itself: its trees, with an exact test by CGAL's predicates where triangles are paired."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from impinge.lab.bench.cases import Bodies, Deforming, Rays
from impinge.lab.bench.compiled import Program, Version
from impinge.lab.bench.peers.boxes import BroadPhase
from impinge.lab.bench.peers.fcl import ordered
from impinge.lab.bench.peers.native import Native, Question, address, arrays, count, surface
from impinge.lab.bench.peers.native import Surface as Shape
from impinge.lab.bench.peers.protocol import Rows, Task, nothing


class Embree(Native):
    name = "embree"
    distribution = "libembree-dev"
    module = ""
    program = Program(
        "embree.cpp",
        versions=(
            Version("embree4/rtcore_config.h", "RTC_VERSION_STRING", ("-lembree4",)),
            Version("embree3/rtcore_config.h", "RTC_VERSION_STRING", ("-lembree3",)),
        ),
        headers=("CGAL/version.h", "tbb/parallel_for.h"),
        links=(("-ltbb", "-lgmp", "-lmpfr"),),
        packages="libembree-dev libcgal-dev",
    )

    itself = Native.within

    def bodies(self, case: Bodies) -> Task:
        library, broad = self.library(), BroadPhase(case)
        meshes = [arrays(mesh.vertices, mesh.faces) for mesh in case.meshes]
        shapes = (Shape * len(meshes))(*(surface(*mesh) for mesh in meshes))
        question = self.ask("bodies_new", shapes, count(meshes), keep=(meshes, shapes))
        poses = np.ascontiguousarray(case.poses, dtype=float)

        def run(step: int) -> Any:
            library.bodies_place(question.handle, address(poses[step]))
            found = []
            for i, j in broad.pairs(step):
                number = library.bodies_run(question.handle, ctypes.c_int64(i), ctypes.c_int64(j))
                if number:
                    found.append((i, j, question.pairs(number)))
            return found

        def rows(found: Any) -> Rows:
            return ordered(np.insert(pairs, [0, 0], [i, j], axis=1) for i, j, pairs in found)

        return Task(run, rows)

    def built(self, vertices: Any, faces: Any, *, refit: bool = False) -> Question:
        return self.ask(
            "built_new", address(vertices), count(vertices), address(faces), count(faces),
            ctypes.c_bool(refit), keep=(vertices, faces),
        )  # fmt: skip

    def rays(self, case: Rays) -> Task:
        library = self.library()
        question = self.built(*arrays(case.mesh.vertices, case.mesh.faces, np.float32))
        origins, directions = (
            np.ascontiguousarray(part, dtype=np.float32) for part in (case.origins, case.directions)
        )

        def run(_: int) -> Any:
            t = np.empty(len(origins), dtype=np.float32)
            library.rays_run(
                question.handle, address(origins), address(directions), count(origins), address(t)
            )
            return t

        return Task(run, lambda t: t.astype(float))

    def build(self, case: Deforming) -> Task:
        frames = [arrays(frame, case.faces, np.float32) for frame in case.frames]
        self.library()
        return Task(lambda k: self.built(*frames[k]), nothing)

    def refit(self, case: Deforming) -> Task:
        library = self.library()
        frames = [arrays(frame, case.faces, np.float32) for frame in case.frames]
        question = self.built(*frames[0], refit=True)

        def run(step: int) -> Any:
            points = frames[1 - step][0]
            library.refit_run(question.handle, address(points), count(points))

        return Task(run, nothing)
