"""On which side of a solid points are, by hand, and what cannot be asked."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from impinge import InputError, Mesh, contains, nearest, side, signed_distance
from impinge.errors import Cancelled
from support import meshes
from support.meshes import Arrays, box, merge, moved

BOX = box((0, 0, 0), (4, 4, 4))
QUESTIONS = [side, contains, nearest, signed_distance]
OF_SOLIDS = [side, contains, signed_distance]


def turned(mesh: Arrays) -> Arrays:
    return mesh[0], np.ascontiguousarray(mesh[1][:, ::-1])


def at(mesh: Arrays, *points: tuple[float, float, float]) -> list[int]:
    found = side(mesh, np.array(points, dtype=float))
    assert found.dtype == np.int8
    assert found.shape == (len(points),)
    return found.tolist()


def test_a_box() -> None:
    inside, outside = (1, 2, 3), [(-1, 2, 2), (5, 2, 2), (2, 2, 4.5), (9, 9, 9)]
    on = [(0, 0, 0), (4, 4, 4), (0, 1, 2), (2, 2, 4), (4, 0, 1), (2, 2, 0)]
    assert at(BOX, inside, *outside, *on) == [-1, *[1] * 4, *[0] * 6]
    above = float(np.nextafter(4.0, 5.0))
    assert at(BOX, (2, 2, above), (2, 2, float(np.nextafter(4.0, 3.0)))) == [1, -1]


def test_points_on_the_surface_are_contained() -> None:
    found = contains(BOX, [(1, 1, 1), (0, 0, 0), (5, 5, 5)])
    assert found.dtype == np.bool_
    assert found.tolist() == [True, True, False]


def test_a_cavity_is_outside() -> None:
    hollow = merge(BOX, turned(box((1, 1, 1), (3, 3, 3))))
    assert at(hollow, (2, 2, 2), (1, 2, 2), (0.5, 2, 2), (1, 1, 1)) == [1, 0, -1, 0]
    filled = merge(hollow, box((1, 1, 1), (3, 3, 3)))
    assert at(filled, (2, 2, 2), (1, 2, 2), (0.5, 2, 2), (1, 1, 1)) == [-1] * 4


def test_a_shell_within_the_solid_is_no_surface() -> None:
    nested = merge(BOX, box((1, 1, 1), (3, 3, 3)))
    assert at(nested, (2, 2, 2), (1, 2, 2), (1, 1, 1), (0, 2, 2)) == [-1, -1, -1, 0]


def test_shells_that_overlap_or_are_glued() -> None:
    overlapping = merge(BOX, moved(BOX, (2, 2, 2)))
    assert at(overlapping, (3, 3, 3), (2, 3, 3), (4, 3, 3), (2, 2, 2)) == [-1, -1, -1, -1]
    assert at(overlapping, (4, 4, 2), (4, 2, 2), (6, 6, 6), (5, 1, 1)) == [0, 0, 0, 1]
    glued = merge(BOX, moved(BOX, (4, 0, 0)))
    assert at(glued, (4, 2, 2), (4, 0, 2), (4, 4, 4), (3, 2, 2)) == [-1, 0, 0, -1]


def test_edges_and_corners_that_several_shells_share() -> None:
    by_edge = merge(BOX, moved(BOX, (4, 4, 0)))
    assert at(by_edge, (4, 4, 2), (4, 4, 0), (4, 4, 5), (4.5, 3.5, 2)) == [0, 0, 1, 1]
    by_corner = merge(BOX, moved(BOX, (4, 4, 4)))
    assert at(by_corner, (4, 4, 4), (5, 5, 5), (3, 5, 4)) == [0, -1, 1]


def test_faces_that_cancel_and_faces_without_area() -> None:
    vertices, faces = box((0, 0, 0), (4, 4, 4))
    sheet = np.array([[0, 3, 7], [0, 7, 3]])
    thread = np.array([[0, 7, 0], [1, 1, 1], [3, 7, 7]])
    extra = vertices, np.concatenate([faces, sheet, thread])
    assert at(extra, (0, 2, 2), (2, 2, 2), (1, 3, 3), (2, 2, 4)) == [0, -1, -1, 0]
    alone = vertices, sheet
    assert at(alone, (0, 2, 2), (0, 1, 3), (2, 2, 2)) == [1, 1, 1]


def test_a_thread_closes_a_gap_along_an_edge() -> None:
    """A face of zero area between an edge and its two halves makes a mesh closed."""
    vertices, faces = box((0, 0, 0), (4, 4, 4))
    a, b, c = faces[0]
    vertices = np.concatenate([vertices, [(vertices[a] + vertices[b]) / 2]])
    halves = np.array([[a, 8, c], [8, b, c]])
    torn = vertices, np.concatenate([faces[1:], halves])
    with pytest.raises(InputError, match="open"):
        side(torn, [(1, 1, 1)])
    closed = vertices, np.concatenate([torn[1], [[a, b, 8]]])
    assert at(closed, (1, 1, 1), tuple(vertices[8]), (9, 1, 1)) == [-1, 0, 1]


def test_seams_are_closed_by_equal_coordinates() -> None:
    assert at(meshes.unwelded(BOX), (1, 1, 1), (0, 0, 0), (5, 1, 1)) == [-1, 0, 1]
    minus_zero = BOX[0].copy()
    minus_zero[BOX[0] == 0] = -0.0
    assert at(merge(BOX, (minus_zero, BOX[1])), (1, 1, 1), (0, 0, 0)) == [-1, 0]


@pytest.mark.parametrize("question", OF_SOLIDS)
def test_a_mesh_that_is_inside_out_is_turned_and_told(question: Callable[..., Any]) -> None:
    points = [(1, 1, 1), (0, 2, 2), (5, 5, 5)]
    with pytest.warns(UserWarning, match="mesh 'part' is inside out") as told:
        found = question(Mesh(*turned(BOX), name="part"), points)
    assert told[0].filename == __file__, "the warning is about the line of the user"
    np.testing.assert_array_equal(found, question(BOX, points))


def test_a_hollow_mesh_that_is_inside_out_is_turned() -> None:
    hollow = merge(BOX, turned(box((1, 1, 1), (3, 3, 3))))
    with pytest.warns(UserWarning, match="inside out"):
        assert at(turned(hollow), (2, 2, 2), (1, 2, 2), (0.5, 2, 2)) == [1, 0, -1]


def test_a_mesh_with_one_good_shell_is_not_turned() -> None:
    small, large = box(), moved(BOX, (8, 8, 8))
    for apart in (merge(small, turned(large)), merge(turned(large), small)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert at(apart, (0.5, 0.5, 0.5), (10, 10, 10), (0, 0, 0)) == [-1, 1, 0]
    # they hang together by an edge
    by_edge = merge(box((-1, -1, 0), (0, 0, 4)), turned(BOX))
    assert at(by_edge, (-0.5, -0.5, 1), (1, 1, 1), (0, 0, 1)) == [-1, 1, 0]


def test_an_open_mesh_is_refused_with_a_cure() -> None:
    for question in OF_SOLIDS:
        with pytest.raises(
            InputError, match=r"mesh is open .*: 3 edges .* nearest\(mesh, points\)"
        ):
            question((BOX[0], BOX[1][1:]), [(1, 1, 1)])
    flipped = BOX[1].copy()
    flipped[3] = flipped[3][::-1]
    with pytest.raises(InputError, match=r"mesh 'x' is open .*3 edges"):
        side(Mesh(BOX[0], flipped, name="x"), [(1, 1, 1)])
    once_more = BOX[0], np.concatenate([BOX[1], BOX[1][:1]])
    with pytest.raises(InputError, match="3 edges"):
        side(once_more, [(1, 1, 1)])


def test_a_mesh_without_faces_contains_nothing() -> None:
    assert at(meshes.empty(), (0, 0, 0)) == [1]
    assert signed_distance(meshes.empty(), [(0, 0, 0)]).tolist() == [np.inf]
    assert side((np.zeros((3, 3)), [(0, 1, 2)]), [(0, 0, 0)]).tolist() == [1]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("count", [0, 3, 40_000])
def test_how_many_points_there_are_does_not_matter(
    question: Callable[..., Any], count: int
) -> None:
    assert len(question(BOX, np.ones((count, 3)))) == count


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    ("points", "told"),
    [
        ([(0, 0, 0), (0, np.nan, 0)], r"points\[1\] = \(0.0, nan, 0.0\) is not finite.*this point"),
        ([(np.inf, 0, 0)], r"points\[0\] .* is not finite"),
        ([(0, 0, 0), (1, 2, -2e100)], r"points\[1\] .* is too large"),
        ([(0, 0)], r"points must have shape \(n, 3\), got \(1, 2\); add a column of zeros"),
        ((0, 0, 0), r"got \(3,\); write points\[None\] for one point"),
        ("here", "points must be .* real numbers"),
    ],
)
def test_wrong_points_are_told(question: Callable[..., Any], points: object, told: str) -> None:
    with pytest.raises(InputError, match=told):
        question(BOX, points)


@pytest.mark.parametrize("question", QUESTIONS)
def test_points_of_any_kind_are_taken(question: Callable[..., Any]) -> None:
    points = np.array([(1, 2, 3), (4, 0, 1)])
    kinds = [points, points.tolist(), points.astype(np.float32), np.asfortranarray(points)]
    kinds.append(np.repeat(points, 2, axis=0)[::2])
    for kind in kinds:
        found, expected = question(BOX, kind), question(BOX, points.astype(float))
        np.testing.assert_array_equal(
            getattr(found, "distances", found), getattr(expected, "distances", expected)
        )


@pytest.mark.parametrize("question", QUESTIONS)
def test_options(question: Callable[..., Any]) -> None:
    points = np.random.default_rng(0).uniform(0, 4, size=(60_000, 3))
    seen: list[float] = []
    question(BOX, points, progress=seen.append, workers=2)
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0.0, 1.0)
    with pytest.raises(Cancelled):
        question(BOX, points, progress=lambda _: False)
    with pytest.raises(InputError, match="workers"):
        question(BOX, points, workers=0)
    with pytest.raises(InputError, match="progress"):
        question(BOX, points, progress=1)


def test_cancelling_half_way() -> None:
    mesh = Mesh(*meshes.torus(120, 80))
    points = np.random.default_rng(1).uniform(-1, 1, size=(400_000, 3))
    calls: list[float] = []

    def stop(fraction: float) -> bool:
        calls.append(fraction)
        return len(calls) < 2

    with pytest.raises(Cancelled):
        nearest(mesh, points, progress=stop, workers=1)
    assert len(side(mesh, points[:10])) == 10, "the mesh is as good as before"


def test_points_far_away_are_outside() -> None:
    far = np.array([(1e100, 0, 0), (0, -1e100, 1e99), (2, 2, 1e50), (1e-320, 2, 2)])
    assert side(BOX, far).tolist() == [1, 1, 1, -1]


def test_threads_of_python_ask_at_once() -> None:
    mesh = Mesh(*merge(BOX, moved(BOX, (2, 2, 2))))
    points = np.random.default_rng(2).integers(-2, 16, size=(5000, 3)) / 2
    expected = side(Mesh(mesh.vertices, mesh.faces), points)
    found: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: found.append(side(mesh, points))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for one in found:
        np.testing.assert_array_equal(one, expected)
