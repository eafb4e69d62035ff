from __future__ import annotations

import numpy as np
import pytest

from impinge import Body, Mesh
from impinge._pairs import pair_keys
from impinge.body import bodies_of
from impinge.queries.plan import BodySet
from support import meshes

MESH = Mesh(*meshes.box(), name="box")


def bodies(count: int) -> list[Body]:
    return [Body(MESH, name=f"b{index}") for index in range(count)]


def test_without_ignored_pairs_all_are_asked_about() -> None:
    planned = BodySet(bodies(4))
    assert planned.body_pairs is planned.ignored is None
    assert planned.alone.tolist() == [0, 1, 2, 3]
    assert planned.names == ("b0", "b1", "b2", "b3")


def test_few_pairs_are_listed_as_the_core_takes_them() -> None:
    planned = BodySet(bodies(4), [(0, 1), (1, 3), (2, 2)])
    assert planned.body_pairs is not None
    assert planned.body_pairs.tolist() == [[0, 2], [0, 3], [1, 2], [2, 3]]
    assert planned.body_pairs.dtype == np.int32
    assert planned.body_pairs.flags.c_contiguous, "else every query copies them"
    assert planned.ignored is None
    assert planned.alone.tolist() == [0, 1, 3]


def test_of_many_pairs_the_ignored_ones_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("impinge.queries.plan._MOST_WANTED_PAIRS", 5)
    planned = BodySet(bodies(4), [(0, 1), (2, 2)])
    assert planned.body_pairs is None
    assert planned.ignored is not None
    assert planned.ignored.tolist() == pair_keys(np.array([[0, 1], [2, 2]])).tolist()


def test_bodies_of_two_meshes_have_a_name_each() -> None:
    plain = Mesh(*meshes.box())
    for pair, names in (
        ((plain, plain), ["a", "b"]),
        ((MESH, MESH), ["box", "box-2"]),
        ((Mesh(*meshes.box(), name="b"), plain), ["b", "b-2"]),
        ((plain,), ["a"]),
    ):
        assert [body.name for body in bodies_of(pair)] == names
