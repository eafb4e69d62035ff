"""Response vectors of the faces of a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import read_only
from impinge._text import counted
from impinge.respond.normals import unit_normals
from impinge.results.segments import PART, triangles

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.results.collisions import Collisions

# vectors shorter than this have no direction that could be trusted
SHORTEST = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class Responses:
    """In which direction colliding faces should go to part; all arrays are read-only.

    With n_A, n_B the unit normals of a pair, face A goes along n_B - n_A and face B the opposite
    way: out of the other body. Where the normals are equal (difference below 1e-6), A goes along
    n_B. A face with zero area has the normal zero, so the other normal alone decides; two such
    faces get zero vectors.

    See Also
    --------
    impinge.respond.responses

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> from impinge.respond import responses
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> found = responses(impinge.collide((vertices, faces), (vertices + 0.2, faces)))
    >>> found.bodies.tolist(), found.faces.tolist()
    ([0, 1, 1, 1], [3, 0, 1, 2])
    """

    pairs: Floats
    """(n, 2, 3) float64: unit vectors of the two faces of each pair, in the order of the pairs."""
    bodies: Ints
    """(k,) int32: body of each colliding face; sorted by pose, body, face."""
    faces: Ints
    """(k,) int32: the colliding faces, each once per pose."""
    vectors: Floats
    """(k, 3) float64: unit vectors, the sum over all pairs of the face; zero if they cancel out."""
    pose: Ints | None
    """(k,) int32: index of the pose; None without poses."""

    def __len__(self) -> int:
        """Number of colliding faces."""
        return len(self.faces)

    def __repr__(self) -> str:
        return f"Responses({counted(len(self), 'face')} of {counted(len(self.pairs), 'pair')})"


def responses(hits: Collisions) -> Responses:
    """The response vectors of a result: where each colliding face should go.

    Parameters
    ----------
    hits : Collisions
        The result of a query.

    Returns
    -------
    Responses

    See Also
    --------
    impinge.respond.penalty_forces : Forces, from contact points.

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> from impinge.respond import responses
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> hits = impinge.collide((vertices, faces), (vertices + 0.2, faces))
    >>> responses(hits).vectors[0].round(3).tolist()
    [-0.577, -0.577, -0.577]
    """
    first = _first_vectors(hits)
    pairs = np.stack([first, -first], axis=1)
    faces, bodies = hits.pairs.reshape(-1), hits.bodies.reshape(-1)
    pose = np.zeros_like(faces) if hits.pose is None else np.repeat(hits.pose, 2)
    # at most 2^30 faces, and not so many bodies and poses: one number holds all three
    per_body = int(faces.max(initial=0)) + 1
    per_pose = len(hits._origin.shapes) * per_body
    key = pose * np.int64(per_pose) + (bodies * np.int64(per_body) + faces)
    keys, rows = np.unique(key, return_inverse=True)
    sums = np.zeros((len(keys), 3))
    for k in range(3):
        sums[:, k] = np.bincount(rows, pairs[..., k].reshape(-1), len(keys))
    result = Responses(
        pairs,
        (keys % per_pose // per_body).astype(np.int32),
        (keys % per_body).astype(np.int32),
        _normalised(sums),
        None if hits.pose is None else (keys // per_pose).astype(np.int32),
    )
    for array in (result.pairs, result.bodies, result.faces, result.vectors, result.pose):
        if array is not None:
            read_only(array)
    return result


def _first_vectors(hits: Collisions) -> Floats:
    """(n, 3) vector of the first face of each pair."""
    origin = hits._origin
    result = np.zeros((len(hits), 3))
    for start in range(0, len(hits), PART):
        part = slice(start, start + PART)
        pose = None if hits.pose is None else hits.pose[part]
        a = triangles(origin, hits.bodies[part, 0], hits.pairs[part, 0], pose)
        b = triangles(origin, hits.bodies[part, 1], hits.pairs[part, 1], pose)
        normals_a, normals_b = unit_normals(a), unit_normals(b)
        parting = _normalised(normals_b - normals_a)
        result[part] = np.where(parting.any(axis=1, keepdims=True), parting, normals_b)
    return result


def _normalised(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    long_enough = length >= SHORTEST
    return np.where(long_enough, vectors / np.where(long_enough, length, 1.0), 0.0)
