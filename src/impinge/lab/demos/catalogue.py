"""The demos that come with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.lab.demos.registry import Demo, Parameter, register
from impinge.lab.demos.runs import MovingScene, ParticleDemo, SimulatedWorld, recorded
from impinge.lab.scenes import registry
from impinge.lab.scenes.run import PaperRow, SceneRun

if TYPE_CHECKING:
    from impinge.lab.demos.registry import DemoRun, Values

# of recorded frames
_TIMES = np.linspace(0.0, 1.0, 100)
_SPEED = Parameter("speed", "Speed", 0.0, 3.0, 0.1, 1.0, "×")


def _moving(name: str, *, full: bool) -> None:
    kind = registry.kind(name)

    def make(values: Values) -> DemoRun:
        return MovingScene(registry.make(name, size="full" if values["full"] else "small"))

    parameters = (
        _SPEED,
        Parameter("full", "Full size", 0.0, 1.0, 1.0, float(full), restart=True),
    )
    sentence = kind.title[0].upper() + kind.title[1:] + "."
    register(Demo(name, sentence, make, parameters, self_collision=kind.self_collision))


def _on_ball(values: Values) -> DemoRun:
    from impinge.lab.scenes.cloths import cloth_on_ball

    cells = 215 if values["full"] else 64
    frames = cloth_on_ball(_TIMES, cells=cells, frequency=6)
    return recorded("cloth-on-ball", *frames)


def _in_funnel(values: Values) -> DemoRun:
    from impinge.lab.scenes.cloths import cloth_in_funnel

    cells = 85 if values["full"] else 42
    frames = cloth_in_funnel(_TIMES, cells=cells, around=50, along=20, bands=30)
    return recorded("funnel", *frames)


def _turning(values: Values) -> DemoRun:
    from impinge.lab.scenes.turning import turning

    scene, move = turning(32, 17 if values["full"] else 6)
    faces = sum(len(body.faces) for body in scene)
    return MovingScene(SceneRun("turning", "", scene, False, 72, PaperRow(faces), move))


def _tori(values: Values) -> DemoRun:
    from impinge.simulate.setups import falling_tori

    # stiff enough for the weight of many, which would press softer ones through each other
    world = falling_tori(count=int(values["count"]), fine=_fine(values), young=6e5)
    return SimulatedWorld(world, steps=2)


def _chain(values: Values) -> DemoRun:
    from impinge.simulate.setups import chain

    links, fine = int(values["count"]), _fine(values)
    # it swings to both sides, and is longest when it hangs
    frame = np.array([[-2.5 * links, -2.5, -3.0 * links - 1.0], [2.0 * links, 2.5, 1.0]])
    # rings of few faces slip out of each other unless their contacts hold sideways
    contact = "sliding" if fine > 1 else "published"
    return SimulatedWorld(chain(links=links, fine=fine, contact=contact), steps=1, frame=frame)


def _fine(values: Values) -> int:
    return 2 if values["fine"] else 1


def _simulated(noun: str, least: int, most: int, count: int) -> tuple[Parameter, ...]:
    return (
        Parameter("gravity", "Gravity", 0.0, 20.0, 0.1, 9.8, " m/s²"),
        Parameter("drag", "Drag", 0.0, 2.0, 0.05, 0.0, " /s"),
        Parameter("count", noun, least, most, 1, count, restart=True),
        Parameter("fine", "Fine meshes", 0.0, 1.0, 1.0, 1.0, restart=True),
    )


def _stairs(values: Values, **image: str | None) -> DemoRun:
    from impinge.lab.scenes.stairs import Stairs

    return ParticleDemo(Stairs(**_counted(values), **_image(**image)))


def _snow(values: Values, *, data: str | None = None, **image: str | None) -> DemoRun:
    from impinge.lab.scenes.snow import Snow

    hole, spin = bool(values["hole"]), values["spin"]
    return ParticleDemo(
        Snow(hole=hole, spin=spin, data=data, **_counted(values), **_image(**image)), "spin"
    )


def _bounce(values: Values, *, data: str | None = None, **image: str | None) -> DemoRun:
    from impinge.lab.scenes.bounce import Bounce

    return ParticleDemo(Bounce(data=data, **_counted(values), **_image(**image)))


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


def _with_size(name: str, sentence: str, make: Callable[..., DemoRun], *methods: str) -> None:
    full = Parameter("full", "Full size", 0.0, 1.0, 1.0, 0.0, restart=True)
    alone = methods[0] == "cdfc"
    register(Demo(name, sentence, make, (_SPEED, full), methods, self_collision=alone))


_with_size(
    "turning", "A finned block turns beside another.", _turning, "dop", "bvh", "peel", "cdfc"
)
_with_size(
    "cloth-on-ball", "A cloth drapes over a turning ball.", _on_ball, "cdfc", "bvh", "dop", "peel"
)
_with_size(
    "funnel", "A ball pushes a cloth into a funnel.", _in_funnel, "cdfc", "bvh", "dop", "peel"
)
