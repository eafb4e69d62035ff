"""The native passes against the slow ones, pixel by pixel."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from detectors.cinder.reference import Scene, line, passes
from detectors.cinder.scenes import as_reference, many, seen, stacked_boxes, three_boxes
from detectors.peel.scenes import random_scene
from impinge import _core
from impinge._core import baseline
from impinge.detectors.cinder import View, cpu
from support.meshes import Arrays, box, grid, moved, sphere

VARIANTS = ("corrected", "original", "printed")
WAYS = ("prevent", "filter", "offset")


def assert_equal_stages(bodies: list[Arrays], workers: int = 2, **options: Any) -> None:
    if options.get("self_interference") == "offset":
        options["offset"] = 0.02
    geometry, view, made = seen(bodies, **options)
    expected, counters = passes(
        as_reference(geometry, view, made), made.variant, made.self_interference
    )
    found = cpu.passes(geometry, view, made, workers, dump=True)
    assert list(found.stages) == list(expected)
    for name, stage in expected.items():
        for field in stage._fields:
            assert np.array_equal(getattr(stage, field), getattr(found.stages[name], field)), (
                name,
                field,
            )
    assert np.array_equal(found.edge_id, expected["result"].edge_id)
    assert np.array_equal(found.solid_id, expected["result"].solid_id)
    if geometry.closed.all() and not geometry.clipped.any():
        counters["negative_pixels"] = 0
    assert {name: found.counters[name] for name in counters} == counters


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_t1_the_walk_through(variant: str, way: str) -> None:
    for payload in ("objects", "triangles"):
        assert_equal_stages(
            three_boxes(),
            resolution=64,
            variant=variant,
            self_interference=way,
            payload=payload,
            views=View.orthographic((0, 0, 1)),
        )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_edges_in_back_faces(variant: str, way: str) -> None:
    """A back counts at the depth of an edge too, or the edges of each box lie in their own box."""
    view = View.orthographic((0, 0, 1))
    options = {"resolution": 64, "variant": variant, "self_interference": way, "views": view}
    assert_equal_stages(stacked_boxes(), **options)
    # an offset takes edges out of their faces
    if way != "offset":
        found = cpu.passes(*seen([box()], **options), 1, dump=True)
        inside = found.stages["minus"].stencil.any()
        assert inside == (variant == "original" and way == "filter")


@pytest.mark.parametrize("way", WAYS)
def test_many_bodies(way: str) -> None:
    assert_equal_stages(many(20, 0, size=4), resolution=64, self_interference=way)


def test_more_faces_than_are_sorted_at_once() -> None:
    """Into bands of rows: each face and each edge is drawn once, whichever chunk it is in."""
    ball, small = sphere(48), moved(sphere(4), (0.9, 0.1, 0.2), scale=0.3)
    assert len(ball[1]) > 8192
    assert_equal_stages([small, ball], resolution=16)


@pytest.mark.parametrize("variant", VARIANTS)
def test_normals_and_views_that_clip(variant: str) -> None:
    bodies = many(6, 1, spread=1.0, size=4)
    views = (
        View.perspective((0, 0, -6), (0, 0, 0)),
        View.perspective((0, 0, -1), (0, 0, 0), fov=60),
        View.orthographic((1, 2, 3), box=((-1, -1, -1), (1, 0.5, 1))),
    )
    for view in views:
        assert_equal_stages(bodies, resolution=32, variant=variant, views=view, payload="normals")


def test_open_bodies_and_none() -> None:
    bodies = [moved(grid(4, 4), (0, 0, 0.1)), box(), (np.zeros((0, 3)), np.zeros((0, 3), int))]
    assert_equal_stages(bodies, resolution=32)
    assert_equal_stages([], resolution=16)


@pytest.mark.parametrize("seed", range(18))
def test_any_triangles_and_edges(seed: int) -> None:
    """Also edge-on, without area, one over the other, and more than a stencil holds."""
    rng = np.random.default_rng(seed)
    scene = _random(rng, resolution=32, faces=int(rng.choice([3, 30, 400])))
    variant, prevent = VARIANTS[seed % 3], bool(rng.integers(2))
    expected, _ = passes(scene, variant, "prevent" if prevent else "filter")
    for core in (_core, baseline):
        stages = _drawn(core, scene, variant, prevent, 1 + seed % 2)
        assert set(stages) == set(expected)
        for name, stage in expected.items():
            for own, other in zip(stage, stages[name], strict=True):
                assert np.array_equal(own, other), name


def test_threads_change_nothing() -> None:
    geometry, view, options = seen(many(12, 3), resolution=128)
    one, *others = (cpu.passes(geometry, view, options, workers) for workers in (1, 2, 3, 8))
    for found in (one, *others):
        assert all(found.counters[f"{pass_}_seconds"] > 0 for pass_ in ("edges", "count", "ids"))
    for other in others:
        assert np.array_equal(one.edge_id, other.edge_id)
        assert np.array_equal(one.solid_id, other.solid_id)


def test_an_edge_has_one_pixel_in_each_column_or_row() -> None:
    rng = np.random.default_rng(0)
    for ends in rng.integers(0, 256 * 16, (200, 2, 3)):
        x, y, z = line(*ends, 16)
        across, down = np.ptp(ends[:, 0]), np.ptp(ends[:, 1])
        along = x if across >= down else y
        assert len(np.unique(along)) == len(along) > 0
        assert z.min() >= ends[:, 2].min()
        assert z.max() <= ends[:, 2].max()
        again = line(ends[1], ends[0], 16)
        assert all(np.array_equal(p, q) for p, q in zip((x, y, z), again, strict=True))


@pytest.mark.parametrize("mesh", [box(), sphere(6), grid(3, 2)])
def test_wire_has_each_edge_once_where_it_was_last_drawn(mesh: Arrays) -> None:
    vertices, faces = mesh
    apart = vertices[faces.reshape(-1)], np.arange(3 * len(faces)).reshape(-1, 3)
    for points, corners in ((vertices, faces), apart):
        edges, face = _core.edges(np.ascontiguousarray(points), corners.astype(np.int32))
        last: dict[frozenset[tuple[float, ...]], int] = {}
        for index, (a, b, c) in enumerate(corners):
            for p, q in ((a, b), (b, c), (c, a)):
                key = frozenset((tuple(points[p]), tuple(points[q])))
                last.pop(key, None)
                last[key] = index
        found = [frozenset((tuple(points[a]), tuple(points[b]))) for a, b in edges]
        assert found == list(last)
        assert face.tolist() == list(last.values())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"faces": [[0, 1, 9]]}, "faces must be rows of snapped"),
        ({"edges": [[0, -1]]}, "edges must be rows of snapped"),
        ({"body": [3]}, "body must be below the number of bodies"),
        ({"edge_body": [1]}, "edge_body must be below the number of bodies"),
        ({"snapped": [[0, 0, 0], [1, 1, 1], [99999, 1, 1]]}, "snapped must be within the image"),
        ({"edge_colour": [1, 2]}, "edge_body and edge_colour must have one entry per edge"),
        ({"resolution": 20}, "the resolution must be a power of two"),
    ],
)
def test_wrong_arrays(changes: dict[str, Any], message: str) -> None:
    scene = Scene(
        np.array([[0, 0, 16], [999, 0, 16], [0, 999, 16]], dtype=np.int32),
        np.array([[0, 1, 2]], dtype=np.int32),
        np.zeros(1, dtype=np.int32),
        np.array([[0, 1]], dtype=np.int32),
        np.zeros(1, dtype=np.int32),
        np.ones(1, dtype=np.uint32),
        np.ones(1, dtype=np.uint32),
        1,
        16,
    )
    good = {
        name: np.array(value, dtype=getattr(scene, name).dtype) if name != "resolution" else value
        for name, value in changes.items()
    }
    with pytest.raises(ValueError, match=message):
        _drawn(_core, replace(scene, **good), "corrected", True, 1)
    with pytest.raises(ValueError, match="the variant must be"):
        _drawn(_core, scene, "improved", True, 1)


def _random(rng: np.random.Generator, *, resolution: int, faces: int) -> Scene:
    solid = random_scene(rng, resolution, faces)
    count = len(solid.snapped)
    edges = rng.integers(0, count, (faces, 2)).astype(np.int32)
    return Scene(
        solid.snapped,
        solid.faces,
        solid.body,
        edges,
        np.sort(rng.integers(0, 3, faces)).astype(np.int32),
        rng.integers(0, 2**32, faces, dtype=np.uint32),
        rng.integers(0, 2**32, faces, dtype=np.uint32),
        3,
        resolution,
    )


def _drawn(
    core: ModuleType, scene: Scene, variant: str, prevent: bool, workers: int
) -> dict[str, tuple[np.ndarray, ...]]:
    stages: dict[str, tuple[np.ndarray, ...]] = core.draw_passes(
        scene.snapped,
        scene.faces,
        scene.body,
        scene.face_colour,
        scene.edges,
        scene.edge_body,
        scene.edge_colour,
        scene.bodies,
        scene.resolution,
        variant,
        prevent,
        True,
        workers,
    )[3]
    return stages
