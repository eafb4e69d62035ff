"""Triangles of a polygon with holes: bridges, ear clipping, Delaunay flips. Exact on the grid."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gearbox.loops import GRID, Loop

Ints = NDArray[np.int64]


def triangulate(outer: Loop, holes: tuple[Loop, ...] = ()) -> Ints:
    """(t, 3) counter-clockwise triangles over the points of `outer` and `holes`, concatenated."""
    points = np.rint(np.concatenate([outer, *holes]) * GRID).astype(np.int64)
    starts = np.cumsum([0, len(outer), *map(len, holes)])
    rings = [np.arange(a, b) for a, b in pairwise(starts)]
    edges = np.concatenate([np.stack([ring, np.roll(ring, -1)], axis=1) for ring in rings])
    ring = _merge_holes(points, rings, edges)
    triangles = _clip_ears(points, ring)
    return _flip(points, triangles, edges)


def _cross(o: Ints, a: Ints, b: Ints) -> Ints:
    """Twice the signed area of o, a, b."""
    u, v = a - o, b - o
    return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]


def _merge_holes(points: Ints, rings: list[Ints], edges: Ints) -> Ints:
    """One ring: the outer loop joined with each hole by a bridge walked twice."""
    ring, waiting = rings[0], [hole[::-1] for hole in rings[1:]]
    while waiting:
        gaps = [_by_distance(points, ring, hole) for hole in waiting]
        nearest = int(np.argmin([gap[0][0] for gap in gaps]))
        hole = waiting.pop(nearest)
        for _, i, j in zip(*gaps[nearest], strict=True):
            if _is_bridge(points, ring, i, hole[j], edges):
                loop = np.roll(hole, -j)
                edges = np.concatenate([edges, [[ring[i], hole[j]]]])
                ring = np.concatenate([ring[: i + 1], loop, loop[:1], ring[i:]])
                break
        else:
            raise ValueError("the holes overlap each other or the outer loop")
    return ring


def _by_distance(points: Ints, ring: Ints, hole: Ints) -> tuple[Ints, Ints, Ints]:
    """Squared lengths and positions of all segments from ring to hole, shortest first."""
    squared = ((points[ring][:, None] - points[hole]) ** 2).sum(axis=2)
    order = np.argsort(squared, axis=None, kind="stable")
    i, j = np.unravel_index(order, squared.shape)
    return squared.ravel()[order], i, j


def _is_bridge(points: Ints, ring: Ints, i: int, end: int, edges: Ints) -> bool:
    """Whether ring[i]-end runs inside the ring at its start and meets no edge but at its ends."""
    before, start, after = points[ring[i - 1]], points[ring[i]], points[ring[(i + 1) % len(ring)]]
    target = points[end]
    left, right = _cross(start, after, target) > 0, _cross(before, start, target) > 0
    convex = _cross(before, start, after) > 0
    if not (left and right if convex else left or right):
        return False
    a, b = points[edges[:, 0]], points[edges[:, 1]]
    apart = (edges != ring[i]).all(axis=1) & (edges != end).all(axis=1)
    split = np.sign(_cross(a, b, start)) * np.sign(_cross(a, b, target)) <= 0
    split &= np.sign(_cross(start, target, a)) * np.sign(_cross(start, target, b)) <= 0
    return not (apart & split).any()


def _clip_ears(points: Ints, ring: Ints) -> Ints:
    """Ear clipping of a simple ring (bridges walked twice are allowed)."""
    left = list(map(int, ring))
    triangles = []
    at, misses = 0, 0
    while len(left) > 3:
        at %= len(left)
        a, b, c = left[at - 1], left[at], left[(at + 1) % len(left)]
        if _is_ear(points, np.asarray(left), a, b, c):
            triangles.append((a, b, c))
            left.pop(at)
            misses = 0
            # one step on keeps the ears small instead of a fan around one corner
            at += 1
        else:
            at, misses = at + 1, misses + 1
            if misses > len(left):
                raise ValueError("the loop crosses itself")
    triangles.append((left[0], left[1], left[2]))
    return np.asarray(triangles, dtype=np.int64)


def _is_ear(points: Ints, ring: Ints, a: int, b: int, c: int) -> bool:
    pa, pb, pc = points[a], points[b], points[c]
    if _cross(pa, pb, pc) <= 0:
        return False
    other = points[ring[(ring != a) & (ring != b) & (ring != c)]]
    inside = (
        (_cross(pa, pb, other) >= 0) & (_cross(pb, pc, other) >= 0) & (_cross(pc, pa, other) >= 0)
    )
    return not inside.any()


def _flip(points: Ints, triangles: Ints, edges: Ints) -> Ints:
    """Flip inner edges until each is locally Delaunay: no needless slivers."""
    faces = [tuple(map(int, face)) for face in triangles]
    owner = {(f[k], f[(k + 1) % 3]): n for n, f in enumerate(faces) for k in range(3)}
    fixed = {tuple(sorted(map(int, edge))) for edge in edges}
    stack = [edge for edge in owner if edge[0] < edge[1] and edge not in fixed]
    while stack:
        a, b = stack.pop()
        if (a, b) in fixed or (b, a) in fixed or (a, b) not in owner or (b, a) not in owner:
            continue
        m, n = owner[a, b], owner[b, a]
        c = next(v for v in faces[m] if v not in (a, b))
        d = next(v for v in faces[n] if v not in (a, b))
        if not _should_flip(points, a, b, c, d):
            continue
        del owner[a, b], owner[b, a]
        faces[m], faces[n] = (c, a, d), (d, b, c)
        for k, face in ((m, faces[m]), (n, faces[n])):
            owner |= {(face[s], face[(s + 1) % 3]): k for s in range(3)}
        stack += [(a, d), (d, b), (b, c), (c, a)]
    return np.asarray(faces, dtype=np.int64)


def _should_flip(points: Ints, a: int, b: int, c: int, d: int) -> bool:
    """Whether d lies strictly inside the circle through a, b, c, in Python's exact integers."""
    pa, pb, pc, pd = (tuple(map(int, points[v])) for v in (a, b, c, d))
    ax, ay, bx, by = pa[0] - pd[0], pa[1] - pd[1], pb[0] - pd[0], pb[1] - pd[1]
    cx, cy = pc[0] - pd[0], pc[1] - pd[1]
    inside = (
        (ax * ax + ay * ay) * (bx * cy - cx * by)
        - (bx * bx + by * by) * (ax * cy - cx * ay)
        + (cx * cx + cy * cy) * (ax * by - bx * ay)
    )
    return inside > 0
