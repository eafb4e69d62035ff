"""When moving meshes meet, against exact collisions in many poses of motions made without us."""

from __future__ import annotations

import math

import numpy as np
import pytest

import impinge
from impinge import Motion, _core
from impinge.errors import Cancelled, InputError
from impinge.results import Start
from support import meshes, motions

SHAPES = (meshes.sphere(7), meshes.box((-0.5, -0.6, -0.3), (0.5, 0.6, 0.3)), meshes.torus(16, 8))
# what the oracle's poses and ours are off from each other, in time
SLACK = 1e-13


def default_tolerance(a: impinge.Mesh, b: impinge.Mesh) -> float:
    return 2**-20 * sum(float(np.linalg.norm(np.ptp(m.vertices, axis=0))) for m in (a, b))


def check(a: impinge.Mesh, b: impinge.Mesh, motion: motions.Rigid, samples: int) -> float:
    """Never late, and never early by a wider gap than the tolerance."""
    found = impinge.time_of_impact(a, b, motion_b=motion.motion())
    truth = motions.first_collision(a, b, motion, samples)
    assert found.time <= truth + SLACK
    if found.start is not Start.FREE:
        assert found.time == 0.0
    elif found.time < math.inf:
        gap = impinge.distance(a, b, poses=motion.at(np.array([found.time])))[0].value
        assert gap <= default_tolerance(a, b) + 1e-13
        assert found.gap == pytest.approx(gap, abs=1e-13)
        assert found.certain or truth > found.time + 1e-5
    else:
        assert found.pair is None
        assert found.certain
    return found.time


@pytest.mark.parametrize("kind", motions.KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_never_late_and_never_early(kind: str, seed: int) -> None:
    rng = np.random.default_rng([seed, motions.KINDS.index(kind)])
    hits = 0
    for _ in range(12):
        first, second = rng.integers(len(SHAPES), size=2)
        motion = motions.random_motion(rng, kind)
        if kind == "grazing":
            motion = motions.grazing(SHAPES[first], SHAPES[second], motion)
        a, b = impinge.Mesh(*SHAPES[first]), impinge.Mesh(*SHAPES[second])
        hits += check(a, b, motion, 1000) < math.inf
    assert hits > 0


@pytest.mark.parametrize("gap", [1e-3, 1e-8, 1e-11])
@pytest.mark.parametrize("seed", range(4))
def test_bodies_that_begin_close_to_each_other(gap: float, seed: int) -> None:
    """Where float32 sees no gap at all, nothing may be called apart, whichever way it moves."""
    rng = np.random.default_rng([seed, 99])
    hits = 0
    for _ in range(40):
        first, second = rng.integers(len(SHAPES), size=2)
        a, b = impinge.Mesh(*SHAPES[first]), impinge.Mesh(*SHAPES[second])
        motion = motions.random_motion(rng, ("translation", "both", "screw")[rng.integers(3)])
        near = impinge.distance(a, b, poses=motion.start[None])[0]
        assert near.points is not None
        step = near.points[1] - near.points[0]
        motion.start[:3, 3] -= step * (1 - gap / near.value)
        motion.goal[:3, 3] = motion.start[:3, 3] + 2 * rng.normal(size=3)
        found = impinge.time_of_impact(a, b, motion_b=motion.motion(), tolerance=0.0)
        truth = motions.first_collision(a, b, motion, 300)
        assert found.time <= truth + SLACK
        hits += truth < math.inf
    assert hits > 5


def test_both_move_as_if_one_did() -> None:
    """What is seen from a moving body is another motion of the other; here one that is known."""
    rng = np.random.default_rng(7)
    a, b = impinge.Mesh(*SHAPES[0]), impinge.Mesh(*SHAPES[2])
    for _ in range(20):
        start, goal = motions.random_motion(rng, "both")[:2]
        goal[:3, :3] = start[:3, :3]
        away = rng.normal(size=3)
        own = np.tile(np.eye(4), (2, 1, 1))
        own[1, :3, 3] = away
        other = np.stack([start, goal])
        alone = impinge.time_of_impact(a, b, motion_b=other).time
        other[1, :3, 3] += away
        together = impinge.time_of_impact(a, b, motion_a=own, motion_b=other).time
        if alone < math.inf:
            assert together == pytest.approx(alone, abs=1e-6)
        else:
            assert together == math.inf


def test_rotating_a_is_never_late() -> None:
    rng = np.random.default_rng(11)
    a, b = impinge.Mesh(*SHAPES[1]), impinge.Mesh(*SHAPES[2])
    for _ in range(15):
        first = motions.random_motion(rng, "both")
        second = motions.random_motion(rng, "screw")
        found = impinge.time_of_impact(a, b, motion_a=first.motion(), motion_b=second.motion())
        times = np.linspace(0, 1, 400)
        own, other = first.at(times), second.at(times)
        seen = np.linalg.inv(own) @ other
        gaps = impinge.distance(a, b, poses=seen).values
        met = times[gaps < 1e-9]
        assert found.time <= (met[0] if len(met) else math.inf) + SLACK
        if 0 < found.time < math.inf:
            now = np.array([found.time])
            gap = impinge.distance(a, b, poses=np.linalg.inv(first.at(now)) @ second.at(now))
            assert gap[0].value <= default_tolerance(a, b) + 1e-12


def test_a_box_falls_flat_on_a_table() -> None:
    """The time is exact where it can be told by hand, and so is the normal."""
    table, block = meshes.grid(4, 4, width=4, height=4), meshes.box((1, 1, 0), (2, 2, 1))
    down = np.tile(np.eye(4), (2, 1, 1))
    down[:, 2, 3] = 3.0, -1.0
    found = impinge.time_of_impact(table, block, motion_b=down)
    assert found.time == pytest.approx(0.75, abs=1e-12)
    assert found.time <= 0.75
    assert found.normal is not None
    assert found.normal.tolist() == [0.0, 0.0, 1.0]
    assert found.certain
    assert found.start is Start.FREE


def test_a_full_turn_of_a_bar_is_met_where_it_is_by_hand() -> None:
    """The corner of a bar that turns about its end reaches a wall at a known angle."""
    bar = meshes.box((0, -0.1, -0.1), (2, 0.1, 0.1))
    wall = meshes.moved(meshes.box((-5, 0, -5), (5, 1, 5)), (0, 1.0, 0))
    turn = np.stack([motions.pose(np.array([0, 0, angle]), np.zeros(3)) for angle in (0.0, 1.5)])
    found = impinge.time_of_impact(wall, bar, motion_b=turn)
    # 2 sin t + 0.1 cos t = 1
    angle = math.asin(1 / math.hypot(2, 0.1)) - math.atan2(0.1, 2)
    assert found.time == pytest.approx(angle / 1.5, abs=1e-9)
    assert found.normal is not None
    assert found.normal[1] == pytest.approx(-1.0)


def test_start() -> None:
    block = meshes.box()
    for shift, start in ((2.0, Start.FREE), (1.0, Start.TOUCHING), (0.5, Start.OVERLAPPING)):
        away = np.tile(np.eye(4), (2, 1, 1))
        away[:, :3, 3] = (shift, 0.1, 0.1), (shift + 3, 0.1, 0.1)
        found = impinge.time_of_impact(block, block, motion_b=away)
        assert found.start is start
        assert found.time == (math.inf if start is Start.FREE else 0.0)
        excluded = impinge.time_of_impact(block, block, motion_b=away, touching="exclude")
        assert excluded.start is start
        assert excluded.time == (0.0 if start is Start.OVERLAPPING else math.inf)


def test_sliding_contact_passes_when_touching_is_excluded() -> None:
    """Flush faces slide, and stop at the step; grazing along an edge passes too."""
    table = meshes.merge(meshes.box((0, 0, -1), (10, 2, 0)), meshes.box((6.5, 0, 0), (10, 2, 1)))
    block = meshes.box((1, 0.5, 0), (2, 1.5, 1))
    slide = np.tile(np.eye(4), (2, 1, 1))
    slide[1, 0, 3] = 6.0
    assert impinge.time_of_impact(table, block, motion_b=slide).time == 0.0
    found = impinge.time_of_impact(table, block, motion_b=slide, touching="exclude", tolerance=1e-6)
    # the block is in front of the step at 4.5 of 6; it may get in by the tolerance
    assert 0.75 <= found.time <= 0.75 + 1.1e-6 / 6
    assert found.start is Start.TOUCHING
    assert found.certain


@pytest.mark.parametrize("seed", range(4))
def test_excluded_touches_are_never_later_than_deep_ones(seed: int) -> None:
    """A gap of minus the tolerance is reached no sooner than faces cross, by the exact test."""
    rng = np.random.default_rng(seed)
    a, b = impinge.Mesh(*SHAPES[1]), impinge.Mesh(*SHAPES[1])
    for kind in ("translation", "both", "screw"):
        motion = motions.random_motion(rng, kind)
        touch = impinge.time_of_impact(a, b, motion_b=motion.motion())
        deep = impinge.time_of_impact(
            a, b, motion_b=motion.motion(), touching="exclude", tolerance=1e-4
        )
        assert touch.time <= deep.time
        if 0 < deep.time < math.inf:
            now = motion.at(np.array([deep.time]))
            assert impinge.collides(a, b, poses=now)[0]
            # faces are parted by the tolerance along some direction; the solids are a bit deeper
            moved = meshes.posed(SHAPES[1], now[0])
            assert impinge.penetration(a, moved).depth < 1e-3


def test_a_near_miss_is_passed_or_told() -> None:
    """Far within the tolerance it is an impact that is not certain, or none."""
    a, b = SHAPES[0], SHAPES[0]
    for gap in (1e-3, 1e-7, 1e-10, 1e-13):
        past = np.tile(np.eye(4), (2, 1, 1))
        past[:, 0, 3], past[:, 1, 3] = (-4, 4), 2 + gap
        found = impinge.time_of_impact(a, b, motion_b=past, tolerance=1e-6)
        assert found.time == math.inf or not found.certain
        assert found.time == math.inf or gap < 1e-6
    hit = np.tile(np.eye(4), (2, 1, 1))
    hit[:, 0, 3], hit[:, 1, 3] = (-4, 4), 2 - 1e-6
    assert impinge.time_of_impact(a, b, motion_b=hit, tolerance=1e-9).certain


def test_contact_within_the_rounding_ends() -> None:
    """Bodies at rest on each other, that slide or roll a hair apart: an answer, and no hang."""
    table, block = meshes.grid(30, 30, width=9, height=9), meshes.box((1, 1, 0), (2, 2, 1))
    for gap in (1e-17, 1e-15, 1e-13, 1e-9):
        slide = np.tile(np.eye(4), (2, 1, 1))
        slide[:, 2, 3], slide[1, 0, 3] = gap, 5.0
        for touching in ("include", "exclude"):
            found = impinge.time_of_impact(table, block, motion_b=slide, touching=touching)
            assert found.time in (0.0, math.inf)
    wheel = meshes.prism(64, radius=1.0, height=1.0)
    turn = np.stack([motions.pose(np.array([0, 0, a]), np.zeros(3)) for a in (0, 1.5, 3.0)])
    for radius in (1.0, 1.0 + 1e-12, 1.001):
        hole = meshes.prism(64, radius=radius, height=2.0)
        found = impinge.time_of_impact(hole, wheel, motion_b=turn)
        # corners pass the middles of facets, which are nearer to the axis than corners
        assert found.time < 1.0 or radius > 1.0005


def test_many_motions_are_each_of_them() -> None:
    rng = np.random.default_rng(3)
    a, b = impinge.Mesh(*SHAPES[0]), impinge.Mesh(*SHAPES[2])
    poses = np.array([motions.random_motion(rng, "both")[:2] for _ in range(30)])
    many = impinge.time_of_impact(a, b, motion_b=poses)
    listed = impinge.time_of_impact(a, b, motion_b=[Motion(pair) for pair in poses], workers=1)
    assert many.times.tolist() == listed.times.tolist()
    assert np.array_equal(many.points, listed.points, equal_nan=True)
    assert len(many) == 30
    for pair, one in zip(poses, many, strict=True):
        alone = impinge.time_of_impact(a, b, motion_b=pair)
        assert (alone.time, alone.pair, alone.gap) == (one.time, one.pair, one.gap)


def test_swapped_bodies_swap_the_answer() -> None:
    rng = np.random.default_rng(4)
    a, b = impinge.Mesh(*SHAPES[0]), impinge.Mesh(*SHAPES[2])
    for _ in range(10):
        motion = motions.random_motion(rng, "both").motion()
        one = impinge.time_of_impact(a, b, motion_b=motion)
        other = impinge.time_of_impact(b, a, motion_a=motion)
        assert one.time == pytest.approx(other.time, abs=1e-9)
        if one.normal is not None and one.pair == (other.pair or ())[::-1]:
            assert other.normal is not None
            assert one.normal == pytest.approx(-other.normal, abs=1e-3)


def test_a_way_of_several_poses_is_its_parts() -> None:
    rng = np.random.default_rng(5)
    a, b = impinge.Mesh(*SHAPES[1]), impinge.Mesh(*SHAPES[2])
    for _ in range(20):
        first, last = motions.random_motion(rng, "both")[:2]
        poses = np.stack([first, last, first])
        whole = impinge.time_of_impact(a, b, motion_b=poses)
        half = impinge.time_of_impact(a, b, motion_b=Motion(poses[:2], times=(0, 0.5)))
        assert whole.time == half.time
        late = impinge.time_of_impact(a, b, motion_b=Motion(poses, times=(5, 6, 7)))
        assert late.time == pytest.approx(5 + 2 * whole.time, abs=1e-9)


def test_times_that_do_not_match_are_waited_for() -> None:
    """A body that has arrived stays, and the other meets it there."""
    block = meshes.box()
    short, long = np.tile(np.eye(4), (2, 1, 1)), np.tile(np.eye(4), (2, 1, 1))
    short[:, 0, 3] = 0.0, 1.0
    long[:, 0, 3], long[:, 1, 3] = (9.0, 0.0), 0.5
    found = impinge.time_of_impact(
        block, block, motion_a=Motion(short), motion_b=Motion(long, times=(2, 11))
    )
    assert found.time == pytest.approx(9.0, abs=1e-9)


@pytest.mark.parametrize("scale", [1e-90, 1e-20, 1e20, 1e90])
def test_sizes_do_not_matter(scale: float) -> None:
    a, b = (meshes.moved(m, (0, 0, 0), scale=scale) for m in (SHAPES[0], SHAPES[1]))
    fall = np.tile(np.eye(4), (2, 1, 1))
    fall[:, :3, 3] = np.array([(3, 0.2, 0.1), (-3, 0.1, 0.2)]) * scale
    plain = fall.copy()
    plain[:, :3, 3] /= scale
    found = impinge.time_of_impact(a, b, motion_b=fall)
    assert found.time == pytest.approx(
        impinge.time_of_impact(SHAPES[0], SHAPES[1], motion_b=plain).time, abs=1e-6
    )


def test_far_from_the_origin_the_rounding_bound_grows() -> None:
    """Poses that take bodies far away round; the answer is no later for that."""
    a, b = SHAPES[1], SHAPES[1]
    for far in (1e3, 1e6, 1e9):
        both = np.tile(np.eye(4), (2, 2, 1, 1))
        both[:, :, 0, 3] = far
        both[1, :, 0, 3] += 3.0, -1.0
        found = impinge.time_of_impact(a, b, motion_a=both[0], motion_b=both[1])
        assert 0.5 - 1e-12 * far <= found.time <= 0.5 + 1e-16 * far


def test_empty_meshes_never_meet() -> None:
    away = np.tile(np.eye(4), (2, 1, 1))
    away[1, 0, 3] = 1.0
    found = impinge.time_of_impact(meshes.empty(), meshes.box(), motion_b=away)
    assert (found.time, found.pair, found.certain) == (math.inf, None, True)


def test_without_motion_it_is_a_collision() -> None:
    assert impinge.time_of_impact(meshes.box(), meshes.box((1, 0, 0), (2, 1, 1))).time == 0.0
    assert impinge.time_of_impact(meshes.box(), meshes.box((2, 0, 0), (3, 1, 1))).time == math.inf


def test_cancelling() -> None:
    poses = np.tile(np.eye(4), (5000, 2, 1, 1))
    poses[:, :, 0, 3] = 4.0, -4.0
    with pytest.raises(Cancelled):
        impinge.time_of_impact(*SHAPES[:2], motion_b=poses, progress=lambda _: False)
    seen: list[float] = []
    impinge.time_of_impact(*SHAPES[:2], motion_b=poses[:50], progress=seen.append)
    assert seen[-1] == 1.0


def test_bad_input_is_named() -> None:
    block, move = meshes.box(), np.tile(np.eye(4), (2, 1, 1))
    with pytest.raises(InputError, match=r"motion_b must be a Motion, a pair of poses.*shape \(4"):
        impinge.time_of_impact(block, block, motion_b=np.eye(4))
    with pytest.raises(InputError, match=r"motion_a must be .*got str"):
        impinge.time_of_impact(block, block, motion_a="fast")
    with pytest.raises(InputError, match="tolerance must be a finite distance"):
        impinge.time_of_impact(block, block, motion_b=move, tolerance=-1)
    with pytest.raises(InputError, match="touching must be one of"):
        impinge.time_of_impact(block, block, motion_b=move, touching="maybe")
    with pytest.raises(InputError, match="motion_a has 3 motions and motion_b has 4"):
        impinge.time_of_impact(
            block, block, motion_a=np.stack([move] * 3), motion_b=np.stack([move] * 4)
        )
    stretched = move * 2
    stretched[:, 3, 3] = 1
    with pytest.raises(InputError, match=r"motion_b\[0\] is no rotation, RᵀR is off by 3"):
        impinge.time_of_impact(block, block, motion_b=stretched)


def test_the_core_refuses_what_is_no_motion() -> None:
    tree = _core.Tree(*meshes.box())
    row, one = np.zeros((1, 33)), np.ones(1, np.int32)
    for rows, ends in (
        (row, np.zeros(0, np.int32)),
        (row, 2 * one),
        (row, -one),
        (row * np.nan, one),
        (np.vstack([row, row + 1]), np.array([2], np.int32)),
    ):
        with pytest.raises(ValueError, match=r"segment|finite"):
            _core.motion_impacts(tree, tree, row, one, rows, ends, -1.0, True, 1, None)
