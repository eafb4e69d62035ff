"""Parts of a surface that `bvh` proves not to meet themselves: shapes that try to break the proof.

Seen from above, most of them show every triangle counter-clockwise, as a flat sheet does; their rim
tells them from one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

import impinge
from impinge import _core
from support.compare import answer, assert_same
from support.meshes import Arrays, grid, merge, moved, pose, rotation

FLATNESS = [1.0, 1e-3, 1e-6, 1e-7, 3e-8, 1e-12, 0.0]


@pytest.fixture(autouse=True)
def sheets_at_once() -> Iterator[None]:
    """Otherwise only a mesh that is asked about again and again gets its sheets."""
    before = _core.bvh_invest(slabs=0, sheets=0)
    yield
    _core.bvh_invest(*before)


def clear_sheets(mesh: Arrays, matrix: np.ndarray | None = None) -> int:
    """Compares with the oracle; how many sheets were clear."""
    scene = impinge.Scene()
    scene.add(*mesh, pose=matrix)
    hits = scene.collide(self_collision=True)
    truth = scene.collide(self_collision=True, method="brute")
    assert_same(answer(truth), answer(hits), mesh)
    return int(hits.stats["clear_sheets"])


def heights(rng: np.random.Generator, n: int, flatness: float) -> np.ndarray:
    return flatness * rng.normal(size=n)


def jittered(rng: np.random.Generator, flatness: float) -> Arrays:
    """A grid whose vertices move so far that some triangles turn over."""
    vertices, faces = grid(*rng.integers(2, 8, 2), width=8.0, height=8.0)
    vertices = vertices + rng.choice([0.05, 0.3, 0.6, 1.0]) * rng.normal(size=vertices.shape)
    vertices[:, 2] = heights(rng, len(vertices), flatness)
    return vertices, faces


def ramp(rng: np.random.Generator, flatness: float) -> Arrays:
    """A strip around an axis that may come above its own beginning, or end just before it."""
    steps = int(rng.integers(8, 30))
    vertices, faces = grid(1, steps)
    turns = rng.choice([0.9, 1.0, 1.1, 1.9, 2.0])
    turns += rng.choice([0.0, 1e-12, -1e-12, 1e-7, -1e-7, 1e-3, -1e-3])
    angle = 2 * np.pi * turns * vertices[:, 1]
    drift = rng.choice([0.0, 1e-7, 0.02, 0.1, 0.4])
    radius = 1 + vertices[:, 0] + drift * angle
    height = flatness * (rng.choice([0.0, 1.0]) * angle + rng.normal(size=len(vertices)))
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), height]), faces


def nested(rng: np.random.Generator, flatness: float) -> Arrays:
    """A small sheet above the middle of a large one, or through it: two rims that never meet."""
    large, small = grid(4, 4), moved(grid(4, 4, width=0.4, height=0.4), [0.3, 0.3, 0])
    for vertices, _ in (large, small):
        vertices[:, 2] = heights(rng, len(vertices), flatness)
    return merge(large, small)


def hooked(rng: np.random.Generator, flatness: float) -> Arrays:
    """A strip that comes back to its first edge: short of it, at it, or through it."""
    vertices, faces = grid(1, 12)
    angle = 1.75 * np.pi * vertices[:, 1]
    radius = 2 + vertices[:, 0]
    flat = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    last = np.flatnonzero(vertices[:, 1] == 1)
    # the edge from (2, 0) to (3, 0) is the first one
    gap = rng.choice([0.0, 1e-12, -1e-12, 1e-8, -1e-8, 1e-7, -1e-7, 1e-2, -1e-2, 0.3])
    flat[last] = [[2.25, -gap], [2.75, -gap * rng.choice([1.0, 2.0])]]
    return np.column_stack([flat, heights(rng, len(flat), flatness * rng.integers(2))]), faces


def torn(rng: np.random.Generator, flatness: float) -> Arrays:
    """A grid without some of its triangles, with some twice, and some turned around."""
    vertices, faces = grid(*rng.integers(4, 9, 2))
    vertices[:, 2] = heights(rng, len(vertices), 0.1 * flatness)
    faces = faces[rng.random(len(faces)) > rng.choice([0.0, 0.02, 0.2])]
    if rng.integers(2):
        turned = rng.integers(len(faces), size=2)
        faces[turned] = faces[turned][:, ::-1]
    again = faces[rng.integers(len(faces), size=rng.integers(2))]
    return vertices, np.concatenate([faces, again])


@pytest.mark.parametrize("flatness", FLATNESS)
@pytest.mark.parametrize("make", [jittered, ramp, nested, hooked, torn])
def test_sheets(make: Callable[[np.random.Generator, float], Arrays], flatness: float) -> None:
    rng = np.random.default_rng(11)
    for trial in range(30):
        vertices, faces = make(rng, flatness)
        # turned, coordinates are rounded to either side
        if trial % 2:
            vertices = vertices @ rotation(rng)
        clear_sheets((vertices, faces), pose(rng) if trial % 3 == 0 else None)


def test_rims_that_meet_within_rounding() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        vertices, faces = hooked(rng, 0.0)
        clear_sheets((vertices @ rotation(rng), faces))


def rolled(turns: float, gap: float) -> Arrays:
    """A sheet rolled up, with so much room between its turns."""
    vertices, faces = grid(100, 12)
    angle = 2 * np.pi * turns * vertices[:, 0]
    radius = 1 + gap * angle / (2 * np.pi)
    rolled = np.column_stack([radius * np.cos(angle), 4 * vertices[:, 1], radius * np.sin(angle)])
    return rolled, faces


@pytest.mark.parametrize("gap", [0.2, 0.01, 1e-3, 0.0, -1e-3])
@pytest.mark.parametrize("turns", [0.2, 0.9, 1.5])
def test_sheets_of_many_triangles(turns: float, gap: float) -> None:
    # 2,400 triangles: nodes of 64 and of 512
    assert clear_sheets(rolled(turns, gap)) > 0


def test_sheets_with_holes_are_clear() -> None:
    vertices, faces = grid(6, 5)
    centres = vertices[faces].mean(axis=1)
    # two holes that touch in a corner, whose rims are two rings or one that comes back
    holes = (np.abs(centres[:, :2] - [0.25, 0.3]) < 0.1).all(axis=1)
    holes |= (np.abs(centres[:, :2] - [0.42, 0.5]) < 0.1).all(axis=1)
    assert 0 < holes.sum() < len(faces) / 2
    assert clear_sheets((vertices, faces[~holes])) == 1


def test_two_layers_are_no_sheet() -> None:
    layer = grid(4, 4)
    assert clear_sheets(merge(layer, moved(layer, [0.3, 0.2, 0.1]))) == 0


def test_a_sheet_is_looked_at_again_when_it_moves() -> None:
    vertices, faces = grid(5, 5)
    scene = impinge.Scene()
    body = scene.add(vertices, faces)
    assert not scene.collide(self_collision=True)
    folded = vertices.copy()
    # the last two columns come back through the others
    right = vertices[:, 0] > 0.7
    folded[right, 0] = 1.2 - vertices[right, 0]
    folded[right, 2] = 0.1 * np.sin(9 * vertices[right, 1])
    body.vertices = folded
    hits = scene.collide(self_collision=True)
    assert len(hits) > 0
    assert hits.stats["clear_sheets"] == 0
    assert_same(
        answer(scene.collide(self_collision=True, method="brute")), answer(hits), (folded, faces)
    )
