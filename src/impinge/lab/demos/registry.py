"""The scenes that can be watched, by name: what moves, what can be turned, who looks for contacts.

A new one is a `Demo` and a call of `register`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from impinge.errors import InputError, nearest, word_list

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.body import Body
    from impinge.detectors.protocol import Detector
    from impinge.lab.scenes.particle_run import Tally
    from impinge.render.picture.surface import Paint
    from impinge.results.collisions import Collisions
    from impinge.results.contact_points import ContactPoints
    from impinge.scene import Scene

Values = Mapping[str, float]


@dataclass(frozen=True)
class Parameter:
    """A number to turn while the scene runs; one with `restart` begins the scene anew.

    From 0 to 1 in one step it is a switch.
    """

    name: str
    label: str
    low: float
    high: float
    step: float
    value: float
    unit: str = ""
    restart: bool = False


@dataclass(frozen=True)
class DemoStep:
    """What one step found, and what it took: seconds of what was done beside looking.

    `colours` are those of all bodies in this frame, (3,) or (m, 3) for the faces, in 0..1; None: as
    they were. `tally`: how true the pairs of bodies were that drive it.
    """

    result: Collisions | ContactPoints | None
    seconds: dict[str, float] = field(default_factory=dict)
    colours: Sequence[Paint] | None = None
    tally: Tally | None = None


class DemoRun(Protocol):
    """A scene that is being watched."""

    @property
    def scene(self) -> Scene: ...

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All that is shown; some may come, and some may have left the scene."""

    @property
    def frame(self) -> Floats | None:
        """(2, 3) the box in which it happens; None: the one in which it begins."""

    @property
    def clock(self) -> str:
        """How far it is, in words."""

    def step(self, method: str | Detector, values: Values) -> DemoStep:
        """Move on by one frame of 1/25 s, and look; `values` are those of all parameters."""

    def facts(self) -> dict[str, Any]:
        """What else there is to tell."""


@dataclass(frozen=True)
class Demo:
    """A scene by name. Without `methods`, all detectors that find its pairs may be chosen.

    `make(values, **texts)` takes those of the `texts` that are not to be as here.
    """

    name: str
    sentence: str
    make: Callable[..., DemoRun]
    parameters: tuple[Parameter, ...] = ()
    methods: tuple[str, ...] | None = None
    self_collision: bool = False
    up: str = "z"
    azimuth: float = 25.0
    texts: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def method(self) -> str:
        """The one it begins with."""
        return self.methods[0] if self.methods else "bvh"

    @property
    def values(self) -> dict[str, float]:
        """Of all parameters, as they are at first."""
        return {parameter.name: parameter.value for parameter in self.parameters}


_demos: dict[str, Demo] = {}


def _known() -> dict[str, Demo]:
    # registers ours
    import_module("impinge.lab.demos.catalogue")
    return _demos


def register(demo: Demo) -> None:
    """Make a demo known."""
    if demo.name in _known():
        raise InputError(f"the demo {demo.name!r} is registered already; choose another name")
    _demos[demo.name] = demo


def demos() -> tuple[Demo, ...]:
    """All of them, in the order of registration."""
    return tuple(_known().values())


def find(name: str) -> Demo:
    """The demo of this name."""
    known = _known()
    try:
        return known[name]
    except KeyError:
        hint = nearest(name, known)
        raise InputError(
            f"demo {name!r} is unknown; choose one of {word_list(known)}{hint}"
        ) from None
