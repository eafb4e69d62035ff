"""Rigid motions made without the library, random ones, and when bodies in them first collide."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

import impinge
from support import meshes

Floats = np.ndarray


class Rigid(NamedTuple):
    """Two poses, and whether a screw leads from one to the other."""

    start: Floats
    goal: Floats
    screw: bool = False

    def motion(self) -> impinge.Motion:
        if self.screw:
            return impinge.Motion.screw(self.start, self.goal)
        return impinge.Motion((self.start, self.goal))

    def at(self, times: Floats) -> Floats:
        """Poses (k, 4, 4), by formulas of our own."""
        axis, angle = axis_and_angle(self.goal[:3, :3] @ self.start[:3, :3].T)
        shares = np.asarray(times)[:, None, None]
        poses = np.tile(np.eye(4), (len(shares), 1, 1))
        turned = rotations(axis, shares * angle)
        poses[:, :3, :3] = turned @ self.start[:3, :3]
        here, there = self.start[:3, 3], self.goal[:3, 3]
        if not self.screw or angle == 0.0:
            poses[:, :3, 3] = here + shares[:, 0] * (there - here)
            return poses
        # a fixed point of the turn in the plane across the axis, by least squares
        slide = axis * (axis @ (there - here))
        turn = rotations(axis, np.full((1, 1, 1), angle))[0]
        centre = np.linalg.lstsq(np.eye(3) - turn, there - slide - turn @ here, rcond=None)[0]
        poses[:, :3, 3] = turned @ (here - centre) + centre + shares[:, 0] * slide
        return poses


def rotations(axis: Floats, angles: Floats) -> Floats:
    """(k, 3, 3) of angles (k, 1, 1), by Rodrigues' formula."""
    x, y, z = axis
    k = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)])
    return np.eye(3) + np.sin(angles) * k + (1 - np.cos(angles)) * (k @ k)


def axis_and_angle(turn: Floats) -> tuple[Floats, float]:
    skew = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    sine = float(np.linalg.norm(skew)) / 2
    if sine == 0.0:
        return np.array([0.0, 0.0, 1.0]), 0.0
    return skew / (2 * sine), math.atan2(sine, (np.trace(turn) - 1) / 2)


def pose(turn: Floats, shift: Floats) -> Floats:
    """Of a rotation vector and a shift."""
    result = np.eye(4)
    angle = float(np.linalg.norm(turn))
    if angle > 0.0:
        result[:3, :3] = rotations(turn / angle, np.full((1, 1, 1), angle))[0]
    result[:3, 3] = shift
    return result


KINDS = ("translation", "rotation", "both", "screw", "grazing")


def random_motion(rng: np.random.Generator, kind: str) -> Rigid:
    """Past a body of about size one at the origin, or through it."""

    def direction() -> Floats:
        v = rng.normal(size=3)
        return v / np.linalg.norm(v)

    shift = 3.5 * direction()
    start = pose(rng.normal(size=3), shift)
    goal = start.copy()
    if kind == "rotation":
        start[:3, 3] *= 0.5
        goal[:3, 3] = start[:3, 3]
    else:
        goal[:3, 3] = -shift + 1.2 * rng.normal(size=3)
    if kind != "translation":
        goal[:3, :3] = pose(rng.uniform(0, 3) * direction(), np.zeros(3))[:3, :3] @ start[:3, :3]
    return Rigid(start, goal, kind == "screw")


def grazing(a: meshes.Arrays, b: meshes.Arrays, motion: Rigid) -> Rigid:
    """The same shifted so that the bodies nearly touch where they are closest."""
    times = np.linspace(0, 1, 200)
    poses = motion.at(times)
    nearest = int(np.argmin(impinge.distance(a, b, poses=poses).values))
    found = impinge.distance(a, b, poses=poses[nearest : nearest + 1])[0]
    if found.value == 0.0 or found.points is None:
        return motion
    start, goal = motion.start.copy(), motion.goal.copy()
    start[:3, 3] -= found.points[1] - found.points[0]
    goal[:3, 3] -= found.points[1] - found.points[0]
    return motion._replace(start=start, goal=goal)


def first_collision(
    a: impinge.Mesh, b: impinge.Mesh, motion: Rigid, samples: int, *, touching: str = "include"
) -> float:
    """When b first collides with a: the first of many samples that does, halved down; or inf."""
    times = np.linspace(0, 1, samples)
    hits = impinge.collides(a, b, poses=motion.at(times), touching=touching)
    if not hits.any():
        return math.inf
    first = int(np.argmax(hits))
    low, high = times[max(first - 1, 0)], times[first]
    while first and low < (middle := (low + high) / 2) < high:
        if impinge.collides(a, b, poses=motion.at(np.array([middle])), touching=touching)[0]:
            high = middle
        else:
            low = middle
    return float(high)
