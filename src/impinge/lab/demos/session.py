"""A scene that runs: steps one after the other, as long as a page looks on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from impinge.render.bodies import ShownBodies
from impinge.render.drawing import Drawing
from impinge.render.page.findings import ShownResult
from impinge.render.page.snapshot import Snapshot
from impinge.results.collisions import Collisions
from impinge.view.methods import Choices, able
from impinge.view.session import Session

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge.lab.demos.registry import Demo, DemoRun, DemoStep
    from impinge.render.palette import Colour
    from impinge.render.picture.surface import Paint

# no screen shows more
_SHORTEST_FRAME = 1.0 / 60.0


class DemoSession(Session):
    """A demo with its buttons: play, pause, step, start again, parameters, method."""

    def __init__(self, demo: Demo, *, method: str | None = None, playing: bool = True) -> None:
        super().__init__()
        self.demo = demo
        self._values = demo.values
        self._playing = playing
        self._steps = 1
        self._anew = True
        self._act: DemoRun | None = None
        self._bodies: ShownBodies | None = None
        self._choices: Choices | None = None
        self._method = method or demo.method
        self._told = False

    def request(self, message: Mapping[str, Any]) -> None:
        match message.get("type"):
            case "play":
                self._playing = True
            case "pause":
                self._playing = False
            case "step":
                self._playing = False
                self._steps += 1
            case "restart":
                self._anew = True
            case "set":
                self._set(message["name"], float(message["value"]))
            case "choose" if self._choices is not None:
                self._choices.choose(message)
            case other:
                raise ValueError(f"{other!r} is unknown")
        self._told = False

    def _set(self, name: object, value: float) -> None:
        parameter = next((one for one in self.demo.parameters if one.name == name), None)
        if parameter is None or not parameter.low <= value <= parameter.high:
            raise ValueError(f"{name!r} cannot be {value!r}")
        changed = self._values[parameter.name] != value
        self._values = {**self._values, parameter.name: value}
        self._anew |= changed and parameter.restart

    def due(self) -> bool:
        moving = self.watched and (self._playing or self._steps > 0)
        return self._anew or moving or not self._told

    def work(self) -> None:
        start = monotonic()
        with self._changed:
            anew, self._anew, self._told = self._anew, False, True
            values = dict(self._values)
            moves = anew or self._playing or self._steps > 0
            self._steps = max(self._steps - 1, 0)
        if anew or self._act is None:
            self._begin(values)
        if moves:
            self._step(values)
        else:
            self._say(None)
        self.await_pages()
        with self._changed:
            self._changed.wait_for(
                lambda: self.ended, timeout=max(start + _SHORTEST_FRAME - monotonic(), 0.0)
            )

    def tell(self, problem: str) -> None:
        # what failed once would fail again in every frame
        with self._changed:
            self._playing, self._steps = False, 0
        self._say(problem)

    def _begin(self, values: Mapping[str, float]) -> None:
        demo = self.demo
        self._act, self._bodies = demo.make(values), None
        if self._choices is None:
            names_of = demo.methods or able(self._act.scene, self_collision=demo.self_collision)
            self._choices = Choices(names_of, self._method)

    def _shown_bodies(self) -> ShownBodies:
        """As before, unless there are others now."""
        act = self._act
        names = tuple(body.name for body in act.bodies) if act else ()
        if self._bodies is None or self._bodies.names != names:
            frame = act.frame if act else None
            self._bodies = ShownBodies.of(names, self._shapes(), up=self.demo.up, frame=frame)
        return self._bodies

    def _step(self, values: Mapping[str, float]) -> None:
        act, choices = self._act, self._choices
        assert act is not None
        assert choices is not None
        self._method = choices.method
        start = perf_counter()
        moment = act.step(choices.detector, values)
        bodies = self._shown_bodies()
        findings = None
        if moment.result is not None:
            result = moment.result
            shown = Drawing(result) if isinstance(result, Collisions) else result
            findings = ShownResult(shown, bodies.origin, choices.label, moment.seconds)
            _ = findings.message
        stages = _stages(moment, perf_counter() - start)
        shapes, state = self._shapes(), self._state(None)
        colours = _of_bodies(moment.colours)
        self.publish(
            lambda number: Snapshot(number, bodies, shapes, findings, state, stages, colours)
        )

    def _say(self, problem: str | None) -> None:
        """The same picture with other words."""
        now, bodies = self.snapshot, self._shown_bodies()
        state = self._state(problem)
        findings = now.findings if now is not None and now.bodies is bodies else None
        shapes = self._shapes()
        self.publish(lambda number: Snapshot(number, bodies, shapes, findings, state))

    def _shapes(self) -> tuple[Shape, ...]:
        # none of a scene that could not be made
        return tuple(body._current() for body in self._act.bodies) if self._act else ()

    def _state(self, problem: str | None) -> dict[str, Any]:
        parameters = [
            {**vars(parameter), "value": self._values[parameter.name]}
            for parameter in self.demo.parameters
        ]
        clock = self._act.clock if self._act else ""
        player = {"playing": self._playing, "clock": clock, "parameters": parameters}
        return {
            "title": f"{self.demo.name}: {self.demo.sentence.rstrip('.')}",
            "live": True,
            "movable": False,
            "choices": self._choices.entries() if self._choices else [],
            "player": player,
            "problem": problem,
        }


def _of_bodies(paints: Sequence[Paint] | None) -> list[Colour] | None:
    """One colour for each body, the mean of those of its faces."""
    if paints is None:
        return None
    return [
        cast("Colour", tuple(np.reshape(paint, (-1, 3)).mean(axis=0).tolist())) for paint in paints
    ]


def _stages(moment: DemoStep, whole: float) -> list[tuple[str, float]]:
    """Seconds of each stage; what is left of the whole is packing for the page."""
    rows = list(moment.seconds.items())
    stages = moment.result.stats.stages if moment.result is not None else ()
    rows += [(stage.name, stage.seconds) for stage in stages if stage.seconds]
    left = whole - sum(seconds for _, seconds in rows)
    return [*rows, ("rest", max(left, 0.0))]
