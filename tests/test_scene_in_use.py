"""What is done to a scene while it is asked: moves count later, bodies stay, answers are right."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from impinge import Body, Mesh, Scene, _surfaces, detector
from impinge.errors import InputError
from support.meshes import box, moved

QUESTIONS: dict[str, Callable[..., Any]] = {
    "bvh": partial(Scene.collide, self_collision=True),
    "margin": partial(Scene.collide, margin=0.1, self_collision=True, ignore_rings=1),
    "dop": partial(Scene.collide, method="dop"),
    "cdfc": partial(Scene.collide, method="cdfc"),
    "peel": partial(Scene.collide, method=detector("peel", device="cpu")),
    "brute": partial(Scene.collide, method="brute"),
    "collides": Scene.collides,
    "distances": Scene.distances,
    "relations": Scene.relations,
    "check": partial(Scene.check, clearance=0.2),
    "ray": partial(Scene.contact_points, method="ray"),
    "proximity": partial(Scene.contact_points, method="proximity"),
    "overlaps": partial(Scene.overlaps, method=detector("cinder", device="cpu")),
}


def blobs() -> Scene:
    """Two bodies that overlap and one that is near; all deform, and so refit their trees."""
    scene = Scene()
    for name, x in (("a", 0.0), ("b", 1.2), ("c", 3.1)):
        vertices, faces = _surfaces.blob(4, seed=3)
        body = scene.add(vertices, faces, name=name)
        body.vertices = vertices + np.array([x, 0.1 * x, 0.0])
    scene["c"].pose = shift(0.02)
    return scene


def shift(x: float) -> np.ndarray:
    pose = np.eye(4)
    pose[0, 3] = x
    return pose


def told(answer: Any) -> Any:
    """All that an answer says but for what it measured of itself."""
    if isinstance(answer, bool):
        return answer
    said = answer.to_dict() if hasattr(answer, "to_dict") else vars(answer)
    return {
        name: np.asarray(value).tolist() if isinstance(value, np.ndarray) else repr(value)
        for name, value in said.items()
        if not name.startswith("_") and name not in ("stats", "counters", "seconds")
    }


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_moves_during_a_query_counts_from_the_next_one_on(question: str) -> None:
    ask = QUESTIONS[question]
    expected = told(ask(blobs()))
    scene = blobs()
    random = np.random.default_rng(1)
    ask(scene)

    def disturb(_: float) -> None:
        for body in scene:
            body.vertices = body.vertices * random.uniform(0.2, 3.0)
            body.pose = shift(random.uniform(-5, 5))

    at_rest = blobs()
    for body, other in zip(scene, at_rest, strict=True):
        body.vertices, body.pose = other.vertices, other.pose
    assert told(ask(scene, progress=disturb)) == expected
    assert told(ask(scene)) != expected, "and then they do"


@pytest.mark.parametrize("question", ["bvh", "check", "collides", "ray"])
def test_what_moves_in_another_thread(question: str) -> None:
    ask, expected = QUESTIONS[question], told(QUESTIONS[question](blobs()))
    scene, still = blobs(), blobs()
    begun, over = threading.Event(), threading.Event()

    def disturb() -> None:
        begun.wait(10)
        while not over.is_set():
            for body in scene:
                body.vertices = body.vertices * 1.01

    def begin(_: float) -> None:
        begun.set()

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        assert told(ask(scene, progress=begin)) == expected
    finally:
        over.set()
        thread.join()
    for body, other in zip(scene, still, strict=True):
        body.vertices = other.vertices
    assert told(ask(scene)) == expected


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_body_is_not_removed_during_a_query(question: str) -> None:
    scene, other = blobs(), Scene()
    body = scene["a"]

    def take_away(_: float) -> None:
        with pytest.raises(InputError, match="already; remove it there"):
            other.add(body)
        scene.remove(body)

    with pytest.raises(InputError, match="cannot be removed in the progress callable"):
        QUESTIONS[question](scene, progress=take_away)
    assert body in scene
    assert told(QUESTIONS[question](scene)) == told(QUESTIONS[question](blobs()))
    other.add(scene.remove(body))


def test_no_scene_refits_the_tree_that_another_one_reads() -> None:
    vertices, faces = _surfaces.blob(30, seed=1)
    random = np.random.default_rng(1)

    def scene() -> Scene:
        made = Scene()
        made.add(vertices, faces, name="a").vertices = vertices * 1.0000001
        made.add(vertices + np.array([1e-4, 0.0, 0.0]), faces, name="b")
        return made

    expected = scene().collide(self_collision=True).pairs
    asked, other = scene(), Scene()
    body = asked["a"]
    refused = 0

    def interfere(_: float) -> None:
        nonlocal refused
        try:
            if body in asked:
                asked.remove(body)
                other.add(body)
        except InputError:
            refused += 1
        body.vertices = random.normal(size=vertices.shape)
        if body in other:
            other.collide()

    found = asked.collide(self_collision=True, workers=2, progress=interfere)
    np.testing.assert_array_equal(found.pairs, expected)
    assert refused > 1


def test_another_thread_removes_a_body_after_the_query() -> None:
    scene = blobs()
    body = scene["a"]
    thread = threading.Thread(target=lambda: scene.remove("a"))
    seen = []

    def remove(_: float) -> None:
        if not seen:
            thread.start()
            thread.join(0.1)
        seen.append(body in scene)

    expected = told(blobs().collide())
    assert told(scene.collide(progress=remove)) == expected
    thread.join()
    assert all(seen)
    assert body not in scene


def test_two_threads_add_one_body() -> None:
    body = Body(Mesh(*box()))
    one, two = Scene(), Scene()
    refused = []

    def add(scene: Scene) -> None:
        try:
            scene.add(body)
        except InputError:
            refused.append(scene)

    thread = threading.Thread(target=add, args=(one,))
    with one._lock:
        thread.start()
        thread.join(0.1)
        add(two)
    thread.join()
    assert len(refused) == 1
    assert len(one) + len(two) == 1
    # one that could not be added is free
    free = Body(Mesh(*box()))
    with pytest.raises(InputError):
        one.add(free, pose=shift(1e101))
    two.add(free)


def test_a_check_is_about_the_bodies_as_they_were() -> None:
    vertices, faces = box()
    scene = Scene()
    scene.add(vertices, faces, name="a").vertices = vertices * 1.1
    scene.add(*moved((vertices, faces), (0.3, 0.2, 0.1)), name="b")
    expected = scene.check()[0].overlap()
    assert expected is not None
    row = scene.check()[0]
    scene["a"].vertices = vertices * 0.7
    scene.collide()
    for found in (row.overlap(), row.overlap()):
        assert found is not None
        np.testing.assert_array_equal(found.vertices, expected.vertices)
        np.testing.assert_array_equal(found.faces, expected.faces)
