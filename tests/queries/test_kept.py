"""What a scene keeps from one check to the next is what it would find anew."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import pytest

import impinge
from impinge import _core
from impinge.errors import Cancelled
from impinge.queries.kept import KeptAnswers
from impinge.results import Check
from impinge.results.check import _BY_ROW
from support.meshes import Arrays, box, moved, rotation, sphere

SIZE = 2.0


def shifted(*by: float) -> Any:
    matrix = np.eye(4)
    matrix[:3, 3] = by
    return matrix


def part(random: np.random.Generator) -> Arrays:
    vertices, faces = [box((0, 0, 0), (SIZE, SIZE, SIZE)), sphere(6, radius=1.2)][
        random.integers(2)
    ]
    if random.random() < 0.2:  # open: a surface
        faces = faces[2:]
    # flush with others, half of the time
    by = random.integers(0, 4, 3) * SIZE / 2 if random.random() < 0.5 else 5 * random.random(3)
    return moved((vertices, faces), by)


def assert_same(found: Check, anew: Check) -> None:
    for name in _BY_ROW:
        assert getattr(found, name).tobytes() == getattr(anew, name).tobytes(), name
    assert found.warnings == anew.warnings
    assert found.collisions.pairs.tobytes() == anew.collisions.pairs.tobytes()


def anew(scene: impinge.Scene, **options: Any) -> Check:
    """Asked of a scene that knows nothing, with meshes that nobody has seen."""
    other = impinge.Scene()
    for body in scene:
        mesh = impinge.Mesh(body.mesh.vertices, body.mesh.faces)
        copied = other.add(mesh, name=body.name, pose=body.pose)
        if body.mesh.vertices.tobytes() != body.vertices.tobytes() and body.pose is None:
            copied.vertices = body.vertices
    return other.check(**options)


def change(scene: impinge.Scene, random: np.random.Generator) -> None:
    body = scene[int(random.integers(len(scene)))]
    kind = random.integers(6)
    if kind == 0:
        body.pose = shifted(*random.integers(-2, 3, 3) * SIZE / 4)
    elif kind == 1:
        turned = np.eye(4)
        turned[:3, :3] = rotation(random)
        body.pose = turned
    elif kind == 2:
        body.pose = None
    elif kind == 3:
        scene.remove(body)
    elif kind == 4:
        scene.add(part(random))
    # else it is asked again as it was


@pytest.mark.parametrize("seed", range(12))
def test_as_if_asked_anew(seed: int) -> None:
    random = np.random.default_rng(seed)
    scene = impinge.Scene()
    for _ in range(8):
        scene.add(part(random))
    for _ in range(12):
        change(scene, random)
        options: dict[str, Any] = {
            "tolerance": [0.0, 0.0, 0.05, 0.3][random.integers(4)],
            "clearance": [None, 0.4][random.integers(2)],
            "facets": bool(random.integers(2)),
            "workers": int(random.integers(1, 4)),
        }
        assert_same(scene.check(**options), anew(scene, **options))


def test_vertices_that_change() -> None:
    scene = impinge.Scene()
    scene.add(box((0, 0, 0), (4, 4, 4)))
    soft = scene.add(box((3, 1, 1), (6, 3, 3)))
    resting = np.array(soft.vertices)
    for step in (0.0, 0.5, 0.0, -0.25):
        soft.vertices = resting + np.array((step, 0, 0))
        assert scene.check()[0].volume == pytest.approx((1 - step) * 4)


class Counted:
    """How many pairs the core is asked about."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.asked: list[int] = []
        ask = getattr(_core, name)

        def counted(things: Any, pairs: Any, *more: Any) -> Any:
            self.asked.append(len(pairs))
            return ask(things, pairs, *more)

        monkeypatch.setattr(_core, name, counted)

    def last(self) -> int:
        return self.asked[-1]


def row_of_boxes(count: int) -> impinge.Scene:
    scene = impinge.Scene()
    for i in range(count):
        scene.add(box((3 * i, 0, 0), (3 * i + 3.5, 1, 1)))
    return scene


def test_only_what_changed_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    overlaps = Counted(monkeypatch, "penetrations")
    scene = row_of_boxes(6)
    for _ in range(2):
        assert len(scene.check()) == 5
    assert overlaps.asked == [5, 0]
    scene[2].pose = shifted(0, 0.25, 0)
    scene.check()
    assert overlaps.last() == 2
    scene[2].pose = None
    scene.check()
    assert overlaps.last() == 2
    scene.remove(0)
    assert len(scene.check()) == 4
    assert overlaps.last() == 0
    scene.add(box((2.8, 0, 0), (3.2, 1, 1)))
    scene.check()
    assert overlaps.last() == 1
    scene.check(ignore=[(2, 3)])
    assert overlaps.last() == 0
    scene.check()
    assert overlaps.last() == 1


def test_what_is_asked_for_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    overlaps = Counted(monkeypatch, "penetrations")
    scene = row_of_boxes(4)
    scene.check()
    scene.check(tolerance=0.1)
    scene.check(tolerance=0.1, facets=True)
    assert overlaps.asked == [3, 3, 3]
    # more boxes meet, with overlaps that are known
    scene.check(tolerance=0.1, facets=True, clearance=2.6)
    assert overlaps.last() == 2


def test_gaps_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    gaps = Counted(monkeypatch, "pair_distances")
    scene = impinge.Scene()
    for i in range(4):
        scene.add(box((3 * i, 0, 0), (3 * i + 2.5, 1, 1)))
    for _ in range(2):
        assert scene.check(clearance=1.0).distances.tolist() == [0.5] * 3
    assert gaps.asked == [3, 0]
    scene[0].pose = shifted(0.25, 0, 0)
    assert scene.check(clearance=1.0).distances.tolist() == [0.25, 0.5, 0.5]
    assert gaps.last() == 1
    scene.check(clearance=0.75)
    assert gaps.last() == 3


def test_a_cancelled_check_loses_nothing() -> None:
    scene = row_of_boxes(6)
    before = scene.check()
    scene[3].pose = shifted(0, 0.25, 0)
    with pytest.raises(Cancelled):
        scene.check(progress=lambda _: False)
    assert_same(scene.check(), anew(scene))
    scene[3].pose = None
    assert_same(scene.check(), before)


class Thing:
    """Stands for a solid."""


def rows_of(answers: KeptAnswers, things: list[Thing], pairs: list[tuple[int, int]]) -> list[int]:
    asked: list[int] = []

    def ask(rows: Any) -> tuple[Any, ...]:
        asked.extend(rows.tolist())
        return (np.array([10.0 * a + b for a, b in np.array(pairs)[rows]]),)

    (column,) = answers.answer(things, np.array(pairs), np.zeros((len(pairs), 1)), ask)
    assert column.tolist() == [10.0 * a + b for a, b in pairs]
    assert not column.flags.writeable
    return asked


def test_answers_go_with_the_last_question() -> None:
    answers = KeptAnswers()
    things = [Thing() for _ in range(4)]
    assert rows_of(answers, things, [(0, 1), (1, 2), (2, 3)]) == [0, 1, 2]
    assert rows_of(answers, things, [(2, 3), (0, 3), (0, 1)]) == [1]
    # (1, 2) was not asked about the last time, and is not kept
    assert rows_of(answers, things, [(0, 1), (1, 2)]) == [1]


def test_another_thing_is_never_taken_for_one_that_is_gone() -> None:
    answers = KeptAnswers()
    things = [Thing(), Thing()]
    assert rows_of(answers, things, [(0, 1)]) == [0]
    gone, place = weakref.ref(things[1]), id(things.pop())
    # one in the place of the last, if that is free
    others = [Thing() for _ in range(1000)]
    things.append(min(others, key=lambda other: id(other) != place))
    assert rows_of(answers, things, [(0, 1)]) == [0]
    assert gone() is None
