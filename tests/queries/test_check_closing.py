"""Parts that are not quite closed: seams, small holes, surfaces, and parts inside out."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge import _core
from support.meshes import Arrays, box, grid, merge, moved, sphere, unwelded

BLOCK = box((0, 0, 0), (4, 4, 4))


def check(*meshes: object, **options: object) -> impinge.results.Check:
    scene = impinge.Scene()
    for number, mesh in enumerate(meshes):
        scene.add(mesh, name=f"part-{number}")
    return scene.check(**options)  # type: ignore[arg-type]


def shaken(mesh: Arrays, by: float) -> Arrays:
    """A soup whose corners are no longer exactly in one place."""
    vertices, faces = unwelded(mesh)
    rng = np.random.default_rng(0)
    return vertices + rng.uniform(-by, by, vertices.shape), faces


def test_seams_of_rounding_are_welded() -> None:
    part = shaken(moved(BLOCK, (100, 0, 0)), 1e-12)
    row = check(part, moved(BLOCK, (102, 1, 1)))[0]
    assert (row.verdict, row.surface) == ("clash", False)
    assert row.volume == pytest.approx(18)
    assert not check(part).warnings


def test_wider_seams_stay_open() -> None:
    found = check(shaken(BLOCK, 1e-6), moved(BLOCK, (2, 1, 1)))
    row = found[0]
    assert (row.verdict, row.surface, row.depth, row.volume) == ("clash", True, None, None)
    assert (row.relation, row.depth_bounds, row.overlap()) == (None, None, None)
    (told,) = found.warnings
    assert "'part-0' is open" in told
    assert "36 edges" in told
    assert "close it" in told


def test_seams_within_the_precision_are_welded() -> None:
    part = impinge.Mesh(*shaken(BLOCK, 1e-6), precision=1e-6)
    row = check(part, moved(BLOCK, (2, 1, 1)))[0]
    assert not row.surface
    assert row.volume == pytest.approx(18, rel=1e-5)


def test_closed_parts_are_left_as_they_are() -> None:
    thin = box((0, 0, 0), (1e-9, 1, 1))
    vertices, filled, was_open, left, welded, holes = _core.close_surface(*thin, 1e-3, 1.0)
    assert (len(vertices), len(filled), was_open, left, welded, holes) == (0, 0, 0, 0, 0, 0)


def test_small_holes_are_filled_and_told() -> None:
    part = sphere(80, radius=2.0)
    holed = part[0], np.delete(part[1], [7], axis=0)
    found = check(holed, moved(sphere(8), (2, 0, 0)))
    row = found[0]
    assert (row.verdict, row.surface) == ("clash", False)
    assert found.warnings == (
        "body 'part-0' had 1 small hole, and is taken as if it was filled",
    )
    assert found.collisions.pairs.max() < len(part[1])


def test_pieces_of_filled_holes_have_no_parents() -> None:
    part = sphere(80, radius=2.0)
    top = int(np.argmax(part[0][part[1]][:, :, 2].mean(axis=1)))
    holed = part[0], np.delete(part[1], [top], axis=0)
    pieces = check(holed, box((-1, -1, 1), (1, 1, 3)))[0].overlap()
    assert pieces is not None
    own = pieces.surfaces == 0
    assert (pieces.parents[own] == -1).sum() == 1
    assert (pieces.parents[~own] >= 0).all()


def test_edges_that_are_cut_on_one_side_only_are_closed() -> None:
    """A corner on the middle of an edge, which the face on the other side does not have."""
    vertices, faces = BLOCK
    first = faces[0]
    middle = vertices[first[:2]].mean(axis=0)
    more = np.vstack([vertices, middle])
    new = len(vertices)
    parts = [(first[0], new, first[2]), (new, first[1], first[2])]
    cut = more, np.concatenate([faces[1:], np.array(parts, dtype=np.int32)])
    row = check(cut, moved(BLOCK, (2, 1, 1)))[0]
    assert not row.surface
    assert row.volume == pytest.approx(18)


def test_large_holes_make_a_surface() -> None:
    vertices, faces = BLOCK
    open_box = vertices, faces[1:]
    found = check(open_box, moved(BLOCK, (2, 1, 1)))
    assert found[0].surface
    assert "3 edges" in found.warnings[0]
    assert found[0].bounds[0].tolist() == [2.0, 1.0, 1.0]


SHEET = grid(4, 4, width=2.0, height=2.0)


def test_surfaces() -> None:
    sheet = moved(SHEET, (1, 1, 0))
    assert check(BLOCK, moved(sheet, (0, 0, 4)))[0].verdict == "contact"
    assert check(BLOCK, moved(sheet, (0, 0, 4)))[0].reason == "touch"
    assert check(BLOCK, moved(sheet, (2, 0, 3)))[0].verdict == "clash"
    near = check(BLOCK, moved(sheet, (0, 0, 4.5)), clearance=0.5)[0]
    assert (near.verdict, near.distance, near.surface) == ("near", 0.5, True)
    assert len(check(BLOCK, moved(sheet, (0, 0, 4.5)))) == 0
    both = check(sheet, moved(sheet, (0.5, 0, 0)))[0]
    assert (both.verdict, both.surface) == ("contact", True)


def test_surfaces_in_a_solid() -> None:
    sheet = moved(SHEET, (1, 1, 2))
    row = check(BLOCK, sheet)[0]
    assert (row.verdict, row.surface, row.depth) == ("inside", True, None)
    assert check(sheet, BLOCK)[0].verdict == "inside"
    two = merge(sheet, moved(sheet, (0, 0, 9)))
    assert check(BLOCK, two)[0].verdict == "clash"
    cavity = BLOCK[0], BLOCK[1][:, ::-1].copy()
    hollow = merge(box((-2, -2, -2), (6, 6, 6)), cavity)
    assert len(check(hollow, sheet)) == 0


def test_parts_inside_out_are_turned() -> None:
    turned = BLOCK[0], BLOCK[1][:, ::-1].copy()
    found = check(turned, moved(BLOCK, (2, 1, 1)))
    assert found[0].volume == pytest.approx(18)
    assert found.warnings == (
        "body 'part-0' is inside out, and is taken as if all its faces were turned around",
    )
    # mirrored, it is no longer
    scene = impinge.Scene()
    scene.add(turned, pose=np.diag([-1.0, 1.0, 1.0, 1.0]))
    scene.add(moved(BLOCK, (-6, 1, 1)))
    again = scene.check()
    assert again[0].volume == pytest.approx(18)


def test_flat_parts_are_surfaces() -> None:
    flat = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype=float), [(0, 1, 2), (2, 1, 0)]
    found = check(BLOCK, flat)
    assert found[0].surface
    assert "encloses nothing" in found.warnings[0]


def test_input_is_never_changed() -> None:
    vertices, faces = shaken(BLOCK, 1e-13)
    before = vertices.copy(), faces.copy()
    check((vertices, faces), moved(BLOCK, (2, 1, 1)))
    assert np.array_equal(vertices, before[0])
    assert np.array_equal(faces, before[1])
