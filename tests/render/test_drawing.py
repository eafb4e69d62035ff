"""What is drawn of a result: findings in order, overlaps, what the first picture frames."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge.errors import InputError
from impinge.render.about import about
from impinge.render.drawing import Drawing
from impinge.results import Verdict
from support.meshes import box, moved


def scene_of(*boxes: tuple[float, object]) -> impinge.Scene:
    """Boxes with edges of a length, their middle somewhere."""
    vertices, faces = box()
    unit = (vertices - vertices.min(axis=0)) / np.ptp(vertices, axis=0) - 0.5
    scene = impinge.Scene()
    for size, middle in boxes:
        scene.add(*moved((unit, faces), middle, scale=size))
    return scene


def mixed() -> impinge.Scene:
    """A shallow and a deep clash, one inside, a contact, a narrow and a wide gap."""
    return scene_of(
        (2.0, (0, 0, 0)),
        (2.0, (1.9, 0.3, 0.2)),
        (2.0, (-1.2, 0.3, 0.2)),
        (0.5, (0.3, 0.4, -0.5)),
        (2.0, (0, 0, 2)),
        (2.0, (0, 0.3, -2.1)),
        (2.0, (0, -2.4, 0.1)),
    )


def test_clashes_come_first_the_deepest_of_them_and_the_narrowest_gaps() -> None:
    drawing = Drawing(mixed().check(clearance=0.5))
    assert [one.number for one in drawing.findings] == list(range(1, len(drawing.findings) + 1))
    groups = drawing.clashes, drawing.contacts, drawing.near
    assert [*drawing.findings] == [one for group in groups for one in group]
    depths = [one.depth or 0.0 for one in drawing.clashes]
    assert depths == sorted(depths, reverse=True)
    assert Verdict.INSIDE in {one.verdict for one in drawing.clashes}
    gaps = [one.distance for one in drawing.near]
    assert gaps == sorted(gaps)
    assert gaps[0] == pytest.approx(0.1)
    # what is inside another meets no face of it
    (inside,) = [one for one in drawing.clashes if one.verdict == Verdict.INSIDE]
    assert inside.faces is None
    assert len(drawing.pieces(inside).corners) == 12


def test_faces_alone_have_neither_depth_nor_pieces() -> None:
    drawing = Drawing(mixed().collide())
    assert {one.verdict for one in drawing.findings} == {Verdict.CLASH, Verdict.CONTACT}
    for one in drawing.clashes:
        assert one.depth is None
        assert drawing.pieces(one) is None
    assert any(mask.any() for mask in drawing.crossing_faces)
    assert about(drawing.result) == ["Parts whose faces cross clash; no depth was measured."]


def test_no_face_is_marked_whole_where_the_overlap_is_known() -> None:
    scene = scene_of((2.0, (0, 0, 0)), (2.0, (1.5, 0.3, 0.2)))
    assert not any(mask.any() for mask in Drawing(scene.check()).crossing_faces)
    vertices, faces = scene[1].vertices, scene[1].mesh.faces
    scene.add(np.array(vertices) + 0.05, faces[1:], name="open")
    opened = Drawing(scene.check())
    assert {one.row.surface for one in opened.clashes} == {False, True}
    assert opened.crossing_faces[2].any()


def test_a_body_with_itself_comes_from_the_faces() -> None:
    scene = scene_of((2.0, (0, 0, 0)))
    vertices, faces = box()
    twice = (
        np.concatenate([vertices, vertices + 0.31]),
        np.concatenate([faces, faces + len(vertices)]),
    )
    scene.add(*twice, name="twice")
    drawing = Drawing(scene.check(), hits=scene.collide(self_collision=True))
    (own,) = [one for one in drawing.clashes if one.bodies == (1, 1)]
    assert own.title == "twice (itself)"
    assert own.row is None


@pytest.mark.parametrize("cluster", [1, 5])
def test_the_first_picture_leaves_out_what_would_make_clashes_tiny(cluster: int) -> None:
    house = [(2.0, (1.5 * k, 0.3 * k, 0.2 * k)) for k in range(cluster + 1)]
    near, far, land = (0.5, (0, -1.4, 0)), (2.0, (500, 0, 0)), (900.0, (0, 0, -450.5))
    scene = scene_of(*house, near, far, land)
    framed = Drawing(scene.check()).focus
    assert set(range(cluster + 1)) <= set(framed)
    assert not {len(scene) - 2, len(scene) - 1} & set(framed)
    # all of a scene in which nothing is much larger than the rest
    assert Drawing(scene_of(*house, near).check()).focus == tuple(range(cluster + 2))
    assert Drawing(scene_of(near, far).check()).focus == (0, 1)


def test_a_clash_far_from_all_others_is_not_framed() -> None:
    house = [(2.0, (1.5 * k, 0.3 * k, 0.2 * k)) for k in range(8)]
    away = [(2.0, (500, 0, 0)), (2.0, (501, 0.3, 0.2))]
    assert Drawing(scene_of(*house, *away).check()).focus == tuple(range(8))


def test_the_tolerance_and_its_source_are_told() -> None:
    scene = mixed()
    assert about(scene.check()) == ["Tolerance: 0 (exact for the numbers as they are)."]
    told = about(scene.check(tolerance=0.25, clearance=0.5, facets=True))
    assert told[0] == "Tolerance: 0.25, as asked."
    assert len(told) == 3
    assert "0.5" in told[2]
    (none,) = about(scene.check(tolerance="precision"))
    assert none == "Tolerance: 0; the numbers of these parts are taken as exact."


def test_results_of_many_poses_are_refused() -> None:
    many = impinge.collide(box(), box(), poses=np.eye(4)[None])
    with pytest.raises(InputError, match="one pose"):
        Drawing(many)
