"""Queries and whole-number scenes for the tests of `peel`."""

from __future__ import annotations

from typing import Any

import numpy as np

from detectors.peel.reference import Scene
from impinge import _core
from impinge.detectors.image.gpu.scene import set_up
from impinge.detectors.image.pack import Candidates
from impinge.detectors.image.view import View
from impinge.detectors.peel import cpu
from impinge.detectors.peel.geometry import Geometry, geometry_of, view_of
from impinge.detectors.peel.gpu import run
from impinge.detectors.peel.gpu.sample import read_mask
from impinge.detectors.peel.gpu.sample import sample as sample_on_gpu
from impinge.detectors.peel.options import PeelOptions
from impinge.detectors.peel.sample import Sample, sample
from impinge.detectors.protocol import SceneQuery
from impinge.gpu import open_device
from impinge.mesh import Mesh
from support.meshes import Arrays


def query_of(*bodies: Arrays, alone: tuple[int, ...] = (), workers: int = 0) -> SceneQuery:
    shapes = tuple(Mesh(*body)._shape for body in bodies)
    return SceneQuery(shapes, self_bodies=np.array(alone, dtype=np.int32), workers=workers)


def seen_by(query: SceneQuery, **options: Any) -> tuple[View, Geometry, PeelOptions]:
    made = PeelOptions(**options)
    view = view_of(query, made)
    return view, geometry_of(query, view, made), made


def sampled(device: str, query: SceneQuery, **options: Any) -> Sample:
    """The pixels that are on, and what was counted."""
    view, geometry, made = seen_by(query, **options)
    if device == "cpu":
        return sample(geometry, view, made, query.workers)
    with open_device(software=True).session() as gpu:
        gap = view.depth_steps(made.gap)
        scene = set_up(gpu, geometry, view.resolution, ties=made.ties, gap=gap)
        found = sample_on_gpu(gpu, scene, made)
        mask = read_mask(gpu, found, view.resolution)
    return Sample(mask, {"rays": float(mask.sum()), **found.counters})


def candidates(device: str, query: SceneQuery, **options: Any) -> tuple[Geometry, Candidates]:
    view, geometry, made = seen_by(query, **options)
    stages = cpu if device == "cpu" else run
    return geometry, stages.candidates_of(geometry, view, made, query.workers)[0]


def as_reference(geometry: Geometry, resolution: int) -> Scene:
    """The same in the words of the reference."""
    return Scene(
        geometry.snapped,
        geometry.faces,
        geometry.body,
        geometry.closed,
        geometry.alone,
        resolution,
    )


def random_scene(rng: np.random.Generator, resolution: int, faces: int) -> Scene:
    """Triangles anywhere in the image, near each other or within a few pixels, in three bodies."""
    count, edge = max(3, faces), 256 * (resolution - 1)
    snapped = rng.integers(256, edge + 1, (count, 3))
    near = int(rng.choice([1, 100, 800, edge]))
    snapped[:, :2] = np.clip(snapped[:1, :2] + rng.integers(-near, near, (count, 2)), 256, edge)
    deep = int(rng.choice([16, 3000, 2**23 - 16]))
    snapped[:, 2] = rng.integers(16, deep + 1, count)
    return Scene(
        snapped.astype(np.int32),
        rng.integers(0, count, (faces, 3)).astype(np.int32),
        np.sort(rng.integers(0, 3, faces)).astype(np.int32),
        rng.random(3) < 0.6,
        rng.random(3) < 0.5,
        resolution,
    )


def native(scene: Scene) -> _core.Seen:
    return _core.Seen(
        scene.snapped, scene.faces, scene.body, scene.closed, scene.alone, scene.resolution
    )
