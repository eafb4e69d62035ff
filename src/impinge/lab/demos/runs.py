"""How demos go on: by a motion known beforehand, by forces, or by what is found."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge._text import counted
from impinge.lab.demos.registry import DemoStep
from impinge.lab.scenes.particle_run import FPS
from impinge.lab.scenes.run import PaperRow, SceneRun
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.body import Body
    from impinge.detectors.protocol import Detector
    from impinge.lab.demos.registry import Values
    from impinge.lab.scenes.particle_run import ParticleRun, Tally
    from impinge.simulate import World

# from the beginning of a known motion to its end [s]
_PASS = 4.0


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

    def step(self, method: str | Detector, values: Values) -> DemoStep:
        start = perf_counter()
        self._phase += values["speed"] / (_PASS * FPS)
        self._run.advance(self.time)
        moved = perf_counter() - start
        hits = self.scene.collide(method=method, self_collision=self._run.self_collision)
        return DemoStep(hits, {"move": moved})

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

    def step(self, method: str | Detector, values: Values) -> DemoStep:
        world = self._world
        world.gravity = np.array([0.0, 0.0, -values["gravity"]])
        world.drag = values["drag"]
        world.method = method
        seconds: dict[str, float] = {}
        for _ in range(self._steps):
            done = world.step(1.0 / (FPS * self._steps))
            for name, value in done.seconds.items():
                # the detector tells about these itself
                if name != "contact_points":
                    seconds[name] = seconds.get(name, 0.0) + value
        found = world.contact_points
        assert found is not None
        return DemoStep(found, seconds)

    def facts(self) -> dict[str, Any]:
        return {}


class ParticleDemo:
    """Particles that go on by what an image tells about them, or `bvh`."""

    frame = None

    def __init__(self, run: ParticleRun, *turned: str) -> None:
        """`turned` are attributes of the run that are parameters."""
        self._run = run
        self._turned = turned
        self._frames = 0
        self._tally: Tally | None = None
        self.scene = run.scene

    @property
    def bodies(self) -> tuple[Body, ...]:
        return self._run.bodies

    @property
    def clock(self) -> str:
        time = f"{self._frames / FPS:.2f} s"
        if self._tally is None:
            return time
        return f"{time}, {self._tally.found} of {counted(self._tally.true, 'pair')} found"

    def step(self, method: str | Detector, values: Values) -> DemoStep:
        start = perf_counter()
        self._run.use(method)
        for name in self._turned:
            setattr(self._run, name, values[name])
        tally = self._tally = self._run.step()
        self._frames += 1
        moved = perf_counter() - start - tally.seconds - tally.judging
        seconds = {"move": moved, "find": tally.seconds, "judge": tally.judging}
        return DemoStep(None, seconds, self._run.colours(), tally)

    def facts(self) -> dict[str, Any]:
        return self._run.facts()


def recorded(name: str, frames: Floats, faces: Ints) -> MovingScene:
    """Frames (k, n, 3) of one mesh, one after the other."""
    scene = Scene()
    body = scene.add(frames[0], faces, name=name)

    def move(t: float) -> None:
        body.vertices = frames[round(t * (len(frames) - 1))]

    return MovingScene(SceneRun(name, "", scene, True, len(frames), PaperRow(len(faces)), move))
