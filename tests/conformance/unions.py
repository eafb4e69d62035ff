"""Scenes as lists of rows, and the union of pairwise answers they must equal."""

from __future__ import annotations

import numpy as np

import impinge
from support import oracle
from support.meshes import Arrays


def rows(hits: object) -> np.ndarray:
    """(n, 5) body a, face a, body b, face b, kind."""
    return np.column_stack(
        [hits.bodies[:, 0], hits.pairs[:, 0], hits.bodies[:, 1], hits.pairs[:, 1], hits.kinds]
    )


def union(bodies: list[Arrays], *, self_collision: bool, touching: str) -> np.ndarray:
    """The same rows from the oracle, one pair of bodies after the other."""
    parts = [np.zeros((0, 5), dtype=np.int64)]
    boxes_meet = _boxes_meet(bodies)
    for i, a in enumerate(bodies):
        for j, b in enumerate(bodies[i:], start=i):
            if (i == j and not self_collision) or not boxes_meet[i, j]:
                continue
            if i == j:
                pairs, kinds = oracle.self_collide(a, touching=touching)
            else:
                pairs, kinds = oracle.collide(a, b, touching=touching)
            part = np.full((len(pairs), 5), (i, 0, j, 0, 0))
            part[:, 1], part[:, 3] = pairs[:, 0], pairs[:, 1]
            part[:, 4] = kinds
            parts.append(part)
    found = np.concatenate(parts)
    return found[np.lexsort(found[:, 3::-1].T)]


def _boxes_meet(bodies: list[Arrays]) -> np.ndarray:
    """(n, n) whether there is anything to ask about: the oracle asks about every face."""
    low = np.array([v.min(axis=0, initial=np.inf) for v, _ in bodies])
    high = np.array([v.max(axis=0, initial=-np.inf) for v, _ in bodies])
    return np.asarray((low[:, None] <= high).all(axis=2) & (low <= high[:, None]).all(axis=2))


def scene_of(bodies: list[Arrays]) -> impinge.Scene:
    scene = impinge.Scene()
    for vertices, faces in bodies:
        scene.add(vertices, faces)
    return scene
