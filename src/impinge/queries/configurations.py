"""A scene in many configurations: which bodies are where in each, and the questions about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge import _core
from impinge._arrays import as_poses, read_only
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
    from impinge.detectors.protocol import Detector, PairDetector
    from impinge.detectors.raw import RawPairs
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet


class Configurations(NamedTuple):
    """Where the bodies of a scene are in each of m configurations."""

    shapes: tuple[Shape, ...]
    """Those that move at rest; those that stay, or have one pose for all, in their places."""
    moved: Ints
    """(k,) the bodies that move, sorted."""
    poses: tuple[Floats, ...]
    """Of each of them (m, 4, 4), as it was given: the core looks at every pose it reads."""
    length: int
    """m."""
    arguments: tuple[str, ...]
    """What the poses of each of them are called."""

    def kept(self) -> Floats:
        """(m, k, 4, 4), read-only, of poses that somebody may write to later."""
        poses = np.empty((self.length, len(self.moved), 4, 4))
        for column, own in enumerate(self.poses):
            poses[:, column] = own
        read_only(poses)
        return poses

    def check(self, bodies: BodySet) -> None:
        """Raise where a pose is not finite, not affine, or moves too far."""
        for body, own, argument in zip(self.moved, self.poses, self.arguments, strict=True):
            as_poses(own, reach=bodies.bodies[body]._farthest(), argument=argument)


def configurations_of(bodies: BodySet, poses: object) -> Configurations:
    """What `poses=` of a scene means; whether bodies can be moved there is still to be checked."""
    check_here(bodies, "configurations")
    columns = _columns(bodies, poses)
    count = max({len(column) for column, _ in columns.values()} - {1}, default=1)
    for body, (column, argument) in columns.items():
        if len(column) not in (1, count):
            others = next(name for own, name in columns.values() if len(own) == count)
            raise InputError(
                f"{argument} has {len(column)} poses of body {bodies.names[body]!r}, but {others} "
                f"has {count}; give one for each configuration, or a single one for all"
            )
    shapes = list(bodies.shapes())
    moved = sorted(body for body, (column, _) in columns.items() if len(column) != 1)
    for body, (column, argument) in columns.items():
        placement = None
        if body not in moved:
            fixed = as_poses(column, reach=bodies.bodies[body]._farthest(), argument=argument)
            placement = fixed[0].tobytes()
        shapes[body] = _at(bodies, body, placement)
    return Configurations(
        tuple(shapes),
        np.array(moved, dtype=np.int32),
        tuple([_readable(columns[body][0]) for body in moved]),
        count,
        tuple([columns[body][1] for body in moved]),
    )


def touches_in(bodies: BodySet, options: Options, self_collision: bool, poses: object) -> Bools:
    """The question of `Scene.collides` with poses."""
    judge = getattr(options.detector, "configurations_collide", None)
    # where pairs of bodies are dropped from the answer, they must be named
    if judge is None or bodies.ignored is not None:
        first = options._replace(first=True)
        counts = collisions_in(bodies, first, self_collision, None, poses).counts
        assert counts is not None
        return counts > 0
    where = configurations_of(bodies, poses)
    query = _query(bodies, options, self_collision, where)
    pair_detector(options.detector, query.scene, bodies.here)
    try:
        answers: Bools = ask(options.tick, judge, query)
    except ValueError:
        # the poses are read once, there: a wrong one is looked for only now
        where.check(bodies)
        raise
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
    where, kept = _kept(bodies, poses)
    query = _query(bodies, asked, self_collision, where)
    able = pair_detector(chosen, query.scene, bodies.here)
    raw = answer(lambda question: _pairs(able, question), query, bodies.ignored)
    raw = limited(raw, options.max_pairs)
    origin = bodies.origin(chosen.name, raw.counters, query.scene.shapes)
    return Collisions(
        raw.pairs,
        raw.kinds,
        raw.pose,
        raw.bodies,
        origin._replace(poses=kept, moved=where.moved),
        warnings=raw.warnings,
        complete=raw.complete,
    )


def distances_in(bodies: BodySet, options: Options, bound: float, poses: object) -> BodyDistances:
    """The question of `Scene.distances` with poses."""
    where, _ = _kept(bodies, poses)

    def search() -> tuple[Ints, Floats, Floats, Ints, Ints]:
        return _core.configurations_distances(
            trees_of(where.shapes, options.workers),
            [shape.placement for shape in where.shapes],
            bodies.body_pairs,
            NO_BODIES,
            where.moved,
            where.poses,
            where.length,
            bound,
            options.workers,
            options.tick,
        )

    pairs, values, points, faces, pose = bodies.kept(*ask(options.tick, search))
    return BodyDistances(pairs, values, points, faces, bodies.names, pose)


def _kept(bodies: BodySet, poses: object) -> tuple[Configurations, Floats]:
    """Configurations that are checked and stay as they are, and their poses (m, k, 4, 4)."""
    where = configurations_of(bodies, poses)
    where.check(bodies)
    kept = where.kept()
    columns = tuple([kept[:, column] for column in range(len(where.moved))])
    return where._replace(poses=columns), kept


def _query(
    bodies: BodySet, options: Options, self_collision: bool, where: Configurations
) -> ConfigurationsQuery:
    alone = bodies.alone if self_collision else NO_BODIES
    scene = SceneQuery(where.shapes, bodies.body_pairs, alone, *options[1:], bodies.names)
    return ConfigurationsQuery(scene, where.moved, where.poses, where.length)


def _readable(column: AnyArray) -> Floats:
    """float64, each pose in one row of numbers; the array itself where it is so."""
    array = np.asarray(column, dtype=np.float64)
    fits = array.flags.aligned and array.dtype.isnative and array.strides[1:] == (32, 8)
    return array if fits else np.require(array, np.dtype("=f8"), ["C", "ALIGNED"])


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
