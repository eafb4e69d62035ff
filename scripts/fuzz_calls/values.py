"""Random arguments: good ones, ones that are a little off, and anything at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import impinge

Rng = np.random.Generator
Arrays = tuple[np.ndarray, np.ndarray]

WHOLE = (0, 1, 2, 3, 7, 8, 17, 64, -1, 2**31 - 1, -(2**31), 2**31, 2**32, 2**63 - 1, 2**64, 10**400)
REAL = (0.0, 1.0, 0.1, 0.5, 2.0, -0.0, -1.0, 1e-300, 5e-324, 1e100, 1e300, -1e300)
STRANGE = (float("nan"), float("inf"), -float("inf"))


class Draw:
    """All that is random about one call; the same for the same numbers."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = numbers
        self.rng: Rng = np.random.default_rng(numbers)

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def whole(self, least: int, most: int) -> int:
        """One of least .. most, both included."""
        return int(self.rng.integers(least, most + 1))

    def one_of(self, choices: Sequence[Any]) -> Any:
        return choices[self.whole(0, len(choices) - 1)]

    def points(self, count: int | None = None) -> np.ndarray:
        count = self.whole(0, 12) if count is None else count
        points = self.rng.uniform(-1.5, 1.5, (count, 3))
        # places where ties are
        return np.round(points) if self.chance(0.3) else points

    def mesh(self) -> Arrays:
        """A small mesh, mostly a closed one."""
        vertices, faces = self.one_of(_SHAPES)(self)
        if self.chance(0.3):
            vertices = vertices * self.one_of((1e-3, 0.5, 3.0, 1e4)) + self.points(1)
        elif self.chance(0.3):
            vertices = np.round(vertices, 1)
        elif self.chance(0.15):
            vertices = vertices * self.one_of((1e-150, 1e-40, 1e40, 1e99))
        return np.ascontiguousarray(vertices, dtype=np.float64), faces.astype(np.int32)

    def poses(self, count: int) -> np.ndarray:
        """Rigid ones, now and then stretched, mirrored, singular or far away."""
        poses = np.tile(np.eye(4), (count, 1, 1))
        for pose in poses:
            pose[:3, :3] = np.linalg.qr(self.rng.normal(size=(3, 3)))[0]
            pose[:3, 3] = self.points(1)[0]
            if self.chance(0.2):
                pose[:3, self.whole(0, 2)] *= self.one_of((-1, -1, 2, 0.5, 0, 1e-8, 1e80))
            if self.chance(0.03):
                pose[self.whole(0, 2), 3] = self.one_of((1e99, 1e101, 1e300))
        return poses

    def rigid(self, count: int) -> np.ndarray:
        """Poses without stretching or mirrors."""
        poses = np.tile(np.eye(4), (count, 1, 1))
        for pose in poses:
            turn = np.linalg.qr(self.rng.normal(size=(3, 3)))[0]
            pose[:3, :3] = turn * np.sign(np.linalg.det(turn))
            pose[:3, 3] = self.points(1)[0]
        return poses

    def motion(self, steps: int) -> impinge.Motion:
        """From pose to pose, along lines or a screw, now and then without a turn or at rest."""
        poses = self.rigid(steps + 1)
        if self.chance(0.3):
            poses[:, :3, :3] = poses[0, :3, :3]
            if self.chance(0.3):
                poses[:] = poses[0]
        times = np.cumsum(self.rng.random(steps + 1) + 0.01) if self.chance(0.3) else None
        if steps == 1 and self.chance(0.5):
            return impinge.Motion.screw(*poses, times=times)
        return impinge.Motion(poses, times=times)

    def moved(self, vertices: np.ndarray) -> np.ndarray:
        """Where they go, each for itself or all of them along one line."""
        return vertices + self.rng.normal(size=self.one_of(((1, 3), vertices.shape)))

    def number(self) -> float:
        return float(self.one_of(REAL)) if self.chance(0.5) else float(self.rng.normal())

    def anything(self) -> Any:
        """What nobody expects."""
        kinds: tuple[Callable[[], Any], ...] = (
            lambda: self.one_of(WHOLE),
            self.number,
            lambda: self.one_of(STRANGE),
            lambda: self.one_of(
                (None, True, "", "x", "bvh", b"", bytes(128), (), [], {}, object())
            ),
            lambda: self.spoilt(self.points()),
            lambda: self.spoilt(self.mesh()[1]),
            self.mesh,
            lambda: self.poses(self.whole(0, 2)),
            lambda: [self.number() for _ in range(self.whole(0, 4))],
            lambda: self.rng.integers(-2, 9, (self.whole(0, 5), self.whole(1, 4))),
        )
        return self.one_of(kinds)()

    def spoilt(self, value: Any) -> Any:
        """The value, a little off."""
        if isinstance(value, np.ndarray):
            return self._spoilt_array(value)
        if isinstance(value, list | tuple) and value and self.chance(0.7):
            at = self.whole(0, len(value) - 1)
            some = [*value]
            some[at] = self.spoilt(some[at])
            return type(value)(some) if self.chance(0.9) else some[:-1]
        if isinstance(value, dict) and value and self.chance(0.8):
            key = self.one_of([*value])
            return {**value, key: self.spoilt(value[key])}
        if isinstance(value, bool | int) and self.chance(0.7):
            return self.one_of(WHOLE)
        if isinstance(value, float) and self.chance(0.7):
            return self.one_of(STRANGE + REAL)
        return self.anything()

    def _spoilt_array(self, array: np.ndarray) -> Any:
        if array.size and self.chance(0.45):
            return self._with_odd_entry(array)
        return self.one_of(_MANGLE)(array)

    def _with_odd_entry(self, array: np.ndarray) -> np.ndarray:
        array = array.copy()
        odd = (
            (*STRANGE, 1e300, -1e200, 1e-310)
            if array.dtype.kind == "f"
            else (-1, -5, len(array), 2**31 - 1, 10**9, -(2**31))
        )
        many = self.one_of((1, 1, 2, array.size))
        with np.errstate(all="ignore"):
            array.flat[self.rng.integers(0, array.size, many)] = np.array(self.one_of(odd)).astype(
                array.dtype
            )
        return array


def _sphere(draw: Draw) -> Arrays:
    rings, around = draw.whole(2, 5), draw.whole(3, 8)
    u = np.linspace(0, np.pi, rings + 1)
    v = np.linspace(0, 2 * np.pi, around, endpoint=False)
    place = [[np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)] for a in u for b in v]
    faces = []
    for i in range(rings):
        for j in range(around):
            a, b = i * around + j, i * around + (j + 1) % around
            faces += [[a, a + around, b], [b, a + around, b + around]]
    return np.array(place), np.array(faces)


def _box(draw: Draw) -> Arrays:
    corner = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [[s[i] for i in part] for s in sides for part in ((0, 1, 2), (0, 2, 3))]
    return corner * (1.0 + draw.rng.random(3)), np.array(faces)


def _grid(draw: Draw) -> Arrays:
    n = draw.whole(1, 6)
    x, y = np.meshgrid(np.arange(n + 1), np.arange(n + 1))
    at = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    one = np.stack([at[:-1, :-1], at[1:, :-1], at[1:, 1:]], -1).reshape(-1, 3)
    two = np.stack([at[:-1, :-1], at[1:, 1:], at[:-1, 1:]], -1).reshape(-1, 3)
    z = draw.rng.normal(size=x.size) * draw.one_of((0.0, 0.2))
    return np.stack([x.ravel() / n, y.ravel() / n, z], 1), np.concatenate([one, two])


def _soup(draw: Draw) -> Arrays:
    count = draw.whole(1, 60)
    return draw.points(3 * count), np.arange(3 * count).reshape(-1, 3)


def _tangle(draw: Draw) -> Arrays:
    vertices = draw.points(draw.whole(1, 12))
    return vertices, draw.rng.integers(0, len(vertices), (draw.whole(0, 40), 3))


def _empty(draw: Draw) -> Arrays:
    return draw.points(draw.whole(0, 3)), np.zeros((0, 3), dtype=int)


_SHAPES = (_sphere, _sphere, _sphere, _box, _box, _box, _box, _grid, _soup, _tangle, _empty)


def _unaligned(array: np.ndarray) -> np.ndarray:
    memory = np.zeros(array.nbytes + 1, dtype=np.uint8)
    off = memory[1:].view(array.dtype).reshape(array.shape)
    off[...] = array
    return off


def _read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.setflags(write=False)
    return array


_MANGLE: tuple[Callable[[np.ndarray], Any], ...] = (
    lambda a: a.astype(np.float32),
    lambda a: a.astype(np.int64) if np.isfinite(a).all() and np.abs(a).max(initial=0) < 1e9 else a,
    lambda a: a.astype(complex),
    lambda a: a.astype(object),
    lambda a: a.astype(a.dtype.newbyteorder()),
    lambda a: a != 0,
    lambda a: a[..., :-1],
    lambda a: a[None],
    lambda a: a.ravel(),
    lambda a: a[:1],
    lambda a: a[:0],
    lambda a: a[::2],
    lambda a: a[::-1],
    lambda a: np.concatenate([a, a]),
    np.asfortranarray,
    lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    lambda a: np.broadcast_to(a[:1], a.shape),
    _unaligned,
    _read_only,
    lambda a: a.tolist(),
    lambda a: np.ma.masked_array(a, mask=np.zeros(a.shape, bool)),
    lambda a: a.view(np.recarray) if a.ndim else a,
    lambda a: a.tobytes(),
    lambda a: None,
)
