"""A demo as a page sees it: it plays while somebody looks, and does what the buttons say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Event

import pytest

from impinge.errors import InputError
from impinge.lab.demos import registry as demos
from impinge.lab.demos.session import DemoSession
from impinge.render.page.snapshot import message
from impinge.scene import Scene
from support.meshes import box, moved
from support.view_messages import unpacked


@pytest.fixture
def cloth():
    session = DemoSession(demos.find("cloth"), playing=False)
    session._values["full"] = 0.0
    session.start()
    yield session
    session.end()


def test_step_play_and_pause(cloth):
    changed = Event()
    leave = cloth.watch(changed.set)

    def until(done: Callable[[], object]) -> None:
        while cloth.snapshot is None or not done():
            assert changed.wait(10)
            changed.clear()
            cloth.take(cloth.snapshot.number)

    def player() -> dict:
        return cloth.snapshot.state["player"]

    until(lambda: player()["clock"])
    before = player()["clock"]
    cloth.handle({"type": "step"})
    until(lambda: player()["clock"] != before)
    assert {"move", "rest"} <= {name for name, _ in cloth.snapshot.stages}
    cloth.handle({"type": "play"})
    until(lambda: player()["playing"])
    cloth.handle({"type": "pause"})
    until(lambda: not player()["playing"])
    bodies = cloth.snapshot.bodies
    cloth.handle({"type": "set", "name": "speed", "value": 2.0})
    until(lambda: {"name": "speed", "value": 2.0}.items() <= player()["parameters"][0].items())
    assert cloth.snapshot.bodies is bodies
    # a scene made anew is another bodies
    cloth.handle({"type": "restart"})
    until(lambda: cloth.snapshot.bodies is not bodies)
    leave()


@pytest.mark.parametrize(
    "message",
    [
        {"type": "set", "name": "speed", "value": 99.0},
        {"type": "set", "name": "other", "value": 1.0},
        {"type": "jump"},
        {},
    ],
)
def test_nonsense_is_refused(cloth, message):
    with pytest.raises(ValueError, match=r"cannot be|unknown"):
        cloth.handle(message)


def test_every_demo_can_be_made_and_takes_a_step():
    for demo in demos.demos():
        values = {**demo.values, **{name: 0.0 for name in ("full", "fine") if name in demo.values}}
        act = demo.make(values)
        moment = act.step(demo.method, values)
        assert moment.seconds
        assert act.clock
        assert demo.sentence[0].isupper()


def test_unknown_and_taken_names_are_refused():
    with pytest.raises(InputError, match="did you mean 'chain'"):
        demos.find("chian")
    with pytest.raises(InputError, match="registered already"):
        demos.register(demos.find("chain"))


class _Growing:
    """One more body in each step, the last one red, and nothing that is looked for."""

    frame, clock = None, "now"

    def __init__(self):
        self.scene = Scene()
        self.step("bvh", {})

    @property
    def bodies(self):
        return self.scene.bodies

    def step(self, method, values):
        self.scene.add(*moved(box(), (2.0 * len(self.scene), 0.0, 0.0)))
        colours = [(0.5, 0.5, 0.5)] * len(self.scene)
        colours[-1] = (1.0, 0.0, 0.0)
        return demos.DemoStep(None, {"grow": 1e-3}, colours)


def test_bodies_may_come_and_change_their_colour():
    session = DemoSession(demos.Demo("grows", "It grows.", lambda _: _Growing()), playing=False)
    session.work()
    first = session.snapshot
    session.work()
    session.handle({"type": "step"})
    session.work()
    now = session.snapshot
    got = unpacked(message(now, first))
    assert len(got["scene"]["bodies"]) == len(first.shapes) + 1
    assert got["colours"].reshape(-1, 3)[-1].tolist() == [1.0, 0.0, 0.0]
    assert [row["name"] for row in got["frame"]["stages"]] == ["grow", "rest"]
    assert "hits" not in got


def test_a_demo_that_fails_stops_and_can_be_started_again():
    demo = demos.find("cloth")
    wrong: list[Exception] = [ZeroDivisionError("odd"), InputError("no such cloth")]

    def make(values):
        if wrong:
            raise wrong.pop(0)
        return demo.make({**values, "full": 0.0})

    session = DemoSession(replace(demo, make=make))
    changed = Event()
    session.watch(changed.set)
    session.start()

    def until(done: Callable[[], object]) -> None:
        while session.snapshot is None or not done():
            assert changed.wait(10)
            changed.clear()
            session.take(session.snapshot.number)

    def state(name: str) -> object:
        return session.snapshot.state[name]

    until(lambda: state("problem") == "this is a bug of impinge: ZeroDivisionError: odd")
    assert not session.snapshot.state["player"]["playing"]
    message(session.snapshot)
    session.handle({"type": "play"})
    until(lambda: state("problem") == "no such cloth")
    session.handle({"type": "play"})
    until(lambda: state("problem") is None and state("player")["clock"])
    session.end()
