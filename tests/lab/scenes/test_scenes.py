"""The scenes: what they are made of, and how they move."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge.lab import scenes
from impinge.lab.scenes import SceneRun

OPEN = {("cloth", "cloth")}


@pytest.fixture(scope="module", params=scenes.names())
def small(request: pytest.FixtureRequest) -> SceneRun:
    return scenes.make(request.param, size="small")


def geometry(run: SceneRun) -> list[np.ndarray]:
    return [body.world_vertices.copy() for body in run.scene]


@pytest.mark.parametrize("name", scenes.names())
def test_full_scenes_have_the_triangles_of_the_paper(name: str) -> None:
    run = scenes.make(name)
    cloth_alone = run.scene["cloth"].faces if name == "cloth" else None
    faces = run.faces if cloth_alone is None else len(cloth_alone)
    assert faces == pytest.approx(run.paper.triangles, rel=0.1)


def test_bodies_are_closed_and_oriented(small: SceneRun) -> None:
    for t in small.times[::4]:
        small.advance(t)
        for body in small.scene:
            report = impinge.Mesh(body.world_vertices, body.faces).report()
            expected = (small.name, body.name) not in OPEN
            assert report.closed == expected, body.name
            if expected:
                assert report.oriented, body.name


def test_the_same_scene_every_time(small: SceneRun) -> None:
    again = scenes.make(small.name, size="small")
    for t in (0.7, 0.2):
        small.advance(t)
        again.advance(t)
        for ours, theirs in zip(geometry(small), geometry(again), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_only_the_time_counts_not_the_way(small: SceneRun) -> None:
    small.advance(0.4)
    before = geometry(small)
    for t in (0.9, 0.1, 0.4):
        small.advance(t)
    for ours, theirs in zip(before, geometry(small), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_vertices_move_and_faces_stay(small: SceneRun) -> None:
    small.advance(0.3)
    faces = [body.faces.copy() for body in small.scene]
    before = geometry(small)
    small.advance(0.8)
    assert any(not np.array_equal(a, b) for a, b in zip(before, geometry(small), strict=True))
    for body, kept in zip(small.scene, faces, strict=True):
        np.testing.assert_array_equal(body.faces, kept)


def test_some_frames_collide(small: SceneRun) -> None:
    counts = []
    for t in small.times:
        small.advance(t)
        counts.append(len(small.scene.collide(self_collision=small.self_collision)))
    assert len(counts) == small.frames
    assert sum(count > 0 for count in counts) >= small.frames // 3


def test_the_cloth_meets_itself() -> None:
    run = scenes.make("cloth", size="small")
    run.advance(1.0)
    hits = run.scene.collide(self_collision=True)
    assert (hits.bodies[:, 0] == hits.bodies[:, 1]).any()
    assert (hits.bodies[:, 0] != hits.bodies[:, 1]).any()


def test_the_pile_comes_to_rest_in_its_box() -> None:
    run = scenes.make("rigid-bunnies", size="small")
    places = []
    for t in (0.0, 0.97, 1.0):
        run.advance(t)
        places.append(np.array([body.pose[:3, 3] for body in run.scene]))
    fallen, crawled = places[1] - places[0], places[2] - places[1]
    assert np.abs(fallen).max() > 1.0
    assert np.abs(crawled).max() < 0.1
    assert places[2].min() > 0.0


def test_an_unknown_name_is_answered_with_the_list() -> None:
    with pytest.raises(impinge.InputError, match=r"'rigid-bunnies'.*did you mean 'dragon'"):
        scenes.make("dragoon")
    with pytest.raises(impinge.InputError, match=r"size must be one of 'full', 'small'"):
        scenes.make("dragon", size="tiny")
    with pytest.raises(impinge.InputError, match="t must be a finite number"):
        scenes.make("cloth", size="small").advance(float("nan"))


def test_it_says_what_it_is() -> None:
    run = scenes.make("cloth", size="small")
    assert repr(run) == "SceneRun('cloth', 2 bodies, 1,232 faces, 24 frames)"
    assert run.times[0] == 0.0
    assert run.times[-1] == 1.0
