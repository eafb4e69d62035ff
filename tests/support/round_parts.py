"""Round parts of an assembly, cut into facets: pegs and plates with holes."""

from __future__ import annotations

import numpy as np

from support.meshes import Arrays, arrays


def prism(
    radius: float, segments: int, *, low: float = 0.0, high: float = 1.0, turn: float = 0.0
) -> Arrays:
    """A peg along z; its corners are on the circle."""
    outline = _circle(radius, segments, turn)
    vertices = np.concatenate([_at(outline, low), _at(outline, high), [[0, 0, low], [0, 0, high]]])
    n = segments
    a = np.arange(n)
    b = (a + 1) % n
    bottom, top = np.full(n, 2 * n), np.full(n, 2 * n + 1)
    faces = [(a, b, n + b), (a, n + b, n + a), (b, a, bottom), (n + a, n + b, top)]
    return arrays(vertices, np.concatenate([np.stack(face, axis=1) for face in faces]))


def ring(
    inner: float,
    outer: float,
    segments: int,
    *,
    low: float = 0.0,
    high: float = 1.0,
    turn: float = 0.0,
) -> Arrays:
    """A plate with a round hole; all corners are on their circle."""
    n = segments
    hole, rim = _circle(inner, n, turn), _circle(outer, n, turn)
    vertices = np.concatenate([_at(line, z) for z in (low, high) for line in (hole, rim)])
    a = np.arange(n)
    b = (a + 1) % n
    quads = [
        (b, a, 2 * n + a, 2 * n + b),  # the hole
        (n + a, n + b, 3 * n + b, 3 * n + a),  # the rim
        (a, b, n + b, n + a),  # below
        (2 * n + b, 2 * n + a, 3 * n + a, 3 * n + b),  # above
    ]
    faces = [face for q in quads for face in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]
    return arrays(vertices, np.concatenate([np.stack(face, axis=1) for face in faces]))


def sagitta(radius: float, segments: int) -> float:
    """How far the facets of a circle are from it."""
    return radius * (1 - np.cos(np.pi / segments))


def _circle(radius: float, segments: int, turn: float) -> np.ndarray:
    angle = turn + 2 * np.pi * np.arange(segments) / segments
    return radius * np.stack((np.cos(angle), np.sin(angle)), axis=1)


def _at(outline: np.ndarray, z: float) -> np.ndarray:
    return np.column_stack((outline, np.full(len(outline), z)))
