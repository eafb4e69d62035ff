"""How far two meshes are apart, and where they are closest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.results.columns import Frozen

if TYPE_CHECKING:
    from impinge._types import Floats, Ints


@dataclass(frozen=True, eq=False)
class Distance(Frozen):
    """The distance of two meshes; `float(distance)` is its value."""

    value: float
    """0.0 exactly when the meshes collide; inf when one is empty or nothing is within the bound."""
    points: Floats | None
    """(2, 3) the closest points, on a and on b, in world coordinates; None when value is inf."""
    pair: tuple[int, int] | None
    """The faces of a and of b these points lie on; None when value is inf."""

    @property
    def normal(self) -> Floats | None:
        """(3,) unit vector from the point on a to that on b; None when they coincide or are none.

        Points are rounded to float64, so very close ones give a rough direction.
        """
        if self.points is None:
            return None
        step: Floats = self.points[1] - self.points[0]
        largest = np.abs(step).max()
        if largest == 0.0:
            return None
        step = step / largest
        normal: Floats = step / np.linalg.norm(step)
        return normal

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True, eq=False)
class Distances(Frozen):
    """The distance in each of m poses; `distances[i]` is one `Distance`. Arrays are read-only."""

    values: Floats
    """(m,) 0.0 exactly where the meshes collide; inf where there is nothing within the bound."""
    points: Floats
    """(m, 2, 3) the closest points, on a and on b, in world coordinates; NaN where inf."""
    pairs: Ints
    """(m, 2) the faces of a and of b these points lie on; -1 where inf."""

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: int) -> Distance:
        value = float(self.values[index])
        if math.isinf(value):
            return Distance(value, None, None)
        face_a, face_b = self.pairs[index].tolist()
        return Distance(value, self.points[index], (face_a, face_b))

    def __iter__(self) -> Iterator[Distance]:
        return (self[index] for index in range(len(self)))
