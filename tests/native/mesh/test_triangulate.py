"""Triangles of polygons, held to exact arithmetic, and what they cost."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from time import process_time

import numpy as np
import pytest

from impinge import _core
from support import outlines
from support.outlines import Outline, Point, in_space, turn, twice_area

EMPTY = np.zeros(0, dtype=np.int64)


def triangles_of(points: np.ndarray) -> np.ndarray:
    return _core.triangulate(points, np.arange(len(points)), np.array([len(points)]))


def faces_of(outline: Outline, axis: int = 2) -> np.ndarray:
    faces = triangles_of(in_space(outline, axis))
    assert faces.shape == (len(outline) - 2, 3)
    return faces


def assert_covered(outline: Outline, faces: np.ndarray) -> None:
    """The triangles turn with the outline or have no area, and add up to its area, exactly."""
    sign = 1 if twice_area(outline) > 0 else -1
    areas = [sign * turn(*(outline[k] for k in face)) for face in faces.tolist()]
    assert min(areas) >= 0
    assert sum(areas) == sign * twice_area(outline)
    # each side of the outline is a side of one triangle, each diagonal of two that run against it
    sides = {(f[k - 1], f[k]) for f in faces.tolist() for k in range(3)}
    assert len(sides) == 3 * len(faces)
    n = len(outline)
    assert {(a, b) for a, b in sides if (b, a) not in sides} == {(i, (i + 1) % n) for i in range(n)}


def overlap(a: list[Point], b: list[Point]) -> bool:
    """Whether two triangles that turn left have inner points in common: no side parts them."""
    return not any(
        all(turn(one[k - 1], one[k], corner) <= 0 for corner in other)
        for one, other in ((a, b), (b, a))
        for k in range(3)
    )


def winding(outline: Outline, point: Point) -> int:
    """How often the outline goes around a point that is not on it."""
    count = 0
    for a, b in zip(outline, [*outline[1:], outline[0]], strict=True):
        if a[1] <= point[1] < b[1] and turn(a, b, point) > 0:
            count += 1
        if b[1] <= point[1] < a[1] and turn(a, b, point) < 0:
            count -= 1
    return count


@pytest.mark.parametrize("size", [5, 8, 12, 1000])
@pytest.mark.parametrize("seed", range(12))
def test_simple_polygons(seed: int, size: int) -> None:
    rng = np.random.default_rng((seed, size))
    outline = outlines.untangled(rng, int(rng.integers(5, 40)), size)
    for turned in (outline, outline[::-1]):
        for axis in range(3):
            faces = faces_of(turned, axis)
            assert_covered(turned, faces)
            # an ear of a simple polygon has an area, wherever corners are on one line
            if (faces[:, 0] != 0).any():
                assert all(turn(*(turned[k] for k in face)) for face in faces.tolist())


@pytest.mark.parametrize("seed", range(30))
def test_no_triangle_is_outside_or_over_another(seed: int) -> None:
    rng = np.random.default_rng(seed)
    outline = [(3 * x, 3 * y) for x, y in outlines.untangled(rng, 14, 7)]
    if twice_area(outline) < 0:
        outline.reverse()
    corners = [[outline[k] for k in face] for face in faces_of(outline).tolist()]
    corners = [face for face in corners if turn(*face)]
    for face in corners:
        middle = sum(p[0] for p in face) // 3, sum(p[1] for p in face) // 3
        assert winding(outline, middle) == 1
    assert not any(overlap(a, b) for a, b in combinations(corners, 2))


@pytest.mark.parametrize("drop", [0.0, 0.6])
@pytest.mark.parametrize("seed", range(60))
def test_outlines_that_touch_themselves(seed: int, drop: float) -> None:
    rng = np.random.default_rng(seed)
    outline = outlines.slit(rng, int(rng.integers(2, 7)), int(rng.integers(3, 60)), drop=drop)
    assert_covered(outline, faces_of(outline))
    assert_covered(outlines.repeated(outline), faces_of(outlines.repeated(outline)))


@pytest.mark.parametrize("digits", [4, 16])
@pytest.mark.parametrize("seed", range(40))
def test_rounding_in_a_plane_that_lies_aslant_makes_no_fan(seed: int, digits: int) -> None:
    rng = np.random.default_rng(seed)
    outline = outlines.slit(rng, int(rng.integers(2, 7)), int(rng.integers(4, 60)), drop=0.6)
    frame, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    points = (in_space(outline) @ frame.T + 10 * rng.normal(size=3)).round(digits)
    a, b, c = points[triangles_of(points)].swapaxes(0, 1)
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    assert areas.sum() == pytest.approx(abs(twice_area(outline)), rel=10.0 ** (2 - digits) + 1e-9)


LARGE: dict[str, Callable[[int], Outline]] = {
    "star": outlines.star,
    "wild star": lambda n: outlines.wild_star(np.random.default_rng(n), n),
    "spiral": outlines.spiral,
    "comb": outlines.comb,
    "saw": outlines.saw,
    "needle": outlines.needle,
    "notched": outlines.notched,
    "repeated": lambda n: outlines.repeated(outlines.comb(n // 2)),
    "slit": lambda n: outlines.slit(np.random.default_rng(n), int(n**0.5) // 2, n // 4),
}
CROSSING: dict[str, Callable[[int], Outline]] = {
    "tangled": lambda n: outlines.tangled(np.random.default_rng(n), n),
    "curl": outlines.curl,
}


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("count", [40, 600, 4000])
def test_families(name: str, count: int) -> None:
    outline = LARGE[name](count)
    assert_covered(outline, faces_of(outline))
    assert_covered(outline[::-1], faces_of(outline[::-1]))


@pytest.mark.parametrize("name", CROSSING)
def test_what_crosses_itself_becomes_a_fan(name: str) -> None:
    faces = faces_of(CROSSING[name](501))
    k = np.arange(499)
    assert np.array_equal(faces, np.stack([0 * k, k + 1, k + 2], axis=1))


@pytest.mark.parametrize("name", [*LARGE, *CROSSING])
def test_time_grows_little_faster_than_the_polygon(name: str) -> None:
    """Four times the corners: 16 times the work if each ear looked at a part of all others."""
    family = (LARGE | CROSSING)[name]
    times = []
    for count in (8_000, 32_000):
        points = in_space(family(count))
        took = []
        for _ in range(4):
            start = process_time()
            triangles_of(points)
            took.append(process_time() - start)
        times.append(min(took) / len(points))
    assert times[1] / times[0] < 2.7


@pytest.mark.parametrize("name", [*LARGE, *CROSSING])
def test_a_hundred_thousand_corners(name: str) -> None:
    outline = (LARGE | CROSSING)[name](100_000)
    faces = faces_of(outline)
    again = faces_of(outline)
    assert np.array_equal(faces, again)
    if name in LARGE:
        assert_covered(outline, faces)


def test_thin_far_away_outline_whose_normal_is_lost() -> None:
    far = 1 << 52
    outline = [(far + x, far + y) for x, y in [(0, 0), (3, 3), (6, 5), (4, 4), (1, 1), (0, 1)]]
    assert_covered(outline, faces_of(outline))
    assert_covered(outline[::-1], faces_of(outline[::-1]))


@pytest.mark.parametrize("scale", [1e-160, 1e-30, 1e30, 1e90])
def test_any_scale(scale: float) -> None:
    outline = outlines.wild_star(np.random.default_rng(3), 200)
    found = triangles_of(in_space(outline) * scale)
    assert_covered(outline, found)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
def test_numbers_without_use_make_a_fan(bad: float) -> None:
    points = in_space([(0, 0), (2, 1), (0, 2), (1, 1), (0, 1)])
    for corner in range(5):
        broken = points.copy()
        broken[corner, 1] = bad
        assert triangles_of(broken).tolist() == [[0, 1, 2], [0, 2, 3], [0, 3, 4]]


def test_corners_that_do_not_exist_make_a_fan() -> None:
    points = in_space([(0, 0), (2, 1), (0, 2), (1, 1)])
    for corner in (-1, 4, 1 << 40, -(1 << 62)):
        faces = _core.triangulate(points, np.array([0, 1, corner, 3]), np.array([4]))
        assert faces.tolist() == [[0, 1, corner], [0, corner, 3]]
    none = np.zeros((0, 3))
    assert _core.triangulate(none, np.arange(4), np.array([4])).tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize("count", [4, 7, 50])
def test_outlines_without_an_area(count: int) -> None:
    for outline in ([(1, 1)] * count, [(k * k % 7, 0) for k in range(count)]):
        assert not any(turn(*(outline[k] for k in face)) for face in faces_of(outline).tolist())


def test_many_polygons_at_a_time() -> None:
    rng = np.random.default_rng(8)
    several = [outlines.untangled(rng, int(rng.integers(3, 20)), 9) for _ in range(40)]
    sizes = np.array([len(outline) for outline in several])
    first = np.cumsum(sizes) - sizes
    points = np.concatenate([in_space(outline) for outline in several])
    faces = _core.triangulate(points, np.arange(len(points)), sizes)
    alone = [faces_of(outline) + start for outline, start in zip(several, first, strict=True)]
    assert np.array_equal(faces, np.concatenate(alone))


def test_sizes_are_checked() -> None:
    points = in_space([(0, 0), (2, 1), (0, 2), (1, 1)])
    for sizes in ([2, 2], [5], [3], [], [-1, 5], [1 << 62]):
        with pytest.raises(ValueError, match="sizes"):
            _core.triangulate(points, np.arange(4), np.array(sizes, dtype=np.int64))
    assert _core.triangulate(points, EMPTY, EMPTY).shape == (0, 3)
