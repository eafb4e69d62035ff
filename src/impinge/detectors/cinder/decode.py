"""From the pixels that were read to pairs of bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.detectors.cinder.colours import decoded
from impinge.detectors.cinder.warnings import told
from impinge.detectors.raw import RawOverlaps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._types import AnyArray, Bools, Floats, Ints, Longs, Words
    from impinge.detectors.cinder.buffers import Hits
    from impinge.detectors.cinder.geometry import Geometry
    from impinge.detectors.cinder.options import CinderOptions
    from impinge.detectors.cinder.rounds import Rounds
    from impinge.detectors.protocol import OverlapsQuery


class Seen(NamedTuple):
    """What one image shows: each kind of pixel once."""

    owners: Ints
    """(n, 2) body of the edge and body it is in, as in the scene."""
    votes: Longs
    """(n,) pixels that are so."""
    edge: Words
    """(n,) colours of the edges."""
    triangles: Ints | None
    counters: dict[str, float]
    states: dict[str, Ints]
    """Bodies by what is wrong with them."""


def seen_of(geometry: Geometry, hits: Hits, options: CinderOptions, order: Ints) -> Seen:
    """The pixels of an image whose bodies are drawn in the order `order`."""
    edge, solid, votes = _counted(hits.edge, hits.solid)
    owners = _owners(geometry, options, edge, solid)
    triangles = None
    if options.payload == "triangles":
        triangles = _triangles(geometry, owners, edge, solid)
        triangles[:, ::2] = order[triangles[:, ::2]]
    wrong = {name: order[np.flatnonzero(which)] for name, which in geometry.states().items()}
    return Seen(order[owners], votes, edge, triangles, hits.counters, wrong)


def raw_overlaps(
    query: OverlapsQuery, options: CinderOptions, seen: Sequence[Seen], rounds: Rounds
) -> RawOverlaps:
    """The pairs of all images together."""
    bodies = len(query.shapes)
    owners = np.concatenate([one.owners for one in seen])
    votes = np.concatenate([one.votes for one in seen])
    pairs, rows = np.unique(np.sort(owners, axis=1), axis=0, return_inverse=True)
    rows = rows.reshape(-1)
    kept = _asked(pairs, query.body_pairs, bodies)
    pixels = np.bincount(rows, weights=votes, minlength=len(pairs)).astype(np.int64)
    triangles = normals = None
    if options.payload == "triangles":
        shown = np.concatenate([one.triangles for one in seen if one.triangles is not None])
        triangles = np.unique(shown[kept[rows]], axis=0)
    if options.payload == "normals":
        edge = np.concatenate([one.edge for one in seen])
        normals = _mean_normals(edge, votes, rows, len(pairs))[kept]
    wrong = {
        name: np.unique(np.concatenate([one.states[name] for one in seen]))
        for name in seen[0].states
    }
    unseen = rounds.unseen
    counters = _summed([one.counters for one in seen])
    counters["clipped_objects"] = len(wrong["clipped"])
    counters |= {"rounds": rounds.count, "unseen_pairs": len(unseen)}
    warnings = told(query.names, wrong, counters, unseen)
    complete = not len(unseen)
    return RawOverlaps(pairs[kept], pixels[kept], triangles, normals, warnings, counters, complete)


def _counted(edge: Words, solid: Words) -> tuple[Words, Words, Longs]:
    """Each kind of pixel once, sorted, and how many there are."""
    keys, votes = np.unique(edge.astype(np.uint64) << np.uint64(32) | solid, return_counts=True)
    return (keys >> np.uint64(32)).astype(np.uint32), keys.astype(np.uint32), votes


def _owners(geometry: Geometry, options: CinderOptions, edge: Words, solid: Words) -> Ints:
    """(n, 2) body of the edge and body it is in."""
    if options.payload == "triangles":
        ids = np.stack([edge, solid], axis=1).astype(np.int64) - 1
        found = np.searchsorted(geometry.first_face, ids, side="right") - 1
        return found.astype(np.int32)
    first = edge.astype(np.int64) - 1
    if options.payload == "normals":
        first = np.full(len(edge), options.reference)
    return np.stack([first, solid.astype(np.int64) - 1], axis=1).astype(np.int32)


def _triangles(geometry: Geometry, owners: Ints, edge: Words, solid: Words) -> Ints:
    faces = np.stack([edge, solid], axis=1).astype(np.int64) - 1 - geometry.first_face[owners]
    columns = (owners[:, 0], faces[:, 0], owners[:, 1], faces[:, 1])
    return np.stack(columns, axis=1).astype(np.int32)


def _mean_normals(edge: Words, votes: Longs, rows: AnyArray, count: int) -> Floats:
    """Of each pair, of length one; of normals that cancel out, the first."""
    normals = decoded(edge)
    sums = np.zeros((count, 3))
    np.add.at(sums, rows, normals * votes[:, None])
    lengths = np.sqrt((sums**2).sum(axis=1))
    _, first = np.unique(rows, return_index=True)
    vanish = lengths < 1e-3 * np.bincount(rows, weights=votes, minlength=count)
    sums[vanish] = normals[first[vanish]]
    return np.asarray(sums / np.sqrt((sums**2).sum(axis=1, keepdims=True)))


def _asked(pairs: Ints, wanted: Ints | None, bodies: int) -> Bools:
    if wanted is None:
        return np.ones(len(pairs), dtype=bool)
    number = np.array([bodies, 1], dtype=np.int64)
    return np.isin(pairs @ number, wanted @ number)


def _summed(each: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: sum(one.get(name, 0) for one in each) for name in each[0]}
