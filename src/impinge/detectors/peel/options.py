"""What can be chosen about `peel`, checked once."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from impinge._arrays import as_direction
from impinge._options import checked_bool, checked_int, checked_length, choice
from impinge.detectors.common.devices import DEVICES
from impinge.detectors.image.view import RESOLUTIONS
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Floats

_WORDS = {
    "device": DEVICES,
    "sampling": ("lists", "peel", "dual"),
    "deeper": ("ignore", "mark"),
    "ties": ("collide", "separate"),
    "precision": ("fp32", "fp16"),
    "packing": ("scan", "sweep"),
}


@dataclass(frozen=True, eq=False)
class PeelOptions:
    """The options of the detector, in the words of its docstring."""

    device: str = "auto"
    resolution: int | None = None
    direction: Floats | None = None
    conservative: bool = True
    sampling: str = "lists"
    layers: int | None = None
    deeper: str = "ignore"
    ties: str = "collide"
    dilate: int | None = None
    gap: float = 0.0
    precision: str = "fp32"
    packing: str = "scan"

    def __post_init__(self) -> None:
        for name, words in _WORDS.items():
            choice(name, getattr(self, name), {word: word for word in words})
        checked = {
            "resolution": _resolution(self.resolution),
            "direction": None
            if self.direction is None
            else as_direction(self.direction, "direction"),
            "conservative": checked_bool("conservative", self.conservative),
            "layers": _layers(self.layers),
            "dilate": _dilate(self.dilate),
            "gap": checked_length("gap", self.gap),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        self._check_contradictions()

    @property
    def reach(self) -> int:
        """Pixels by which the mask is dilated."""
        if self.dilate is not None:
            return self.dilate
        return 0 if self.conservative else 1

    def resolution_for(self, faces: int) -> int:
        """Pixels on a side: what was asked for, or about two for each face along a side."""
        if self.resolution is not None:
            return self.resolution
        wanted = 2 * math.sqrt(max(faces, 1))
        return min(max(1 << round(math.log2(wanted)), 32), 1024)

    def _check_contradictions(self) -> None:
        defaults = {field.name: field.default for field in fields(self)}
        # these change how layers of fragments are judged, which conservative sampling does not do
        plain = ("sampling", "layers", "deeper", "ties", "dilate", "gap")
        if self.conservative:
            for name in plain:
                if getattr(self, name) != defaults[name]:
                    raise InputError(
                        f"{name}={getattr(self, name)!r} is for conservative=False; "
                        f"conservative sampling looks at all layers and misses nothing"
                    )
        if self.deeper == "mark" and self.layers is None:
            raise InputError('deeper="mark" needs layers, the number of layers to look at')
        if self.sampling == "dual" and self.gap:
            raise InputError(
                f'gap={self.gap!r} is for open surfaces, and sampling="dual" takes closed ones only'
            )


def _resolution(value: object) -> int | None:
    if value is None:
        return None
    number = checked_int(value)
    if number not in RESOLUTIONS:
        raise InputError(
            f"resolution must be None or a power of two from {RESOLUTIONS[0]} to "
            f"{RESOLUTIONS[-1]}, got {value!r}"
        )
    return number


def _layers(value: object) -> int | None:
    if value is None:
        return None
    number = checked_int(value)
    if number is None or number < 1:
        raise InputError(f"layers must be None (all) or an integer of at least 1, got {value!r}")
    # more layers than faces there can be are all of them
    return min(number, 2**30)


def _dilate(value: object) -> int | None:
    if value is None:
        return None
    number = checked_int(value)
    if number not in (0, 1, 2):
        raise InputError(f"dilate must be 0, 1 or 2 pixels, got {value!r}")
    return number
