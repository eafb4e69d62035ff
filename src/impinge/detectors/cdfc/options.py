"""What can be chosen about `cdfc`, checked once."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass

import numpy as np

from impinge._options import choice
from impinge.detectors.common.devices import DEVICES
from impinge.errors import InputError

MEMBERSHIPS = ("bisector", "generous", "absolute")
MOST_CLUSTERS = 1024
_DEFAULT_THRESHOLD = 0.1

# near the fastest on cloths of 7k to 500k faces; the minimum is flat
_FEW_FACES = 10_000
_FACES_IN_A_CLUSTER = 4000
_MOST_CHOSEN = 64


@dataclass(frozen=True)
class CdfcOptions:
    """The options of the detector, in the words of its docstring."""

    device: str = "auto"
    clusters: int | None = None
    membership: str = "bisector"
    threshold: float | None = None
    fuzziness: float = 2.0
    iterations: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        choice("device", self.device, {word: word for word in DEVICES})
        choice("membership", self.membership, {word: word for word in MEMBERSHIPS})
        checked = {
            "clusters": None
            if self.clusters is None
            else _whole("clusters", self.clusters, 1, MOST_CLUSTERS),
            "threshold": self._checked_threshold(),
            "fuzziness": _number("fuzziness", self.fuzziness, 1.0, 100.0),
            "iterations": _whole("iterations", self.iterations, 1, 1000),
            "seed": _whole("seed", self.seed, 0, 2**64 - 1),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def exact(self) -> bool:
        """Whether no pair is missed."""
        return self.membership != "absolute"

    def clusters_for(self, faces: int) -> int:
        """What was asked for, or clusters of a size that is quick to sweep."""
        if self.clusters is not None:
            return self.clusters
        if faces < _FEW_FACES:
            return 1
        return min(round(faces / _FACES_IN_A_CLUSTER), _MOST_CHOSEN)

    @property
    def least_membership(self) -> float:
        """The threshold."""
        return _DEFAULT_THRESHOLD if self.threshold is None else self.threshold

    def _checked_threshold(self) -> float | None:
        if self.threshold is None:
            return None
        if self.exact:
            raise InputError(
                f'threshold={self.threshold!r} is for membership="absolute"; '
                "the other rules follow from the sizes of the faces"
            )
        return _number("threshold", self.threshold, 0.0, 1.0)


def _number(name: str, value: object, above: float, most: float) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if not above < number <= most or isinstance(value, bool | str):
        raise InputError(f"{name} must be above {above:g} and at most {most:g}, got {value!r}")
    return number


def _whole(name: str, value: object, least: int, most: int) -> int:
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if not least <= number <= most or isinstance(value, bool | np.bool_):
        raise InputError(f"{name} must be an integer from {least} to {most}, got {value!r}")
    return number
