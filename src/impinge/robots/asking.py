"""A scene in many configurations: until scenes take poses, one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from impinge import _core

if TYPE_CHECKING:
    from impinge._options import Tick
    from impinge._types import Bools, Floats, Ints
    from impinge.scene import Scene


class Asked(NamedTuple):
    """How it is asked: on how many cores, and who is told how far it is."""

    workers: int | None
    tick: Tick | None

    def reached(self, fraction: float) -> None:
        """Tells how far it is; whoever is told may cancel."""
        if self.tick is not None and not self.tick(fraction):
            raise _core.Cancelled


class Rows(NamedTuple):
    pose: Ints
    bodies: Ints
    values: Floats


def collides(scene: Scene, poses: dict[str, Floats], **options: Any) -> Bools:
    return np.array([scene.collides(**options) for _ in _placed(scene, poses)], dtype=bool)


def distances(scene: Scene, poses: dict[str, Floats], **options: Any) -> Rows:
    pose, bodies, values = [np.zeros(0, np.int32)], [np.zeros((0, 2), np.int32)], [np.zeros(0)]
    for index, _ in enumerate(_placed(scene, poses)):
        found = scene.distances(**options)
        pose.append(np.full(len(found), index, dtype=np.int32))
        bodies.append(found.bodies)
        values.append(found.values)
    return Rows(np.concatenate(pose), np.concatenate(bodies), np.concatenate(values))


def meeting(scene: Scene, poses: dict[str, Floats], **options: Any) -> Rows:
    pose, bodies = [np.zeros(0, np.int32)], [np.zeros((0, 2), np.int32)]
    for index, _ in enumerate(_placed(scene, poses)):
        found = scene.collide(mode="first", **options).bodies
        pose.append(np.full(len(found), index, dtype=np.int32))
        bodies.append(found)
    return Rows(np.concatenate(pose), np.concatenate(bodies), np.zeros(0))


def _placed(scene: Scene, poses: dict[str, Floats]) -> Any:
    for index in range(len(next(iter(poses.values()), ()))):
        for name, each in poses.items():
            scene[name].pose = each[index]
        yield
