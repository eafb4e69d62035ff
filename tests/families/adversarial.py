"""Meshes that are made to be hard: for boxes, for medians, for rounding, for memory.

Each is a generator (rng, n) -> triangles (n, 3, 3), so that tests of growth can ask for any size.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from families.registry import PAIRS, SELVES, Rng, family
from support.meshes import Arrays, rotation, soup

Triangles = np.ndarray
Make = Callable[[Rng, int], Triangles]


def spikes(start: np.ndarray, along: np.ndarray, across: np.ndarray) -> Triangles:
    """Thin triangles from a point to a short side."""
    return np.stack([start, start + along, start + along + across], axis=1)


def slivers(rng: Rng, n: int, *, side: float = 1.0) -> Triangles:
    """Side by side in one plane, along one oblique direction: every box overlaps all others."""
    at = np.arange(n)[:, None] / n * 1e-3
    start = at * np.array([1.0, -1.0, side])
    return spikes(start, np.ones((n, 3)), np.tile([1e-7, 0, 0], (n, 1)))


def bundle(rng: Rng, n: int, *, side: float = 1.0) -> Triangles:
    """Parallel slivers anywhere in one half of a rod that stands askew."""
    d, u, v = rotation(np.random.default_rng(7)).T
    at = rng.uniform(0, 1e-2, (n, 2)) * [1, side] + [0, 1e-6 * side]
    return spikes(at[:, :1] * u + at[:, 1:] * v, np.tile(d, (n, 1)), np.tile(1e-7 * u, (n, 1)))


def needles(rng: Rng, n: int) -> Triangles:
    """In all directions, through one another but for their width."""
    along, aside = rng.normal(size=(2, n, 3))
    along /= np.linalg.norm(along, axis=1)[:, None]
    start = rng.uniform(-0.5, 0.5, (n, 3)) - along / 2
    return spikes(start, along, 1e-6 * np.cross(along, aside))


def fan(rng: Rng, n: int, *, height: float = 0.0, at: float = 0.0) -> Triangles:
    """Around one hub, flat or a cone, askew."""
    angle = np.arange(n) * 2 * np.pi / n
    rim = np.stack([np.cos(angle), np.sin(angle), np.full(n, at)], axis=1)
    # turned before faces share them, so that equal corners stay equal
    vertices = np.vstack([rim, [0, 0, at + height]]) @ rotation(np.random.default_rng(3))
    each = np.arange(n)
    return vertices[np.stack([np.full(n, n), each, (each + 1) % n], axis=1)]


def wheel(rng: Rng, n: int) -> Triangles:
    """Faces around one hub, some of them overlapping, edge-on, or with a corner twice."""
    hub = np.array([0.25, -0.5, 1.0])
    angle = np.sort(rng.uniform(0, 2 * np.pi, n))
    rim = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    away = np.roll(rim, -1, axis=0)
    rim[::7, 2] += 1e-3
    away[::11] = rng.normal(size=(len(away[::11]), 3))
    away[::13] = rim[::13]
    rim[::17] = 0
    return np.stack([0 * rim, rim, away], axis=1) + hub


def cone(rng: Rng, n: int, *, up: float = 1.0, gap: float = 1e-6) -> Triangles:
    """A fan on a flat fan: two of them stand base to base, with a gap between."""
    half = n // 2
    return np.concatenate([fan(rng, half, height=up, at=gap * up), fan(rng, n - half, at=gap * up)])


def fine_grid(rng: Rng, n: int) -> Triangles:
    """Small faces in an oblique plane."""
    cells = max(1, int(np.sqrt(n / 2)))
    x, y = (part.ravel() / cells - 0.5 for part in np.divmod(np.arange(cells**2), cells))
    corner = np.stack([x, y, 0 * x], axis=1)[:, None, :]
    step = 1 / cells
    both = [[[0, 0, 0], [step, 0, 0], [0, step, 0]], [[step, step, 0], [0, step, 0], [step, 0, 0]]]
    return np.concatenate([corner + half for half in np.array(both)]) @ rotation(
        np.random.default_rng(5)
    )


def identical(rng: Rng, n: int) -> Triangles:
    """One face, n times: everything meets everything."""
    return np.tile(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0.5]]), (n, 1, 1))


def concentric(rng: Rng, n: int) -> Triangles:
    """All centroids equal, so that no median parts them."""
    triangles = rng.integers(-8, 9, (n, 3, 3)).astype(float)
    triangles[:, 2] = -triangles[:, 0] - triangles[:, 1]
    return triangles


def growing(rng: Rng, n: int) -> Triangles:
    """Each twice as large as the one before, and twice as far away."""
    size = 2.0 ** (np.arange(n) % 60 - 30)
    return (rng.integers(0, 4, (n, 3, 3)) + np.array([4, 0, 0])) * size[:, None, None]


def without_area(rng: Rng, n: int) -> Triangles:
    """Points and segments, many of them equal, some with a corner twice."""
    ends = rng.integers(0, 3, (n, 2, 3)).astype(float)
    third = np.where(rng.random((n, 1)) < 0.5, ends[:, 0], ends.mean(axis=1))
    return np.concatenate([ends, third[:, None]], axis=1)


def decades(rng: Rng, n: int) -> Triangles:
    """Coordinates between 1e-60 and 1e60, of both signs."""
    sign = rng.choice([-1.0, 1.0], (n, 3, 3))
    return sign * 10.0 ** rng.integers(-60, 61, (n, 3, 3)) * rng.integers(1, 4, (n, 3, 3))


# two sets that meet nowhere, or hardly, though all boxes overlap; the answer is small
HARDLY_MEETING: dict[str, tuple[Make, Make]] = {
    "slivers": (slivers, lambda rng, n: slivers(rng, n, side=-1.0)),
    "bundles": (bundle, lambda rng, n: bundle(rng, n, side=-1.0)),
    "flat_fans": (fan, lambda rng, n: fan(rng, n, at=1e-4)),
    "cones": (cone, lambda rng, n: cone(rng, n, up=-1.0)),
    "needles_through_grid": (needles, fine_grid),
}


def _register(name: str, a: Make, b: Make, *, small: int, big: int) -> None:
    def pair(rng: Rng, n: int) -> tuple[Arrays, Arrays]:
        return soup(a(rng, n)), soup(b(rng, n))

    def both(rng: Rng, n: int) -> Arrays:
        return soup(np.concatenate([a(rng, n), b(rng, n)]))

    pair.__name__, both.__name__ = name, f"self_{name}"
    family(PAIRS, small=small, big=big)(pair)
    family(SELVES, small=small // 2, big=big)(both)


for _name, (_a, _b) in HARDLY_MEETING.items():
    _register(_name, _a, _b, small=24, big=130)
_register("wheels", wheel, wheel, small=12, big=130)
_register("needles", needles, needles, small=24, big=130)
_register("identical", identical, identical, small=8, big=40)
_register("concentric", concentric, concentric, small=24, big=150)
_register("growing", growing, growing, small=30, big=120)
_register("without_area", without_area, without_area, small=30, big=120)
_register("decades", decades, decades, small=24, big=100)
