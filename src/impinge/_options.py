"""Options shared by all verbs, checked once and translated for the native core."""

from __future__ import annotations

import math
import operator
import sys
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from impinge.errors import InputError, nearest, word_list

if TYPE_CHECKING:
    from collections.abc import Mapping

    from impinge._types import Progress

T = TypeVar("T")

# the core takes a 32-bit integer, and no machine has more cores than this
_MOST_WORKERS = 4096

TOUCHING = {"include": True, "exclude": False}
"""Whether pairs that only touch are asked for."""
MODE = {"all": False, "first": True}
"""Whether one pair per pair of bodies is enough."""


def worker_count(workers: int | None) -> int:
    """Number of threads as the core takes it: 0 is all cores."""
    if workers is None:
        return 0
    if type(workers) is int and 0 < workers <= _MOST_WORKERS:
        return workers
    try:
        count = -1 if isinstance(workers, bool | np.bool_) else operator.index(workers)
    except TypeError:
        count = -1
    if count < 1:
        raise InputError(
            f"workers must be None (all cores) or an integer of at least 1, got {workers!r}"
        )
    return min(count, _MOST_WORKERS)


class Tick:
    """What the core calls now and then: passes a growing fraction on, answers whether to go on."""

    __slots__ = ("_progress", "_reached")

    def __init__(self, progress: Progress) -> None:
        if not callable(progress):
            raise InputError(
                "progress must be a callable that takes a fraction from 0 to 1, "
                f"got {type(progress).__name__}"
            )
        self._progress = progress
        self._reached = -1.0

    def __call__(self, fraction: float) -> bool:
        self._reached = max(self._reached, min(max(fraction, 0.0), 1.0))
        answer = self._progress(self._reached)
        return not (isinstance(answer, bool | np.bool_) and not answer)

    def finish(self) -> None:
        """Report 1.0 once, whatever the core reported last; it is too late to cancel."""
        if self._reached < 1.0:
            self(1.0)


def ticking(progress: Progress | None) -> Tick | None:
    return None if progress is None else Tick(progress)


def choice(argument: str, value: str, choices: Mapping[str, T]) -> T:
    """What a word stands for; another word is answered with those there are."""
    try:
        return choices[value]
    except (KeyError, TypeError):
        hint = nearest(value, choices) if isinstance(value, str) else ""
        raise InputError(
            f"{argument} must be one of {word_list(choices)}, got {value!r}{hint}"
        ) from None


def checked_int(value: object) -> int | None:
    """The value as an integer; None when it is none."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def is_zero(value: object) -> bool:
    """Whether it is the integer 0; all else is looked at."""
    return type(value) is int and value == 0


def checked_bool(argument: str, value: object) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{argument} must be True or False, got {value!r}")
    return bool(value)


def number(
    argument: str,
    value: object,
    expected: str,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    never: tuple[type, ...] = (),
) -> float:
    """The value as a float within the limits; `never` are types that are no number here."""
    try:
        real = math.nan if isinstance(value, never) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        real = math.nan
    if not least <= real <= most:
        raise InputError(f"{argument} must be {expected}, got {value!r}")
    return real


def checked_length(argument: str, value: object) -> float:
    """A length that is finite and not negative."""
    expected = "a finite distance of at least 0"
    largest = sys.float_info.max
    return number(argument, value, expected, least=0.0, most=largest, never=(bool, str))
