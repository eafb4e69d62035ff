"""Bodies as parts of machines and buildings lie: along the axes, flush, mirrored, equal.

Edges hide each other, faces lie in common planes and depths are equal, which hardly ever happens to
bodies that are placed at random. Each family is a generator (rng, n) -> parts.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from families.registry import ALIGNED, Rng, family
from support.meshes import (
    Arrays,
    arrays,
    box,
    gear,
    grid,
    merge,
    moved,
    pose,
    posed,
    sphere,
    tetrahedron,
)


class Part(NamedTuple):
    """A body of a scene, with its pose."""

    mesh: Arrays
    pose: np.ndarray

    @property
    def world(self) -> Arrays:
        return posed(self.mesh, self.pose)


def parts(*meshes: Arrays) -> list[Part]:
    return [Part(mesh, np.eye(4)) for mesh in meshes]


def reversed_faces(mesh: Arrays, which: object = slice(None)) -> Arrays:
    """With some faces turned over, or all."""
    faces = mesh[1].copy()
    faces[which] = faces[which][:, ::-1]
    return arrays(mesh[0], faces)


def boxes_between(lows: np.ndarray, highs: np.ndarray) -> list[Part]:
    return parts(*(box(low, high) for low, high in zip(lows, highs, strict=True)))


@family(ALIGNED, small=2, big=4)
def box_grid(rng: Rng, n: int) -> list[Part]:
    """Flush, with gaps, or in each other, the same everywhere."""
    cells = np.array(list(product(range(n), repeat=3)), dtype=float)
    return boxes_between(cells, cells + rng.choice([0.75, 1.0, 1.25], p=[0.1, 0.4, 0.5]))


@family(ALIGNED, small=3, big=8)
def floor_plan(rng: Rng, n: int) -> list[Part]:
    """Walls of one height that cross or end in each other, on a slab."""
    length = float(n)
    slab = box((-1, -1, -0.25), (length + 1, length + 1, 0))
    walls = []
    for axis in (0, 1):
        low = np.zeros((n, 3))
        low[:, 1 - axis] = np.arange(n)
        low[:, axis] = rng.choice([0, 0.25, 1], n)
        high = low + 0.25
        high[:, axis] = length - rng.choice([0, 0.75, 1], n)
        high[:, 2] = 2
        walls += boxes_between(low, high)
    return [*parts(slab), *walls]


@family(ALIGNED, small=6, big=16)
def gears_in_a_train(rng: Rng, n: int) -> list[Part]:
    """Gears between the same two planes, tooth on tooth or tooth in gap, and one twice as thick."""
    half = np.pi / n
    turned = np.eye(4)
    turned[:2, :2] = [[np.cos(half), -np.sin(half)], [np.sin(half), np.cos(half)]]
    train = []
    for i in range(3):
        at = turned.copy() if i % 2 else np.eye(4)
        at[0, 3] = i * float(rng.choice([1.9, 2.0, 2.1]))
        train.append(Part(gear(n), at))
    beside = np.eye(4)
    beside[:3, 3] = (0, 2, float(rng.choice([0, 0.15, 0.3])))
    return [*train, Part(gear(n, thickness=0.6), beside)]


@family(ALIGNED, small=3, big=7)
def mirrored(rng: Rng, n: int) -> list[Part]:
    """Left and right: poses of determinant -1, along the axes and askew."""
    shapes = [sphere(n), gear(n + 2), tetrahedron(), box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))]
    found = []
    for i, shape in enumerate(shapes):
        flip = np.eye(4)
        flip[i % 3, i % 3] = -1
        flip[:3, 3] = rng.integers(-1, 2, 3) / 2
        askew = pose(rng, spread=0.8) @ np.diag([-1.0, 1, 1, 1])
        found += [Part(shape, np.eye(4)), Part(shape, flip), Part(shape, askew)]
    return found


@family(ALIGNED, small=3, big=7)
def turned_inside_out(rng: Rng, n: int) -> list[Part]:
    """Wholly, one shell of two, or here and there a face."""
    two = merge(sphere(n), moved(sphere(n), (2, 0, 0)))
    shell = np.arange(len(two[1])) < len(two[1]) // 2
    some = rng.random(len(two[1])) < 0.2
    made = [two, reversed_faces(two), reversed_faces(two, shell), reversed_faces(two, some)]
    return parts(*(moved(mesh, rng.integers(-2, 3, 3) / 2) for mesh in made))


@family(ALIGNED, small=3, big=6)
def nested_and_equal(rng: Rng, n: int) -> list[Part]:
    """Boxes in boxes about one middle or in one corner, solids twice, a block around a cavity."""
    middle = [box((-r, -r, -r), (r, r, r)) for r in range(1, n + 1)]
    corner = [box((-n, -n, -n), (r - n, r - n, r - n)) for r in range(1, n)]
    hollow = merge(box((-9, -9, -9), (9, 9, 9)), reversed_faces(box((-n, -n, -n), (n, n, n))))
    ball = moved(sphere(n), rng.integers(-1, 2, 3))
    return parts(*middle, *corner, hollow, ball, ball, middle[0], reversed_faces(ball))


@family(ALIGNED, small=3, big=9)
def sheets_edge_on(rng: Rng, n: int) -> list[Part]:
    """Open sheets in planes of all three axes: seen along any of them, most have no area."""
    flat = grid(2, 2, width=float(n), height=float(n))
    made = []
    for index in range(n):
        vertices = np.roll(flat[0], 1 + index % 3, axis=1)
        vertices[:, index % 3] = rng.integers(0, 2 * n + 1) / 2
        made.append(arrays(vertices, flat[1]))
    return parts(*made)


@family(ALIGNED, small=300, big=300)
def long_row(rng: Rng, n: int) -> list[Part]:
    """One behind the other along an axis, flush or crosswise: more than a byte can count."""
    axis, aside, upward = rng.permutation(3)
    low, high = np.zeros((n, 3)), np.ones((n, 3))
    low[:, axis] = np.arange(n)
    high[:, axis] = low[:, axis] + 1.25
    for across, odd in ((aside, 0), (upward, 1)) if rng.integers(2) else ():
        low[odd::2, across], high[odd::2, across] = 0.25, 0.75
    return boxes_between(low, high)
