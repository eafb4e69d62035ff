"""The rotation in a deformation, for many small matrices at once.

Matrices lie as (3, 3, m) or (3, 2, m): each entry is one contiguous array, which is several times
faster in NumPy than (m, 3, 3). An SVD of 4,800 matrices takes 14 ms, this about 1 ms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Floats

# a step of Newton's iteration squares the error: after one this small, the next is rounding
_SMALL_STEP = 1e-7
_MOST_STEPS = 20
# below this volume ratio an element is nearly flat or turned inside out
_FLAT = 1e-2


def inner(a: Floats, b: Floats) -> float:
    """Sum of the products of all entries.

    Not by BLAS: its threads wait busily, and its sums depend on how many there are.
    """
    return float(np.einsum("i,i->", a.reshape(-1), b.reshape(-1)))


def product(a: Floats, b: Floats) -> Floats:
    """(p, r, m) products of matrices (p, q, m) and (q, r, m)."""
    result = a[:, 0, None] * b[None, 0]
    for k in range(1, a.shape[1]):
        result += a[:, k, None] * b[None, k]
    return result


def cross(a: Floats, b: Floats) -> Floats:
    """(3, m) cross products of vectors (3, m)."""
    result = np.empty_like(a)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        np.multiply(a[i], b[j], out=result[k])
        result[k] -= a[j] * b[i]
    return result


def rotations(deformation: Floats) -> Floats:
    """(3, 3, m) nearest rotations to matrices (3, 3, m), also to those turned inside out."""
    result = deformation.copy()
    determinant = (result[0] * cross(result[1], result[2])).sum(axis=0)
    # Newton's iteration finds a reflection, or nothing, where the volume is not positive
    bad = np.flatnonzero(~(determinant > _FLAT))
    result[:, :, bad] = np.eye(3)[..., None]
    for _ in range(_MOST_STEPS):
        step = _inverse_transposed(result)
        step -= result
        step *= 0.5
        result += step
        if max(step.max(initial=0.0), -step.min(initial=0.0)) < _SMALL_STEP:
            break
    if len(bad):
        result[:, :, bad] = np.moveaxis(_by_svd(np.moveaxis(deformation[:, :, bad], 2, 0)), 0, 2)
    return result


def tangents(deformation: Floats) -> tuple[Floats, Floats]:
    """(3, 2, m) nearest orthonormal pairs to (3, 2, m), and their unit normals (3, m)."""
    first, second = deformation[:, 0], deformation[:, 1]
    a, b, c = (first * first).sum(axis=0), (first * second).sum(axis=0), (second**2).sum(axis=0)
    normal = cross(first, second)
    area = np.sqrt((normal**2).sum(axis=0))
    # of a triangle without area the direction is arbitrary, but finite
    area = np.maximum(area, 1e-9 * (a + c) + 1e-300)
    # the square root of the 2 x 2 matrix of a, b, c is (it + area) / trace
    trace = np.sqrt(a + c + 2.0 * area)
    scale = 1.0 / (area * trace)
    result = np.empty_like(deformation)
    result[:, 0] = (first * (c + area) - second * b) * scale
    result[:, 1] = (second * (a + area) - first * b) * scale
    return result, normal / area


def _inverse_transposed(matrices: Floats) -> Floats:
    result = np.empty_like(matrices)
    for k in range(3):
        result[k] = cross(matrices[(k + 1) % 3], matrices[(k + 2) % 3])
    result /= (matrices[0] * result[0]).sum(axis=0)
    return result


def _by_svd(matrices: Floats) -> Floats:
    left, _, right = np.linalg.svd(np.where(np.isfinite(matrices), matrices, 0.0))
    # the smallest direction is turned back, the cheapest way out of an inversion
    left[:, :, 2] *= np.linalg.det(left @ right)[:, None]
    return np.asarray(left @ right)
