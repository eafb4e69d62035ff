"""For detectors that only find all pairs of a scene: first pairs and poses out of that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._pairs import pair_keys
from impinge._shape import IDENTITY, Shape, Structures
from impinge.detectors.protocol import ConfigurationsQuery, PosesQuery, SceneQuery
from impinge.detectors.raw import RawPairs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from impinge._types import AnyArray


def selected(raw: RawPairs, rows: AnyArray) -> RawPairs:
    """Only some of the pairs."""
    return raw._replace(
        pairs=raw.pairs[rows],
        kinds=raw.kinds[rows],
        bodies=None if raw.bodies is None else raw.bodies[rows],
        pose=None if raw.pose is None else raw.pose[rows],
    )


def first_of_each(raw: RawPairs) -> RawPairs:
    """The first pair of each pair of bodies, or of each pose."""
    if raw.pose is not None:
        key = raw.pose.astype(np.int64)
    elif raw.bodies is not None:
        key = pair_keys(raw.bodies)
    else:
        key = np.zeros(len(raw.pairs), dtype=np.int64)
    return selected(raw, np.sort(np.unique(key, return_index=True)[1]))


def loop_over_poses(scene: Callable[[SceneQuery], RawPairs], query: PosesQuery) -> RawPairs:
    """One scene query per pose, results joined."""
    results = []
    for index, pose in enumerate(query.poses):
        tick = part_of(query.tick, index, len(query.poses))
        if tick is not None and not tick(0.0):
            raise _core.Cancelled
        moved = Shape(query.b.vertices, query.b.faces, Structures(), pose.tobytes())
        results.append(
            scene(
                SceneQuery(
                    (query.a, moved),
                    touching=query.touching,
                    first=query.first,
                    workers=query.workers,
                    tick=tick,
                    margin=query.margin,
                )
            )
        )
    counts = [len(result.pairs) for result in results]
    pose_ids = np.repeat(np.arange(len(results), dtype=np.int32), counts)
    return joined(results)._replace(bodies=None, pose=pose_ids)


def loop_over_configurations(
    scene: Callable[[SceneQuery], RawPairs], query: ConfigurationsQuery
) -> RawPairs:
    """One scene query per configuration, results joined."""
    results = []
    for index in range(query.length):
        tick = part_of(query.tick, index, query.length)
        if tick is not None and not tick(0.0):
            raise _core.Cancelled
        shapes = list(query.scene.shapes)
        for body, poses in zip(query.moved.tolist(), query.poses, strict=True):
            placement = poses[index].tobytes()
            at_rest = placement == IDENTITY
            shapes[body] = shapes[body].moved(None if at_rest else placement, Structures())
        results.append(scene(query.scene._replace(shapes=tuple(shapes), tick=tick)))
    counts = [len(result.pairs) for result in results]
    pose_ids = np.repeat(np.arange(len(results), dtype=np.int32), counts)
    return joined(results)._replace(pose=pose_ids)


def joined(results: Sequence[RawPairs]) -> RawPairs:
    """Several results after each other; counters are summed."""
    nothing = np.zeros((0, 2), dtype=np.int32)
    counters: dict[str, float] = {}
    for result in results:
        for name, value in dict(result.counters).items():
            counters[name] = counters.get(name, 0) + value
    return RawPairs(
        np.concatenate([nothing, *(result.pairs for result in results)]),
        np.concatenate([np.zeros(0, dtype=np.uint8), *(result.kinds for result in results)]),
        np.concatenate([nothing, *(r.bodies for r in results if r.bodies is not None)]),
        None,
        counters,
        warnings=tuple(dict.fromkeys(text for result in results for text in result.warnings)),
        complete=all(result.complete for result in results),
    )


def part_of(
    tick: Callable[[float], bool] | None, index: int, count: int
) -> Callable[[float], bool] | None:
    """The tick of one of `count` equal parts of the work."""
    if tick is None:
        return None
    return lambda fraction: tick((index + fraction) / count)
