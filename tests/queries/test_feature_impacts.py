"""Single features against rational arithmetic: none missed, none later, none farther than told."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isqrt

import numpy as np
import pytest

import impinge
from impinge import _core
from support.impact_truth import Motion

Rows = tuple[np.ndarray, np.ndarray]
KINDS = pytest.mark.parametrize("edges", [False, True], ids=["vertex-face", "edge-edge"])


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def random_rows(n: int, seed: int) -> Rows:
    """Of all directions and speeds, half of them aimed so that features come near each other."""
    g = rng(seed)
    middle, way = g.normal(size=(2, n, 4, 3)) * g.choice([0.3, 1, 3], size=(2, n, 1, 1))
    weights = g.dirichlet((1, 1, 1), size=n // 2)[..., None]
    middle[: n // 2, 0] = (weights * middle[: n // 2, 1:]).sum(axis=1)
    share = g.random((n, 1, 1))
    return middle - share * way, middle + (1 - share) * way


def grid_rows(n: int, seed: int, size: int = 2) -> Rows:
    """Small whole numbers: points on edges and corners, faces without area, points that rest."""
    g = rng(seed)
    start = g.integers(-size, size + 1, size=(n, 4, 3)).astype(float)
    end = np.where(
        g.random((n, 4, 1)) < 0.3, start, g.integers(-size, size + 1, size=(n, 4, 3)).astype(float)
    )
    return start, end


def flat_rows(n: int, seed: int) -> Rows:
    """All points in one plane at all times, that turns with them or stays."""
    start, end = grid_rows(n, seed, 3)
    start[..., 2] = end[..., 2] = 0
    start[n // 2 :, :, 2] = start[n // 2 :, :, 0] + 2 * start[n // 2 :, :, 1]
    end[n // 2 :, :, 2] = end[n // 2 :, :, 0] + 2 * end[n // 2 :, :, 1]
    turned = slice(3 * n // 4, None)
    end[turned, :, 2] = -3 * end[turned, :, 0] + end[turned, :, 1]
    return start, end


def line_rows(n: int, seed: int) -> Rows:
    """All points on one line."""
    start, end = grid_rows(n, seed, 4)
    direction = np.array([1.0, 2.0, -1.0])
    return start[..., :1] * direction, end[..., :1] * direction


def parallel_rows(n: int, seed: int) -> Rows:
    """The last two points are the first two, moved: parallel edges, that slide or come together."""
    start, end = grid_rows(n, seed, 1)
    g = rng(seed + 1)
    for rows in (start, end):
        rows[:, 2:] = rows[:, :2] + g.integers(-1, 2, size=(n, 1, 3))
    return start, end


def grazing_rows(n: int, seed: int) -> Rows:
    """The volume is nearly a square of time: features that nearly touch, or just do."""
    g = rng(seed)
    start = np.zeros((n, 4, 3))
    start[:, 1:] = g.integers(-3, 4, size=(n, 3, 3))
    end = start.copy()
    # a vertex that moves along the plane of the face, a little above, on, or below it
    normal = np.cross(start[:, 2] - start[:, 1], start[:, 3] - start[:, 1])
    middle = start[:, 1:].mean(axis=1)
    way = (start[:, 2] - start[:, 1]) + 0.5 * (start[:, 3] - start[:, 1])
    off = g.choice([-1e-9, -1e-14, 0.0, 1e-14, 1e-9], size=(n, 1))
    start[:, 0] = middle - way + off * normal
    end[:, 0] = middle + way + g.choice([-1, 0, 1], size=(n, 1)) * off * normal
    return start, end


FAMILIES = {
    "random": random_rows,
    "grid": grid_rows,
    "flat": flat_rows,
    "line": line_rows,
    "parallel": parallel_rows,
    "grazing": grazing_rows,
}


def times_of(rows: Rows, *, edges: bool, **options: object) -> np.ndarray:
    ask = impinge.edge_edge_impact if edges else impinge.vertex_face_impact
    return ask(*rows, **options)  # type: ignore[arg-type]


def root_above(squared: Fraction) -> Fraction:
    """At least the square root, by less than 2**-200."""
    return Fraction(isqrt(int(squared * (1 << 400))) + 1, 1 << 200)


def size_of(start: np.ndarray, end: np.ndarray) -> float:
    both = np.concatenate((start, end))
    return float(np.ptp(both, axis=0).max())


@KINDS
@pytest.mark.parametrize("family", FAMILIES)
def test_they_meet_when_they_do(family: str, edges: bool) -> None:
    rows = FAMILIES[family](80, 11)
    motions = [Motion(start, end) for start, end in zip(*rows, strict=True)]
    truths = [motion.first_meeting(edges=edges) for motion in motions]
    assert sum(truth is not None for truth in truths) > 3
    for tolerance in (None, 1e-3, 0.0):
        times = times_of(rows, edges=edges, tolerance=tolerance).tolist()
        assert [time == inf for time in times] == [truth is None for truth in truths]
        for motion, time, truth, start, end in zip(motions, times, truths, *rows, strict=True):
            if truth is None:
                continue
            size = size_of(start, end)
            allowed = size * 1e-6 if tolerance is None else tolerance
            gap = root_above(motion.squared(Fraction(time), edges=edges))
            assert Fraction(time) <= truth + Fraction(1, 1 << 180)
            assert gap <= Fraction(allowed) + Fraction(size) / (1 << 41)


@KINDS
def test_those_that_begin_in_contact_are_told_at_time_0(edges: bool) -> None:
    start, end = grid_rows(400, 5)
    times, certain, at_start = _core.feature_impacts(start, end, edges, 0.0, -1.0, 1, None)
    touching = [Motion(s, s).squared(Fraction(0), edges=edges) == 0 for s in start]
    assert at_start.tolist() == touching
    assert 10 < sum(touching) < 390
    assert not times[at_start].any()
    assert (certain == np.isfinite(times)).all()


@KINDS
@pytest.mark.parametrize("scale", [1e-150, 1e-12, 1e12, 1e97])
def test_no_size_is_too_small_or_too_large(scale: float, edges: bool) -> None:
    start, end = random_rows(300, 3)
    power = 2.0 ** round(np.log2(scale))
    plain = times_of((start, end), edges=edges)
    assert np.isfinite(plain).any()
    assert times_of((start * power, end * power), edges=edges).tolist() == plain.tolist()


@KINDS
def test_far_from_the_origin_only_the_given_numbers_count(edges: bool) -> None:
    start, end = grid_rows(200, 8)
    far = np.array([2.0**40, -(2.0**39), 2.0**41])
    near = times_of((start, end), edges=edges)
    assert times_of((start + far, end + far), edges=edges).tolist() == near.tolist()


@KINDS
def test_a_separation_is_kept(edges: bool) -> None:
    """Sampled: never farther than the separation when told, never nearer before."""
    rows = random_rows(100, 7)
    separation = 0.25
    columns = _core.feature_impacts(*rows, edges, separation, 1e-4, 1, None)
    reported = 0
    for start, end, time, certain, at_start in zip(*rows, *columns, strict=True):
        motion = Motion(start, end)
        samples = np.linspace(0, 1, 21)
        squared = np.array([float(motion.squared(Fraction(t), edges=edges)) for t in samples])
        inside = samples[np.sqrt(squared) < separation - 1e-9]
        assert not len(inside) or time <= inside[0]
        assert bool(at_start) == (squared[0] <= separation**2)
        if time == inf:
            assert not certain
            continue
        reported += 1
        gap = float(root_above(motion.squared(Fraction(float(time)), edges=edges)))
        assert gap <= separation + 1e-4 + 1e-9
        # here no pair grazes: all that are told do come nearer, soon after
        assert certain
    assert reported > 20


@KINDS
def test_what_just_reaches_the_separation_is_told_and_not_certain(edges: bool) -> None:
    face = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]
    bars = [(0, 0, 0), (4, 0, 0), (1, -1, 1), (1, 1, 1)]
    start = np.array([bars if edges else [(1, 1, 1), *face]], dtype=float)
    end = start.copy()
    end[0, 2:, 2] -= 0.5 * edges
    end[0, 0, 2] -= 0.5 * (not edges)
    for separation, certain in ((0.5, False), (0.5 + 1e-9, True)):
        times, sure, _ = _core.feature_impacts(start, end, edges, separation, -1.0, 1, None)
        assert 0.999 < times[0] <= 1
        assert sure[0] == certain
    assert times_of((start, end), edges=edges, minimum_separation=0.5 - 1e-9)[0] == inf


@KINDS
def test_faces_that_turn_past_each_other_are_followed(edges: bool) -> None:
    """A seesaw a little below a vertex: short steps for the whole, long ones for its parts."""
    for gap in (1e-2, 1e-4, 1e-6):
        if edges:
            start = np.array([[(-1, 0, -1), (1, 0, 1), (0, -1, gap), (0, 1, gap)]], dtype=float)
            end = start.copy()
            end[0, :2] = (-1, 0, 1), (1, 0, -1)
        else:
            start = np.array([[(0, 0, gap), (-1, -1, -1), (-1, 1, -1), (2, 0, 2)]], dtype=float)
            end = start.copy()
            end[0, 1:, 2] *= -1
        assert times_of((start, end), edges=edges)[0] == inf
        end[0, 0 if not edges else 2, 2] = -gap
        if edges:
            end[0, 3, 2] = -gap
        assert 0.4 < times_of((start, end), edges=edges, tolerance=1e-9)[0] <= 0.5


@KINDS
def test_the_answer_is_the_same_for_any_number_of_threads(edges: bool) -> None:
    rows = random_rows(1000, 2)
    one = times_of(rows, edges=edges, workers=1)
    assert one.tolist() == times_of(rows, edges=edges, workers=4).tolist()


@KINDS
def test_no_rows_have_no_times(edges: bool) -> None:
    assert times_of((np.empty((0, 4, 3)),) * 2, edges=edges).shape == (0,)


def test_bad_rows_are_named() -> None:
    good = np.zeros((2, 4, 3))
    with pytest.raises(impinge.InputError, match=r"start must have shape \(m, 4, 3\).*start\[None"):
        impinge.vertex_face_impact(good[0], good)
    bad = good.copy()
    bad[1, 2, 0] = np.nan
    with pytest.raises(impinge.InputError, match=r"end\[1, 2\] = \(nan, 0.0, 0.0\) is not finite"):
        impinge.edge_edge_impact(good, bad)
    with pytest.raises(impinge.InputError, match="as many rows, got 2 and 1"):
        impinge.edge_edge_impact(good, good[:1])
    with pytest.raises(impinge.InputError, match="minimum_separation must be a finite distance"):
        impinge.edge_edge_impact(good, good, minimum_separation=-1)
    with pytest.raises(impinge.InputError, match="tolerance must be a finite distance"):
        impinge.edge_edge_impact(good, good, tolerance=np.inf)


def test_it_can_be_cancelled() -> None:
    rows = random_rows(2000, 1)
    with pytest.raises(impinge.errors.Cancelled):
        impinge.edge_edge_impact(*rows, progress=lambda _: False)
