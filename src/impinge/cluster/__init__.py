"""Collisions of scenes that outgrow one machine: tiles of space, solved by many workers.

    source ─► survey ─► plan ─► scatter ─► solve ─► summary

A source is read in pieces; a survey of them tells where the triangles are, and the plan cuts space
into tiles of about equal work; each piece scatters its triangles to the tiles they reach; each tile
is solved by the native core, and a pair of faces is reported by the one tile that owns it.
"""

from impinge.errors import MissingDependencyError

try:
    import pyarrow as _  # noqa: F401
except ModuleNotFoundError:
    raise MissingDependencyError("pyarrow", "cluster", "impinge.cluster") from None

from impinge.cluster.result import ClusterCollisions, PairBatch, load_result
from impinge.cluster.run import collide
from impinge.cluster.store import write_mesh

__all__ = [
    "ClusterCollisions",
    "PairBatch",
    "collide",
    "load_result",
    "write_mesh",
]
