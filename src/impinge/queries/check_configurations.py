"""The verdicts on an assembly in many configurations: one check after the other."""

from __future__ import annotations

from copy import copy
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge._options import Tick
from impinge.detectors.common.fallback import part_of
from impinge.queries.check import check_of
from impinge.queries.configurations import configurations_of
from impinge.queries.path import ask
from impinge.results.check import Check
from impinge.results.collisions import Collisions

if TYPE_CHECKING:
    from impinge.queries.check import CheckOptions
    from impinge.queries.configurations import Configurations
    from impinge.queries.path import Options
    from impinge.queries.plan import BodySet


def checks_in(bodies: BodySet, options: Options, asked: CheckOptions, poses: object) -> Check:
    """The question of `Scene.check` with poses."""
    where = configurations_of(bodies, poses)
    where.check(bodies)
    placed, count = _stand_ins(bodies, where), where.length

    def one_by_one() -> list[Check]:
        found = []
        for index in range(count):
            for body, own in zip(where.moved.tolist(), where.poses, strict=True):
                placed.bodies[body].pose = own[index]
            part = part_of(options.tick, index, count)
            tick = None if part is None else Tick(part)
            found.append(check_of(placed, options._replace(tick=tick), asked))
        return found

    # of no configurations at all it tells what it was asked for
    template = check_of(bodies, options._replace(tick=None), asked) if count == 0 else None
    return _joined(ask(options.tick, one_by_one), template, bodies, where)


def _stand_ins(bodies: BodySet, where: Configurations) -> BodySet:
    """The same bodies, in their places; those that move are others, which may be moved."""
    placed = copy(bodies)
    shown = list(bodies.bodies)
    moved = set(where.moved.tolist())
    for index, shape in enumerate(where.shapes):
        if index in moved or shape.placement != shown[index]._placement:
            shown[index] = copy(shown[index])
            shown[index].pose = shape.pose
    placed.bodies = placed.here = tuple(shown)
    return placed


def _joined(
    checks: list[Check], template: Check | None, bodies: BodySet, where: Configurations
) -> Check:
    first = checks[0] if template is None else template[:0]
    rows = [len(check) for check in checks]
    columns: dict[str, Any] = {each.name: getattr(first, each.name) for each in fields(Check)}
    for name, column in columns.items():
        if isinstance(column, np.ndarray) and checks:
            columns[name] = np.concatenate([getattr(check, name) for check in checks])
    told = (text for check in checks for text in check.warnings)
    return Check(
        **columns
        | {
            "warnings": tuple(dict.fromkeys(told)),
            "collisions": _together([check.collisions for check in checks], bodies, where),
            "pose": np.repeat(np.arange(len(checks), dtype=np.int32), rows),
            "_parts": tuple(check._parts for check in checks),
        }
    )


def _together(found: list[Collisions], bodies: BodySet, where: Configurations) -> Collisions:
    """The faces that meet, of all configurations."""
    none = np.zeros((0, 2), dtype=np.int32)
    pose = np.repeat(np.arange(len(found), dtype=np.int32), [len(hits) for hits in found])
    origin = bodies.origin("bvh", {}, where.shapes)
    return Collisions(
        np.concatenate([none, *(hits.pairs for hits in found)]),
        np.concatenate([np.zeros(0, dtype=np.uint8), *(hits.kinds for hits in found)]),
        pose,
        np.concatenate([none, *(hits.bodies for hits in found)]),
        origin._replace(poses=where.kept(), moved=where.moved),
    )
