"""Thousands of triangle pairs, touching and coplanar ones above all: native against rational."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from families.pairs import degenerate, hinged, needles, vertices_on_faces
from families.triangles import float_triangles, grid_triangles, nudged
from impinge import _core
from support import rational
from support.compare import reproducer

Rng = np.random.Generator
Pairs = tuple[np.ndarray, np.ndarray]
COUNT = 1200


def _both(make: Callable[..., np.ndarray], **options: object) -> Callable[[Rng], Pairs]:
    return lambda rng: (make(rng, COUNT, **options), make(rng, COUNT, **options))


def _of_family(make: Callable[[Rng, int], tuple]) -> Callable[[Rng], Pairs]:
    def pairs(rng: Rng) -> Pairs:
        a, b = make(rng, COUNT)
        return a[0][a[1]], b[0][b[1]]

    return pairs


def _coplanar(rng: Rng) -> Pairs:
    """Both in one lattice plane through the origin, not always an axis-aligned one."""
    u, v = rng.integers(-2, 3, (2, COUNT, 1, 3))
    s, t = rng.integers(-2, 3, (2, COUNT, 6, 1))
    points = (s * u + t * v).astype(np.float64)
    return points[:, :3], points[:, 3:]


def _collinear(rng: Rng) -> Pairs:
    direction = rng.integers(-2, 3, (COUNT, 1, 3))
    points = (rng.integers(-3, 4, (COUNT, 6, 1)) * direction).astype(np.float64)
    return points[:, :3], points[:, 3:]


def _sharing(rng: Rng) -> Pairs:
    """Random numbers of shared vertices, in random places."""
    a, b = grid_triangles(rng, COUNT, cells=4), grid_triangles(rng, COUNT, cells=4)
    for corner in range(3):
        take = rng.random(COUNT) < 0.4
        b[take, corner] = a[take, rng.integers(0, 3, COUNT)[take]]
    return a, b


def _sharing_floats(rng: Rng) -> Pairs:
    a, b = float_triangles(rng, COUNT), float_triangles(rng, COUNT)
    count = rng.integers(0, 4, COUNT)
    for corner in range(3):
        b[count > corner, corner] = a[count > corner, corner]
    return a, b


def _crossing_edges(rng: Rng) -> Pairs:
    """An edge of each meets in a lattice point; the third vertices are anywhere near."""
    at = rng.integers(-2, 3, (COUNT, 1, 3)).astype(np.float64)
    u, v = rng.integers(-2, 3, (2, COUNT, 3)).astype(np.float64)
    a = at + np.stack([u, -u, rng.integers(-3, 4, (COUNT, 3))], axis=1)
    b = at + np.stack([v, -2 * v, rng.integers(-3, 4, (COUNT, 3))], axis=1)
    return a, b


def _tiny_and_huge(rng: Rng) -> Pairs:
    exponents = rng.choice([-1074, -1022, -400, -60, 0, 60, 300], (2, COUNT // 4, 3, 3))
    values = np.ldexp(rng.integers(-3, 4, exponents.shape).astype(np.float64), exponents)
    return values[0], values[1]


MAKERS: dict[str, Callable[[Rng], Pairs]] = {
    "grid 2": _both(grid_triangles, cells=2),
    "grid 3": _both(grid_triangles, cells=3),
    "grid 5": _both(grid_triangles, cells=5),
    "grid nudged": lambda rng: tuple(nudged(rng, t + 1) for t in _both(grid_triangles)(rng)),
    "floats": _both(float_triangles, extent=0.8),
    "coplanar": _coplanar,
    "coplanar nudged": lambda rng: tuple(nudged(rng, t + 4) for t in _coplanar(rng)),
    "collinear": _collinear,
    "sharing": _sharing,
    "sharing floats": _sharing_floats,
    "sharing scaled": lambda rng: tuple(t * 0.1 for t in _sharing(rng)),
    "crossing edges": _crossing_edges,
    "crossing edges scaled": lambda rng: tuple(t * 0.1 for t in _crossing_edges(rng)),
    "degenerate": _of_family(degenerate),
    "needles": _of_family(needles),
    "vertices on faces": _of_family(vertices_on_faces),
    "hinged": _of_family(hinged),
    "tiny and huge": _tiny_and_huge,
}


def check(
    truth: np.ndarray, found: np.ndarray, a: np.ndarray, b: np.ndarray, *, same_body: bool
) -> None:
    wrong = np.flatnonzero(truth != found)
    assert len(wrong) == 0, (
        f"{len(wrong)} of {len(truth)}; pair {wrong[0]} is {rational.KIND_NAMES[found[wrong[0]]]}\n"
        + reproducer(a[wrong[0]], b[wrong[0]], same_body=same_body)
    )


@pytest.mark.parametrize("name", MAKERS)
def test_classify(name: str) -> None:
    a, b = MAKERS[name](np.random.default_rng(1))
    check(rational.kinds(a, b), _core.classify(a, b), a, b, same_body=False)


@pytest.mark.parametrize("name", MAKERS)
def test_classify_does_not_depend_on_order(name: str) -> None:
    """Swapped triangles and turned or reversed corners: the kind is of the point sets."""
    rng = np.random.default_rng(2)
    a, b = MAKERS[name](rng)
    kinds, self_kinds = _core.classify(a, b), _core.classify_self(a, b)
    for _ in range(3):
        turn = rng.permuted(np.tile(np.arange(3), (len(a), 1)), axis=1)
        c = np.ascontiguousarray(a[np.arange(len(a))[:, None], turn])
        d = np.ascontiguousarray(b[:, rng.permutation(3)])
        check(kinds, _core.classify(c, d), c, d, same_body=False)
        check(kinds, _core.classify(d, c), d, c, same_body=False)
        check(self_kinds, _core.classify_self(d, c), d, c, same_body=True)


@pytest.mark.parametrize("name", MAKERS)
def test_classify_self(name: str) -> None:
    a, b = MAKERS[name](np.random.default_rng(3))
    for duplicates in (False, True):
        truth = rational.self_kinds(a, b, report_duplicates=duplicates)
        check(truth, _core.classify_self(a, b, duplicates), a, b, same_body=True)
