"""The volume of an overlap against rational arithmetic: within the bound of docs/solids.md."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest

import impinge
from support.meshes import Arrays

FACES = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
UNIT = 2.0**-53

Exact = list[Fraction]


def less(p: Exact, q: Exact) -> Exact:
    return [a - b for a, b in zip(p, q, strict=True)]


def dot(p: Exact, q: Exact) -> Fraction:
    return sum((a * b for a, b in zip(p, q, strict=True)), Fraction(0))


def cross(p: Exact, q: Exact) -> Exact:
    return [p[i - 2] * q[i - 1] - p[i - 1] * q[i - 2] for i in range(3)]


def exact(mesh: Arrays) -> list[list[Exact]]:
    return [[[Fraction(float(x)) for x in mesh[0][v]] for v in face] for face in mesh[1]]


def clipped(polygon: list[Exact], plane: list[Exact]) -> list[Exact]:
    """What of a polygon is behind a plane through three points."""
    normal = cross(less(plane[1], plane[0]), less(plane[2], plane[0]))
    heights = [dot(normal, less(p, plane[0])) for p in polygon]
    kept = []
    for i, (p, h) in enumerate(zip(polygon, heights, strict=True)):
        q, k = polygon[i - 1], heights[i - 1]
        if (h > 0) != (k > 0) and h != k:
            share = k / (k - h)
            kept.append([a + share * (b - a) for a, b in zip(q, p, strict=True)])
        if h <= 0:
            kept.append(p)
    return kept


def exact_volume(a: Arrays, b: Arrays) -> Fraction:
    """Of two tetrahedra: the faces of each within the other one, and the divergence theorem."""
    total = Fraction(0)
    for own, other in ((exact(a), exact(b)), (exact(b), exact(a))):
        for face in own:
            rim = reduce(clipped, other, face)
            for p, q in pairwise(rim):
                total += dot(rim[0], cross(p, q))
    return total / 6


def smallest_sine(a: Arrays, b: Arrays) -> float:
    """Of the angles between faces of both."""
    normals = []
    for vertices, faces in (a, b):
        corners = vertices[faces]
        n = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals.append(n / np.linalg.norm(n, axis=1, keepdims=True))
    return float(np.linalg.norm(np.cross(normals[0][:, None], normals[1]), axis=2).min())


def tetrahedron(rng: np.random.Generator, size: float) -> np.ndarray:
    corners = rng.normal(size=(4, 3)) * size
    return corners if np.linalg.det(corners[1:] - corners[0]) > 0 else corners[[0, 2, 1, 3]]


@pytest.mark.parametrize("far", [0.0, 10.0, 1e4])
def test_volumes_are_within_the_bound(far: float) -> None:
    measured = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        shift = rng.normal(size=3) * far
        a = tetrahedron(rng, 1.0) + shift, FACES
        b = tetrahedron(rng, 10.0 ** rng.uniform(-1, 1)) + rng.normal(size=3) * 0.2 + shift, FACES
        found, common = impinge.penetration(a, b), impinge.overlap(a, b)
        if found.bounds is None:
            continue
        measured += 1
        corners = common.vertices[common.faces]
        doubled = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = float(np.linalg.norm(doubled, axis=1).sum() / 2)
        half = float(np.linalg.norm(found.bounds[1] - found.bounds[0]) / 2)
        largest = max(float(np.abs(mesh[0]).max()) for mesh in (a, b))
        tetrahedra = 8 * len(common) * UNIT * half**3
        bound = tetrahedra + 8 * UNIT * largest * area / smallest_sine(a, b)
        assert abs(Fraction(found.volume) - exact_volume(a, b)) <= bound
    assert measured > 20
