"""Where a pair meets: the float64 segments and polygons against the rational common part."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
import rational
from families import PAIRS, cases
from meshes import Arrays, pose, posed, sphere, torus

WELL_CONDITIONED = [
    "soup_grid",
    "soup_layers",
    "soup_float",
    "boxes_face_to_face",
    "boxes_sharing_an_edge",
    "boxes_sharing_a_corner",
    "bricks",
    "flat_grids",
    "degenerate",
    "meshing_gears",
    "spheres",
    "linked_tori",
    "identical",
    "scale_1e-12",
    "scale_1e12",
    "scale_1e98",
    "single_triangles",
    "long_boxes",
]


def gap(points: np.ndarray, others: np.ndarray) -> float:
    """Hausdorff distance of two small point sets."""
    distance = np.abs(points[:, None] - others[None]).max(axis=2)
    return float(max(distance.min(axis=0).max(), distance.min(axis=1).max()))


def outline(hits: object, at: int) -> np.ndarray:
    return np.asarray(hits.polygons[at])


@pytest.mark.parametrize(("name", "seed"), cases({n: PAIRS[n] for n in WELL_CONDITIONED}, 2))
def test_against_the_exact_common_part(name: str, seed: int) -> None:
    a, b = PAIRS[name].build("small", seed)
    hits = impinge.collide(a, b)
    reach = max(np.abs(a[0]).max(initial=0), np.abs(b[0]).max(initial=0))
    assert hits.segments.shape == (len(hits), 2, 3)
    for at, ((i, j), kind) in enumerate(zip(hits.pairs, hits.kinds, strict=True)):
        triangles = a[0][a[1][i]], b[0][b[1][j]]
        exact = np.array([[float(x) for x in p] for p in rational.intersection(*triangles)])
        ends = hits.segments[at]
        if kind == impinge.Kind.POINT:
            assert np.array_equal(ends[0], ends[1])
        corners = outline(hits, at) if kind == impinge.Kind.COPLANAR else ends
        assert gap(corners, exact) <= 1e-11 * reach, (triangles, corners, exact)
        if kind == impinge.Kind.COPLANAR:
            assert len(corners) == len(exact)
            length = np.linalg.norm(ends[1] - ends[0])
            spread = np.linalg.norm(exact[:, None] - exact[None], axis=2).max()
            assert length == pytest.approx(spread)


@pytest.mark.parametrize("seed", range(6))
def test_curves_of_closed_bodies_are_closed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    bodies: list[Arrays] = [sphere(10), torus(24, 10)]
    a = bodies[seed % 2]
    b = posed(bodies[seed // 2 % 2], pose(rng, spread=0.5))
    hits = impinge.collide(a, b)
    assert np.all(hits.kinds == impinge.Kind.CROSSING)
    assert hits.loops
    assert all(loop.closed for loop in hits.loops)
    ends, uses = np.unique(hits.segments.reshape(-1, 3), axis=0, return_counts=True)
    assert np.all(uses == 2), ends[uses != 2]
    assert sum(len(loop.points) for loop in hits.loops) in (len(ends), len(ends) + len(hits.loops))
