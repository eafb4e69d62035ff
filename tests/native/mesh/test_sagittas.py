"""How far facets may be from the round surface that they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from impinge import _core
from support.meshes import Arrays


def prism(outline: np.ndarray) -> Arrays:
    """Upright walls over an outline (n, 2), counter-clockwise, of one height, without lids."""
    n = len(outline)
    low = np.column_stack([outline, np.zeros(n)])
    vertices = np.concatenate([low, low + np.array((0, 0, 2))])
    near, far = np.arange(n), (np.arange(n) + 1) % n
    faces = [np.stack([near, far, far + n], axis=1), np.stack([near, far + n, near + n], axis=1)]
    return vertices, np.concatenate(faces).astype(np.int32)


def circle(segments: int, radius: float = 5.0) -> np.ndarray:
    angle = 2 * np.pi * np.arange(segments) / segments
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


@pytest.mark.parametrize("segments", [8, 12, 48, 256])
def test_a_round_leaves_its_facets_by_their_sagitta(segments: int) -> None:
    found = _core.sagittas(*prism(circle(segments)), 1)
    assert found == pytest.approx(5 * (1 - np.cos(np.pi / segments)), rel=0.05)


def test_what_has_corners_is_not_round() -> None:
    assert not _core.sagittas(*prism(circle(6)), 1).any()


def test_a_ridge_is_not_round() -> None:
    """Two wide planes at a slight angle, their ridge cut into many edges."""
    roof = np.array([(x, y, 3 - 0.1 * abs(y)) for x in range(9) for y in (-8, 0, 8)], dtype=float)
    faces = []
    for x in range(8):
        for y in range(2):
            a, b = 3 * x + y, 3 * x + y + 1
            faces += [(a, b + 3, b), (a, a + 3, b + 3)]
    assert not _core.sagittas(roof, np.array(faces, dtype=np.int32), 1).any()


def test_a_fillet_is_round() -> None:
    angle = np.linspace(0, np.pi / 2, 4)
    arc = np.column_stack([9 + np.cos(angle), 9 + np.sin(angle)])
    outline = np.concatenate([[(0, 0), (10, 0)], arc, [(0, 10)]])
    found = _core.sagittas(*prism(outline), 1)
    assert found.max() == pytest.approx(1 - np.cos(np.pi / 12), rel=0.1)
