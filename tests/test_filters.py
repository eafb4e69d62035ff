"""Filters against the same rule in plain Python, body by body and pair by pair."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from impinge import Body, InputError, Mesh, Scene
from impinge.filters import BodyFilter, PairFilter, between, groups, within
from support import meshes

NAMES = ("red", "green", "blue")


def scene_of(seed: int, count: int = 9) -> Scene:
    rng, scene = np.random.default_rng(seed), Scene()
    for index in range(count):
        own = [name for name in NAMES if rng.random() < 0.4]
        scene.add(*meshes.box(), groups=[*own, *NAMES[index : index + 1]])
    return scene


Rule = Callable[[Body], bool]
PairRule = Callable[[Body, Body], bool]


def some_bodies(rng: np.random.Generator, scene: Scene, depth: int) -> tuple[BodyFilter, Rule]:
    """A filter, and what it means."""
    kind = rng.integers(4) if depth else 0
    if kind == 0:
        wanted = {name for name in NAMES if rng.random() < 0.4}
        return groups(*sorted(wanted)), lambda body: bool(wanted & body.groups)
    (x, is_x), (y, is_y) = (some_bodies(rng, scene, depth - 1) for _ in range(2))
    if kind == 1:
        return x & y, lambda body: is_x(body) and is_y(body)
    if kind == 2:
        return x | y, lambda body: is_x(body) or is_y(body)
    return ~x, lambda body: not is_x(body)


def some_pairs(rng: np.random.Generator, scene: Scene, depth: int) -> tuple[PairFilter, PairRule]:
    kind = rng.integers(6) if depth else rng.integers(3)
    if kind < 2:
        (x, is_x), (y, is_y) = (some_bodies(rng, scene, 2) for _ in range(2))
        if kind == 0:
            return within(x), lambda a, b: is_x(a) and is_x(b)
        return between(x, y), lambda a, b: (is_x(a) and is_y(b)) or (is_y(a) and is_x(b))
    if kind == 2:
        one, other = (scene[int(rng.integers(len(scene)))] for _ in range(2))
        return between(one, other.name), lambda a, b: {a, b} == {one, other}
    (p, is_p), (q, is_q) = (some_pairs(rng, scene, depth - 1) for _ in range(2))
    if kind == 3:
        return p & q, lambda a, b: is_p(a, b) and is_q(a, b)
    if kind == 4:
        return p | q, lambda a, b: is_p(a, b) or is_q(a, b)
    return ~p, lambda a, b: not is_p(a, b)


@pytest.mark.parametrize("seed", range(60))
def test_a_filter_is_its_rule(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, scene = np.random.default_rng(seed), scene_of(seed)
    if seed % 2:
        monkeypatch.setattr("impinge.filters._PAIRS_AT_ONCE", 20)
    bodies = scene.bodies
    for _ in range(5):
        chosen, rule = some_bodies(rng, scene, 3)
        assert chosen.selects(bodies).tolist() == [rule(body) for body in bodies]
        pairs, is_pair = some_pairs(rng, scene, 3)
        wanted = [
            (i, j)
            for i, j in combinations_with_replacement(range(len(bodies)), 2)
            if is_pair(bodies[i], bodies[j])
        ]
        assert [*map(tuple, pairs.selects(bodies).tolist())] == wanted


@pytest.mark.parametrize("seed", range(10))
def test_every_question_obeys(seed: int) -> None:
    rng, scene = np.random.default_rng(seed), scene_of(seed, 6)
    for body in scene:
        pose = np.eye(4)
        pose[:3, 3] = rng.uniform(0, 1.5, 3)
        body.pose = pose
    chosen, rule = some_pairs(rng, scene, 2)

    def pairs_of(ask: Any) -> list[set[tuple[int, int]]]:
        found = ask(scene.collide()).body_pairs, ask(scene.distances()), ask(scene.check())
        return [{tuple(row) for row in each.bodies.tolist()} for each in found]

    plain = pairs_of(lambda found: found)
    left = [{(i, j) for i, j in own if not rule(scene[i], scene[j])} for own in plain]
    assert plain[0]
    asked = scene.collide(ignore=chosen), scene.distances(ignore=chosen), scene.check(ignore=chosen)
    found = [{tuple(row) for row in own.tolist()} for own in
             (asked[0].body_pairs.bodies, asked[1].bodies, asked[2].bodies)]  # fmt: skip
    assert found == left
    assert scene.collides(ignore=chosen) == bool(left[0])
    assert {frozenset(pair) for pair in scene.ignored} == set()
    scene.ignore(chosen)
    assert {tuple(row) for row in scene.collide().body_pairs.bodies.tolist()} == left[0]
    assert {tuple(row) for row in scene.relations().bodies.tolist()} <= left[1]
    again = pickle.loads(pickle.dumps(scene)), copy.copy(scene)
    for other in again:
        assert [body.groups for body in other] == [body.groups for body in scene]
        assert {tuple(row) for row in other.collide().body_pairs.bodies.tolist()} == left[0]


def test_a_body_with_itself() -> None:
    crossing = ([(0, 0, 0), (2, 0, 0), (0, 2, 0), (0.5, 0.5, -1), (0.5, 0.5, 1), (2, 2, 0)],
                [(0, 1, 2), (3, 4, 5)])  # fmt: skip
    scene = Scene()
    scene.add(*crossing, groups="cloth")
    assert scene.collides(self_collision=True)
    assert not scene.collides(self_collision=True, ignore=within(groups("cloth")))
    assert not scene.collides(self_collision=True, ignore=~between("body", groups()))


def test_bodies_that_come_later_are_selected() -> None:
    scene = Scene()
    first = scene.add(*meshes.box(), groups="pile")
    scene.ignore(within(groups("pile")))
    scene.add(*meshes.box(), groups=["pile", "more"])
    assert not scene.collides()
    third = scene.add(*meshes.box())
    assert [(row.a, row.b) for row in scene.collide().body_pairs] == [(0, 2), (1, 2)]
    scene.remove(first)
    scene.remove(third)
    assert [(a.name, b.name) for a, b in scene.ignored] == [("body-2", "body-2")]
    kept = Scene().add(first)
    assert kept.groups == {"pile"}
    assert Scene().add(scene.remove(0), groups=()).groups == frozenset()


def test_filters_are_shown_as_they_are_written() -> None:
    shown = repr(within(groups("a", "b") & ~groups("c")) | ~between("lid", groups("a")))
    assert shown == "(within((groups('a', 'b') & ~groups('c'))) | ~between('lid', groups('a')))"


ERRORS: list[tuple[Callable[[Scene], object], str]] = [
    (lambda s: s.ignore(within(groups("reed"))), "'reed' does not exist .did you mean 'red'"),
    (lambda s: s.collide(ignore=within("boody")), "'boody' does not exist"),
    (lambda s: s.ignore(within(Body(Mesh(*meshes.box())))), "is not in this scene"),
    (lambda s: s.ignore(within("body"), 1), "b must be left out when a is a filter"),
    (lambda s: s.ignore(1), "b is missing: ignore takes two bodies, or one filter of pairs"),
    (lambda s: s.ignore(groups("red"), 1), "a must be a body, its name or its index"),
    (lambda s: s.collide(ignore=groups("red")), "ignore must be pairs of bodies, got BodyFilter"),
    (lambda s: s.add(*meshes.box(), groups=3), "groups must be names of groups, got int"),
    (lambda s: s.add(*meshes.box(), groups=["a", ""]), "strings that are not empty, got ''"),
    (lambda s: groups(""), "groups takes names that are strings and not empty"),
    (lambda s: between("a", 1), "y must be a filter of bodies, a body or its name, got int"),
    (lambda s: groups("red") and groups("blue"), "compose filters with &"),
    (lambda s: groups("red") & within("body"), "a BodyFilter composes with another, got PairFil"),
]


@pytest.mark.parametrize(("wrong", "message"), ERRORS)
def test_errors(wrong: Callable[[Scene], object], message: str) -> None:
    scene = Scene()
    scene.add(*meshes.box(), groups="red")
    with pytest.raises(InputError, match=message):
        wrong(scene)
