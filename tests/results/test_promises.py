"""Every answer says whether something may be missing, and whether what is there is exact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge.results.columns import Answer
from support import meshes


def two(gap: float = 0.5) -> tuple[impinge.Mesh, impinge.Mesh]:
    vertices, faces = meshes.box()
    return impinge.Mesh(vertices, faces), impinge.Mesh(vertices + gap, faces)


def scene(gap: float = 0.5) -> impinge.Scene:
    result = impinge.Scene()
    for mesh in two(gap):
        result.add(mesh)
    return result


def near() -> np.ndarray:
    """A motion that comes nearer."""
    poses = np.tile(np.eye(4), (2, 1, 1))
    poses[1, :3, 3] = -3.0
    return poses


# what is asked, and whether all of the answer is right to the last bit
ANSWERS = {
    "collide": (lambda: impinge.collide(*two()), True),
    "check": (lambda: scene().check(), False),
    "distance": (lambda: impinge.distance(*two(3.0)), False),
    "distances": (lambda: impinge.distance(*two(3.0), poses=np.eye(4)[None]), False),
    "body distances": (lambda: scene(3.0).distances(), False),
    "relations": (lambda: scene().relations(), True),
    "penetration": (lambda: impinge.penetration(*two()), False),
    "raycast": (lambda: impinge.raycast(two()[0], (0, 0, 9), (0.1, 0.2, -1)), False),
    "nearest": (lambda: impinge.nearest(two()[0], [(0, 0, 9)]), False),
    "impacts": (lambda: impinge.impacts(two()[0], to=two()[1].vertices), False),
    "time of impact": (lambda: impinge.time_of_impact(*two(3.0), motion_b=near()), False),
    "times of impact": (lambda: impinge.time_of_impact(*two(3.0), motion_b=near()[None]), False),
    "first bodies": (lambda: scene(3.0).time_of_impact({1: near()}), False),
    "first bodies of many": (lambda: scene(3.0).time_of_impact({1: near()[None]}), False),
    "free": (lambda: scene(3.0).free({1: near()}), False),
    "many free": (lambda: scene(3.0).free({1: near()[None]}), False),
    "proximity": (lambda: scene().contact_points(method="proximity"), False),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_complete_and_say_whether_they_are_exact(name: str) -> None:
    ask, exact = ANSWERS[name]
    found = ask()
    assert isinstance(found, Answer)
    assert (found.complete, found.exact, found.warnings) == (True, exact, ())


def test_results_of_a_cluster_run_know_what_was_left_out(tmp_path: Path) -> None:
    cluster = pytest.importorskip("impinge.cluster")
    sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    found = cluster.collide([("a", sheet), ("b", sheet)], out=tmp_path / "run", workers=1)
    assert isinstance(found, Answer)
    assert (found.complete, found.exact) == (True, True)
    left_out = type(found)(found.folder, found.stats, ("something",), found._seals)
    assert not left_out.complete


def bars() -> impinge.Scene:
    """Two bars that cross, with no vertex of one in the other."""
    result = impinge.Scene()
    for size in ((6.0, 1.0, 1.0), (1.0, 6.0, 1.2)):
        vertices, faces = meshes.box()
        middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
        result.add((vertices - middle) / np.ptp(vertices, axis=0) * size, faces)
    return result


def test_rays_do_not_promise_to_find_every_place() -> None:
    found = bars().contact_points(method="ray")
    assert bars().collide()
    # the reason why it must not be promised
    assert len(found) == 0
    assert not found.complete
    assert found.to_dict()["complete"] is False


def test_rays_between_bodies_whose_boxes_are_apart_miss_nothing() -> None:
    assert scene(9.0).contact_points(method="ray").complete
    assert not scene(9.0).contact_points(method="ray", self_collision=True).complete


def test_a_check_writes_what_it_promises() -> None:
    written = scene().check().to_dict()
    assert (written["complete"], written["exact"]) == (True, False)
