"""The scenes that can be watched, by name: what moves, what can be turned, who looks for contacts.

A new one is a `Demo` and a call of `register`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from impinge.errors import InputError, listed, nearest
from impinge.scenes import registry
from impinge.scenes.demo import FPS

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.body import Body
    from impinge.contacts.points import PointContacts
    from impinge.detectors.protocol import Detector
    from impinge.report.surface import Paint
    from impinge.result import Collisions
    from impinge.scene import Scene
    from impinge.scenes.demo import DemoRun, Tally
    from impinge.scenes.run import SceneRun
    from impinge.simulate import World

Values = Mapping[str, float]

# from the beginning of a known motion to its end [s]
_PASS = 4.0


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
class Moment:
    """What one step found, and what it took: seconds of what was done beside looking.

    `colours` are those of all bodies in this frame, (3,) or (m, 3) for the faces, in 0..1; None: as
    they were. `tally`: how true the pairs of bodies were that drive it.
    """

    result: Collisions | PointContacts | None
    seconds: dict[str, float] = field(default_factory=dict)
    colours: Sequence[Paint] | None = None
    tally: Tally | None = None


class Act(Protocol):
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

    def step(self, method: str | Detector, values: Values) -> Moment:
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
    make: Callable[..., Act]
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


def register(demo: Demo) -> None:
    """Make a demo known."""
    if demo.name in _demos:
        raise InputError(f"the demo {demo.name!r} is registered already; choose another name")
    _demos[demo.name] = demo


def demos() -> tuple[Demo, ...]:
    """All of them, in the order of registration."""
    return tuple(_demos.values())


def find(name: str) -> Demo:
    """The demo of this name."""
    try:
        return _demos[name]
    except KeyError:
        hint = nearest(name, _demos)
        raise InputError(
            f"demo {name!r} is unknown; choose one of {listed(_demos)}{hint}"
        ) from None


class MovingScene:
    """A scene whose motion is known beforehand: to its end and back, again and again."""

    def __init__(self, run: SceneRun) -> None:
        self._run = run
        self._phase = 0.0
        self.scene = run.scene
        self.frame = _box(run)

    @property
    def bodies(self) -> tuple[Body, ...]:
        return self.scene.bodies

    @property
    def time(self) -> float:
        return 1.0 - abs(1.0 - self._phase % 2.0)

    @property
    def clock(self) -> str:
        return f"t = {self.time:.2f}"

    def step(self, method: str | Detector, values: Values) -> Moment:
        start = perf_counter()
        self._phase += values["speed"] / (_PASS * FPS)
        self._run.advance(self.time)
        moved = perf_counter() - start
        hits = self.scene.collide(method=method, self_collision=self._run.self_collision)
        return Moment(hits, {"move": moved})

    def facts(self) -> dict[str, Any]:
        return {}


def _box(run: SceneRun) -> Floats:
    """(2, 3) where its bodies are, from the beginning to the end; it is at the beginning then."""
    ends = []
    for t in (1.0, 0.5, 0.0):
        run.advance(t)
        for body in run.scene:
            ends += [body.world_vertices.min(axis=0), body.world_vertices.max(axis=0)]
    return np.stack([np.min(ends, axis=0), np.max(ends, axis=0)])


class SimulatedWorld:
    """Bodies that fall and push each other, in steps of `1 / (25 steps)` s."""

    def __init__(self, world: World, *, steps: int, frame: Floats | None = None) -> None:
        self._world = world
        self._steps = steps
        self.scene = world.scene
        self.frame = frame

    @property
    def bodies(self) -> tuple[Body, ...]:
        return self.scene.bodies

    @property
    def clock(self) -> str:
        return f"{self._world.time:.2f} s"

    def step(self, method: str | Detector, values: Values) -> Moment:
        world = self._world
        world.gravity = np.array([0.0, 0.0, -values["gravity"]])
        world.drag = values["drag"]
        world.method = method
        seconds: dict[str, float] = {}
        for _ in range(self._steps):
            done = world.step(1.0 / (FPS * self._steps))
            for name, value in done.seconds.items():
                # the detector tells about these itself
                if name != "contacts":
                    seconds[name] = seconds.get(name, 0.0) + value
        found = world.contacts
        assert found is not None
        return Moment(found, seconds)

    def facts(self) -> dict[str, Any]:
        return {}


class Driven:
    """Particles that go on by what an image tells about them, or `bvh`."""

    frame = None

    def __init__(self, run: DemoRun, *turned: str) -> None:
        """`turned` are attributes of the run that are parameters."""
        self._run = run
        self._turned = turned
        self._frames = 0
        self.scene = run.scene

    @property
    def bodies(self) -> tuple[Body, ...]:
        return self._run.bodies

    @property
    def clock(self) -> str:
        return f"{self._frames / FPS:.2f} s"

    def step(self, method: str | Detector, values: Values) -> Moment:
        start = perf_counter()
        self._run.use(method)
        for name in self._turned:
            setattr(self._run, name, values[name])
        tally = self._run.step()
        self._frames += 1
        moved = perf_counter() - start - tally.seconds - tally.judging
        seconds = {"move": moved, "find": tally.seconds, "judge": tally.judging}
        return Moment(None, seconds, self._run.colours(), tally)

    def facts(self) -> dict[str, Any]:
        return self._run.facts()


def _moving(name: str, *, full: bool) -> None:
    kind = registry.kind(name)

    def make(values: Values) -> Act:
        return MovingScene(registry.make(name, size="full" if values["full"] else "small"))

    parameters = (
        Parameter("speed", "Speed", 0.0, 3.0, 0.1, 1.0, "×"),
        Parameter("full", "Full size", 0.0, 1.0, 1.0, float(full), restart=True),
    )
    sentence = kind.title[0].upper() + kind.title[1:] + "."
    register(Demo(name, sentence, make, parameters, self_collision=kind.self_collision))


def _tori(values: Values) -> Act:
    from impinge.simulate.setups import falling_tori

    # stiff enough for the weight of many, which would press softer ones through each other
    world = falling_tori(count=int(values["count"]), fine=_fine(values), young=6e5)
    return SimulatedWorld(world, steps=2)


def _chain(values: Values) -> Act:
    from impinge.simulate.setups import chain

    links = int(values["count"])
    frame = np.array([[-1.5, -1.0, -1.8 * links], [2.0 * links, 1.0, 1.0]])
    return SimulatedWorld(chain(links=links, fine=_fine(values)), steps=1, frame=frame)


def _fine(values: Values) -> int:
    return 2 if values["fine"] else 1


def _simulated(noun: str, least: int, most: int, count: int) -> tuple[Parameter, ...]:
    return (
        Parameter("gravity", "Gravity", 0.0, 20.0, 0.1, 9.8, " m/s²"),
        Parameter("drag", "Drag", 0.0, 2.0, 0.05, 0.0, " /s"),
        Parameter("count", noun, least, most, 1, count, restart=True),
        Parameter("fine", "Fine meshes", 0.0, 1.0, 1.0, 1.0, restart=True),
    )


def _stairs(values: Values, **image: str | None) -> Act:
    from impinge.scenes.stairs import Stairs

    return Driven(Stairs(**_counted(values), **_image(**image)))


def _snow(values: Values, *, data: str | None = None, **image: str | None) -> Act:
    from impinge.scenes.snow import Snow

    hole, spin = bool(values["hole"]), values["spin"]
    return Driven(
        Snow(hole=hole, spin=spin, data=data, **_counted(values), **_image(**image)), "spin"
    )


def _bounce(values: Values, *, data: str | None = None, **image: str | None) -> Act:
    from impinge.scenes.bounce import Bounce

    return Driven(Bounce(data=data, **_counted(values), **_image(**image)))


def _counted(values: Values) -> dict[str, Any]:
    return {"count": int(values["count"]), "seed": int(values["seed"])}


def _image(*, resolution: str | None = "1024", device: str | None = "auto") -> dict[str, Any]:
    return {"resolution": int(resolution or 1024), "device": device}


def _particles(noun: str, most: int, count: int) -> tuple[Parameter, ...]:
    return (
        Parameter("count", noun, 1, most, 1, count, restart=True),
        Parameter("seed", "Seed", 0, 99, 1, 1, restart=True),
    )


_CONTACT_METHODS = ("ray", "proximity")

register(
    Demo(
        "tori", "Soft tori fall on each other.", _tori, _simulated("Tori", 2, 8, 4),
        _CONTACT_METHODS,
    )
)  # fmt: skip
register(
    Demo(
        "chain", "A chain of soft rings is let go and swings.", _chain,
        _simulated("Rings", 2, 9, 5), _CONTACT_METHODS, azimuth=8.0,
    )
)  # fmt: skip
_IMAGE_METHODS = ("cinder", "bvh")
_IMAGE = {"resolution": "1024", "device": "auto"}

register(
    Demo(
        "stairs", "Spheres bounce down a flight of stairs.", _stairs,
        _particles("Spheres", 250, 50), _IMAGE_METHODS, azimuth=40.0, texts=_IMAGE,
    )
)  # fmt: skip
register(
    Demo(
        "snow", "Snow falls on a turning body and stays there.", _snow,
        (
            Parameter("spin", "Spin", -90.0, 90.0, 5.0, 20.0, "°/s"),
            *_particles("Flakes in the air", 500, 200),
            Parameter("hole", "No bottom", 0.0, 1.0, 1.0, 0.0, restart=True),
        ),
        _IMAGE_METHODS, azimuth=30.0, texts={**_IMAGE, "data": None},
    )
)  # fmt: skip
register(
    Demo(
        "bounce", "Spheres bounce off a body by the normals in an image.", _bounce,
        _particles("Spheres", 200, 30), _IMAGE_METHODS, azimuth=30.0,
        texts={**_IMAGE, "data": None},
    )
)  # fmt: skip
for _name in registry.names():
    _moving(_name, full=_name in ("deformable-bunnies", "deformable-horses", "cloth"))
