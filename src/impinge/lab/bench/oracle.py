"""Whether the reference itself is right: `brute`, or plain arithmetic, on what can matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from impinge.errors import ImpingeError
from impinge.lab.bench.cases import (
    Bodies,
    Case,
    Deforming,
    Machine,
    Near,
    NearItself,
    Points,
    Posed,
    Rays,
    Surface,
)
from impinge.lab.bench.compare import compare
from impinge.lab.bench.features import NearFeatures

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats, Longs

    Both: TypeAlias = tuple[AnyArray, AnyArray]

# of many bodies so many, of many rays and poses so many: an oracle is slow
_BODIES = 10
_RAYS = 64
_POSES = 4
_FEATURES = 2000
_PAIRS = 1_000_000
# lines along each side of a square, and what they tell of a volume
_LINES = 400
_LINES_TELL = 3e-3
# of float64, relative to the size of the numbers
_ROUNDING = 1e-9


class WrongReferenceError(ImpingeError):
    """The reference itself is wrong: `bvh` and the oracle disagree."""


def confirm(task: str, case: Case, step: int, reference: AnyArray) -> int:
    """Asks the oracle the question of this step; raises when it answers otherwise.

    Returns how many pairs, verdicts or numbers it confirmed: of tasks without an answer none.
    """
    if task not in _CHECKS:
        return 0
    said, true = _CHECKS[task](case, step, np.asarray(reference))
    verdict = compare(said, true)
    if np.issubdtype(true.dtype, np.floating):
        hit = np.isfinite(true) & np.isfinite(said)
        gap = np.abs(true[hit] - said[hit])
        off = np.count_nonzero(gap > _ROUNDING * (1 + np.abs(true[hit])))
        verdict = replace(verdict, off=int(off))
    if not verdict.correct:
        raise WrongReferenceError(f"{task}, step {step}: bvh is not what is true: {verdict}")
    return verdict.expected


def _check_pair(case: Posed, step: int, reference: AnyArray) -> Both:
    return reference, brute_pairs(case.a, case.b, case.poses[step])


def _check_pair_batch(case: Posed, step: int, reference: AnyArray) -> Both:
    return _check_pair(case, step, reference[reference[:, 0] == step, 1:])


def _check_touch(case: Posed, step: int, reference: AnyArray) -> Both:
    return np.array([float(len(reference) > 0)]), _touches(case, [step])


def _check_touch_batch(case: Posed, _: int, reference: AnyArray) -> Both:
    chosen = _some(len(case.poses), _POSES)
    return np.isin(chosen, reference).astype(float), _touches(case, chosen)


def _check_distance(case: Posed, step: int, reference: AnyArray) -> Both:
    return reference, np.array([nearest(case.a, case.b, case.poses[step])])


def _check_rays(case: Rays, _: int, reference: AnyArray) -> Both:
    chosen = _some(len(case.origins), _RAYS)
    return reference[chosen], first_hits(case, chosen)


def _check_contains(case: Points, _: int, reference: AnyArray) -> Both:
    chosen = _some(len(case.points), _RAYS)
    return np.isin(chosen, reference).astype(float), winding(case, chosen)


def _check_overlap(case: Posed, step: int, reference: AnyArray) -> Both:
    true = common_volume(case, step)
    # as far as lines can tell
    near = np.abs(reference - true) <= _LINES_TELL * true
    return reference, np.where(near, reference, true)


def _check_near(case: Near, step: int, reference: AnyArray) -> Both:
    return reference, brute_pairs(case.a, case.b, case.poses[step], margin=case.margin)


def _check_near_touch(case: Near, step: int, reference: AnyArray) -> Both:
    found = _check_near(case, step, reference)[1]
    return np.array([float(len(reference) > 0)]), np.array([float(len(found) > 0)])


def _check_bodies(case: Bodies, step: int, reference: AnyArray) -> Both:
    import impinge

    scene = impinge.Scene()
    for mesh, pose in zip(case.meshes[:_BODIES], case.poses[step], strict=False):
        scene.add(mesh.vertices, mesh.faces, pose=pose)
    found = scene.collide(method="brute")
    among = (reference[:, :2] < _BODIES).all(axis=1)
    return reference[among], np.column_stack([found.bodies, found.pairs])


def _check_machine(case: Machine, _: int, reference: AnyArray) -> Both:
    """All pairs of a few configurations, each by itself."""
    chosen = _some(len(case.poses), _POSES)
    true = []
    for row in case.poses[chosen]:
        placed_parts = [
            Surface(placed_vertices(mesh, pose), mesh.faces)
            for mesh, pose in zip(case.meshes, row, strict=True)
        ]
        still = np.eye(4)
        pairs = ((placed_parts[a], placed_parts[b]) for a, b in case.pairs.tolist())
        true.append(any(len(brute_pairs(a, b, still)) > 0 for a, b in pairs))
    return np.isin(chosen, reference).astype(float), np.array(true, dtype=float)


def _check_itself(case: Deforming, step: int, reference: AnyArray) -> Both:
    import impinge

    found = impinge.self_collide((case.frames[step], case.faces), method="brute")
    return reference, np.sort(found.pairs, axis=1)


def _check_contacts(case: NearItself, step: int, reference: AnyArray) -> Both:
    truth = NearFeatures(case.frames[step], case.faces, case.threshold, _FEATURES)
    return truth.among(reference), truth.rows()


# what the reference says, and what is true, about as much as can be checked
_CHECKS: dict[str, Callable[[Any, int, AnyArray], Both]] = {
    "pair": _check_pair,
    "one_shot": _check_pair,
    "pair_batch": _check_pair_batch,
    "touch": _check_touch,
    "touch_batch": _check_touch_batch,
    "distance": _check_distance,
    "rays": _check_rays,
    "near": _check_near,
    "near_touch": _check_near_touch,
    "contains": _check_contains,
    "overlap": _check_overlap,
    "contacts": _check_contacts,
    "bodies": _check_bodies,
    "machine": _check_machine,
    "itself": _check_itself,
}


def _some(count: int, most: int) -> Longs:
    return np.unique(np.linspace(0, count - 1, most).astype(np.int64))


def _touches(case: Posed, steps: Any) -> AnyArray:
    found = [len(brute_pairs(case.a, case.b, case.poses[step])) > 0 for step in steps]
    return np.array(found, dtype=float)


def placed_vertices(mesh: Surface, pose: Floats) -> Floats:
    """(n, 3) in the world, with exactly the coordinates that impinge sees."""
    x, y, z = mesh.vertices.T
    moved = [((row[0] * x + row[1] * y) + row[2] * z) + row[3] for row in pose[:3]]
    vertices: Floats = np.stack(moved, axis=1)
    return vertices


def placed(mesh: Surface, pose: Floats) -> Floats:
    """(m, 3, 3) triangles in the world."""
    triangles: Floats = placed_vertices(mesh, pose)[mesh.faces]
    return triangles


def brute_pairs(a: Surface, b: Surface, pose: Floats, margin: float = 0.0) -> Longs:
    """All pairs by `brute`, which is spared the faces outside the box of the other mesh."""
    import impinge

    boxes_a, boxes_b = _boxes(placed(a, np.eye(4))), _boxes(placed(b, pose))
    near_a, near_b = _reach(boxes_a, boxes_b, margin), _reach(boxes_b, boxes_a, margin)
    pairs = impinge.collide(
        (a.vertices, a.faces[near_a]), (b.vertices, b.faces[near_b]), poses=pose[None],
        margin=margin, method="brute",
    ).pairs  # fmt: skip
    return np.column_stack([near_a[pairs[:, 0]], near_b[pairs[:, 1]]])


def _boxes(triangles: Floats) -> Floats:
    return np.stack([triangles.min(axis=1), triangles.max(axis=1)])


def first_hits(case: Rays, chosen: Longs) -> Floats:
    """t of the first hit of these rays by trying all faces; inf without one."""
    corner, *others = np.moveaxis(case.mesh.vertices[case.mesh.faces], 1, 0)
    first, second = (other - corner for other in others)
    result = []
    for origin, direction in zip(case.origins[chosen], case.directions[chosen], strict=True):
        across = np.cross(direction, second)
        from_corner = origin - corner
        around = np.cross(from_corner, first)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = 1 / (first * across).sum(axis=1)
            u = (from_corner * across).sum(axis=1) * scale
            v = (around @ direction) * scale
            t = (second * around).sum(axis=1) * scale
        # rays through an edge hit both of its faces at the same t
        hit = (u >= -_ROUNDING) & (v >= -_ROUNDING) & (u + v <= 1 + _ROUNDING) & (t >= 0)
        result.append(np.min(t, where=hit, initial=np.inf))
    return np.array(result)


def common_volume(case: Posed, step: int) -> float:
    """Of two solids, by the lengths of lines through both of them."""
    import impinge

    vertices = case.a.vertices, placed_vertices(case.b, case.poses[step])
    low = np.max([one.min(axis=0) for one in vertices], axis=0)
    high = np.min([one.max(axis=0) for one in vertices], axis=0)
    if (low >= high).any():
        return 0.0
    cells = (np.arange(_LINES) + np.random.default_rng(3).uniform(size=(2, _LINES))) / _LINES
    x, y = (a + cell * (b - a) for cell, a, b in zip(cells, low, high, strict=False))
    below = min(one[:, 2].min() for one in vertices) - 1
    starts = np.stack([*np.meshgrid(x, y), np.full((_LINES, _LINES), below)], axis=-1)
    up = np.broadcast_to((0.0, 0.0, 1.0), (_LINES**2, 3))
    rows = []
    for solid, mesh in enumerate((case.a, case.b)):
        hits = impinge.raycast((vertices[solid], mesh.faces), starts.reshape(-1, 3), up, mode="all")
        # in and out in turns
        place = np.arange(len(hits)) - np.searchsorted(hits.ray, hits.ray)
        into = np.zeros((len(hits), 2))
        into[:, solid] = 1 - 2 * (place % 2)
        rows.append(np.column_stack([hits.ray, hits.t, into]))
    events = np.concatenate(rows)
    ray, t, *steps = events[np.lexsort((events[:, 1], events[:, 0]))].T
    inside = [np.cumsum(one) > 0 for one in steps]
    lengths = np.diff(t)[(inside[0] & inside[1])[:-1] & (ray[1:] == ray[:-1])]
    area = (high[0] - low[0]) * (high[1] - low[1]) / _LINES**2
    return float(lengths.sum() * area)


def winding(case: Points, chosen: Longs) -> Floats:
    """How often the mesh goes around these points, by the solid angles of all faces."""
    corners = np.moveaxis(case.mesh.vertices[case.mesh.faces], 1, 0)
    turns = []
    for point in case.points[chosen]:
        a, b, c = corners - point
        x, y, z = (np.linalg.norm(side, axis=1) for side in (a, b, c))
        below = x * y * z + _dot(a, b) * z + _dot(b, c) * x + _dot(c, a) * y
        angles = np.arctan2(_dot(a, np.cross(b, c)), below)
        turns.append(angles.sum() / (2 * np.pi))
    return np.round(turns)


def nearest(a: Surface, b: Surface, pose: Floats) -> float:
    """The distance of two meshes that are apart, by trying all pairs that can be that close.

    Two faces are at least as far apart as they are along any direction. Along the one between two
    points that are said to be closest, few are as close as these.
    """
    import impinge

    said = impinge.distance((a.vertices, a.faces), (b.vertices, b.faces), poses=pose[None])
    if said.values[0] == 0.0:
        return 0.0 if len(brute_pairs(a, b, pose)) else float("inf")
    step = said.points[0, 1] - said.points[0, 0]
    length = float(np.linalg.norm(step))
    margin = length * (1 + _ROUNDING)
    # boxes along that direction and across
    frame = np.linalg.svd(step[None])[2].T
    faces_a, faces_b = placed(a, np.eye(4)), placed(b, pose)
    boxes_a, boxes_b = _boxes(faces_a @ frame), _boxes(faces_b @ frame)
    near_a, near_b = _reach(boxes_a, boxes_b, margin), _reach(boxes_b, boxes_a, margin)
    best = np.inf
    for some in np.array_split(near_a, 1 + len(near_a) * len(near_b) // _PAIRS):
        below = boxes_b[0, near_b] - boxes_a[1, some][:, None]
        above = boxes_a[0, some][:, None] - boxes_b[1, near_b]
        gaps = np.maximum(np.maximum(below, above), 0)
        i, j = np.nonzero(np.linalg.norm(gaps, axis=2) <= margin)
        if len(i):
            best = min(best, triangle_distances(faces_a[some[i]], faces_b[near_b[j]]).min())
    return float(best)


def _reach(boxes: Floats, others: Floats, distance: float) -> Longs:
    """Those boxes whose distance to the box around all others is not larger."""
    low, high = others[0].min(axis=0), others[1].max(axis=0)
    gaps = np.maximum(np.maximum(low - boxes[1], boxes[0] - high), 0)
    return np.flatnonzero(np.linalg.norm(gaps, axis=1) <= distance)


def triangle_distances(p: Floats, q: Floats) -> Floats:
    """(n,) distances of triangles (n, 3, 3) that are apart."""
    corners = range(3)
    found = [
        _segments(p[:, i], p[:, i - 1], q[:, j], q[:, j - 1]) for i in corners for j in corners
    ]
    for one, other in ((p, q), (q, p)):
        found += [_to_inside(one[:, k], other) for k in corners]
    distances: Floats = np.sqrt(np.min(found, axis=0))
    return distances


def _dot(u: Floats, v: Floats) -> Floats:
    products: Floats = np.einsum("nk,nk->n", u, v)
    return products


def _segments(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Squared distances of the segments ab and cd."""
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
    det = uu * vv - uv * uv
    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.where(det > 0, np.clip((uv * vw - vv * uw) / det, 0, 1), 0)
        t = np.clip((uv * s + vw) / vv, 0, 1)
        s = np.clip((uv * t - uw) / uu, 0, 1)
    gap = w + s[:, None] * u - t[:, None] * v
    return _dot(gap, gap)


def _to_inside(point: Floats, triangle: Floats) -> Floats:
    """Squared distances to the plane where the foot is inside; inf where it is not."""
    u, v = triangle[:, 1] - triangle[:, 0], triangle[:, 2] - triangle[:, 0]
    w, normal = point - triangle[:, 0], np.cross(u, v)
    area = _dot(normal, normal)
    s = _dot(np.cross(w, v), normal)
    t = _dot(np.cross(u, w), normal)
    inside = (s >= 0) & (t >= 0) & (s + t <= area) & (area > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        squared: Floats = np.where(inside, _dot(w, normal) ** 2 / area, np.inf)
    return squared
