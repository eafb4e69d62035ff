"""Views hold what they should, and cut off the rest without leaving gaps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import impinge
from detectors.cinder.reference import Machine
from detectors.cinder.scenes import as_reference, many, seen
from impinge.detectors.cinder import View
from impinge.detectors.cinder.clip import clip_edges, clip_faces, outside
from impinge.detectors.cinder.view import Projection, project, snap
from support.meshes import box, merge, moved, sphere

VIEWS = {
    "fitted": View(),
    "slanted": View.orthographic((1, 2, 3), up=(0, 0, 1)),
    "up along": View.orthographic((0, 0, 1), up=(0, 0, -2)),
    "perspective": View.perspective((3, 4, 9), (0, 0, 0)),
}


def projected(view: View, points: np.ndarray, resolution: int = 64) -> tuple[Projection, Any]:
    made = view.fitted(points, resolution)
    return made, project(made, points)


@pytest.mark.parametrize("name", VIEWS)
def test_a_fitted_view_clips_nothing(name: str) -> None:
    rng = np.random.default_rng(0)
    for scale in (1e-3, 1.0, 50.0):
        points = rng.uniform(-1, 1, (40, 3)) * min(scale, 2.0)
        view, seen_at = projected(VIEWS[name], points)
        assert not outside(view.homogeneous(points), 64).any()
        assert seen_at[:, :2].min() >= 0.99
        assert seen_at[:, :2].max() <= 63.01
        whole = snap(view, view.homogeneous(points))
        assert np.abs(whole[:, :2] / 256 - seen_at[:, :2]).max() <= 0.51 / 256
        assert whole[:, 2].min() >= 16
        assert whole[:, 2].max() <= 2**23 - 16


def test_degenerate_scenes() -> None:
    for points in (np.zeros((0, 3)), np.zeros((1, 3)), np.full((5, 3), 1e-300)):
        for view in VIEWS.values():
            made = view.fitted(points, 32)
            assert np.isfinite(made.homogeneous(points)).all()


def test_directions_in_the_image() -> None:
    points = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
    for view in (
        View.orthographic((0, 0, -1), up=(0, 1, 0)),
        View.perspective((0, 0, 5), (0, 0, 0), up=(0, 1, 0)),
    ):
        _, (origin, right, up, near) = projected(view, points)
        assert right[0] > origin[0]
        assert up[1] < origin[1]
        assert near[2] < origin[2]


def test_planes_stay_planes_in_perspective() -> None:
    rng = np.random.default_rng(1)
    a, b, c = rng.uniform(-1, 1, (3, 3))
    shares = rng.dirichlet((1, 1, 1), 20)
    _, at = projected(VIEWS["perspective"], np.concatenate([[a, b, c], shares @ (a, b, c)]))
    normal = np.cross(at[1] - at[0], at[2] - at[0])
    assert np.abs((at[3:] - at[0]) @ normal).max() < 1e-9


def test_offsets_bring_edges_nearer() -> None:
    points = np.random.default_rng(2).uniform(-1, 1, (20, 3))
    for view in (VIEWS["slanted"], VIEWS["perspective"]):
        made = view.fitted(points, 64)
        before = snap(made, made.homogeneous(points))[:, 2]
        forward = (made.image if view.eye is None else made).frame[2]  # type: ignore[attr-defined]
        target = made.homogeneous(points - 0.1 * forward)
        true = snap(made, target)[:, 2]
        moved_by = made.depths_nearer(before, 0.1)
        inside = target[:, 2] > 0
        assert np.abs(moved_by - true)[inside].max() <= 2
        assert (moved_by < before)[inside].all()
        assert made.depths_nearer(before, 1e9).min() == 16


@pytest.mark.parametrize(
    "view",
    [
        View.orthographic((0.02, 0.05, 1), box=((-0.4, -0.4, -5), (0.6, 0.3, 5))),
        View.perspective((3, 4, 9), (0.5, 0, 0), fov=6),
    ],
)
def test_cut_bodies_have_no_gaps(view: View) -> None:
    """Behind everything there are as many fronts as backs, unless the near plane cuts."""
    geometry, made, options = seen([sphere(12), box((-1, -1, -1), (1, 1, 0.5))],
                                   resolution=64, views=view)  # fmt: skip
    assert geometry.clipped.all()
    machine = Machine(as_reference(geometry, made, options), "corrected", "filter")
    signed = np.zeros((64, 64), dtype=int)
    for back, (x, y, _) in machine.fills:
        signed[y, x] += -1 if back else 1
    total = sum(len(x) for _, (x, _, _) in machine.fills)
    assert total > 64 * 64
    assert not signed.any()


def test_cuts_are_exact() -> None:
    """What is left of a triangle larger than the image has the area of the image."""
    corners = np.array([(-9, -9, 0.5), (99, -9, 0.5), (45, 99, 0.5)], dtype=float)
    points = np.column_stack([corners, np.ones(3)])
    after, faces, rows = clip_faces(points, np.array([[0, 1, 2]], dtype=np.int32), 16)
    a, b, c = (after[faces[:, k], :2] for k in range(3))
    area = ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]).sum() / 2
    # but for the corner beyond the edge y = 2 x + 9
    assert area == pytest.approx(16 * 16 - 7 * 3.5 / 2)
    assert set(rows.tolist()) == {0}
    after, edges, rows = clip_edges(points, np.array([[0, 2], [0, 1]], dtype=np.int32), 16)
    assert rows.tolist() == [0]
    ends = after[edges[0], :2]
    assert outside(after[edges[0]], 16).tolist() == [0, 0]
    # both on the line from the first to the third
    assert np.allclose((ends[:, 0] + 9) / 54, (ends[:, 1] + 9) / 108)


def test_views_of_several_sides_find_more() -> None:
    scene = impinge.Scene()
    for body in many(20, 2):
        scene.add(*body)
    views = [View.orthographic(axis) for axis in np.eye(3)]
    each = [
        scene.overlaps(method=impinge.detector("cinder", device="cpu", resolution=64, views=view))
        for view in views
    ]
    both = scene.overlaps(
        method=impinge.detector("cinder", device="cpu", resolution=64, views=views)
    )
    united = set().union(*(map(tuple, one.pairs.tolist()) for one in each))
    assert set(map(tuple, both.pairs.tolist())) == united
    assert both.pixels.sum() == sum(one.pixels.sum() for one in each)
    assert len(both) > min(map(len, each))


def test_everything_behind_the_eye() -> None:
    scene = impinge.Scene()
    scene.add(*merge(box(), moved(box(), (3, 0, 0))))
    scene.add(*moved(box(), (0.5, 0.5, 0.5)))
    view = View.perspective((0, 0, 10), (0, 0, 20))
    found = scene.overlaps(
        method=impinge.detector("cinder", device="cpu", resolution=32, views=view)
    )
    assert len(found) == 0
    assert found.stats["clipped_objects"] == 2
