"""Parts of files, moved by hand: each move is answered with what collides now."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.errors import Cancelled
from impinge.render.bodies import ShownBodies
from impinge.render.drawing import Drawing
from impinge.render.page.findings import ShownResult
from impinge.render.page.snapshot import Snapshot, middle_of
from impinge.results.verdict import Verdict
from impinge.view.methods import Choices, able
from impinge.view.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._shape import Shape
    from impinge._types import Floats
    from impinge.results.check import Check
    from impinge.results.collisions import Collisions
    from impinge.scene import Scene

# a query that takes longer than this tells how far it is [seconds]
_LONG = 0.4
# a check that takes no longer is asked for while a part moves
_QUICK = 0.15
# after so long without a move, a part is where it was meant to be
_REST = 0.25


class Inspection(Session):
    """A scene that stands still unless a page moves a part of it.

    While a part moves, only the faces that meet are found where a whole check would be too slow;
    the check follows as soon as the part rests.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        title: str,
        up: str = "z",
        method: str = "bvh",
        touching: str = "include",
        self_collision: bool = False,
        tolerance: float | str = "precision",
        clearance: float | None = None,
        facets: bool = True,
    ) -> None:
        super().__init__()
        self.scene = scene
        self._title = title
        self._up = up
        self._touching = touching
        self._self = self_collision
        self._asks: dict[str, Any] = {
            "tolerance": tolerance,
            "clearance": clearance,
            "facets": facets,
        }
        self._choices = Choices(able(scene, self_collision=self_collision), method)
        self._home = [body.pose for body in scene]
        self._moves: dict[int, Floats] = {}
        self._homing = False
        self._asked = True
        self._chosen_anew = False
        self._bodies: ShownBodies | None = None
        self._findings: ShownResult | None = None
        self._focus: tuple[int, ...] | None = None
        self._checked = False
        self._seconds = 0.0
        """What the last check took."""

    def request(self, message: Mapping[str, Any]) -> None:
        kind = message.get("type")
        if kind == "move":
            body, place = message["body"], np.array(message["place"], dtype=np.float64)
            if not isinstance(body, int) or not 0 <= body < len(self.scene):
                raise ValueError(f"body {body!r} does not exist")
            if place.shape != (3,) or not np.isfinite(place).all():
                raise ValueError("place must be three numbers")
            # of several moves of a part only the last one counts
            self._moves[body] = place
        elif kind == "choose":
            self._choices.choose(message)
            self._chosen_anew = True
        elif kind == "home":
            self._moves, self._homing = {}, True
        else:
            raise ValueError(f"{kind!r} is unknown")
        self._asked = True

    def due(self) -> bool:
        return self._asked

    def work(self) -> None:
        with self._changed:
            moves, self._moves = self._moves, {}
            homing, self._homing = self._homing, False
            self._asked = self._chosen_anew = False
            detector, label = self._choices.detector, self._choices.label
        if homing:
            for part, pose in zip(self.scene, self._home, strict=True):
                part.pose = pose
        for body, place in moves.items():
            self._move(body, place)
        shapes = self._shapes()
        # a newer request ends what an older one began
        with suppress(Cancelled):
            hits = self.scene.collide(
                method=detector,
                touching=self._touching,
                self_collision=self._self,
                progress=self._progress(label, lambda: self._chosen_anew),
            )
            self._begin(hits)
            faces = partial(self._publish, Drawing(hits, self._up), shapes, label)
            if moves and self._seconds > _QUICK:
                faces()
                if not self._rests():
                    return
            # what takes long is worth a first picture of the faces
            check = self._check(faces if self._findings is None else None)
            self._publish(Drawing(check, self._up, hits=hits), shapes, label)

    def tell(self, problem: str) -> None:
        shapes = self._shapes()
        if self._bodies is None:
            names = [body.name for body in self.scene]
            self._bodies = ShownBodies.of(names, shapes, up=self._up)
        self._show(shapes, problem)

    def _shapes(self) -> tuple[Shape, ...]:
        return tuple(body._current() for body in self.scene)

    def _rests(self) -> bool:
        """Whether no part moves on for a moment."""
        with self._changed:
            return not self._changed.wait_for(lambda: self.ended or self._asked, timeout=_REST)

    def _check(self, meanwhile: Callable[[], None] | None) -> Check:
        start = monotonic()
        # a part that moves on needs no answer about where it was, unless that is there at once
        stop = (lambda: self._asked) if self._seconds > _QUICK else (lambda: self._chosen_anew)
        check = self.scene.check(progress=self._progress("check", stop, meanwhile), **self._asks)
        self._seconds = monotonic() - start
        if self._touching == "exclude":
            check = check[check.verdicts != Verdict.CONTACT]
        return check

    def _begin(self, hits: Collisions) -> None:
        """The colours follow from the first result, and stay."""
        if self._bodies is None:
            self._bodies = Drawing(hits, self._up).bodies

    def _publish(self, drawing: Drawing, shapes: tuple[Any, ...], label: str) -> None:
        bodies = self._bodies
        assert bodies is not None
        checked = drawing.result is not drawing.hits
        # the first picture of a page is that of the parts where they were
        if self._focus is None or (checked and not self._checked):
            self._focus = drawing.focus
        self._checked |= checked
        self._findings = ShownResult(
            drawing,
            bodies.origin,
            label,
            {"check": self._seconds} if checked else {},
            focus=self._focus,
            solid=drawing.solid,
        )
        # the page waits for nothing that can be done here
        _ = self._findings.message
        self._show(shapes, None)

    def _show(self, shapes: tuple[Any, ...], problem: str | None) -> None:
        bodies, findings = self._bodies, self._findings
        assert bodies is not None
        state = self._state(problem)
        self.publish(lambda number: Snapshot(number, bodies, shapes, findings, state))

    def _move(self, body: int, place: Floats) -> None:
        if self._bodies is None:
            return
        moved = self.scene[body]
        pose = np.array(moved.pose)
        pose[:3, 3] = place + self._bodies.origin - pose[:3, :3] @ middle_of(moved._current())
        moved.pose = pose

    def _progress(
        self, label: str, stop: Callable[[], bool], meanwhile: Callable[[], None] | None = None
    ) -> Any:
        told = monotonic()

        def progress(fraction: float) -> bool:
            nonlocal told, meanwhile
            now = monotonic()
            if now - told > _LONG and self._bodies is not None:
                told = now
                if meanwhile is not None:
                    meanwhile()
                    meanwhile = None
                self._show(self._shapes(), f"{label}: {100 * fraction:.0f} %")
            # another method is another question; a part that moves on may wait for this answer
            return not (self.ended or stop())

        return progress

    def _state(self, problem: str | None) -> dict[str, Any]:
        return {
            "title": self._title,
            "live": True,
            "movable": True,
            "choices": self._choices.entries(),
            "player": None,
            "problem": problem,
        }
