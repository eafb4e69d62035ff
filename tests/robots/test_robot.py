"""Questions to a robot: the same as to a scene whose bodies stand where the links are."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest

import impinge
from impinge import data
from impinge.errors import Cancelled, InputError
from impinge.robots import Robot
from support import meshes, urdf_files
from support.urdf_files import BOX, joint, link
from support.urdf_files import robot as document


def one_by_one(robot: Robot, Q: np.ndarray, world: impinge.Scene, ignore=()):
    """Scenes made anew for each configuration, by public calls only."""
    poses = robot.poses(Q)
    for row in range(len(Q)):
        scene = impinge.Scene()
        for body in world:
            scene.add(body.mesh, name=body.name, pose=body.pose)
        for name, mesh in robot.meshes.items():
            scene.add(mesh, name=f"robot/{name}", pose=poses[name][row])
        for i, a in enumerate(world):
            for b in world.bodies[:i]:
                scene.ignore(a.name, b.name)
        for a, b in robot.ignored:
            scene.ignore(f"robot/{a}", f"robot/{b}")
        for a, b in ignore:
            scene.ignore(a, f"robot/{b}")
        yield scene


@pytest.fixture
def cell(robot):
    """A robot of boxes, a world of boxes, and where they meet now and then."""
    rng = np.random.default_rng(6)
    made = robot(urdf_files.chain(["revolute", "prismatic", "continuous", "revolute"], rng))
    world = impinge.Scene()
    for index in range(3):
        world.add(*meshes.box(), name=f"box-{index}", pose=meshes.pose(rng, spread=1.5))
    return made, world, made.random(150, seed=1)


def test_collides_is_the_answer_of_single_scenes(cell) -> None:
    robot, world, Q = cell
    truth = [scene.collides() for scene in one_by_one(robot, Q, world)]
    assert robot.collides(Q, world).tolist() == truth
    assert 0 < sum(truth) < len(truth)
    alone = [scene.collides() for scene in one_by_one(robot, Q, impinge.Scene())]
    assert robot.collides(Q).tolist() == alone
    assert 0 < sum(alone) < sum(truth)


def test_options_reach_the_scene(cell) -> None:
    robot, world, Q = cell
    truth = [scene.collides(margin=0.2) for scene in one_by_one(robot, Q, world)]
    assert robot.collides(Q, world, margin=0.2).tolist() == truth
    truth = [scene.collides(touching="exclude") for scene in one_by_one(robot, Q, world)]
    assert robot.collides(Q, world, touching="exclude").tolist() == truth


def test_pairs_that_are_ignored_in_one_question(cell) -> None:
    robot, world, Q = cell
    ignore = [("box-0", "link-3"), ("box-1", "link-0")]
    truth = [scene.collides() for scene in one_by_one(robot, Q, world, ignore)]
    assert robot.collides(Q, world, ignore=ignore).tolist() == truth
    swapped = [("link-3", world["box-0"]), ("link-0", "box-1")]
    assert robot.collides(Q, world, ignore=swapped).tolist() == truth
    # and no longer in the next
    without = [scene.collides() for scene in one_by_one(robot, Q, world)]
    assert robot.collides(Q, world).tolist() == without != truth


@pytest.mark.parametrize(
    ("ignore", "message"),
    [
        ("ab", "ignore must be pairs"),
        (5, "ignore must be pairs"),
        (["ab"], r"ignore\[0\] must be a pair"),
        ([("link-0",)], r"ignore\[0\] must be a pair"),
        ([("link-0", 3)], r"ignore\[0\] must hold names or bodies, got int"),
        ([("link-0", "box-9")], r"ignore\[0\] 'box-9' does not exist"),
        ([("link-0", impinge.Body(impinge.Mesh(*meshes.box())))], "is not in the world"),
    ],
)
def test_bad_pairs_are_refused(cell, ignore: object, message: str) -> None:
    robot, world, Q = cell
    with pytest.raises(InputError, match=message):
        robot.collides(Q, world, ignore=ignore)


def test_a_name_of_both_a_link_and_a_body_must_be_told_apart(robot) -> None:
    made = robot(document(link("a", BOX), link("b", BOX), joint("j", "a", "b", xyz=(0, 0, 5))))
    world = impinge.Scene()
    body = world.add(*meshes.box((-1, -1, -1), (1, 1, 0)), name="a")
    assert made.collides([[0.0]], world).tolist() == [True]
    assert made.collides([[0.0]], world, ignore=[("b", body)]).tolist() == [True]
    with pytest.raises(InputError, match=r"ignore\[0\]: 'a' is a link and a body of the world"):
        made.collides([[0.0]], world, ignore=[("a", "b")])
    assert made.scene(world)["a-2"].mesh.name == "a"


def test_the_world_may_move_between_questions(robot) -> None:
    made = robot(document(link("a", BOX), link("b", BOX), joint("j", "a", "b", xyz=(0, 0, 5))))
    world = impinge.Scene()
    box = world.add(*meshes.box((-1, -1, 1), (1, 1, 2)), name="box")
    assert not made.collides([[0.0]], world)[0]
    lowered = np.eye(4)
    lowered[2, 3] = -1.0
    box.pose = lowered
    assert made.collides([[0.0]], world)[0]
    box.pose = np.eye(4)
    box.vertices = box.vertices - (0, 0, 1)
    assert made.collides([[0.0]], world)[0]
    box.vertices = box.vertices - (0, 0, -9)
    assert not made.collides([[0.0]], world)[0]
    world.add(*meshes.box((-1, -1, -1), (1, 1, 0)))
    assert made.collides([[0.0]], world)[0]
    world.remove(1)
    assert not made.collides([[0.0]], world)[0]


def test_the_world_is_left_as_it_was(cell) -> None:
    robot, world, Q = cell
    before = [(body.name, body.pose.copy(), body.mesh) for body in world]
    robot.collides(Q, world)
    robot.free(Q[:3], Q[3:6], world)
    assert world.ignored == ()
    for (name, pose, mesh), body in zip(before, world, strict=True):
        assert body.name == name
        assert np.array_equal(body.pose, pose)
        assert body.mesh is mesh
        assert body in world


@pytest.mark.parametrize("kind", ["Scene", "Mesh", "Body", "arrays"])
def test_what_a_world_may_be(robot, kind: str) -> None:
    made = robot(document(link("a", BOX), link("b", BOX), joint("j", "a", "b", xyz=(0, 0, 5))))
    box = meshes.box((-1, -1, -1), (1, 1, 0))
    world = {
        "Mesh": impinge.Mesh(*box),
        "Body": impinge.Body(impinge.Mesh(*box)),
        "arrays": box,
    }.get(kind)
    if kind == "Scene":
        world = impinge.Scene()
        world.add(*box)
    assert made.collides([[0.0], [1.0]], world).tolist() == [True, True]
    with pytest.raises(InputError, match="world must be"):
        made.collides([[0.0]], 3)


def test_a_robot_in_a_scene_of_ones_own(cell) -> None:
    robot, world, _ = cell
    bodies = robot.add_to(world, prefix="left/")
    assert [body.name for body in bodies.values()] == [f"left/{name}" for name in robot.meshes]
    assert [tuple(x.name.removeprefix("left/") for x in pair) for pair in world.ignored] == [
        *robot.ignored
    ]
    for name, pose in robot.poses(robot.rest[None]).items():
        assert np.array_equal(bodies[name].pose, pose[0])
    again = robot.add_to(world, prefix="left/")
    assert again["link-0"].name == "left/link-0-2"


def test_a_scene_is_made_of_the_world_and_the_links(cell) -> None:
    robot, world, _ = cell
    scene = robot.scene(world)
    assert [body.name for body in scene] == [*(body.name for body in world), *robot.meshes]
    for body in world:
        assert scene[body.name].mesh is body.mesh
        assert np.array_equal(scene[body.name].pose, body.pose)


def test_ignored_pairs_are_those_that_samples_show(robot) -> None:
    """Against scenes that are made one by one."""
    made = robot(urdf_files.chain(["revolute"] * 4, np.random.default_rng(12)))
    found = made.ignored_pairs(samples=60, seed=3)
    Q = made.random(60, seed=3)
    names = [*made.meshes]
    counts = dict.fromkeys(((a, b) for i, b in enumerate(names) for a in names[:i]), 0)
    rest = set()
    for row, q in enumerate([*Q, made.rest]):
        poses = made.poses(q[None])
        for a, b in counts:
            meets = impinge.collides(
                meshes.posed((made.meshes[a].vertices, made.meshes[a].faces), poses[a][0]),
                meshes.posed((made.meshes[b].vertices, made.meshes[b].faces), poses[b][0]),
            )
            if row < 60:
                counts[a, b] += meets
            elif meets:
                rest.add((a, b))
    adjacent = {tuple(sorted(pair)) for pair in made.ignored}
    for (a, b, why), count in zip(found, found.counts.tolist(), strict=True):
        assert counts[a, b] == count
        assert why == (
            "adjacent" if (a, b) in adjacent
            else "default" if (a, b) in rest
            else "always" if count == 60 else "never"
        )  # fmt: skip
        assert why != "never" or count == 0
    rest_of_all = set(counts) - set(found.pairs)
    assert all(0 < counts[pair] < 60 and pair not in rest for pair in rest_of_all)
    assert sum(found.counts_by_reason.values()) == len(found)


def test_ignored_pairs_are_taken_back_as_srdf(robot, tmp_path) -> None:
    made = robot(
        document(
            link("a", BOX), link('b "&" <c>', BOX), link("d", BOX),
            joint("i", "a", 'b "&" <c>', xyz=(0, 0, 2)),
            joint("j", 'b "&" <c>', "d", xyz=(0, 0, 2)),
        )
        .replace('"b "&" <c>"', '"b &quot;&amp;&quot; &lt;c>"')
    )  # fmt: skip
    found = made.ignored_pairs(samples=10)
    assert found.pairs[1] == ("a", "d")
    assert found.reasons == ("adjacent", "never", "adjacent")
    found.save(tmp_path / "made.srdf")
    again = robot(
        (tmp_path / "robot.urdf").read_text(encoding="utf-8"), srdf=tmp_path / "made.srdf"
    )
    assert again.ignored == tuple(found.pairs)
    assert made.ignoring(found.pairs).ignored == again.ignored
    assert made.ignored != again.ignored


def test_what_may_be_ignored(cell) -> None:
    robot, _, _ = cell
    for pairs, message in (
        (["ab"], r"pairs\[0\] must be two links"),
        ([("link-0", "link-0")], r"pairs\[0\] must be two links"),
        ([("link-0", "nobody")], r"pairs\[0\] 'nobody' does not exist"),
    ):
        with pytest.raises(InputError, match=message):
            robot.ignoring(pairs)


def test_samples_are_an_integer(cell) -> None:
    for samples in (0, -1, 1.5, "x", True):
        with pytest.raises(InputError, match="samples must be an integer of at least 1"):
            cell[0].ignored_pairs(samples=samples)
    with pytest.raises(Cancelled):
        cell[0].ignored_pairs(samples=5, progress=lambda fraction: False)


def test_answers_are_frozen_and_copies_are_too(cell) -> None:
    robot, world, Q = cell
    for found in (robot.free(Q[:4], Q[4:8], world), robot.ignored_pairs(samples=5)):
        for one in (found, copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
            for field in dataclasses.fields(one):
                value = getattr(one, field.name)
                if isinstance(value, np.ndarray):
                    assert not value.flags.writeable, field.name
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(one, dataclasses.fields(one)[0].name, None)


def test_a_robot_is_not_changed_by_what_it_gives(cell) -> None:
    robot, _, _ = cell
    robot.rest[:] = 7.0
    robot.lower[:] = 7.0
    assert not (robot.rest == 7.0).any()
    with pytest.raises(TypeError):
        robot.meshes["x"] = None


def test_a_robot_without_geometry_is_not_called_free(robot) -> None:
    made = robot(document(link("a"), link("b"), joint("j", "a", "b")))
    for ask in (
        lambda: made.collides([[0.0], [1.0]]),
        lambda: made.free([[0.0]], [[1.0]]),
        lambda: made.distances([[0.0]]),
        lambda: made.ignored_pairs(samples=3),
    ):
        with pytest.raises(InputError, match="robot 'tested' has nothing that could collide: no"):
            ask()


def test_distances_are_those_of_single_scenes(cell) -> None:
    robot, world, Q = cell
    found = robot.distances(Q[:40], world, upper_bound=0.5)
    names = [*(body.name for body in world), *(f"robot/{name}" for name in robot.meshes)]
    assert len(found) > 40
    for row, scene in enumerate(one_by_one(robot, Q[:40], world)):
        truth = {
            (each.name_a, each.name_b): each.value for each in scene.distances(upper_bound=0.5)
        }
        here = found.pose == row
        pairs = [(names[a], names[b]) for a, b in found.bodies[here].tolist()]
        values = dict(zip(pairs, found.values[here].tolist(), strict=True))
        assert values.keys() == truth.keys()
        assert all(values[pair] == pytest.approx(truth[pair], abs=1e-12) for pair in truth)


def test_collide_gives_the_faces_of_single_scenes(cell) -> None:
    robot, world, Q = cell
    found = robot.collide(Q[:40], world)
    assert len(found) > 40
    for row, scene in enumerate(one_by_one(robot, Q[:40], world)):
        truth = scene.collide()
        here = found.pose == row
        assert np.array_equal(found.pairs[here], truth.pairs)
        assert np.array_equal(found.bodies[here], truth.bodies)
        assert np.array_equal(found.kinds[here], truth.kinds)
    first = robot.collide(Q[:40], world, mode="first")
    assert np.array_equal(first.counts > 0, found.counts > 0)


def test_many_configurations_are_asked_in_parts(cell, monkeypatch) -> None:
    robot, world, Q = cell
    together = robot.collides(Q, world)
    monkeypatch.setattr("impinge.robots.robot._AT_ONCE", 40)
    seen: list[float] = []
    assert np.array_equal(robot.collides(Q, world, progress=seen.append), together)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled):
        robot.collides(Q, world, progress=lambda fraction: fraction < 0.4)


def test_a_robot_goes_to_another_process(cell) -> None:
    robot, world, Q = cell
    truth = robot.collides(Q, world)
    for one in (pickle.loads(pickle.dumps(robot)), copy.deepcopy(robot), copy.copy(robot)):
        assert np.array_equal(one.collides(Q, world), truth)
        assert one.ignored == robot.ignored


def test_robots_of_several_threads(cell) -> None:
    from concurrent.futures import ThreadPoolExecutor

    robot, world, Q = cell
    truth = robot.collides(Q, world)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: robot.collides(Q, world), range(8)))
    assert all(np.array_equal(answer, truth) for answer in answers)


def test_the_shipped_arm_is_free_at_rest() -> None:
    arm = Robot.load(data.path("arm.urdf"), srdf=data.path("arm.srdf"))
    assert not arm.collides(arm.rest[None])[0]
    assert arm.collides(arm.states["folded"][None]).tolist() == [False]
    assert arm.group("forearm").joints == ("elbow",)
