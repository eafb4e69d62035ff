"""All demos by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from impinge.scenes.demo import FPS, Demo, DemoRun, Tally

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Floats
    from impinge.body import Body
    from impinge.simulate import World

_IMAGE = {"resolution": 1024, "device": "auto", "seed": 1}


class WorldRun:
    """A world of soft bodies as a demo; it has contacts, but no pairs."""

    def __init__(self, world: World, steps: int) -> None:
        self.scene = world.scene
        self._world = world
        self._steps = steps
        self._most = 0

    def step(self) -> Tally | None:
        for _ in range(self._steps):
            self._most = max(self._most, self._world.step(1.0 / (FPS * self._steps)).contacts)
        return None

    @property
    def bodies(self) -> tuple[Body, ...]:
        return self.scene.bodies

    def colours(self) -> list[Floats] | None:
        return None

    def facts(self) -> dict[str, Any]:
        return {"most contacts": self._most}


def _tori(*, count: int, method: str) -> DemoRun:
    from impinge.simulate.setups import falling_tori

    # stiff enough for the weight of three, which would press softer ones through each other
    return WorldRun(falling_tori(count=count, young=6e5, method=method), steps=2)


def _chain(*, count: int, method: str) -> DemoRun:
    from impinge.simulate.setups import chain

    return WorldRun(chain(links=count, method=method), steps=1)


def _stairs(**parameters: Any) -> DemoRun:
    from impinge.scenes.stairs import Stairs

    return Stairs(**parameters)


def _snow(**parameters: Any) -> DemoRun:
    from impinge.scenes.snow import Snow

    return Snow(**parameters)


def _bounce(**parameters: Any) -> DemoRun:
    from impinge.scenes.bounce import Bounce

    return Bounce(**parameters)


def _image(
    name: str, title: str, make: Callable[..., DemoRun], azimuth: float, **more: Any
) -> Demo:
    parameters = MappingProxyType({**more, **_IMAGE})
    return Demo(name, title, make, parameters, ("cinder", "bvh"), azimuth)


def _soft(name: str, title: str, make: Callable[..., DemoRun], azimuth: float, count: int) -> Demo:
    parameters = MappingProxyType({"count": count})
    return Demo(name, title, make, parameters, ("ray", "proximity"), azimuth)


DEMOS = {
    demo.name: demo
    for demo in (
        _soft("tori", "Soft tori fall on each other", _tori, 25.0, count=4),
        _soft("chain", "A chain of soft rings swings", _chain, 8.0, count=5),
        _image("stairs", "Spheres bounce down a flight of stairs", _stairs, 40.0, count=50),
        _image(
            "snow", "Snow falls on a turning body and stays there", _snow, 30.0,
            count=200, spin=20.0, hole=False, data=None,
        ),
        _image(
            "bounce", "Spheres bounce off a body by the normals in an image", _bounce, 30.0,
            count=30, data=None,
        ),
    )
}  # fmt: skip
