"""Random triangles the families are made of."""

from __future__ import annotations

import numpy as np

from families.registry import Rng


def float_triangles(rng: Rng, n: int, *, extent: float = 0.35) -> np.ndarray:
    """(n, 3, 3) random triangles in the unit cube."""
    return rng.uniform(0, 1, (n, 1, 3)) + rng.uniform(-extent, extent, (n, 3, 3))


def grid_triangles(rng: Rng, n: int, *, cells: int = 4) -> np.ndarray:
    """(n, 3, 3) triangles on a small integer grid: many touch, are coplanar or degenerate."""
    return rng.integers(0, cells, (n, 3, 3)).astype(np.float64)


def nudged(rng: Rng, triangles: np.ndarray, ulp: float = 2.0**-50) -> np.ndarray:
    """Coordinates moved by -1, 0 or 1 last places: filters fail, signs are tiny."""
    return triangles + rng.integers(-1, 2, triangles.shape) * ulp
