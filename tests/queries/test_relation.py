"""How two solids lie to each other, by hand, and what cannot be asked."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import impinge
from impinge import InputError, Relation, Scene, data, relation
from impinge.errors import Cancelled
from support.meshes import Arrays, box, empty, merge, moved, tetrahedron, unwelded

BOX = box((0, 0, 0), (4, 4, 4))
OPPOSITE = {Relation.A_INSIDE: Relation.B_INSIDE, Relation.B_INSIDE: Relation.A_INSIDE}


def turned(mesh: Arrays) -> Arrays:
    return mesh[0], np.ascontiguousarray(mesh[1][:, ::-1])


def related(a: Arrays, b: Arrays) -> Relation:
    """The same both ways round, with other vertices first, unwelded, and mirrored."""
    found = relation(a, b)
    assert relation(b, a) == OPPOSITE.get(found, found)
    assert relation(unwelded(a), (b[0], np.roll(b[1], 1, axis=1))) == found
    mirror = np.diag([1.0, -1.0, 1.0, 1.0])
    mirrored_a = moved(turned(a), (0, 0, 0), scale=(1, -1, 1))
    assert relation(mirrored_a, b, poses=mirror[None])[0] == found
    return found


def block(x: float, size: tuple[float, float, float] = (4, 4, 4)) -> Arrays:
    return box((x, 0, 0), np.add((x, 0, 0), size))


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (block(5), "APART"),
        (block(4), "TOUCHING"),
        (box((4, 4, 0), (8, 8, 4)), "TOUCHING"),
        (box((4, 4, 4), (8, 8, 8)), "TOUCHING"),
        (box((4, 1, 1), (8, 3, 3)), "TOUCHING"),
        (block(2), "OVERLAPPING"),
        (block(np.nextafter(4.0, 0.0)), "OVERLAPPING"),
        (block(np.nextafter(4.0, 5.0)), "APART"),
        (box((1, 1, 1), (3, 3, 3)), "B_INSIDE"),
        (box((0, 1, 1), (3, 3, 3)), "B_INSIDE"),
        (block(0, (2, 4, 4)), "B_INSIDE"),
        (box((-1, -1, -1), (5, 5, 5)), "A_INSIDE"),
        (block(0), "EQUAL"),
    ],
)
def test_boxes(other: Arrays, expected: str) -> None:
    assert related(BOX, other).name == expected


def test_a_box_cut_into_other_faces_is_equal() -> None:
    fine = merge(*(box((x, y, 0), (x + 2, y + 2, 4)) for x in (0, 2) for y in (0, 2)))
    assert related(BOX, fine) == Relation.EQUAL
    assert related(fine, box((1, 1, 1), (5, 3, 3))) == Relation.OVERLAPPING


def test_a_block_around_the_cavity_of_another() -> None:
    hollow = merge(box((-10, -10, -10), (10, 10, 10)), turned(box((-2, -2, -2), (2, 2, 2))))
    around = box((-5, -5, -5), (5, 5, 5))
    assert related(hollow, around) == Relation.OVERLAPPING
    assert impinge.penetration(hollow, around).volume == pytest.approx(936, rel=1e-14)
    assert related(hollow, box((-1, -1, -1), (1, 1, 1))) == Relation.APART
    assert related(hollow, box((-2, -1, -1), (1, 1, 1))) == Relation.TOUCHING
    assert related(hollow, box((-2, -2, -2), (2, 2, 2))) == Relation.TOUCHING


def test_a_wire_in_a_glued_stack() -> None:
    stack = merge(box((0, 0, 0), (9, 9, 3)), box((0, 0, 3), (9, 9, 6)), box((0, 0, 6), (9, 9, 9)))
    wire = box((4, 4, 1), (5, 5, 8))
    assert related(stack, wire) == Relation.B_INSIDE
    assert related(stack, box((4, 4, 1), (5, 5, 12))) == Relation.OVERLAPPING


def test_foil_on_a_block() -> None:
    foil = box((0, 0, 4), (4, 4, 4 + 1e-12))
    assert related(BOX, foil) == Relation.TOUCHING
    assert related(BOX, box((0, 0, 4 - 1e-12), (4, 4, 4))) == Relation.B_INSIDE


def test_corners_inside_that_only_touch() -> None:
    """An octahedron with its corners in the middles of the sides of a box."""
    corners = np.array([[2, 2, 0], [2, 2, 4], [0, 2, 2], [4, 2, 2], [2, 0, 2], [2, 4, 2.0]])
    faces = [[1, 3, 5], [1, 5, 2], [1, 2, 4], [1, 4, 3], [0, 5, 3], [0, 2, 5], [0, 4, 2], [0, 3, 4]]
    inner = corners, np.array(faces, dtype=np.int32)
    assert related(BOX, inner) == Relation.B_INSIDE


def test_tips_that_meet() -> None:
    up = tetrahedron()
    tip = up[0][0]
    down = (2 * tip - up[0], up[1][:, ::-1].copy())
    assert related(up, down) == Relation.TOUCHING
    into = moved(up, 0, scale=0.5)
    assert related(up, (into[0] + tip / 2, into[1])) == Relation.B_INSIDE


def test_a_fin_is_no_part_of_a_solid() -> None:
    """Faces with nothing on both sides: a sheet that is there twice, looking both ways."""
    sheet = np.array([[4, 0, 2], [8, 0, 2], [8, 4, 2], [4, 4, 2.0]])
    there = sheet, np.array([[0, 1, 2], [0, 2, 3], [2, 1, 0], [3, 1, 0], [3, 2, 1]][:2])
    back = sheet, np.array([[1, 0, 3], [1, 3, 2]])
    with_fin = merge(BOX, there, back)
    assert related(with_fin, box((6, 1, 1), (7, 2, 3))) == Relation.APART
    assert related(with_fin, box((4, 1, 1), (7, 2, 3))) == Relation.TOUCHING
    assert related(with_fin, BOX) == Relation.EQUAL


def test_poses_of_many_kinds() -> None:
    rng = np.random.default_rng(4)
    poses = np.tile(np.eye(4), (60, 1, 1))
    poses[:, :3, :3] = rng.normal(size=(60, 3, 3)) * rng.choice([0.1, 1.0, 9.0], size=(60, 1, 1))
    poses[:, :3, 3] = 2 + rng.normal(size=(60, 3)) * 2
    assert (np.linalg.det(poses[:, :3, :3]) < 0).any()
    found = relation(BOX, tetrahedron(size=2.0), poses=poses)
    assert found.dtype == np.int8
    one = tetrahedron(size=2.0)
    for pose, number in zip(poses, found, strict=True):
        vertices = np.array([((pose[:3, 0] * x + pose[:3, 1] * y) + pose[:3, 2] * z) + pose[:3, 3]
                             for x, y, z in one[0]])  # fmt: skip
        mesh = vertices, one[1]
        placed = mesh if np.linalg.det(pose[:3, :3]) > 0 else turned(mesh)
        assert relation(BOX, placed) == number
    assert len(set(found.tolist())) > 2


def test_every_number_of_threads_gives_the_same() -> None:
    poses = np.tile(np.eye(4), (9, 1, 1))
    poses[:, 0, 3] = np.arange(9)
    expected = relation(BOX, BOX, poses=poses, workers=1).tolist()
    assert expected == [5, 2, 2, 2, 1, 0, 0, 0, 0]
    assert relation(BOX, BOX, poses=poses, workers=3).tolist() == expected
    assert relation(BOX, BOX, poses=np.zeros((0, 4, 4))).tolist() == []


def test_a_scene() -> None:
    scene = impinge.load_scene(data.path("gearbox.glb"))
    found = scene.relations()
    relations = found.relations.tolist()
    assert relations.count(Relation.OVERLAPPING) == 6
    assert relations.count(Relation.TOUCHING) == 54
    assert "96 pairs of bodies" in repr(found)
    assert "housing × cover" in repr(found)
    first = next(row for row in found if row.relation == Relation.OVERLAPPING)
    fewer = scene.relations(ignore=[(first.name_a, first.name_b)])
    assert len(fewer) == len(found) - 1
    assert (first.a, first.b) not in fewer.bodies.tolist()


def test_bodies_in_their_poses() -> None:
    scene = Scene()
    scene.add(BOX, name="first")
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    scene.add(BOX, name="mirrored", pose=mirror)
    scene.add(box((1, 1, 1), (3, 3, 3)), name="inner")
    rows = {(row.name_a, row.name_b): row.relation.name for row in scene.relations()}
    assert rows == {("first", "mirrored"): "TOUCHING", ("first", "inner"): "B_INSIDE"}
    flat = scene.add(BOX, name="flat")
    flat.pose = np.diag([1.0, 1.0, 0.0, 1.0])
    with pytest.raises(InputError, match="determinant 0"):
        scene.relations()


def test_what_cannot_be_asked() -> None:
    open_box = BOX[0], BOX[1][1:]
    with pytest.raises(InputError, match=r"b is open and has no inside: 3 edges .*close it"):
        relation(BOX, open_box)
    with pytest.raises(InputError, match="a encloses nothing"):
        relation(empty(), BOX)
    sheet = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]]), np.array([[0, 1, 2], [2, 1, 0]])
    with pytest.raises(InputError, match=r"b encloses nothing"):
        relation(BOX, sheet)
    flat = np.eye(4)
    flat[2, 2] = 0
    with pytest.raises(InputError, match=r"poses\[1\] has the determinant 0"):
        relation(BOX, BOX, poses=np.array([np.eye(4), flat]))
    with pytest.raises(Cancelled):
        relation(BOX, BOX, progress=lambda fraction: False)
    scene = Scene()
    scene.add(open_box, name="lid")
    with pytest.raises(InputError, match="body 'lid' is open"):
        scene.relations()


def test_inside_out_is_told() -> None:
    with pytest.warns(UserWarning, match="b is inside out") as told:
        assert relation(BOX, turned(BOX)) == Relation.EQUAL
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hollow = merge(BOX, turned(box((1, 1, 1), (2, 2, 2))))
        assert relation(BOX, hollow) == Relation.B_INSIDE
