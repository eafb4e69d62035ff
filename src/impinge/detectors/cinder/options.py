"""What can be chosen about `cinder`, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from impinge._options import checked_bool, checked_int, checked_length, choice
from impinge.detectors.cinder.view import View
from impinge.detectors.common.devices import DEVICES
from impinge.detectors.image.view import RESOLUTIONS
from impinge.errors import InputError

_WORDS = {
    "device": DEVICES,
    "variant": ("corrected", "original", "printed"),
    "self_interference": ("prevent", "filter", "offset"),
    "ids": ("32bit", "16bit"),
    "payload": ("objects", "triangles", "normals"),
    "reduce": ("none", "stages", "lossless", "pack"),
}
_FITTED = View()
MOST_ROUNDS = 16


@dataclass(frozen=True, eq=False)
class CinderOptions:
    """The options of the detector, in the words of its docstring."""

    device: str = "auto"
    resolution: int = 1024
    views: View | Sequence[View] | None = None
    variant: str = "corrected"
    self_interference: str = "prevent"
    offset: float = 0.0
    ids: str = "32bit"
    payload: str = "objects"
    reference: int = 0
    reduce: str = "none"
    stages: int = 0
    judge: bool = False
    rounds: int | None = None

    def __post_init__(self) -> None:
        for name, words in _WORDS.items():
            choice(name, getattr(self, name), {word: word for word in words})
        checked = {
            "resolution": _resolution(self.resolution),
            "views": _views(self.views),
            "offset": checked_length("offset", self.offset),
            "reference": _count("reference", self.reference),
            "stages": _count("stages", self.stages),
            "judge": checked_bool("judge", self.judge),
            "rounds": None if self.rounds is None else _rounds(self.rounds),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        self._check_contradictions()

    @property
    def all_views(self) -> tuple[View, ...]:
        return (_FITTED,) if self.views is None else tuple(self.views)  # type: ignore[arg-type]

    @property
    def most_rounds(self) -> int:
        """How often to look at most; views that were chosen are looked at once."""
        if self.rounds is not None:
            return self.rounds
        return MOST_ROUNDS if self.views is None else 1

    def _check_contradictions(self) -> None:
        if self.offset and self.self_interference != "offset":
            raise InputError(f'offset={self.offset!r} is for self_interference="offset"')
        if self.self_interference == "offset" and not self.offset:
            raise InputError('self_interference="offset" needs offset, the distance to move edges')
        if self.reference and self.payload != "normals":
            raise InputError(f'reference={self.reference!r} is for payload="normals"')
        if self.stages and self.reduce != "stages":
            raise InputError(f'stages={self.stages!r} is for reduce="stages"')
        most = self.resolution.bit_length() - 1
        if self.reduce == "stages" and not 1 <= self.stages <= most:
            raise InputError(
                f'reduce="stages" needs stages from 1 to {most}, how often an image of '
                f"{self.resolution} pixels is halved, got {self.stages}"
            )


def _resolution(value: object) -> int:
    number = checked_int(value)
    if number not in RESOLUTIONS:
        raise InputError(
            f"resolution must be a power of two from {RESOLUTIONS[0]} to {RESOLUTIONS[-1]}, "
            f"got {value!r}"
        )
    return number


def _views(value: object) -> tuple[View, ...] | None:
    if value is None:
        return None
    views = (value,) if isinstance(value, View) else value
    if not isinstance(views, Sequence) or not all(isinstance(one, View) for one in views):
        raise InputError(f"views must be None, a View or a sequence of them, got {value!r}")
    if not views:
        raise InputError("views is empty; leave it out for one that holds the whole scene")
    return tuple(views)


def _rounds(value: object) -> int:
    number = checked_int(value)
    if number is None or not 1 <= number <= MOST_ROUNDS:
        raise InputError(
            f"rounds must be None or an integer from 1 to {MOST_ROUNDS}, got {value!r}"
        )
    return number


def _count(name: str, value: object) -> int:
    number = checked_int(value)
    if number is None or number < 0:
        raise InputError(f"{name} must be an integer of at least 0, got {value!r}")
    return number
