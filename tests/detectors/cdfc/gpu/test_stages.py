"""Each stage on the GPU against NumPy and the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.cdfc import reference
from detectors.cdfc.scenes import confetti, crumpled, query_of, soup_of
from impinge import _core
from impinge.detectors.cdfc import stages
from impinge.detectors.cdfc.gpu import axes, collect, fuzzy, members, run, scene, sweep
from impinge.detectors.cdfc.options import CdfcOptions
from impinge.detectors.common import candidates
from support.meshes import arrays, rotation


def bits_of(gpu, found, count):
    """(n, c): which triangle is in which cluster."""
    words = gpu.read(found.bits, np.uint32).reshape(count, -1)
    bits = words[:, :, None] >> np.arange(32, dtype=np.uint32) & 1
    return bits.reshape(count, -1)[:, : found.clusters].astype(bool)


def balls_on(gpu, balls):
    return scene.GpuSoup(len(balls), gpu.upload(balls, np.float32), gpu.zeros(4), gpu.zeros(4))


def swept(gpu, boxes, clusters):
    """Sorted boxes (n, 2, 3) of clusters, as the sweep has them."""
    rows = np.column_stack([np.arange(len(boxes)), clusters])
    starts = np.searchsorted(clusters, np.arange(clusters.max(initial=0) + 2))
    sides = sweep.Boxes(*(gpu.upload(fuzzy.padded(boxes[:, side])) for side in (0, 1)))
    ordered = sweep.Sweep(sides, gpu.upload(rows, np.uint32), len(boxes))
    return ordered, gpu.upload(starts, np.uint32)


@pytest.mark.parametrize("m", [1.5, 2.0, 3.0])
def test_memberships_and_moves(gpu, m):
    rng = np.random.default_rng(1)
    points = rng.uniform(-0.5, 0.5, (300, 3)).astype(np.float32).astype(np.float64)
    centres = rng.uniform(-0.5, 0.5, (9, 3)).astype(np.float32).astype(np.float64)
    centres[0] = points[7]
    moved, before = reference.fcm_step(points, centres, m)
    found, objective = fuzzy.fcm(gpu, points, centres, CdfcOptions(fuzziness=m, iterations=1), 0.0)
    assert np.allclose(found, moved, atol=1e-5)
    assert objective == pytest.approx([before], rel=1e-4)


def test_the_objective_falls_to_that_of_the_cpu(gpu):
    soup = soup_of(confetti(np.random.default_rng(2), 300))
    options = CdfcOptions(clusters=8, iterations=12)
    found, objective = run.centres(gpu, soup, options)
    expected, falling = stages.centres(soup, options)
    assert len(objective) == len(falling)
    assert np.all(np.diff(objective) <= 1e-5 * objective[0])
    assert np.allclose(objective, falling, rtol=1e-3)
    assert np.allclose(found, expected, atol=1e-2)


@pytest.mark.parametrize("clusters", [1, 7, 40])
@pytest.mark.parametrize("rule", ["bisector", "generous", "absolute"])
def test_members(gpu, rule, clusters):
    rng = np.random.default_rng(clusters)
    soup = soup_of(confetti(rng, 400))
    options = CdfcOptions(clusters=clusters, membership=rule, iterations=5)
    middles, _ = stages.centres(soup, options)
    middles = middles.astype(np.float32).astype(np.float64)
    on_gpu = scene.uploaded(gpu, soup)
    found = members.members(gpu, on_gpu, middles, options)
    inside = bits_of(gpu, found, len(soup))
    points, radii = (x.astype(np.float64) for x in (soup.centroids, soup.radii))
    if rule == "absolute":
        u = reference.memberships(points, middles, 2.0)
        beyond = options.least_membership - np.where(u == u.max(axis=1)[:, None], 1, u)
        assert np.all(inside[beyond <= -1e-4])
    else:
        beyond = getattr(reference, rule)(points, radii, middles)
        assert np.all(inside[beyond <= 0])
    assert not np.any(inside[beyond > 1e-3])
    assert np.all(inside.any(axis=1))
    lists = members.read_lists(gpu, members.rows_of(gpu, on_gpu, found))
    assert len(lists) == clusters
    for index in range(clusters):
        assert np.array_equal(lists.of(index), np.flatnonzero(inside[:, index]))


@pytest.mark.parametrize("rule", ["bisector", "generous"])
def test_triangles_that_just_reach_a_cluster(gpu, rule):
    """Radii that are as large as they must be, to the last bit: rounding loses none."""
    rng = np.random.default_rng(3)
    middles = rng.uniform(-1, 1, (12, 3)).astype(np.float32).astype(np.float64)
    middles[1] = np.nextafter(np.float32(middles[0]), np.float32(2))
    middles[2] = middles[0]
    points = rng.uniform(-1, 1, (4000, 3)).astype(np.float32)
    zero = np.zeros(len(points))
    far = getattr(reference, rule)(points.astype(np.float64), zero, middles)
    wanted = rng.integers(0, len(middles), len(points))
    radii = far[np.arange(len(points)), wanted] / (2 if rule == "generous" else 1)
    radii = np.nextafter(np.maximum(radii, 0).astype(np.float32), np.float32(9))
    on_gpu = balls_on(gpu, np.column_stack([points, radii]))
    found = members.members(gpu, on_gpu, middles, CdfcOptions(membership=rule))
    inside = bits_of(gpu, found, len(points))
    assert np.all(inside[np.arange(len(points)), wanted])


def test_axes_and_boxes(gpu):
    rng = np.random.default_rng(4)
    vertices, faces = confetti(rng, 300, ratio=1e4)
    soup = soup_of(arrays((vertices * [5, 2, 1]) @ rotation(rng).T, faces))
    options = CdfcOptions(clusters=3)
    middles, _ = stages.centres(soup, options)
    on_gpu = scene.uploaded(gpu, soup)
    rows = members.rows_of(gpu, on_gpu, members.members(gpu, on_gpu, middles, options))
    lists = members.read_lists(gpu, rows)
    turned = axes.axes(gpu, on_gpu, rows, middles)
    boxes = sweep.boxes(gpu, on_gpu, rows, turned)
    sides = [gpu.read(side, np.float32).reshape(-1, 4)[:, :3] for side in (boxes.lows, boxes.highs)]
    for index in range(3):
        triangles = lists.of(index)
        own = turned[index].astype(np.float64)
        assert np.allclose(own, reference.axes(soup.centroids[triangles]), atol=1e-3)
        assert np.linalg.det(own) == pytest.approx(1)
        part = slice(lists.start[index], lists.start[index + 1])
        low, high = (side[part].astype(np.float64) for side in sides)
        corners = soup.points[soup.corners[triangles]].astype(np.float64) @ own.T
        room = 3e-8 * 1.733  # what the float32 vertices are off by
        assert np.all(low <= corners.min(axis=1) - room)
        assert np.all(high >= corners.max(axis=1) + room)
        assert np.all(high - low <= np.ptp(corners, axis=1) + 1e-5)


def test_sorting_boxes_of_clusters(gpu):
    """By cluster, then by start, negatives before the others."""
    rng = np.random.default_rng(5)
    clusters = np.sort(rng.integers(0, 20, 600)).astype(np.uint32)
    boxes = rng.normal(size=(600, 2, 3)).astype(np.float32)
    boxes[::5, 0, 0] = 0
    boxes[1::7, 0, 0] = boxes[0, 0, 0]
    triangles = rng.permutation(600).astype(np.uint32)
    found = members.Members(gpu.zeros(4), 1, 20)
    rows = members.Rows(600, found, gpu.upload(clusters), gpu.upload(triangles), gpu.zeros(4))
    sides = sweep.Boxes(*(gpu.upload(fuzzy.padded(boxes[:, side])) for side in (0, 1)))
    ordered = sweep.sort(gpu, rows, sides)
    order = np.lexsort((boxes[:, 0, 0], clusters))
    expected = np.column_stack([triangles[order], clusters[order]])
    assert np.array_equal(gpu.read(ordered.rows, np.uint32).reshape(-1, 2), expected)
    for side, buffer in ((0, ordered.boxes.lows), (1, ordered.boxes.highs)):
        assert np.array_equal(
            gpu.read(buffer, np.float32).reshape(-1, 4)[:, :3], boxes[order, side]
        )


@pytest.mark.parametrize("steps", [3, 40, 10**6])
def test_interval_pairs(gpu, steps):
    """Ties of all sorts when there are few steps; all pairs of a quadratic search (T5)."""
    rng = np.random.default_rng(steps)
    for count, piece in ((1, 10), (9, 4), (70, 99), (300, 10**6)):
        boxes = np.zeros((count, 2, 3), dtype=np.float32)
        boxes[:, 0] = rng.integers(-steps, steps, (count, 3))
        boxes[:, 1] = boxes[:, 0] + rng.integers(0, steps, (count, 3)) // 3
        clusters = np.sort(rng.integers(0, 3, count))
        boxes = boxes[np.lexsort((boxes[:, 0, 0], clusters))]
        ordered, starts = swept(gpu, boxes, clusters)
        overlaps, counts = sweep.overlaps(gpu, ordered, starts)
        along = []
        for used in (1, 2, 3):
            pairs = reference.overlaps(boxes, used)
            along.append({(i, j) for i, j in pairs if clusters[i] == clusters[j]})
        assert gpu.read(counts, np.uint32).sum() == overlaps.sum == len(along[0])
        room = collect.Room(gpu.zeros(16), gpu.zeros(8 * min(piece, max(overlaps.sum, 1))))
        found, y_pairs = [], 0
        for first in range(0, overlaps.sum, piece):
            gpu.clear(room.counts)
            part = (first, min(piece, overlaps.sum - first))
            collect.collect(gpu, ordered, overlaps, part, room)
            y, z = gpu.read(room.counts, np.uint32, 2).tolist()
            found += map(tuple, gpu.read(room.pairs, np.uint32, 2 * z).reshape(-1, 2).tolist())
            y_pairs += y
        assert y_pairs == len(along[1])
        assert sorted(found) == sorted(along[2])


def test_more_overlaps_than_32_bits_hold(gpu):
    """Totals of the blocks are wide: the last pairs of 2**33 are found by their place."""
    count = 131_072
    boxes = np.zeros((count, 2, 3), dtype=np.float32)
    boxes[:, 1, 0] = 1
    boxes[:, :, 1] = np.arange(count)[:, None]
    boxes[-1, :, 1] = count - 4
    ordered, starts = swept(gpu, boxes, np.zeros(count, dtype=np.int64))
    overlaps, _ = sweep.overlaps(gpu, ordered, starts)
    assert overlaps.sum == count * (count - 1) // 2 > 2**32
    room = collect.Room(gpu.zeros(16), gpu.zeros(8 * 1000))
    collect.collect(gpu, ordered, overlaps, (overlaps.sum - 1000, 1000), room)
    assert gpu.read(room.counts, np.uint32).tolist() == [1, 1, 0, 0]
    assert gpu.read(room.pairs, np.uint32, 2).tolist() == [count - 4, count - 1]


def test_pieces_change_nothing(gpu):
    query = query_of(crumpled(np.random.default_rng(6), 10))
    soup = candidates.soup_of(query)
    options = CdfcOptions(clusters=4)
    middles, _ = stages.centres(soup, options)
    on_gpu = scene.uploaded(gpu, soup)
    found = members.members(gpu, on_gpu, middles, options)
    rows = members.rows_of(gpu, on_gpu, found)
    turned = axes.axes(gpu, on_gpu, rows, middles)
    ordered = sweep.sort(gpu, rows, sweep.boxes(gpu, on_gpu, rows, turned))
    overlaps, _ = sweep.overlaps(gpu, ordered, rows.starts)
    seen = []
    for piece in (overlaps.sum // 5, 10**6):
        collector = collect.Collector(gpu, on_gpu, found, query)
        pairs = collector.undecided(ordered, overlaps, lambda _: None, piece)
        each = sorted(tuple(sorted(pair)) for pair in pairs.tolist())
        assert len(set(each)) == len(each)
        seen.append((each, collector.y_pairs, collector.z_pairs, collector.tests))
    assert seen[0] == seen[1]
    assert 0 < len(seen[0][0]) < collector.tests / 2
    raw = _core.judge_pairs(soup, np.array(seen[0][0], np.int32), True, False, 1, None)
    expected = stages.collide(soup, middles, query, options)
    assert np.array_equal(raw[0], expected.pairs)
    assert np.array_equal(raw[2], expected.kinds)
