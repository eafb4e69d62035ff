"""Each stage alone against NumPy (T3 to T6)."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.cdfc import reference
from detectors.cdfc.scenes import confetti, crumpled, elongated, query_of, soup_of
from impinge import _core
from impinge.detectors.cdfc import stages
from impinge.detectors.cdfc.options import CdfcOptions
from impinge.detectors.common import candidates
from support.meshes import arrays, rotation


def clustered(
    rng: np.random.Generator, clusters: int, count: int = 400, **options: object
) -> tuple[_core.Soup, np.ndarray, stages.Clusters]:
    chosen = CdfcOptions(clusters=clusters, **options)
    scene = soup_of(confetti(rng, count))
    middles, _ = stages.centres(scene, chosen)
    return scene, middles, stages.members(scene, middles, chosen)


def table(scene: _core.Soup, clusters: stages.Clusters) -> np.ndarray:
    """(n, c): which triangle is in which cluster."""
    inside = np.zeros((len(scene), len(clusters)), dtype=bool)
    for index in range(len(clusters)):
        assert np.all(np.diff(clusters.of(index)) > 0)
        inside[clusters.of(index), index] = True
    return inside


@pytest.mark.parametrize("m", [1.5, 2.0, 3.0])
@pytest.mark.parametrize("count", [1, 2, 9])
def test_memberships_and_moves(m: float, count: int) -> None:
    rng = np.random.default_rng(count)
    points = rng.normal(size=(300, 3))
    centres = rng.normal(size=(count, 3))
    centres[0] = points[7]
    u = _core.fcm_memberships(points, centres, m)
    assert np.allclose(u.sum(axis=1), 1)
    assert u[7, 0] == 1
    assert np.allclose(u, reference.memberships(points, centres, m))
    moved, before = reference.fcm_step(points, centres, m)
    found, objective = _core.fcm(points, centres, m, 1, 0.0)
    assert np.allclose(found, moved)
    assert objective == pytest.approx([before])


@pytest.mark.parametrize(
    ("iterations", "tolerance", "what"),
    [(-1, 0.0, "iterations"), (3, -1.0, "tolerance"), (3, np.nan, "tolerance")],
)
def test_iterations_have_an_end(iterations: int, tolerance: float, what: str) -> None:
    points = np.random.default_rng(1).normal(size=(5, 3))
    with pytest.raises(ValueError, match=f"{what} must be at least 0"):
        _core.fcm(points, points[:2], 2.0, iterations, tolerance)


@pytest.mark.parametrize("count", [2, 8, 32])
def test_the_objective_falls(count: int) -> None:
    points = np.random.default_rng(count).normal(size=(1000, 3)) * [3, 2, 1]
    start = _core.fcm_seed(points, count, 5)
    assert len(np.unique(start, axis=0)) == count
    one, objective = _core.fcm(points, start, 2.0, 20, 0.0, 1)
    assert len(objective) == 20
    assert np.all(np.diff(objective) <= 1e-12 * objective[0])
    other, _ = _core.fcm(points, start, 2.0, 20, 0.0, 2)
    assert np.array_equal(one, other)
    # from where it ended, it is there at once
    _, again = _core.fcm(points, one, 2.0, 20, 0.5)
    assert len(again) == 1


@pytest.mark.parametrize(("clusters", "points"), [(2, 2048), (16, 2048), (32, 3072)])
def test_a_sample_stands_for_all_centroids(clusters: int, points: int) -> None:
    """The centres it leads to are hardly worse than those of all centroids."""
    scene = soup_of(confetti(np.random.default_rng(0), 5000))
    options = CdfcOptions(clusters=clusters)
    assert len(stages.begin(scene, options, None)[0]) == points
    every = scene.sample(len(scene))
    assert len(every) == len(scene)
    start = _core.fcm_seed(every, clusters, options.seed)
    of_all, _ = _core.fcm(every, start, options.fuzziness, options.iterations, 0.0)
    found, _ = stages.centres(scene, options)
    _, best = reference.fcm_step(every, of_all, options.fuzziness)
    _, objective = reference.fcm_step(every, found, options.fuzziness)
    assert objective < 1.01 * best


def test_more_centres_than_points() -> None:
    points = np.repeat(np.eye(3), 4, axis=0)
    centres = _core.fcm_seed(points, 8, 0)
    assert len(centres) == 3
    found, objective = _core.fcm(points, centres, 2.0, 5, 0.0)
    assert np.array_equal(np.unique(found, axis=0), np.unique(points, axis=0))
    assert np.all(objective == 0)


@pytest.mark.parametrize("clusters", [2, 7, 16])
@pytest.mark.parametrize("rule", ["bisector", "generous"])
def test_members(rule: str, clusters: int) -> None:
    scene, middles, found = clustered(np.random.default_rng(clusters), clusters, membership=rule)
    inside = table(scene, found)
    # the centres that are meant are float32, and a triangle too many does no harm
    beyond = getattr(reference, rule)(
        scene.centroids.astype(np.float64),
        scene.radii.astype(np.float64),
        middles.astype(np.float32).astype(np.float64),
    )
    assert np.all(inside[beyond <= 0])
    assert not np.any(inside[beyond > 1e-4])
    assert np.all(inside.any(axis=1))


def test_every_triangle_lies_in_its_ball() -> None:
    scene = soup_of(confetti(np.random.default_rng(0), 500))
    corners = scene.points[scene.corners].astype(np.float64)
    middle = scene.centroids.astype(np.float64)
    assert np.allclose(middle, corners.mean(axis=1), atol=1e-6)
    reach = np.linalg.norm(corners - middle[:, None], axis=2).max(axis=1)
    assert np.all(reach <= scene.radii)
    assert np.all(scene.radii <= reach * (1 + 1e-5) + 1e-6)


def test_copies_are_few() -> None:
    """Radii of their own keep the overlap small; the largest one for all would not."""
    rng = np.random.default_rng(1)
    counts = {
        rule: len(clustered(rng, 16, 2000, membership=rule)[2].triangles) / 2000
        for rule in ("bisector", "generous")
    }
    assert 1 < counts["bisector"] < counts["generous"] < 4


@pytest.mark.parametrize("seed", range(3))
def test_axes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    vertices, faces = confetti(rng, 300)
    scene = soup_of(arrays((vertices * [5, 2, 1]) @ rotation(rng).T, faces))
    triangles = np.arange(0, len(scene), 2, dtype=np.int32)
    found = _core.cdfc_axes(scene, triangles)
    assert np.allclose(found, reference.axes(scene.centroids[triangles]), atol=1e-5)
    assert np.linalg.det(found) == pytest.approx(1)


def test_boxes_are_rounded_outward() -> None:
    rng = np.random.default_rng(3)
    scene = soup_of(confetti(rng, 500, ratio=1e4))
    triangles = np.arange(len(scene), dtype=np.int32)
    for _ in range(5):
        turned = rotation(rng).astype(np.float32)
        boxes = _core.cdfc_boxes(scene, triangles, turned).astype(np.float64)
        corners = scene.points[scene.corners].astype(np.float64) @ turned.astype(np.float64).T
        room = 3e-8 * 1.733  # what the float32 vertices are off by
        assert np.all(boxes[:, 0] <= corners.min(axis=1) - room)
        assert np.all(boxes[:, 1] >= corners.max(axis=1) + room)
        assert np.all(boxes[:, 1] - boxes[:, 0] <= np.ptp(corners, axis=1) + 3e-6)


def test_radix_order() -> None:
    rng = np.random.default_rng(4)
    keys = rng.normal(size=5000).astype(np.float32) * np.float32(10) ** rng.integers(-30, 30, 5000)
    keys[::7] = 0.0
    keys[::14] = -0.0
    keys[100:200] = keys[0:100]
    keys[5], keys[6] = np.inf, -np.inf
    assert np.array_equal(_core.radix_order(keys), np.argsort(keys, kind="stable"))
    for count in (0, 1, 2):
        assert np.array_equal(_core.radix_order(keys[:count]), np.argsort(keys[:count]))


@pytest.mark.parametrize("steps", [3, 40, 10**6])
def test_interval_pairs(steps: int) -> None:
    """Ties of all sorts when there are few steps; all pairs of a quadratic search."""
    rng = np.random.default_rng(steps)
    for count in (0, 1, 2, 9, 200):
        boxes = np.zeros((count, 2, 3), dtype=np.float32)
        boxes[:, 0] = rng.integers(-steps, steps, (count, 3))
        boxes[:, 1] = boxes[:, 0] + rng.integers(0, steps, (count, 3)) // 3
        boxes = boxes[_core.radix_order(boxes[:, 0, 0].copy())]
        counts, offset = _core.count_overlaps(boxes[:, 0, 0].copy(), boxes[:, 1, 0].copy())
        assert np.array_equal(offset, np.concatenate([[0], np.cumsum(counts)]))
        assert offset[-1] == len(reference.overlaps(boxes, 1))
        pairs, y_pairs = _core.cdfc_collect(boxes, counts)
        assert y_pairs == len(reference.overlaps(boxes, 2))
        assert len(pairs) == len({tuple(pair) for pair in pairs.tolist()})
        assert {tuple(pair) for pair in pairs.tolist()} == reference.overlaps(boxes)
        flat = boxes.copy()
        flat[:, :, 1:] = 0
        along, _ = _core.cdfc_collect(flat, counts)
        assert {tuple(pair) for pair in along.tolist()} == reference.overlaps(boxes, 1)


def test_bounds_far_apart() -> None:
    """One interval far away puts all others into one step of the table."""
    start = np.array([-1e30, *np.linspace(0, 1, 300), 3e38], dtype=np.float32)
    end = start + np.float32(0.1)
    counts, _ = _core.count_overlaps(start, end)
    expected = np.searchsorted(start, end, side="right") - np.arange(len(start)) - 1
    assert np.array_equal(counts, expected)


def test_listed_pairs() -> None:
    """All pairs without a common corner, in a list, give what the clusters give."""
    query = query_of(crumpled(np.random.default_rng(9), 8), confetti(np.random.default_rng(9), 100))
    scene = candidates.soup_of(query)
    first, second = np.triu_indices(len(scene), 1)
    shared = (scene.corners[first][:, :, None] == scene.corners[second][:, None]).any(axis=(1, 2))
    pairs = np.column_stack([first, second])[~shared].astype(np.int32)
    expected = stages.collide(scene, stages.ONE_CENTRE, query, CdfcOptions())
    for workers in (1, 2):
        found, bodies, kinds, counters = _core.judge_pairs(scene, pairs, True, False, workers, None)
        assert np.array_equal(found, expected.pairs)
        assert np.array_equal(bodies, expected.bodies)
        assert np.array_equal(kinds, expected.kinds)
        assert counters["hits"] == len(found) > 20
    with pytest.raises(ValueError, match="triangles must be those of the soup"):
        _core.judge_pairs(scene, np.array([[0, len(scene)]], np.int32), True, False, 1, None)


def test_the_principal_axis_is_best() -> None:
    """On a scene that is long in an oblique direction (T6)."""
    scene = soup_of(elongated(np.random.default_rng(6), 600))
    triangles = np.arange(len(scene), dtype=np.int32)
    found = stages.sort(scene, triangles).offset[-1]
    for axis in range(3):
        fixed = np.roll(np.eye(3, dtype=np.float32), -axis, axis=0).copy()
        boxes = _core.cdfc_boxes(scene, triangles, fixed)
        boxes = boxes[_core.radix_order(boxes[:, 0, 0].copy())]
        _, offset = _core.count_overlaps(boxes[:, 0, 0].copy(), boxes[:, 1, 0].copy())
        assert found < offset[-1]


def test_more_clusters_less_to_sweep() -> None:
    scene = soup_of(crumpled(np.random.default_rng(7), cells=30))
    per_copy = []
    for clusters in (1, 4, 16):
        options = CdfcOptions(clusters=clusters)
        middles, _ = stages.centres(scene, options)
        found = stages.members(scene, middles, options)
        swept = sum(stages.sort(scene, found.of(k)).offset[-1] for k in range(clusters))
        per_copy.append(swept / len(found.triangles))
    assert per_copy == sorted(per_copy, reverse=True)
