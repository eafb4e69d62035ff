"""Manifold: exact booleans of solids, of which the volume is taken."""

from __future__ import annotations

from typing import Any

import numpy as np

from impinge.lab.bench.cases import Posed
from impinge.lab.bench.peers.protocol import Adapter, Task, number, placed


class Manifold(Adapter):
    name = "manifold3d"
    distribution = "manifold3d"
    module = "manifold3d"

    def solid(self, vertices: Any, faces: Any) -> Any:
        library = self.library()
        return library.Manifold(library.Mesh64(vertices, faces.astype(np.uint64)))

    def overlap(self, case: Posed) -> Task:
        a = self.solid(case.a.vertices, case.a.faces)
        moved = [self.solid(placed(case, k), case.b.faces) for k in range(len(case.poses))]
        # a solid is made when it is first looked at
        for one in (a, *moved):
            one.volume()
        return Task(lambda k: (a ^ moved[k]).volume(), number)
