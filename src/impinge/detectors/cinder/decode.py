"""From the pixels that were read to pairs of bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.detectors.cinder.colours import decoded
from impinge.detectors.protocol import RawOverlaps
from impinge.errors import word_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge._types import AnyArray, Bools, Floats, Ints, Longs, Words
    from impinge.detectors.cinder.buffers import Hits
    from impinge.detectors.cinder.geometry import Geometry
    from impinge.detectors.cinder.options import CinderOptions
    from impinge.detectors.protocol import OverlapsQuery

_NAMED = 5


def raw_overlaps(
    query: OverlapsQuery, options: CinderOptions, seen: Sequence[tuple[Geometry, Hits]]
) -> RawOverlaps:
    """The pairs of all views together."""
    geometry = seen[0][0]
    edge = np.concatenate([hits.edge for _, hits in seen])
    solid = np.concatenate([hits.solid for _, hits in seen])
    edge, solid, votes = _counted(edge, solid)
    owners = _owners(geometry, options, edge, solid)
    pairs, rows = np.unique(np.sort(owners, axis=1), axis=0, return_inverse=True)
    rows = rows.reshape(-1)
    kept = _asked(pairs, query.body_pairs, geometry.bodies)
    pixels = np.bincount(rows, weights=votes, minlength=len(pairs)).astype(np.int64)
    triangles = normals = None
    if options.payload == "triangles":
        triangles = _triangles(geometry, owners, edge, solid)[kept[rows]]
    if options.payload == "normals":
        normals = _mean_normals(edge, votes, rows, len(pairs))[kept]
    counters = _summed([hits.counters for _, hits in seen])
    clipped = np.any([one.clipped for one, _ in seen], axis=0)
    counters["clipped_objects"] = int(np.count_nonzero(clipped))
    warnings = _warnings(query.names, geometry.closed, clipped, counters)
    return RawOverlaps(pairs[kept], pixels[kept], triangles, normals, warnings, counters)


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


def _warnings(
    names: tuple[str, ...], closed: Bools, clipped: Bools, counters: dict[str, float]
) -> tuple[str, ...]:
    result = []
    if not closed.all():
        result.append(f"{_some(names, ~closed)} not closed: where an edge is inside cannot be told")
    if clipped.any():
        result.append(
            f"{_some(names, clipped)} partly out of view: nothing is found there, and in front of "
            "the near plane faces are missing from the count"
        )
    if counters.get("negative_pixels"):
        result.append(
            f"at {counters['negative_pixels']:,.0f} pixels there are more backs than fronts"
        )
    return tuple(result)


def _some(names: tuple[str, ...], which: Bools) -> str:
    """ "bodies 'a', 'b' and 3 more are"."""
    chosen = [names[index] for index in np.flatnonzero(which)]
    if len(chosen) == 1:
        return f"body {chosen[0]!r} is"
    more = f" and {len(chosen) - _NAMED:,} more" if len(chosen) > _NAMED else ""
    return f"bodies {word_list(chosen[:_NAMED])}{more} are"
