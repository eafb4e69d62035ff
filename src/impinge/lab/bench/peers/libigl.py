"""libigl: CGAL's exact intersections, with a new box search in every call."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from impinge.lab.bench.cases import Deforming, Points, Posed
from impinge.lab.bench.peers.protocol import (
    Adapter,
    Rows,
    Task,
    inside,
    one_if,
    pairs_of,
    sorted_pairs,
)


class LibIgl(Adapter):
    name = "libigl"
    distribution = "libigl"
    module = "igl"

    def library(self) -> Any:
        return import_module("igl.copyleft.cgal")

    def contains(self, case: Points) -> Task:
        """By winding numbers of a hierarchy."""
        igl, faces = import_module("igl"), case.mesh.faces.astype(np.int64)
        return Task(
            lambda _: igl.fast_winding_number(case.mesh.vertices, faces, case.points),
            lambda winding: inside(winding > 0.5),
        )

    def itself(self, case: Deforming) -> Task:
        find, faces = self.library().remesh_self_intersections, case.faces.astype(np.int64)
        return Task(
            lambda k: find(case.frames[k], faces, detect_only=True),
            lambda found: sorted_pairs(found[2]),
        )

    def other(self, case: Posed, rows: Any, *, first: bool) -> Task:
        find = self.library().intersect_other
        faces_a, faces_b = (mesh.faces.astype(np.int64) for mesh in (case.a, case.b))

        def run(step: int) -> Any:
            pose = case.poses[step]
            moved = case.b.vertices @ pose[:3, :3].T + pose[:3, 3]
            return find(
                case.a.vertices, faces_a, moved, faces_b, detect_only=True, first_only=first
            )

        return Task(run, rows)

    def pair(self, case: Posed) -> Task:
        return self.other(case, _pair_rows, first=False)

    def touch(self, case: Posed) -> Task:
        return self.other(case, lambda found: one_if(len(_pair_rows(found))), first=True)


def _pair_rows(found: Any) -> Rows:
    return pairs_of(found[0])
