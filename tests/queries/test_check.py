"""The verdicts of `Scene.check` on parts whose truth is plain."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import impinge
from impinge.errors import Cancelled, InputError
from impinge.results import Check, CheckRow
from support.meshes import Arrays, box, merge, moved, pose, posed, rotation, sphere
from support.round_parts import prism


def check(*meshes: Arrays, **options: object) -> Check:
    scene = impinge.Scene()
    for number, mesh in enumerate(meshes):
        scene.add(mesh, name=f"part-{number}")
    return scene.check(**options)  # type: ignore[arg-type]


def verdict(*meshes: Arrays, **options: object) -> str | None:
    found = check(*meshes, **options)
    return found[0].verdict.value if len(found) else None


def only(found: Check) -> CheckRow:
    assert len(found) == 1
    return found[0]


WALL = box((0, 0, 0), (5000, 200, 3000))
# along the first, but for where it begins
WALLS = {
    "aligned": ((4950, 0, 0), "clash", 50.0),
    "nudged": ((4950, 2, 0), "clash", 50.0),
    "abutting": ((5000, 0, 0), "contact", 0.0),
    "apart": ((5050, 0, 0), None, 0.0),
}


@pytest.mark.parametrize("name", WALLS)
@pytest.mark.parametrize("axes", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("sign", [1, -1])
def test_walls_in_all_axes(name: str, axes: tuple[int, ...], sign: int) -> None:
    by, expected, deep = WALLS[name]
    matrix = np.eye(4)
    matrix[:3, :3] = sign * np.eye(3)[list(axes)]
    walls = [posed(wall, matrix) for wall in (WALL, moved(WALL, by))]
    if np.linalg.det(matrix[:3, :3]) < 0:
        walls = [(vertices, faces[:, ::-1].copy()) for vertices, faces in walls]
    found = check(*walls)
    assert [row.verdict for row in found] == ([expected] if expected else [])
    if expected:
        assert found[0].depth == pytest.approx(deep, rel=1e-3)
        assert found[0].volume == pytest.approx(deep * (200 - by[1]) * 3000, rel=1e-9)


@pytest.mark.parametrize("name", WALLS)
def test_walls_turned(name: str) -> None:
    by, expected, deep = WALLS[name]
    for seed in range(100):
        turned = np.eye(4)
        turned[:3, :3] = rotation(np.random.default_rng(seed))
        walls = [posed(wall, turned) for wall in (WALL, moved(WALL, by))]
        found = check(*walls, tolerance=1e-8, clearance=60.0)
        row = only(found)
        assert (seed, row.verdict) == (seed, expected or "near")
        if deep:
            assert row.depth == pytest.approx(deep, rel=1e-3)
        if not expected:
            assert row.distance == pytest.approx(50)


def test_sphere_in_the_side_of_a_box() -> None:
    ball = moved(sphere(16, radius=2.0), (5, 0, 0))
    row = only(check(box((-5, -5, -5), (5, 5, 5)), ball))
    assert (row.verdict, row.relation) == ("clash", impinge.Relation.OVERLAPPING)
    assert row.depth == pytest.approx(2.0, rel=0.02)


@pytest.mark.parametrize("imprinted", [False, True])
def test_cylinder_on_a_cube(imprinted: bool) -> None:
    peg = prism(1.0, 32, low=2.0, high=4.0)
    cube = box((-2, -2, -2), (2, 2, 2))
    if imprinted:
        cube = (cube[0], cube[1])
        cube = _with_vertex_on_top(cube)
    row = only(check(cube, peg))
    assert (row.verdict, row.reason, row.depth, row.volume) == ("contact", "touch", 0.0, 0.0)


def test_cylinder_in_a_cylinder() -> None:
    row = only(check(prism(2.0, 32, high=4.0), prism(1.0, 16, low=1.0, high=3.0)))
    assert (row.verdict, row.relation) == ("inside", impinge.Relation.B_INSIDE)
    assert row.distance == 0.0


def test_slight_overlap() -> None:
    peg = prism(1.0, 32, low=2.0 - 1e-6, high=4.0)
    cube = box((-2, -2, -2), (2, 2, 2))
    row = only(check(cube, peg))
    assert row.verdict == "clash"
    assert row.depth == pytest.approx(1e-6, rel=2e-3)
    row = only(check(cube, peg, tolerance=1e-5))
    assert (row.verdict, row.reason) == ("contact", "precision")
    assert row.depth_bounds is not None
    assert row.depth_bounds[1] <= 1e-5


def test_block_around_a_cavity() -> None:
    outer, cavity = box((-10, -10, -10), (10, 10, 10)), box((-2, -2, -2), (2, 2, 2))
    hollow = merge(outer, (cavity[0], cavity[1][:, ::-1].copy()))
    block = box((-5, -5, -5), (5, 5, 5))
    row = only(check(hollow, block))
    assert (row.verdict, row.relation) == ("clash", impinge.Relation.OVERLAPPING)
    assert row.volume == pytest.approx(936)
    # and with a tolerance: all of the block's surface is in the other, not all of the block
    assert verdict(hollow, block, tolerance=0.01) == "clash"
    assert verdict(hollow, box((-1, -1, -1), (1, 1, 1))) is None
    assert verdict(hollow, cavity) == "contact"


def test_wire_in_a_glued_stack() -> None:
    plates = [box((-50, -50, 10 * k), (50, 50, 10 * k + 10)) for k in range(10)]
    wire = box((-0.5, -0.5, 50), (0.5, 0.5, 120))
    row = only(check(merge(*plates), wire))
    assert row.verdict == "clash"
    assert row.depth == pytest.approx(50, rel=1e-2)
    assert row.volume == pytest.approx(50)


def test_foil_on_a_block() -> None:
    block = box((0, 0, 0), (10, 10, 10))
    foil = box((0, 0, 10), (10, 10, 10 + 1e-4))
    assert verdict(block, foil, tolerance=1e-3) == "contact"
    sunk = moved(foil, (0, 0, -2e-5))
    found = check(block, sunk, tolerance=1e-3)
    assert only(found).verdict == "clash"
    assert "too thin for the tolerance" in found.warnings[0]
    assert "'part-1'" in found.warnings[0]
    # a foil that exists twice
    assert verdict(foil, foil, tolerance=1e-3) == "duplicate"
    assert verdict(foil, sunk) == "clash"


def test_duplicates_within_the_tolerance() -> None:
    part = sphere(12, radius=3.0)
    rng = np.random.default_rng(5)
    shaken = part[0] + rng.uniform(-1e-6, 1e-6, part[0].shape), part[1]
    assert verdict(part, shaken) == "clash"
    assert verdict(part, shaken, tolerance=1e-5) == "duplicate"
    assert verdict(part, part) == "duplicate"


def test_inside_within_the_tolerance() -> None:
    block = box((0, 0, 0), (10, 10, 10))
    flush = box((2, 2, 6), (4, 4, 10 + 1e-6))
    assert verdict(block, flush) == "clash"
    assert verdict(block, flush, tolerance=1e-5) == "inside"
    assert verdict(flush, block, tolerance=1e-5) == "inside"


def test_nothing_is_inside_a_shell_that_it_fills() -> None:
    """All of the surface of the full block is in the hollow one, which has a handle."""
    hollow = merge(
        box((0, 0, 0), (10, 10, 10)),
        (box((1, 1, 1), (9, 9, 9))[0], box()[1][:, ::-1].copy()),
        box((9.5, 4, 4), (15, 6, 6)),
    )
    full = box((0, 0, 0), (10, 10, 10))
    assert verdict(full, hollow, tolerance=1e-3) == "clash"


def test_gaps() -> None:
    one, other = box(), box((1.25, 0, 0), (2, 1, 1))
    assert verdict(one, other) is None
    assert verdict(one, other, clearance=0.2) is None
    row = only(check(one, other, clearance=0.25))
    assert (row.verdict, row.reason, row.distance) == ("near", None, 0.25)
    assert row.points is not None
    assert row.points[:, 0].tolist() == [1.0, 1.25]
    assert row.point[0] == 1.125
    row = only(check(one, other, tolerance=0.25))
    assert (row.verdict, row.reason) == ("contact", "precision")
    assert row.depth == 0.0


def test_volume_of_shells_that_overlap_is_not_told() -> None:
    part = merge(box((0, 0, 0), (4, 4, 4)), box((3, 0, 0), (8, 4, 4)))
    row = only(check(part, box((1, 1, 3), (7, 2, 9))))
    assert (row.verdict, row.volume, row.overlap()) == ("clash", None, None)
    assert row.depth_bounds is not None
    low, high = row.depth_bounds
    assert 0.9 < low <= 1.0 <= high


def test_poses() -> None:
    rng = np.random.default_rng(1)
    mesh = impinge.Mesh(*box())
    for _ in range(20):
        world = pose(rng, spread=5.0)
        scene = impinge.Scene()
        for x in (0.0, 0.75, 2.0):
            matrix = np.eye(4)
            matrix[0, 3] = x
            scene.add(mesh, pose=world @ matrix)
        found = scene.check(tolerance=1e-9, clearance=0.5)
        assert [(row.a, row.b, row.verdict.value) for row in found] == [
            (0, 1, "clash"),
            (1, 2, "near"),
        ]
        assert found[0].volume == pytest.approx(0.25)
        assert found[0].depth == pytest.approx(0.25, rel=2e-3)


def test_mirrored_parts() -> None:
    part = merge(box((0, 0, 0), (4, 4, 4)), (box((1, 1, 1), (2, 2, 2))[0], box()[1][:, ::-1]))
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    scene = impinge.Scene()
    scene.add(part, pose=mirror)
    scene.add(box((-2, 1, 1), (-1, 2, 2)))
    scene.add(box((-3.5, 3, 3), (-3, 3.5, 3.5)))
    found = scene.check()
    assert [(row.a, row.b, row.verdict.value) for row in found] == [
        (0, 1, "contact"),
        (0, 2, "inside"),
    ]
    assert found.warnings == ()


def test_flat_poses_are_refused() -> None:
    scene = impinge.Scene()
    scene.add(box(), pose=np.diag([1.0, 1.0, 0.0, 1.0]))
    scene.add(box())
    with pytest.raises(InputError, match="determinant 0"):
        scene.check()


def test_ignored_pairs() -> None:
    scene = impinge.Scene()
    for x in (0, 0.5, 1.0):
        scene.add(box((x, 0, 0), (x + 1, 1, 1)))
    assert scene.check().bodies.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert scene.check(ignore=[(0, 2)]).bodies.tolist() == [[0, 1], [1, 2]]
    scene.ignore(0, 1)
    assert scene.check().bodies.tolist() == [[0, 2], [1, 2]]


def test_bodies_that_move() -> None:
    scene = impinge.Scene()
    scene.add(box())
    body = scene.add(box((0.5, 0, 0), (2, 1, 1)))
    first = scene.check()
    body.vertices = body.vertices + np.array([0.5, 0, 0])
    assert only(scene.check()).verdict == "contact"
    # as it was
    pieces = only(first).overlap()
    assert pieces is not None
    assert pieces.vertices[:, 0].max() == 1.0


def test_scenes_of_none_and_one() -> None:
    scene = impinge.Scene()
    assert len(scene.check()) == 0
    scene.add(box())
    assert len(scene.check(clearance=1.0)) == 0
    scene.add(np.zeros((0, 3)), np.zeros((0, 3), dtype=int))
    assert len(scene.check(clearance=1.0)) == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_change_nothing(workers: int) -> None:
    rng = np.random.default_rng(3)
    scene = impinge.Scene()
    for _ in range(12):
        scene.add(sphere(8), pose=pose(rng, spread=1.5))
    expected = scene.check(clearance=0.2, facets=True)
    found = scene.check(clearance=0.2, facets=True, workers=workers)
    assert found.to_json() == expected.to_json()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": -1.0}, "tolerance must be a finite distance of at least 0"),
        ({"tolerance": "exact"}, "or \"precision\", got 'exact'"),
        ({"clearance": float("nan")}, "clearance must be a finite distance"),
        ({"facets": 1}, "facets must be True or False"),
    ],
)
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check(box(), box(), **options)


def test_progress_and_cancelling() -> None:
    told: list[float] = []
    check(box(), box((0.5, 0, 0), (2, 1, 1)), progress=told.append)
    assert told[0] == 0.0
    assert told[-1] == 1.0
    assert told == sorted(told)
    with pytest.raises(Cancelled):
        check(box(), box(), progress=lambda _: False)


def _with_vertex_on_top(cube: Arrays) -> Arrays:
    """The faces of the top cut by the outline of the cylinder's foot."""
    vertices, faces = cube
    top = [(vertices[face, 2] == 2).all() for face in faces]
    corners = vertices[np.unique(faces[top])]
    order = np.argsort(np.arctan2(corners[:, 1], corners[:, 0]))
    foot = prism(1.0, 32, low=2.0, high=4.0)[0][:32]
    sides = np.arctan2(corners[order][:, 1], corners[order][:, 0])
    angle = np.arctan2(foot[:, 1], foot[:, 0])
    nearest = np.array(
        [np.argmin(np.abs((sides - a + np.pi) % (2 * np.pi) - np.pi)) for a in angle]
    )
    points = np.concatenate([foot, corners[order], [[0, 0, 2]]])
    new = []
    for k in range(32):
        n = (k + 1) % 32
        new += [(k, n, 36), (k, 32 + nearest[k], n)]
        if nearest[k] != nearest[n]:
            new.append((n, 32 + nearest[k], 32 + nearest[n]))
    flipped = [(face[0], face[1], face[2]) for face in new]
    lid = points, np.array(flipped, dtype=np.int32)
    up = np.cross(
        points[lid[1][:, 1]] - points[lid[1][:, 0]], points[lid[1][:, 2]] - points[lid[1][:, 0]]
    )
    lid[1][up[:, 2] < 0] = lid[1][up[:, 2] < 0][:, ::-1]
    return merge((vertices, faces[np.logical_not(top)]), lid)


def test_a_pin_beside_a_wall_within_a_part() -> None:
    # a slab through the block has walls inside, close to the end of the pin
    block = merge(box((-8, -8, -8), (8, 8, 0)), box((-9, -9, -1.05), (9, 9, -0.95)))
    pin = box((-0.25, -0.25, -1), (0.25, 0.25, 1))
    for tolerance in (0.0, 0.01, 0.6):
        row = only(check(block, pin, tolerance=tolerance))
        assert row.verdict == "clash"
        assert row.depth_bounds is not None
        assert row.depth_bounds[0] <= 1 <= row.depth_bounds[1]
