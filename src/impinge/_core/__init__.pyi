"""Native core of impinge: exact geometry and trees on arrays."""

from collections.abc import Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


cpu: str = 'baseline'

def workers() -> int:
    """Threads used by default."""

def cpu_has_avx2() -> bool:
    """Whether this CPU can run the AVX2 build."""

class Cancelled(Exception):
    pass

class TooManyPairs(Exception):
    pass

def classify(a: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], kernel: str = 'exact') -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
    """
    Kind (n,) of pairs of triangles (n, 3, 3) of different bodies. The kernels 'moller', 'unit_closed' and 'unit_open' are plain float64 and tell CROSSING or NONE only.
    """

def classify_self(a: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], report_duplicates: bool = False) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
    """
    Kind (n,) of pairs of triangles (n, 3, 3) of one body; what they share does not count.
    """

def intersections(a: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], kinds: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]:
    """
    Segments (n, 2, 3), outlines of coplanar overlaps as points (k, 3) and offsets (n + 1,). Pairs that do not meet get NaN.
    """

def orient3d(a: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], c: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], d: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
    """
    Exact sign (n,) of det[a-d; b-d; c-d] for points (n, 3) with |x| <= 1e100.
    """

def orient2d(a: Annotated[NDArray[numpy.float64], dict(shape=(None, 2), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, 2), order='C', device='cpu', writable=False)], c: Annotated[NDArray[numpy.float64], dict(shape=(None, 2), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
    """
    Exact sign (n,) of the turn a, b, c for points (n, 2) with |x| <= 1e100.
    """

def weld(vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    For each vertex of (n, 3) the smallest index (n,) with exactly equal coordinates.
    """

def transform(vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], pose: Annotated[NDArray[numpy.float64], dict(shape=(4, 4), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, 3))]:
    """
    Vertices (n, 3) moved by a pose (4, 4), without fma, always in the same order.
    """

def brute_pairs(vertices_a: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces_a: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], vertices_b: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces_b: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], touching_include: bool = True, workers: int = 0, tick: object | None = None, kernel: str = 'exact', margin: float = 0.0) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))]]:
    """
    Sorted pairs (n, 2) of faces of a and b that meet, and their kinds (n,): every pair with overlapping boxes by the test of that name. With a margin, exactly those within it.
    """

def brute_self_pairs(vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], touching_include: bool = True, report_duplicates: bool = False, workers: int = 0, tick: object | None = None, margin: float = 0.0) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))]]:
    """
    Sorted pairs (n, 2) of faces of one mesh that meet, and their kinds (n,). With a margin, also those within it that share no vertex.
    """

def freeze_arrays(values: dict[str, object]) -> None:
    """Nobody writes to the arrays among the values of a dict any more."""

class Counts:
    """What a query counted: a mapping from names to numbers."""

    def keys(self) -> list[str]: ...

    def __getitem__(self, name: str) -> float: ...

    def __reduce__(self) -> tuple[object, ...]: ...

class Tree:
    """Box tree of one mesh. Keeps both arrays, or copies of writable ones."""

    def __init__(self, vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], workers: int = 0) -> None: ...

    def refit(self, vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], workers: int = 0) -> bool:
        """
        Follow moved vertices; True when the tree was built anew because it had degraded.
        """

    @property
    def nbytes(self) -> int:
        """Memory of the tree without the arrays."""

def build_trees(vertices: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], faces: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], workers: int = 0) -> list[Tree]:
    """The trees of several meshes."""

def near_parts(vertices_a: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces_a: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], vertices_b: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces_b: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], pose: Annotated[NDArray[numpy.float64], dict(shape=(4, 4), order='C', device='cpu', writable=False)] | None = None, workers: int = 0) -> tuple[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]], tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]]:
    """
    Of mesh a, and of mesh b moved by a pose, the faces that may meet one of the other: vertices (v, 3), faces (n, 3) and ids (n,) of each.
    """

def bvh_invest(slabs: int, sheets: int) -> tuple[int, int]:
    """
    How many queries of a tree go without slabs and without sheets before they are made; returns what it was. For tests: answers are the same with and without.
    """

def bvh_patience(work_per_face: int) -> int:
    """
    How much work a face may cause before triangles are joined by cutting space; returns what it was. For tests: answers are the same.
    """

def bvh_scene(trees: Sequence[Tree], placements: Sequence[bytes | None] | None, body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], touching: bool, report_duplicates: bool, first: bool, workers: int, tick: object | None, margin: float = 0.0, max_pairs: int | None = None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Counts]:
    """
    Pairs of many bodies that collide or are within a margin, each body with the bytes of its pose or None: (pairs, bodies, kinds, counters), sorted.
    """

def bvh_scene_collides(trees: Sequence[Tree], placements: Sequence[bytes | None] | None, body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], touching: bool, report_duplicates: bool, workers: int, tick: object | None, margin: float = 0.0) -> bool:
    """Whether there is any such pair."""

def bvh_poses(a: Tree, b: Tree, poses: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)], touching: bool, first: bool, workers: int, tick: object | None, margin: float = 0.0, max_pairs: int | None = None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Counts]:
    """
    Pairs of a with b in each pose that collide or are within a margin: (pairs, pose, kinds, counters), sorted.
    """

def bvh_collides(a: Tree, b: Tree, poses: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)], touching: bool, workers: int, tick: object | None) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
    """Whether a collides with b in each pose."""

def bvh_collides_one(a: Tree | None, b: Tree | None, poses: object, reach: float | None, limit: float) -> bool | None:
    """
    Whether a and b, asked about before, collide or touch in a pose (1, 4, 4) for which poses_fit holds; None for all else.
    """

class DopTree:
    """DOP tree of one mesh. Keeps both arrays, or copies of writable ones."""

    def __init__(self, vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], k: int = 24, maps: bool = False, workers: int = 0) -> None:
        """With `maps`, leaves have the matrices of the unit-triangle test."""

    def refit(self, vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], workers: int = 0) -> bool:
        """
        Follow moved vertices; True when the tree was built anew because it had degraded.
        """

    @property
    def k(self) -> int:
        """Number of directions."""

    @property
    def dops(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None))]:
        """
        (2m, k) float32: the DOP of each node in the frame of the tree; row 1 is the root, row 0 is unused.
        """

    @property
    def links(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        (2m,) int32: p when the children of a node are 2p and 2p + 1, -1 - face for a leaf.
        """

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """
        Centre x, y, z and scale: coordinates in the frame are (v - centre) * scale.
        """

    @property
    def nbytes(self) -> int:
        """Memory of the tree without the arrays."""

def build_dop_trees(vertices: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], faces: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], k: int, maps: bool, workers: int = 0) -> list[DopTree]:
    """The trees of several meshes."""

def dop_directions(k: int) -> Annotated[NDArray[numpy.float32], dict(shape=(None, 3))]:
    """(k, 3) float32 directions of k-DOPs."""

def dop_correspondence(a: DopTree, b: DopTree, pose: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None, 3))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
    """
    How DOPs of b in a pose (1, 4, 4) are bounded in the frame of a, per direction i: coefficients C (k, 3), indices j (k, 3) and c (k,) of d'_i = sum C_il d_j(i,l) + c_i.
    """

def dop_trace(a: DopTree, b: DopTree, pose: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)], order: str) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Nodes that meet, in order, as rows (node of a, node of b, overlap), and the nodes of b in the order they are transformed; `order` is siblings, single or classic.
    """

def dop_scene(trees: Sequence[DopTree], placements: Sequence[bytes | None] | None, body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], kernel: str, traversal: str, touching: bool, report_duplicates: bool, first: bool, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Counts]:
    """
    Colliding pairs of many bodies, each with the bytes of its pose or None: (pairs, bodies, kinds, counters), sorted.
    """

def dop_poses(a: DopTree, b: DopTree, poses: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)], kernel: str, traversal: str, touching: bool, first: bool, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Counts]:
    """
    Colliding pairs of a with b in each pose: (pairs, pose, kinds, counters), sorted.
    """

def dop_collides(a: DopTree, b: DopTree, poses: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)], kernel: str, traversal: str, touching: bool, workers: int, tick: object | None) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
    """Whether a collides with b in each pose."""

def raycast(tree: Tree, origins: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], directions: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], mode: int, t_min: float, t_max: float, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    Hits of many rays (ray, face, t), sorted; mode 0 closest, 1 any, 2 all.
    """

def motion_poses(segments: Annotated[NDArray[numpy.float64], dict(shape=(None, 33), order='C', device='cpu', writable=False)], times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4))]:
    """Poses (m, 4, 4) of a motion at times (m,)."""

def motion_impacts(a: Tree, b: Tree, segments_a: Annotated[NDArray[numpy.float64], dict(shape=(None, 33), order='C', device='cpu', writable=False)], ends_a: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], segments_b: Annotated[NDArray[numpy.float64], dict(shape=(None, 33), order='C', device='cpu', writable=False)], ends_b: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tolerance: float, touching: bool, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Counts]:
    """
    When a and b first meet, in each of many motions: (times, pairs, points, normals, gaps, starts, proofs, counters); infinite and -1 where they do not.
    """

def scene_motion_impacts(trees: Sequence[Tree], segments: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 33), order='C', device='cpu', writable=False)]], ends: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tolerance: float, touching: bool, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Counts]]:
    """
    The earliest of all pairs of bodies, in each of many motions: (bodies, the same).
    """

def triangles_within(a: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], distance: float, exactly: bool = True) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
    """
    Whether triangles (n, 3, 3) that do not meet are within a distance: 0 or 1, exactly, or what float64 proves, with 2 for unknown.
    """

def scene_distances(trees: Sequence[Tree], placements: Sequence[bytes | None] | None, body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], upper_bound: float, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))]]:
    """
    Distances of bodies that are within the upper bound: (bodies, values, points, pairs).
    """

def triangle_distances(a: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], workers: int = 1) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3))]]:
    """
    Distances (n,) of pairs of triangles (n, 3, 3) and their closest points (n, 2, 3).
    """

def bvh_distances(a: Tree, b: Tree, poses: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)], upper_bound: float, hints: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], dict[str, float]]:
    """
    Distance of a and b in each pose: (values, points, pairs, counters); beyond the upper bound infinite, NaN and -1. Hints (m, 2) are pairs of faces to begin with.
    """

def is_closed(vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], workers: int = 0) -> bool:
    """
    Whether every edge is used once in each direction; equal vertices count as one.
    """

def bounds_of_bodies(vertices: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], faces: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], workers: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(2, 3))]:
    """
    Lowest and highest corner (2, 3) of the vertices that faces use; inf, -inf without any.
    """

def snap(vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], centre: Annotated[NDArray[numpy.float64], dict(shape=(3), order='C', device='cpu', writable=False)], frame: Annotated[NDArray[numpy.float64], dict(shape=(3, 3), order='C', device='cpu', writable=False)], scale: Annotated[NDArray[numpy.float64], dict(shape=(3), order='C', device='cpu', writable=False)], resolution: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None, 3))]:
    """
    Vertices (n, 3) as whole numbers: the middle of the image plus rint(scale * (frame @ (v - centre))).
    """

def gather(vertices: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], faces: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], alone: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], centre: Annotated[NDArray[numpy.float64], dict(shape=(3), order='C', device='cpu', writable=False)], frame: Annotated[NDArray[numpy.float64], dict(shape=(3, 3), order='C', device='cpu', writable=False)], scale: Annotated[NDArray[numpy.float64], dict(shape=(3), order='C', device='cpu', writable=False)], resolution: int, cull: bool, workers: int = 0) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    The bodies in one: snapped vertices, faces of them, and the body and the face each is; with cull only faces that may meet another body or are of a body that is alone.
    """

class Seen:
    """What is sampled: triangles in whole numbers."""

    def __init__(self, snapped: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], body: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], closed: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], alone: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], resolution: int) -> None: ...

def sample_rays(seen: Seen, layers: int | None = None, mark_deeper: bool = False, both_ends: bool = False, front_first: bool = True, gap: int = 1, workers: int = 0, tick: object | None = None) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, None))], dict[str, float]]:
    """
    Mask of the rays through the middles of pixels on which layers do not alternate, and counters.
    """

def sample_squares(seen: Seen, workers: int = 0, tick: object | None = None) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, None))], dict[str, float]]:
    """Mask of the pixels in which two triangles may meet, and counters."""

class Pyramid:
    """Boxes of the pixels that are on, level by level."""

    def __len__(self) -> int: ...

    def __getitem__(self, level: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None, 4))]:
        """
        Boxes (n, n, 4) of a level in subpixels; inside out where nothing is on.
        """

def merge(mask: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], half: bool = False, workers: int = 0) -> Pyramid:
    """The pyramid of a mask; with half, its boxes as half floats hold them."""

def separate(seen: Seen, pyramid: Pyramid, workers: int = 0) -> Annotated[NDArray[numpy.int32], dict(shape=(None, 4))]:
    """
    Part (m, 4) of each triangle's box that holds pixels that are on; zero for none.
    """

def pack(sparse: Annotated[NDArray[numpy.int32], dict(shape=(None, 4), order='C', device='cpu', writable=False)], width: int | None = None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None, 4))]]:
    """
    Rows that are not zero: ids (k,) and boxes (k, 4). By a prefix sum, or with a width by sweeps over an image of that many columns.
    """

def exact(vertices: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], faces: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], seen: Seen, face: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], boxes: Annotated[NDArray[numpy.int32], dict(shape=(None, 4), order='C', device='cpu', writable=False)], body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, touching: bool, report_duplicates: bool, conservative: bool, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], dict[str, float]]:
    """
    Colliding pairs of the candidates: (pairs, bodies, kinds, counters), sorted. When conservative, also those of faces of a body that have a common vertex.
    """

def edges(vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], workers: int = 0) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Edges (e, 2) of a mesh, each once, and the last face (e,) that has it, in the order of that; equal vertices count as one.
    """

def draw_passes(snapped: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], body: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], face_colour: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], edges: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], edge_body: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], edge_colour: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], bodies: int, resolution: int, variant: str, prevent: bool, dump: bool = False, workers: int = 0, tick: object | None = None, known: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None = None) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], dict[str, tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, None))], Annotated[NDArray[numpy.uint8], dict(shape=(None, None))], Annotated[NDArray[numpy.uint32], dict(shape=(None, None))], Annotated[NDArray[numpy.uint32], dict(shape=(None, None))]]], dict[str, float]]:
    """
    Pixels (k,) that show a pair, colours of their edges and of the bodies these are in, the buffers after each pass when asked for, and counters. Pairs (n, 2) of bodies that are known are not looked for.
    """

class Skin:
    """
    Surface of one body for contacts. Keeps both arrays, or copies of writable ones.
    """

    def __init__(self, vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], workers: int = 0) -> None: ...

    def move(self, vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]) -> None:
        """The same faces on other vertices."""

def ray_contacts(skins: Sequence[Skin], body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rest: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], octree: bool, symmetric: bool, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None, 4))], Annotated[NDArray[numpy.int32], dict(shape=(None, 4))], Annotated[NDArray[numpy.float64], dict(shape=(None, 4))], Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.bool_], dict(shape=(None,))], dict[str, float]]:
    """
    Contacts by inward rays: bodies, vertices, owners, coefficients, points, normals, weights, faces, suspicious, counters. `rest` has `faces_in_sight` at rest for each self body.
    """

def proximity_contacts(skins: Sequence[Skin], body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: float, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None, 4))], Annotated[NDArray[numpy.int32], dict(shape=(None, 4))], Annotated[NDArray[numpy.float64], dict(shape=(None, 4))], Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.bool_], dict(shape=(None,))], dict[str, float]]:
    """
    Contacts of features closer than a threshold; columns as of `ray_contacts`.
    """

def diagonal(skins: Sequence[Skin], workers: int = 0) -> float:
    """Diagonal of the box around all skins."""

def faces_in_sight(skin: Skin, octree: bool, workers: int = 0) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    The first face (n,) that the inward ray of each vertex hits in its own body; -1 for none.
    """

def octree_cells(skin: Skin, workers: int = 0) -> Annotated[NDArray[numpy.int32], dict(shape=(None, 5))]:
    """
    Cells (k, 5) of the octree of a skin: face, level, and the place of the cell in its level.
    """

def octree_root(skin: Skin) -> tuple[float, float, float, float]:
    """Lower corner and side of the root: (x, y, z, side)."""

def nearest_hits(skin: Skin, origins: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], directions: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], begin: float, octree: bool, workers: int = 0) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, 2))], int]:
    """
    Nearest hits of rays with unit directions behind `begin`: (faces, t, (u, v), tests); face -1 for none. Faces along a ray come from the octree or the box tree.
    """

class BlockPattern:
    """
    Places of the 3x3 blocks of a square matrix: their columns, and where each row starts.
    """

    def __init__(self, columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def product(self, blocks: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], vector: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], workers: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        The matrix of these blocks times a vector (3 n,); the same for any number of workers.
        """

class Hierarchy:
    """Coarser and coarser copies of a pattern, for `Multigrid`."""

    def __init__(self, pattern: BlockPattern) -> None: ...

    @property
    def sizes(self) -> list[int]:
        """Nodes of each level."""

class Multigrid:
    """
    About the inverse of a symmetric positive matrix: blocks and the rows of contacts, squared.
    """

    def __init__(self, hierarchy: Hierarchy, blocks: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], held: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], factor: float, workers: int = 0) -> None: ...

    def apply(self, vector: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], workers: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        About the inverse times a vector (3 n,); the same for any number of workers.
        """

class Stars:
    """Faces around each vertex of a mesh; equal vertices are one."""

    def __init__(self, vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], workers: int = 0) -> None: ...

    def holds(self, vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]) -> bool:
        """Whether they are good for vertices that have moved."""

    def within_rings(self, pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], rings: int, workers: int) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
        """
        For each pair (n, 2) of faces whether the second is within so many rings of neighbours around the first.
        """

class Soup:
    """
    Faces of all bodies that may collide, in one float32 frame. Bodies with stars are checked against themselves.
    """

    def __init__(self, vertices: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], faces: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], stars: Sequence[Stars | None], body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None = None, workers: int = 0) -> None: ...

    def __len__(self) -> int: ...

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """
        Centre x, y, z and scale: coordinates in the frame are (v - centre) * scale.
        """

    @property
    def diagonal(self) -> float:
        """Of the box around all bodies, in the frame."""

    @property
    def points(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None, 3))]:
        """(v, 3) float32 vertices in the frame, body after body."""

    @property
    def corners(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, 3))]:
        """(n, 3) rows of points of each triangle."""

    @property
    def owners(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, 2))]:
        """(n, 2) body and face of each triangle."""

    @property
    def centroids(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None, 3))]:
        """(n, 3) float32 in the frame."""

    @property
    def radii(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """(n,) float32: how far a triangle reaches from its centroid at most."""

    def sample(self, most: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, 3))]:
        """(k, 3) centroids at equal steps, so many at most."""

def judge_pairs(soup: Soup, pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], touching: bool, report_duplicates: bool, workers: int = 0, tick: object | None = None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Counts]:
    """
    Those of the candidates (n, 2), triangles of the soup without a common corner, each pair given once, that collide, and colliding neighbours: (pairs, bodies, kinds, counters), sorted.
    """

def fcm_seed(points: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], count: int, seed: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, 3))]:
    """
    (count, 3) points far from each other, drawn; fewer when points are fewer.
    """

def fcm(points: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], centres: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], fuzziness: float, iterations: int, tolerance: float, workers: int = 0) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """Fuzzy C-means: the moved centres and the objective before each move."""

def fcm_memberships(points: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], centres: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], fuzziness: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """(n, c) memberships; rows add up to one."""

def cdfc_members(soup: Soup, centres: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], rule: str, threshold: float, fuzziness: float, workers: int = 0) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Triangles of each cluster: those of cluster l are triangles[start[l]:start[l + 1]]. Returns (start, triangles).
    """

def cdfc_axes(soup: Soup, triangles: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(3, 3))]:
    """(3, 3) principal axes of the centroids of some triangles, row by row."""

def cdfc_boxes(soup: Soup, triangles: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], axes: Annotated[NDArray[numpy.float32], dict(shape=(3, 3), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, 2, 3))]:
    """
    (n, 2, 3) lowest and highest coordinates along the axes, rounded outward.
    """

def radix_order(keys: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """Positions of the keys in ascending order."""

def count_overlaps(start: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], end: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]:
    """
    Of intervals sorted by start: how many later ones start within each, and the running totals (n + 1,).
    """

def cdfc_collect(boxes: Annotated[NDArray[numpy.float32], dict(shape=(None, 2, 3), order='C', device='cpu', writable=False)], count: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], int]:
    """
    Of boxes (n, 2, 3) sorted by their first coordinate: pairs that overlap along all axes, and the number of those that overlap along two.
    """

def cdfc_collide(soup: Soup, centres: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], rule: str, threshold: float, fuzziness: float, touching: bool, report_duplicates: bool, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Counts]:
    """Colliding pairs of the soup: (pairs, bodies, kinds, counters), sorted."""

def triangulate(vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], corners: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sizes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None, 3))]:
    """
    Faces (f, 3) of polygons: corners (c,) of one after the other, sizes (p,) of each. Fans for convex ones and those that cross themselves, ears for all others.
    """

def shell_volumes(vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], owner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    Signed volumes (count,) of shells, by the cube of the largest side of the box of all; `owner` (m,) is the shell of each face, below 0 for none.
    """

def bounds(vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(2, 3))]:
    """
    The lowest and the highest corner (2, 3) of the vertices that faces use.
    """

def close_surface(vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], seam: float, hole: float, workers: int = 0) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None, 3))], int, int, int, int]:
    """
    Weld the seams of a mesh and fill its small holes: vertices (n, 3), none when none has moved; faces (f, 3) that fill holes; how many edges were open, and are open still, which changes nothing; how many vertices were moved and how many holes filled.
    """

def copy_points(points: object | None, limit: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None, 3))] | None:
    """
    A read-only copy of points (n, 3) of which none is larger than a limit; None for all else.
    """

def copy_faces(faces: object | None, vertices: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None, 3))] | None:
    """
    A read-only copy of faces (m, 3) of so many vertices; None for all else.
    """

@overload
def deal(corners: Annotated[NDArray[numpy.float32], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], axis: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], children: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], root: int, regions: Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]: ...

@overload
def deal(corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)], axis: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], children: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], root: int, regions: Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Triangles (n, 3, 3) to every tile that their boxes meet: where the rows of each tile start (tiles + 1,), and the rows.
    """

@overload
def weld_triangles(corners: Annotated[NDArray[numpy.float32], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None, 3))]]: ...

@overload
def weld_triangles(corners: Annotated[NDArray[numpy.float64], dict(shape=(None, 3, 3), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None, 3))]]:
    """
    Vertices (v, 3) and faces (n, 3) of triangles (n, 3, 3), each point once.
    """

def copy_poses(poses: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)], reach: float, limit: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4))] | None:
    """A copy of poses (m, 4, 4) for which poses_fit holds, else None."""

def poses_fit(poses: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)], reach: float, limit: float) -> bool:
    """
    Whether all poses (m, 4, 4) are finite, affine and move |x| <= reach to at most limit.
    """

def placement_of(pose: object | None, reach: float, limit: float) -> bytes | None:
    """
    The bytes of a pose (4, 4) for which poses_fit holds; None for all else.
    """

def configurations_collide(trees: Sequence[Tree], placements: Sequence[bytes | None] | None, body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], moved: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], poses: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), device='cpu', writable=False)]], count: int, touching: bool, report_duplicates: bool, workers: int, tick: object | None, margin: float = 0.0) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
    """
    Whether bodies collide or are within a margin in each of `count` configurations, with poses (count, 4, 4) of each body that moves.
    """

def bvh_configurations(trees: Sequence[Tree], placements: Sequence[bytes | None] | None, body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], moved: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], poses: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), device='cpu', writable=False)]], count: int, touching: bool, report_duplicates: bool, first: bool, workers: int, tick: object | None, margin: float = 0.0, max_pairs: int | None = None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Counts]:
    """The pairs of each: (pairs, bodies, kinds, pose, counters), sorted."""

def configurations_distances(trees: Sequence[Tree], placements: Sequence[bytes | None] | None, body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], moved: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], poses: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), device='cpu', writable=False)]], count: int, upper_bound: float, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Distances of bodies that are within the upper bound in each: (bodies, values, points, pairs, pose).
    """

def solid(tree: Tree) -> tuple[int, bool]:
    """
    Of a mesh how many edges are not used equally often in both directions, and whether it is inside out.
    """

def sides(tree: Tree, points: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], turned: bool, workers: int, tick: object | None) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
    """
    On which side (m,) of a closed mesh points (m, 3) are: -1 inside, 0 on the surface, 1 outside.
    """

def nearest(tree: Tree, points: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Of each point (m, 3) the closest points (m, 3) of a mesh, distances (m,), faces (m,).
    """

class Boundary:
    """What of a closed mesh bounds its solid. Keeps the tree."""

    def __init__(self, tree: Tree, turned: bool, workers: int, tick: object | None) -> None: ...

    def signed_distances(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], workers: int, tick: object | None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """How far (m,) points (m, 3) are from the solid, negative inside."""

class Solid:
    """The solid that the mesh of a tree encloses."""

    def __init__(self, tree: Tree, workers: int = 0) -> None: ...

    @property
    def open_edges(self) -> int:
        """How many edges are not used equally often in both directions."""

    @property
    def closed(self) -> bool:
        """Whether there are none, and faces."""

    @property
    def empty(self) -> bool:
        """Whether a closed mesh encloses nothing."""

    @property
    def simple(self) -> bool:
        """Whether no two faces meet in more than what they share."""

    @property
    def sturdy(self) -> bool:
        """Whether it stays simple under the rounding of any usual pose."""

    @property
    def turned(self) -> bool:
        """Whether it is inside out, and taken the other way round."""

    @property
    def overlaps_itself(self) -> bool:
        """Whether the winding number is somewhere neither 0 nor 1."""

    @property
    def nbytes(self) -> int:
        """Memory without the tree."""

def first_flat(poses: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)]) -> int:
    """Index of the first pose (m, 4, 4) with the determinant 0; -1 for none."""

def relations(a: Solid, b: Solid, poses: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)], workers: int, tick: object | None) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
    """
    How a lies to b in each pose (m, 4, 4), none of them flat: the numbers of a Relation.
    """

def scene_relations(solids: Sequence[Solid], poses: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 4), order='C', device='cpu', writable=False)], body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Annotated[NDArray[numpy.int8], dict(shape=(None,))]]:
    """
    How solids in their poses lie to each other: (pairs, relations) of those whose boxes meet.
    """

def penetrations(solids: Sequence[Solid], pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], limits: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sagittas: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], accuracy: float, cells: int, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int8], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, 2))], Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.bool_], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 4))]]:
    """
    Of pairs (k, 2) of solids at rest: relations (k,), bounds of the depth (k, 2), the deepest points (k, 3), volumes (k,), centroids (k, 3) and bounds (k, 2, 3) of what they have in common, what is within the limit (k,), whether they overlap by facets only (k,), if the sagittas of the faces of each solid are given, ways out (k, 2, 4) as units and lengths.
    """

def way_out(a: Solid, b: Solid, ways: Annotated[NDArray[numpy.float64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], least: float) -> Annotated[NDArray[numpy.float64], dict(shape=(3))]:
    """
    A translation (3,) of b after which two solids have no inner points in common.
    """

def overlap_pieces(a: Solid, b: Solid, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, 3))], Annotated[NDArray[numpy.int32], dict(shape=(None, 3))], Annotated[NDArray[numpy.int8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    The boundary of what two solids that overlap have in common: vertices (n, 3), faces (m, 3), and of each face whether it is of a (0) or of b (1), (m,), and the face it is a part of, (m,).
    """

def meeting_boxes(boxes: Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3), order='C', device='cpu', writable=False)], workers: int = 0) -> Annotated[NDArray[numpy.int32], dict(shape=(None, 2))]:
    """Pairs (k, 2), sorted, of boxes (n, 2, 3) that meet."""

def build_solids(trees: Sequence[Tree], workers: int = 0) -> list[Solid]:
    """The solid that the mesh of each tree encloses."""

def sagittas(vertices: Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)], faces: Annotated[NDArray[numpy.int32], dict(shape=(None, 3), order='C', device='cpu', writable=False)], workers: int = 0) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    How far each face (m,) may be from the round surface that it stands for.
    """

def has_core(solid: Solid, limit: float) -> bool:
    """
    Whether a solid at rest has points farther than the limit from its boundary.
    """

def pair_distances(trees: Sequence[Tree], pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], bounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, 2, 3))]]:
    """
    Distances (k,) and closest points (k, 2, 3) of pairs of trees at rest; beyond its bound a distance is infinite.
    """

def feature_impacts(start: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 3), order='C', device='cpu', writable=False)], end: Annotated[NDArray[numpy.float64], dict(shape=(None, 4, 3), order='C', device='cpu', writable=False)], edges: bool, separation: float, tolerance: float, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.bool_], dict(shape=(None,))], Annotated[NDArray[numpy.bool_], dict(shape=(None,))]]:
    """
    Of vertices and faces, or of `edges`, (n, 4, 3) each: times, inf for none, whether they meet for certain, and whether at the start. A tolerance below 0 goes by the size.
    """

def linear_impacts(trees: Sequence[Tree], starts: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], ends: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)] | None], body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], separation: float, tolerance: float, workers: int, tick: object | None) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, 4))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.bool_], dict(shape=(None,))], Annotated[NDArray[numpy.bool_], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None, 2))], Counts]:
    """
    Of bodies whose vertices move along lines, None for those at rest: features, kinds, times, certain, at start, bodies, counters. Trees may be of other places.
    """

def free_step(trees: Sequence[Tree], starts: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)]], ends: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, 3), order='C', device='cpu', writable=False)] | None], body_pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, self_bodies: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], separation: float, tolerance: float, workers: int, tick: object | None) -> tuple[float, Counts]:
    """Until when the motion is free for certain, and counters."""
