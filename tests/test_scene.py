from __future__ import annotations

import copy
import pickle
import threading
from time import process_time
from typing import Any

import numpy as np
import pytest

from impinge import Body, InputError, Mesh, Scene
from support import meshes

BOX = meshes.box()


def shift(x: float, y: float = 0, z: float = 0) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def row_of_boxes(count: int, *, step: float = 0.9) -> Scene:
    """Each box overlaps its neighbours only; all are instances of one mesh."""
    scene, mesh = Scene(), Mesh(*BOX, name="box")
    for index in range(count):
        scene.add(mesh, pose=shift(step * index, 0.1 * index, 0.2 * index))
    return scene


def clashes(scene: Scene, **options: Any) -> list[tuple[str, str]]:
    return [(row.name_a, row.name_b) for row in scene.collide(**options).body_pairs]


def test_names_are_made_unique() -> None:
    scene = Scene()
    names = [scene.add(*BOX, name=name).name for name in ("part", "part", "part-2", "part", None)]
    assert names == ["part", "part-2", "part-2-2", "part-3", "body"]
    assert scene.add(Mesh(*BOX, name="bolt")).name == "bolt"
    assert len({body.name for body in scene}) == len(scene) == 6


@pytest.mark.parametrize("name", ["", 3, b"x"])
def test_a_name_is_text(name: Any) -> None:
    with pytest.raises(InputError, match="name must be a string"):
        Scene().add(*BOX, name=name)


def test_bodies_are_found_by_name_index_and_themselves() -> None:
    scene = row_of_boxes(3)
    body = scene["box-2"]
    assert body is scene[1] is scene[-2] is scene[np.int64(1)] is scene[body]
    assert "box-2" in scene
    assert body in scene
    assert "box-9" not in scene
    assert tuple(scene) == scene.bodies


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("bxo-2", "body 'bxo-2' does not exist .did you mean 'box-2'"),
        ("zzz", "the bodies are 'box', 'box-2', 'box-3'"),
        (3, "body 3 does not exist, the scene has 3 bodies"),
        (-4, "body -4"),
        (1.0, "got float"),
        (None, "got NoneType"),
        (Body(Mesh(*BOX)), "not in this scene"),
    ],
)
def test_what_is_not_there_is_named(key: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        row_of_boxes(3)[key]


def test_a_long_list_of_names_is_cut() -> None:
    with pytest.raises(InputError, match="and 20 more"):
        row_of_boxes(30)["zzz"]


def test_a_body_is_in_one_scene() -> None:
    scene = row_of_boxes(2)
    body = scene[0]
    with pytest.raises(InputError, match="in another scene already"):
        Scene().add(body)
    with pytest.raises(InputError, match="in this scene already"):
        scene.add(body)
    assert scene.remove(body) is body
    other = Scene()
    assert other.add(body, pose=shift(5)) is body
    np.testing.assert_array_equal(body.pose, shift(5))
    with pytest.raises(InputError, match="faces must be left out"):
        other.add(other.remove(body), BOX[1])


def test_a_removed_number_is_given_again() -> None:
    scene = Scene()
    for _ in range(5):
        scene.add(*BOX, name="part")
    scene.remove("part-4")
    scene.remove("part-2")
    names = [scene.add(*BOX, name="part").name for _ in range(3)]
    assert names == ["part-2", "part-4", "part-6"]
    scene.remove("part")
    assert scene.add(*BOX, name="part").name == "part"


def test_many_bodies_of_one_name_are_added_in_linear_time() -> None:
    def seconds(count: int) -> float:
        scene, mesh = Scene(), Mesh(*BOX)
        start = process_time()
        for _ in range(count):
            scene.add(mesh, name="part")
        return process_time() - start

    small, large = (min(seconds(count) for _ in range(3)) for count in (1_000, 4_000))
    assert large < 8 * small + 0.01


def test_removing_frees_the_name_and_the_ignored_pairs() -> None:
    scene = row_of_boxes(3)
    scene.ignore(0, 1)
    scene.remove("box-2")
    assert [body.name for body in scene] == ["box", "box-3"]
    assert scene.ignored == ()
    assert scene.add(*BOX, name="box-2").name == "box-2"


def test_neighbours_collide_and_methods_agree() -> None:
    scene = row_of_boxes(4)
    expected = [("box", "box-2"), ("box-2", "box-3"), ("box-3", "box-4")]
    assert clashes(scene) == clashes(scene, method="brute") == expected
    hits, oracle = scene.collide(), scene.collide(method="brute")
    np.testing.assert_array_equal(hits.pairs, oracle.pairs)
    np.testing.assert_array_equal(hits.bodies, oracle.bodies)
    np.testing.assert_array_equal(hits.kinds, oracle.kinds)


@pytest.mark.parametrize("method", ["bvh", "brute"])
def test_results_are_sorted(method: str) -> None:
    hits = row_of_boxes(5, step=0.3).collide(method=method)
    rows = np.column_stack(
        [hits.bodies[:, 0], hits.pairs[:, 0], hits.bodies[:, 1], hits.pairs[:, 1]]
    )
    assert rows.tolist() == sorted(rows.tolist())
    assert (hits.bodies[:, 0] < hits.bodies[:, 1]).all()


@pytest.mark.parametrize("method", ["bvh", "brute"])
def test_first_is_one_pair_per_pair_of_bodies(method: str) -> None:
    scene = row_of_boxes(5, step=0.3)
    every, first = scene.collide(method=method), scene.collide(method=method, mode="first")
    np.testing.assert_array_equal(every.body_pairs.bodies, first.body_pairs.bodies)
    assert first.body_pairs.counts.tolist() == [1] * len(first)
    found = set(map(tuple, np.hstack([every.bodies, every.pairs]).tolist()))
    assert set(map(tuple, np.hstack([first.bodies, first.pairs]).tolist())) <= found


@pytest.mark.parametrize("method", ["bvh", "brute"])
def test_self_collision_of_every_body(method: str) -> None:
    scene = Scene()
    crossed = meshes.merge(BOX, meshes.moved(BOX, (0.5, 0.3, 0.2)))
    scene.add(*crossed, name="crossed")
    scene.add(*meshes.moved(BOX, (9, 0, 0)), name="clean")
    assert not scene.collide(method=method)
    hits = scene.collide(method=method, self_collision=True)
    assert [(row.name_a, row.name_b) for row in hits.body_pairs] == [("crossed", "crossed")]
    assert (hits.pairs[:, 0] < hits.pairs[:, 1]).all()
    scene.ignore("crossed", "crossed")
    assert not scene.collide(method=method, self_collision=True)


@pytest.mark.parametrize("method", ["bvh", "brute"])
def test_duplicate_faces_only_when_asked(method: str) -> None:
    scene = Scene()
    scene.add(BOX[0], np.vstack([BOX[1], BOX[1][:1]]))
    assert not scene.collide(method=method, self_collision=True, touching="exclude")
    before = scene.collide(method=method, self_collision=True)
    after = scene.collide(method=method, self_collision=True, report_duplicates=True)
    assert len(after) == len(before) + 1


@pytest.mark.parametrize("method", ["bvh", "brute"])
def test_ignored_pairs_by_any_reference(method: str) -> None:
    scene = row_of_boxes(4)
    scene.ignore("box", 1)
    left = [("box-2", "box-3"), ("box-3", "box-4")]
    assert clashes(scene, method=method) == left
    assert clashes(scene, method=method, ignore=[(scene[2], "box-2")]) == left[1:]
    assert clashes(scene, method=method, ignore=[[3, 2], ("box-2", 2)]) == []
    assert clashes(scene, method=method) == left, "an ignored pair of one call is forgotten"
    assert scene.ignored == ((scene[0], scene[1]),)


def test_many_bodies_are_not_listed_pair_by_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = row_of_boxes(6, step=0.3)
    scene.ignore(1, 2)
    listed = scene.collide(self_collision=True)
    monkeypatch.setattr("impinge.queries.plan._MOST_WANTED_PAIRS", 0)
    dropped = copy.copy(scene).collide(self_collision=True)
    np.testing.assert_array_equal(listed.pairs, dropped.pairs)
    np.testing.assert_array_equal(listed.bodies, dropped.bodies)
    assert (1, 2) not in {(row.a, row.b) for row in dropped.body_pairs}


def test_what_is_ignored_is_planned_once_and_anew_when_it_changes() -> None:
    scene = row_of_boxes(5)
    scene.ignore(0, 1)
    left = [("box-2", "box-3"), ("box-3", "box-4"), ("box-4", "box-5")]
    assert clashes(scene) == left
    planned = scene._planned
    assert planned is not None
    scene[4].pose = shift(99)
    assert clashes(scene, ignore=[(1, 2)]) == left[1:2]
    assert clashes(scene) == left[:2]
    assert scene._planned is planned, "moving a body, and what one call ignores, change nothing"
    scene.ignore("box-3", "box-4")
    assert clashes(scene) == left[:1]
    scene.add(*meshes.moved(BOX, (0.5, 0.05, 0.1)), name="between")
    assert clashes(scene) == [("box", "between"), left[0], ("box-2", "between")]
    scene.remove("box")
    assert clashes(scene) == [left[0], ("box-2", "between")]
    scene.remove("box-4")
    scene["box-5"].pose = shift(2.7, 0.3, 0.6)
    assert clashes(scene) == [left[0], ("box-2", "between"), ("box-3", "box-5")]


def test_a_body_of_another_scene_brings_no_plan_along() -> None:
    one, other = row_of_boxes(3), row_of_boxes(2)
    one.ignore(0, 1)
    assert clashes(one) == [("box-2", "box-3")]
    assert clashes(other) == [("box", "box-2")]
    other.add(one.remove("box-2"), name="guest")
    assert clashes(one) == []
    assert ("box", "guest") in clashes(other)


@pytest.mark.parametrize(
    ("ignore", "message"),
    [
        (["ab"], r"ignore\[0\] must be a pair"),
        ([(0, 1), (0, 1, 2)], r"ignore\[1\] must be a pair"),
        ([3], r"ignore\[0\] must be a pair"),
        ([("box", "bax")], r"ignore\[0\] 'bax' does not exist"),
    ],
)
def test_bad_ignored_pairs_are_named(ignore: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        row_of_boxes(2).collide(ignore=ignore)


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("method", ["bvh", "brute"])
def test_scenes_without_pairs(count: int, method: str) -> None:
    hits = row_of_boxes(count).collide(method=method, self_collision=True)
    assert len(hits) == 0
    assert hits.pairs.shape == hits.bodies.shape == (0, 2)
    assert len(hits.body_pairs) == 0
    assert hits.loops == ()
    assert hits.segments.shape == (0, 2, 3)


@pytest.mark.parametrize("method", ["bvh", "brute"])
def test_empty_bodies_collide_with_nothing(method: str) -> None:
    scene = Scene()
    scene.add([], [])
    scene.add(*BOX)
    scene.add(*BOX)
    assert clashes(scene, method=method, self_collision=True) == [("body-2", "body-3")]


def test_moving_and_deforming_is_seen() -> None:
    scene = row_of_boxes(2)
    fresh = Scene()
    for number in range(6):
        scene[0].pose = shift(0.05 * number)
        scene[1].vertices = BOX[0] * (1 + 0.1 * number)
        fresh = Scene()
        for body in scene:
            fresh.add(body.world_vertices, body.faces)
        hits, expected = scene.collide(), fresh.collide(method="brute")
        np.testing.assert_array_equal(hits.pairs, expected.pairs)
        np.testing.assert_array_equal(hits.segments, expected.segments)


def test_only_what_changed_is_built_or_refitted() -> None:
    scene = row_of_boxes(3)
    assert scene.collide().stats["trees"] == 1, "instances share the tree of their mesh"
    scene[1].pose = shift(0.5)
    assert "trees" not in scene.collide().stats, "moving a rigid body costs nothing"
    scene[0].vertices = BOX[0] * 1.1
    assert scene.collide().stats["trees"] == 1, "a deforming body has a tree of its own"
    scene[0].vertices = BOX[0] * 1.2
    stats = scene.collide().stats
    assert stats["refits"] == 1
    assert "trees" not in stats
    assert "refits" not in scene.collide().stats


def test_results_keep_the_geometry_of_their_moment() -> None:
    scene = row_of_boxes(2)
    early, late = scene.collide(), scene.collide()
    expected = early.segments.copy()
    buffer = BOX[0].copy()
    scene[0].vertices = buffer
    between = scene.collide()
    inside = between.segments.copy()
    buffer[:] = 77
    scene[1].pose = shift(50)
    scene[0].vertices = BOX[0] * 3
    assert not scene.collide()
    np.testing.assert_array_equal(late.segments, expected)
    np.testing.assert_array_equal(between.segments, inside)


@pytest.mark.parametrize(
    "clone", [copy.copy, copy.deepcopy, lambda scene: pickle.loads(pickle.dumps(scene))]
)
def test_copies_and_pickles(clone: Any) -> None:
    scene = row_of_boxes(4)
    scene[0].vertices = BOX[0] * 1.1
    scene.ignore(1, 2)
    expected = scene.collide()
    again = clone(scene)
    np.testing.assert_array_equal(again.collide().pairs, expected.pairs)
    assert [body.name for body in again] == [body.name for body in scene]
    assert not set(again.bodies) & set(scene.bodies)
    again[0].pose = shift(99)
    again.remove(3)
    np.testing.assert_array_equal(scene.collide().pairs, expected.pairs)


def test_deep_copies_and_pickles_keep_instances_shared() -> None:
    scene = row_of_boxes(3)
    for again in (copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))):
        assert again[0].mesh is again[2].mesh


def test_many_threads_ask_one_scene_while_it_moves() -> None:
    scene = row_of_boxes(6)
    expected = scene.collide().pairs.tolist()
    wrong: list[object] = []

    def ask() -> None:
        for _ in range(20):
            scene[0].pose = scene[0].pose
            if scene.collide(workers=2).pairs.tolist() != expected:
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_scene_is_not_asked_from_its_own_progress() -> None:
    scene = row_of_boxes(2)

    def ask(fraction: float) -> None:
        scene.collide()

    with pytest.raises(InputError, match="progress callable of its own query"):
        scene.collide(progress=ask)
    assert scene.collide(), "and can be asked again after the error"


def test_readable_and_escaped() -> None:
    scene = Scene()
    assert repr(scene) == "Scene(0 bodies, 0 faces)"
    scene.add(*BOX, name="<b>")
    assert repr(scene) == "Scene(1 body, 12 faces)"
    assert "&lt;b&gt;" in scene._repr_html_()
    assert "and 10 more" in row_of_boxes(30)._repr_html_()
