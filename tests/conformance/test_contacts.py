"""Where a pair meets: the float64 segments and polygons against the rational common part."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from families import PAIRS, SELVES, cases
from support import rational
from support.meshes import Arrays, pose, posed, sphere, torus

# A rounded point, and a few last places of the smallest numbers there are.
TOLERANCE, TINIEST = 1e-12, 4 * 5e-324


def gap(points: np.ndarray, others: np.ndarray) -> float:
    """Hausdorff distance of two small point sets."""
    distance = np.abs(points[:, None] - others[None]).max(axis=2)
    return float(max(distance.min(axis=0).max(), distance.min(axis=1).max()))


def assert_at_common_part(hits: object, a: Arrays, b: Arrays) -> None:
    """Segments and outlines are the exact ones, rounded, and lie in the boxes of both triangles."""
    assert hits.segments.shape == (len(hits), 2, 3)
    for at, ((i, j), kind) in enumerate(zip(hits.pairs, hits.kinds, strict=True)):
        triangles = a[0][a[1][i]], b[0][b[1][j]]
        exact = np.array([[float(x) for x in p] for p in rational.intersection(*triangles)])
        ends = hits.segments[at]
        corners = np.asarray(hits.polygons[at]) if kind == impinge.Kind.COPLANAR else ends
        slack = TOLERANCE * max(np.ptp(t, axis=0).max() for t in triangles) + TINIEST
        assert gap(corners, exact) <= slack, (triangles, corners, exact)
        assert all(np.all((t.min(axis=0) <= ends) & (ends <= t.max(axis=0))) for t in triangles)
        if kind == impinge.Kind.POINT:
            assert np.array_equal(ends[0], ends[1])
        if kind == impinge.Kind.COPLANAR:
            spread = np.linalg.norm(corners[:, None] - corners[None], axis=2).max()
            assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(
                spread, rel=TOLERANCE, abs=TINIEST
            )


@pytest.mark.parametrize(("name", "seed"), cases(PAIRS, 2))
def test_between_bodies(name: str, seed: int) -> None:
    a, b = PAIRS[name].build("small", seed)
    assert_at_common_part(impinge.collide(a, b), a, b)


@pytest.mark.parametrize("name", SELVES)
def test_within_a_body(name: str) -> None:
    mesh = SELVES[name].build("small", 0)
    assert_at_common_part(impinge.self_collide(mesh), mesh, mesh)


@pytest.mark.parametrize("name", ["soup_grid", "spheres", "flat_grids", "bricks", "mixed_scales"])
def test_polygons_go_around(name: str) -> None:
    """Outlines are convex cycles: each corner turns the same way about the plane's normal."""
    a, b = PAIRS[name].build("small", 0)
    hits = impinge.collide(a, b)
    for at in np.flatnonzero(hits.kinds == impinge.Kind.COPLANAR):
        points = np.asarray(hits.polygons[at])
        step = np.roll(points, -1, axis=0) - points
        turns = np.cross(step, np.roll(step, -1, axis=0))
        normal = turns.sum(axis=0)
        assert len(points) >= 3
        # Corners closer than a last place may be rounded to one point and not turn at all.
        assert np.all(turns @ normal >= -TOLERANCE * (normal @ normal))


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
