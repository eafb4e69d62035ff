"""A scene in many configurations: which bodies are where in each, and the questions about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge._arrays import LARGEST, as_poses, read_only
from impinge._shape import IDENTITY
from impinge.detectors.bvh import trees_of
from impinge.detectors.common.fallback import loop_over_configurations
from impinge.detectors.protocol import NO_BODIES, ConfigurationsQuery, SceneQuery
from impinge.errors import InputError
from impinge.queries.collide import limited_by_detector
from impinge.queries.path import answer, ask, limited
from impinge.queries.plan import check_here, pair_detector
from impinge.results.collisions import Collisions
from impinge.results.distances import BodyDistances

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import AnyArray, Bools, Floats, Ints
    from impinge.detectors.protocol import Detector, PairDetector, RawPairs
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet


class Configurations(NamedTuple):
    """Where the bodies of a scene are in each of m configurations."""

    shapes: tuple[Shape, ...]
    """Those that move at rest; those that stay, or have one pose for all, in their places."""
    moved: Ints
    """(k,) the bodies that move, sorted."""
    poses: Floats
    """(m, k, 4, 4)."""


def configurations_of(bodies: BodySet, poses: object) -> Configurations:
    """What `poses=` of a scene means, checked."""
    check_here(bodies, "configurations")
    columns = _columns(bodies, poses)
    lengths = {len(column) for column, _ in columns.values()}
    count = max(lengths - {1}, default=1)
    for body, (column, argument) in columns.items():
        if len(column) not in (1, count):
            others = next(name for own, name in columns.values() if len(own) == count)
            raise InputError(
                f"{argument} has {len(column)} poses of body {bodies.names[body]!r}, but {others} "
                f"has {count}; give one for each configuration, or a single one for all"
            )
    moved = sorted(body for body, (column, _) in columns.items() if len(column) != 1)
    placed = np.empty((count, len(moved), 4, 4))
    shapes = list(bodies.shapes())
    for body, (column, argument) in columns.items():
        if len(column) != 1:
            placed[:, moved.index(body)] = column
            shapes[body] = _at(bodies, body, None)
        else:
            fixed = as_poses(column, reach=bodies.bodies[body]._farthest(), argument=argument)
            shapes[body] = _at(bodies, body, fixed[0].tobytes())
    reach = max((bodies.bodies[body]._farthest() for body in moved), default=0.0)
    if not _core.poses_fit(placed.reshape(-1, 4, 4), reach, LARGEST):
        # which one is wrong, and how
        for body in moved:
            column, argument = columns[body]
            as_poses(column, reach=bodies.bodies[body]._farthest(), argument=argument)
    read_only(placed)
    return Configurations(tuple(shapes), np.array(moved, dtype=np.int32), placed)


def touches_in(bodies: BodySet, options: Options, self_collision: bool, poses: object) -> Bools:
    """The question of `Scene.collides` with poses."""
    judge = getattr(options.detector, "configurations_collide", None)
    # where pairs of bodies are dropped from the answer, they must be named
    if judge is None or bodies.ignored is not None:
        first = options._replace(first=True)
        counts = collisions_in(bodies, first, self_collision, None, poses).counts
        assert counts is not None
        return counts > 0
    query = _query(bodies, options, self_collision, poses)
    pair_detector(options.detector, query.scene, bodies.here)
    answers: Bools = ask(options.tick, judge, query)
    return answers


def collisions_in(
    bodies: BodySet,
    options: Options,
    self_collision: bool,
    refine: str | Detector | None,
    poses: object,
) -> Collisions:
    """The question of `Scene.collide` with poses."""
    chosen = options.detector
    if refine is not None or "pairs" not in chosen.capabilities:
        from impinge.detectors.refined import refining

        chosen = refining(chosen, refine)
    asked = limited_by_detector(options, bodies.ignored)
    query = _query(bodies, asked, self_collision, poses)
    able = pair_detector(chosen, query.scene, bodies.here)
    raw = answer(lambda question: _pairs(able, question), query, bodies.ignored)
    raw = limited(raw, options.max_pairs)
    origin = bodies.origin(chosen.name, raw.counters, query.scene.shapes)
    return Collisions(
        raw.pairs,
        raw.kinds,
        raw.pose,
        raw.bodies,
        origin._replace(poses=query.poses, moved=query.moved),
        warnings=raw.warnings,
        complete=raw.complete,
    )


def distances_in(bodies: BodySet, options: Options, bound: float, poses: object) -> BodyDistances:
    """The question of `Scene.distances` with poses."""
    shapes, moved, placed = configurations_of(bodies, poses)

    def search() -> tuple[Ints, Floats, Floats, Ints, Ints]:
        return _core.configurations_distances(
            trees_of(shapes, options.workers),
            [shape.placement for shape in shapes],
            bodies.body_pairs,
            NO_BODIES,
            moved,
            placed.reshape(-1, 4, 4),
            len(placed),
            bound,
            options.workers,
            options.tick,
        )

    pairs, values, points, faces, pose = bodies.kept(*ask(options.tick, search))
    return BodyDistances(pairs, values, points, faces, bodies.names, pose)


def _query(
    bodies: BodySet, options: Options, self_collision: bool, poses: object
) -> ConfigurationsQuery:
    shapes, moved, placed = configurations_of(bodies, poses)
    alone = bodies.alone if self_collision else NO_BODIES
    scene = SceneQuery(shapes, bodies.body_pairs, alone, *options[1:], bodies.names)
    return ConfigurationsQuery(scene, moved, placed)


def _pairs(able: PairDetector, query: ConfigurationsQuery) -> RawPairs:
    many = getattr(able, "configurations", None)
    if many is None:
        return loop_over_configurations(able.scene, query)
    raw: RawPairs = many(query)
    return raw


def _at(bodies: BodySet, body: int, placement: bytes | None) -> Shape:
    one = bodies.bodies[body]
    base = one._base
    assert base is not None
    return base.moved(None if placement == IDENTITY else placement, one._structures)


def _columns(bodies: BodySet, poses: object) -> dict[int, tuple[AnyArray, str]]:
    """For each body that is named its poses (1 or m, 4, 4), and what they are called."""
    if not isinstance(poses, Mapping):
        everybody = tuple(range(len(bodies.bodies)))
        return dict(zip(everybody, _chain(poses, len(everybody), "poses"), strict=True))
    scene = bodies.scene
    assert scene is not None
    index = {body: number for number, body in enumerate(bodies.bodies)}
    found: dict[int, tuple[AnyArray, str]] = {}
    for key, given in poses.items():
        name = f"poses[{_said(key)}]"
        if isinstance(key, tuple):
            named = [index[scene._body(each, name)] for each in key]
            columns = _chain(given, len(named), name)
        else:
            named = [index[scene._body(key, name)]]
            columns = [(_stack(given, (), name), name)]
        for body, column in zip(named, columns, strict=True):
            if body in found:
                raise InputError(
                    f"{name} and {found[body][1]} are both about body {bodies.names[body]!r}; "
                    "name each body once"
                )
            found[body] = column
    return found


def _chain(given: object, count: int, argument: str) -> list[tuple[AnyArray, str]]:
    """Poses (m, k, 4, 4) of k bodies, body by body."""
    array = _stack(given, (count,), argument)
    return [(array[:, body], f"{argument}[:, {body}]") for body in range(count)]


def _stack(given: object, chain: tuple[int, ...], argument: str) -> AnyArray:
    """(m, *chain, 4, 4) real numbers; without the first axis it is one for all."""
    try:
        array = np.asarray(given)
    except (TypeError, ValueError) as error:
        raise InputError(f"{argument} must be real numbers: {error}") from error
    shape = (*chain, 4, 4)
    if array.shape == (0,):
        array = array.reshape(0, *shape)
    if array.shape == shape:
        array = array[None]
    if array.shape[1:] != shape:
        sizes = ", ".join(map(str, shape))
        many = f" for {chain[0]} bodies" if chain else ""
        raise InputError(
            f"{argument} must have shape (m, {sizes}), or ({sizes}) for all "
            f"configurations{many}; got {array.shape}"
        )
    if array.dtype.kind not in "iuf":
        raise InputError(f"{argument} must be real numbers, got dtype {array.dtype}")
    return array


def _said(key: object) -> str:
    if isinstance(key, tuple):
        return ", ".join(map(_said, key))
    return repr(getattr(key, "name", key))
