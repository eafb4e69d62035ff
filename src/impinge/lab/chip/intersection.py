"""The IT unit: does an edge pierce the unit triangle? Signs, one multiplier, one accumulator."""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Bools, Singles


class Control(IntFlag):
    """The seven bits with which the master controller drives the unit."""

    SIGNS = 1
    """The operands are z of both ends: is the edge to be skipped? Their difference is kept."""
    CLEAR = 2
    """The accumulator is set to the product of the operands."""
    ADD = 4
    SUBTRACT = 8
    HOLD = 16
    """The product is held."""
    COMPARE = 32
    """The product is compared with the held one."""
    DECIDE = 64
    """The accumulator is compared with the difference of z."""


PROGRAM = (
    Control.SIGNS,
    Control.CLEAR | Control.HOLD,
    Control.SUBTRACT | Control.COMPARE,
    Control.ADD | Control.HOLD,
    Control.SUBTRACT | Control.COMPARE | Control.DECIDE,
)
"""For the operands (Pz, Qz), (Px, Qz), (Qx, Pz), (Py, Qz), (Qy, Pz) of an edge PQ."""


class IntersectionUnit:
    """One edge at a time in each lane; float32, each result rounded to nearest.

    The accumulator gets ((Px Qz - Qx Pz) + Py Qz) - Qy Pz, which is compared with Qz - Pz. When
    the edge goes down instead of up, all comparisons are the other way round. The open test skips
    an edge that does not go from one side of z = 0 to the other; the closed one only those that do
    not reach it, and those within it, which are flagged.
    """

    def __init__(self, lanes: int, *, closed: bool) -> None:
        self._closed = closed
        self._accumulator = np.zeros(lanes, dtype=np.float32)
        self._held = np.zeros(lanes, dtype=np.float32)
        self._difference = np.zeros(lanes, dtype=np.float32)
        self._inside = np.zeros(lanes, dtype=bool)
        self.active: Bools = np.zeros(lanes, dtype=bool)
        """Lanes whose edge was not skipped."""
        self.flat: Bools = np.zeros(lanes, dtype=bool)
        """Lanes whose edge lies within z = 0; never set by the open test."""

    @property
    def hit(self) -> Bools:
        return self.active & self._inside

    def step(self, control: Control, first: Singles, second: Singles) -> None:
        """One pair of operands."""
        if control & Control.SIGNS:
            self._signs(first, second)
            return
        product = first * second
        if control & Control.CLEAR:
            self._accumulator = product
        elif control & Control.ADD:
            self._accumulator = self._accumulator + product
        elif control & Control.SUBTRACT:
            self._accumulator = self._accumulator - product
        if control & Control.HOLD:
            self._held = product
        if control & Control.COMPARE:
            self._require(product, self._held)
        if control & Control.DECIDE:
            self._require(self._accumulator, self._difference)

    def _signs(self, p: Singles, q: Singles) -> None:
        if self._closed:
            self.flat = (p == 0) & (q == 0)
            self.active = ~((p > 0) & (q > 0) | (p < 0) & (q < 0) | self.flat)
        else:
            self.active = (p < 0) & (q > 0) | (p > 0) & (q < 0)
        self._difference = q - p
        self._inside = np.ones(len(p), dtype=bool)

    def _require(self, low: Singles, high: Singles) -> None:
        rising = self._difference > 0
        self._inside = self._inside & np.where(rising, low <= high, low >= high)
