"""How far the coordinates of a file may be off, by the way its numbers are stored."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import reach_of
from impinge.io.model import Part, identity, pose_scale
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats

# Fewer decimals and digits than this are taken for what was meant.
_ROUNDED = 6
# Decimal numbers with more digits than this are float64 written out.
_MOST_DIGITS = 14
# What is this much smaller than the largest number tells nothing of how that was rounded.
_NOISE = 1e-6
# Of numbers so small that a power of ten has no room for them.
_MOST_DECIMALS = 300
_SAMPLE = 4096


@dataclass(frozen=True)
class Numbers:
    """How numbers are stored: each is off by at most `relative` times itself, plus `absolute`."""

    kind: str
    relative: float = 0.0
    absolute: float = 0.0

    def errors(self, values: Floats) -> Floats:
        """By how much each of the values may be off."""
        found: Floats = self.relative * np.abs(values) + self.absolute
        return found

    def precision(self, vertices: Floats) -> float:
        """How far a vertex of the (n, 3) may be from where it was meant."""
        if not len(vertices) or not (self.relative or self.absolute):
            return 0.0
        return float(np.linalg.norm(self.errors(np.abs(vertices).max(axis=0))))

    def told(self, vertices: Floats) -> str:
        """In words, as `float32 coordinates up to 150`."""
        size = f" up to {reach_of(vertices):.3g}" if self.relative and len(vertices) else ""
        return f"{self.kind} coordinates{size}"


EXACT = Numbers("exact")
FLOAT32 = Numbers("float32", relative=2.0**-24)
# Such numbers have been computed with, and the last bits are the errors of that.
FLOAT64 = Numbers("float64", relative=2.0**-50)


def steps(integers: AnyArray, step: float) -> Numbers:
    """Of integers that stand for steps of this size."""
    return Numbers(f"{8 * integers.dtype.itemsize}-bit", absolute=step / 2)


def numbers_of(values: Floats) -> Numbers:
    """How float64 values, read from text or not, were rounded when they were written.

    A few decimals are a number that was meant; many, or many digits, are one that was rounded.
    """
    size = reach_of(values)
    if not np.isfinite(size) or size == 0:
        return EXACT
    flat = values.reshape(-1)
    decimals, digits = _digits(flat[:: max(1, len(flat) // _SAMPLE)], size)
    if digits <= _MOST_DIGITS:
        decimals, digits = _digits(flat, size)
    if decimals == 0 or max(decimals, digits) < _ROUNDED:
        return EXACT
    if np.array_equal(flat, flat.astype(np.float32)):
        return FLOAT32
    if digits > _MOST_DIGITS:
        return FLOAT64
    # Numbers of equally many digits have the fewest decimals where they are largest.
    places = digits - _whole_digits(size)
    if digits >= _ROUNDED and places < decimals:
        return Numbers(f"{digits}-digit", absolute=0.5 * 10.0**-places)
    return Numbers(f"{decimals}-decimal", absolute=0.5 * 10.0**-decimals)


def _whole_digits(value: float) -> int:
    """Digits before the point, 3 of 150; 0 or less of a number below 1."""
    return int(np.floor(np.log10(value))) + 1


def _digits(values: Floats, size: float) -> tuple[int, int]:
    """The most decimals and the most significant digits of numbers up to `size`."""
    left = np.abs(values)
    left = left[left > _NOISE * size]
    decimals = digits = 0
    place = 0
    while len(left) and digits <= _MOST_DIGITS:
        if place > _MOST_DECIMALS:
            return place, _MOST_DIGITS + 1
        power = 10.0**place
        # A whole number by a power of ten is rounded as the decimal number was when it was read.
        short = np.rint(left * power) / power == left
        if short.any():
            decimals = place
            digits = max(digits, place + _whole_digits(float(left[short].max())))
            left = left[~short]
        place += 1
    return decimals, digits


@dataclass(frozen=True, eq=False)
class Placement:
    """A pose (4, 4), and by how much each of its entries may be off."""

    pose: Floats = field(default_factory=identity)
    errors: Floats = field(default_factory=lambda: np.zeros((4, 4)))

    def __matmul__(self, inner: Placement) -> Placement:
        """The pose of what stands in `inner` in this; errors to first order."""
        # What is not finite is for the reader to refuse.
        with np.errstate(over="ignore", invalid="ignore"):
            errors = self.errors @ np.abs(inner.pose) + np.abs(self.pose) @ inner.errors
            return Placement(self.pose @ inner.pose, errors)


def placement_of(pose: Floats) -> Placement:
    """Of a pose (4, 4) whose numbers are as a file has them."""
    errors = np.zeros((4, 4))
    # lengths and what turns them are rounded alike only by their digits
    for entries in (np.s_[:3, :3], np.s_[:3, 3]):
        errors[entries] = numbers_of(pose[entries]).errors(pose[entries])
    return Placement(pose, errors)


def placed(parts: list[tuple[Part, Floats]]) -> list[Part]:
    """Parts, each with the (4, 4) errors of its pose.

    A mesh that is placed several times is as precise as the least precise of its placements.
    """
    added: dict[int, float] = {}
    for part, error in parts:
        if not error.any() or not len(part.mesh.vertices):
            continue
        scale = pose_scale(part.pose)
        if scale > 0:
            reach = np.append(np.abs(part.mesh.vertices).max(axis=0), 1.0)
            off = float(np.linalg.norm(error[:3] @ reach)) / scale
            added[id(part.mesh)] = max(off, added.get(id(part.mesh), 0.0))
    if not added:
        return [part for part, _ in parts]
    meshes: dict[int, Mesh] = {}
    for part, _ in parts:
        mesh, key = part.mesh, id(part.mesh)
        if key in added and key not in meshes:
            precision = mesh.precision + added[key]
            meshes[key] = Mesh(mesh.vertices, mesh.faces, name=mesh.name, precision=precision)
    return [replace(part, mesh=meshes.get(id(part.mesh), part.mesh)) for part, _ in parts]


def least_precise(found: list[Numbers], vertices: Floats) -> Numbers:
    """Of arrays of vertices that become one mesh."""
    return max(found, key=lambda numbers: numbers.precision(vertices), default=EXACT)
