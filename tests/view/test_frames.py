"""What a frame costs: only what moved is sent, as float32, and quickly."""

from __future__ import annotations

from time import process_time

import pytest

from impinge import _surfaces as surfaces
from impinge.render.bodies import ShownBodies
from impinge.render.page.snapshot import Snapshot, message
from impinge.scene import Scene


def test_a_hundred_thousand_deforming_triangles_are_packed_in_ten_milliseconds() -> None:
    vertices, faces = surfaces.blob(71, seed=1)
    scene = Scene()
    body = scene.add(vertices, faces)
    still = scene.add(vertices, faces)
    body.vertices = still.vertices = vertices
    bodies = ShownBodies.of(["moves", "still"], [one._current() for one in scene], up="z")
    before = Snapshot(1, bodies, tuple(one._current() for one in scene))
    times = []
    for k in range(5):
        body.vertices = vertices * (1.0 + k)
        now = Snapshot(2, bodies, tuple(one._current() for one in scene))
        start = process_time()
        data = message(now, before)
        times.append(process_time() - start)
    assert len(faces) > 100_000
    assert len(data) < 12 * len(vertices) + 1000
    assert min(times) < 0.010


def test_frames_are_measured() -> None:
    pytest.importorskip("websockets")
    from impinge.lab.bench.view import frames, table

    (row,) = frames((2_000,), count=3)
    assert row.faces == 2_000
    assert 0.0 < row.pack < row.there
    assert "2,000" in table([row])
