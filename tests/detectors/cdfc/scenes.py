"""Scenes of triangles for the tests of `cdfc`."""

from __future__ import annotations

import numpy as np

from impinge import _core
from impinge._shape import Shape, Structures
from impinge.detectors.cdfc import stages
from impinge.detectors.cdfc.options import CdfcOptions
from impinge.detectors.common import candidates
from impinge.detectors.protocol import SceneQuery
from support.meshes import Arrays, arrays, grid, rotation, soup


def confetti(rng: np.random.Generator, count: int, *, ratio: float = 100.0) -> Arrays:
    """Triangles whose sizes go from 1 to `ratio`, in a box."""
    size = 0.3 * ratio ** -rng.uniform(0, 1, (count, 1, 1))
    return soup(rng.uniform(-1, 1, (count, 1, 3)) + size * rng.normal(size=(count, 3, 3)))


def elongated(rng: np.random.Generator, count: int) -> Arrays:
    """Small triangles along an oblique line."""
    middle = rng.normal(size=(count, 1, 3)) * [4, 1, 1] @ rotation(rng).T
    return soup(middle + 0.2 * rng.normal(size=(count, 3, 3)))


def crumpled(rng: np.random.Generator, cells: int = 20) -> Arrays:
    """A sheet that meets itself."""
    vertices, faces = grid(cells, cells, width=2.0, height=2.0)
    bent = vertices.copy()
    bent[:, 2] = 0.2 * np.sin(7 * bent[:, 0]) * np.cos(5 * bent[:, 1])
    return arrays(bent + 1.0 / cells * rng.normal(size=bent.shape), faces)


def query_of(*meshes: Arrays, own: bool = True) -> SceneQuery:
    """All faces against all, or only those of different bodies."""
    shapes = tuple(Shape(vertices, faces, Structures()) for vertices, faces in meshes)
    bodies = np.arange(len(meshes) if own else 0, dtype=np.int32)
    return SceneQuery(shapes, self_bodies=bodies)


def soup_of(*meshes: Arrays) -> _core.Soup:
    return candidates.soup_of(query_of(*meshes))


def pairs_of_clusters(mesh: Arrays, middles: np.ndarray, clusters: list[int]) -> np.ndarray:
    """Pairs (n, 2) of faces that some clusters find, each of them alone; runs in any process."""
    options = CdfcOptions(clusters=len(middles))
    scene = soup_of(mesh)
    found = stages.members(scene, middles, options)
    rows = [stages.collect(stages.sort(scene, found.of(index)))[0] for index in clusters]
    candidates = np.unique(np.sort(np.concatenate(rows), axis=1), axis=0)
    return _core.judge_pairs(scene, candidates, True, False, 1, None)[0]
