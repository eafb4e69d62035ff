"""How a rigid body moves: from pose to pose, along lines or screws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._arrays import as_numbers, as_poses, check_reach, read_only
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints

RIGID = 1e-6
"""How far entries of RᵀR may be off those of the identity, and half a turn is not told from."""

# numbers of a segment as the core takes them: times, both poses, turn, velocity, kind
_NUMBERS = 33
# of rotations as they come from float64 sines and cosines, which are kept as they are
_KEPT = 1e-15


class Motion:
    """A rigid motion: poses at times, and how a body gets from each to the next.

    In between the origin of the body moves along a line at constant speed, while the body makes the
    shortest turn about it; `Motion.screw` moves along a screw instead. Before the first time and
    after the last the body stays. The rotations of poses are projected: the motion is the real one
    between the nearest exact rotations.

    Parameters
    ----------
    poses : (m, 4, 4) array_like
        At least two poses, world = R v + t; a pair (T0, T1) is two. Each R is a rotation: no entry
        of RᵀR is off by more than 1e-6, so that rotations in float32 will do.
    times : (m,) array_like, optional
        When the body is where; rising. By default from 0 to 1 in equal steps.

    Raises
    ------
    InputError
        A pose is not rigid, or two poses are half a turn apart, which has no shortest way.

    See Also
    --------
    impinge.time_of_impact, impinge.Scene.free

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> there = np.eye(4)
    >>> there[0, 3] = 8.0
    >>> motion = impinge.Motion((np.eye(4), there))
    >>> motion.at(0.25)[:3, 3].tolist()
    [2.0, 0.0, 0.0]
    """

    __slots__ = ("_poses", "_segments")

    def __init__(self, poses: object, *, times: object = None) -> None:
        self._poses, self._segments = _made(poses, times, screw=False)

    @classmethod
    def screw(cls, start: object, goal: object, *, times: object = None) -> Motion:
        """The motion along the screw that takes one pose to another.

        Parameters
        ----------
        start, goal : (4, 4) array_like
            The poses.
        times : (2,) array_like, optional
            When the body is there; by default 0 and 1.

        Returns
        -------
        Motion

        Examples
        --------
        >>> import impinge
        >>> import numpy as np
        >>> quarter = np.array([(0, -1, 0, 1), (1, 0, 0, 1), (0, 0, 1, 0), (0, 0, 0, 1.0)])
        >>> arc = impinge.Motion.screw(np.eye(4), quarter)
        >>> bool(abs(arc.at(0.5)[0, 3] - 0.5**0.5) < 1e-12)
        True
        """
        motion = cls.__new__(cls)
        motion._poses, motion._segments = _made([start, goal], times, screw=True)
        return motion

    @property
    def poses(self) -> Floats:
        """(m, 4, 4) float64: the poses with their rotations projected."""
        return self._poses

    @property
    def times(self) -> Floats:
        """(m,) float64: when the body is there."""
        times: Floats = np.append(self._segments[:, 0], self._segments[-1, 1])
        read_only(times)
        return times

    @property
    def is_screw(self) -> bool:
        """Whether it moves along a screw."""
        return bool(self._segments[0, -1])

    def at(self, time: object) -> Floats:
        """Where the body is.

        Parameters
        ----------
        time : float or (k,) array_like
            One time, or several.

        Returns
        -------
        (4, 4) or (k, 4, 4) ndarray of float64
            The pose, to float64 rounding; for the times of the motion its own poses.
        """
        times = as_numbers(time, "time")
        poses: Floats = _core.motion_poses(self._segments, np.atleast_1d(times))
        return poses[0] if times.ndim == 0 else poses

    def __len__(self) -> int:
        return len(self._poses)

    def __repr__(self) -> str:
        kind = "poses along a screw" if self.is_screw else "poses"
        return f"Motion({len(self)} {kind}, times {self.times[0]:g} to {self.times[-1]:g})"

    def __reduce__(self) -> tuple[object, tuple[Floats, Floats]]:
        return _restored, (self._poses, self._segments)


def _restored(poses: Floats, segments: Floats) -> Motion:
    motion = Motion.__new__(Motion)
    motion._poses, motion._segments = poses, segments
    for array in (poses, segments):
        read_only(array)
    return motion


def _made(poses: object, times: object, *, screw: bool) -> tuple[Floats, Floats]:
    rigid = _rigid(as_poses(poses, reach=0.0), "poses")
    if len(rigid) < 2:
        raise InputError(
            f"poses must be at least two, got {len(rigid)}; a body that rests needs no motion"
        )
    segments = _segments(rigid[None], _times(times, len(rigid)), "poses", screw=screw)
    read_only(rigid)
    read_only(segments)
    return rigid, segments


def _times(times: object, count: int) -> Floats:
    if times is None:
        return np.linspace(0.0, 1.0, count)
    values = as_numbers(times, "times")
    if values.shape != (count,):
        raise InputError(f"times must have shape ({count},), one for each pose, got {values.shape}")
    rising: Bools = np.diff(values) > 0
    if not rising.all():
        at = int(np.argmin(rising))
        raise InputError(
            f"times must rise, but times[{at}] = {values[at]} is followed by {values[at + 1]}"
        )
    return values


def _rigid(poses: Floats, argument: str) -> Floats:
    """The poses with their rotations projected; those that are rotations to rounding are kept."""
    rotations = poses[:, :3, :3]
    off = np.abs(np.einsum("nki,nkj->nij", rotations, rotations) - np.eye(3)).max(axis=(1, 2))
    good: Bools = (off <= RIGID) & (np.linalg.det(np.clip(rotations, -2, 2)) > 0)
    if not good.all():
        at = int(np.argmin(good))
        why = "mirrors" if off[at] <= RIGID else f"is no rotation, RᵀR is off by {off[at]:.3g}"
        raise InputError(
            f"{argument}[{at}] {why}; a rigid motion needs rotations, to {RIGID:g}: "
            "apply scale and mirroring to the vertices"
        )
    result = poses.copy()
    loose = off > _KEPT
    if loose.any():
        left, _, right = np.linalg.svd(rotations[loose])
        result[loose, :3, :3] = left @ right
    return result


def is_rigid(pose: Floats) -> bool:
    """Whether a pose (4, 4) is a rotation and a shift, but for rounding."""
    rotation = pose[:3, :3]
    return bool(np.abs(rotation.T @ rotation - np.eye(3)).max() <= _KEPT)


def is_nearly_rigid(poses: Floats) -> bool:
    """Whether all poses (n, 4, 4) are such as a `Motion` takes."""
    rotations = poses[:, :3, :3]
    off = np.einsum("nki,nkj->nij", rotations, rotations) - np.eye(3)
    return bool(np.abs(off).max() <= RIGID and np.all(np.linalg.det(rotations) > 0))


def _segments(poses: Floats, times: Floats, argument: str, *, screw: bool = False) -> Floats:
    """Of motions (n, m, 4, 4) with the same times, one row for each step, motion by motion."""
    count, steps = len(poses), poses.shape[1] - 1
    start, goal = poses[:, :-1].reshape(-1, 4, 4), poses[:, 1:].reshape(-1, 4, 4)
    turn, half = _turns(start[:, :3, :3], goal[:, :3, :3])
    if half.any():
        at = int(np.argmax(half))
        where = f"[{at // steps}]" if count > 1 else ""
        raise InputError(
            f"{argument}{where}: poses {at % steps} and {at % steps + 1} are half a turn apart, "
            "which can be made either way round; put a pose between them"
        )
    rows = np.zeros((count * steps, _NUMBERS))
    rows[:, 0], rows[:, 1] = np.tile(times[:-1], count), np.tile(times[1:], count)
    rows[:, 2:14] = start[:, :3].reshape(-1, 12)
    rows[:, 14:26] = goal[:, :3].reshape(-1, 12)
    rows[:, 26:29] = turn
    way = goal[:, :3, 3] - start[:, :3, 3]
    rows[:, 29:32] = _screw_velocities(turn, way) if screw else way
    rows[:, 32] = float(screw)
    return rows


def _turns(start: Floats, goal: Floats) -> tuple[Floats, Bools]:
    """Rotation vectors (n, 3) of the shortest turns, and which of them are half a turn."""
    d = np.einsum("nik,njk->nij", goal, start)
    trace = np.trace(d, axis1=1, axis2=2)
    # four times the products of the quaternion with its largest component (Shepperd 1978)
    products = np.empty((len(d), 4, 4))
    products[:, 0, 0] = 1 + trace
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        products[:, 0, i + 1] = products[:, i + 1, 0] = d[:, k, j] - d[:, j, k]
        products[:, i + 1, i + 1] = 1 - trace + 2 * d[:, i, i]
        products[:, j + 1, k + 1] = products[:, k + 1, j + 1] = d[:, j, k] + d[:, k, j]
    largest = np.argmax(products[:, range(4), range(4)], axis=1)
    q = products[np.arange(len(d)), largest]
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    q *= np.where(q[:, :1] < 0, -1.0, 1.0)
    sine = np.linalg.norm(q[:, 1:], axis=1)
    angle = 2 * np.arctan2(sine, q[:, 0])
    safe = np.where(sine > 0, sine, 1.0)
    turn = q[:, 1:] * np.where(sine > 0, angle / safe, 2.0)[:, None]
    turn[(start == goal).all(axis=(1, 2))] = 0.0
    return turn, q[:, 0] <= RIGID


def _screw_velocities(turn: Floats, way: Floats) -> Floats:
    """How fast the origin starts that a screw takes along `way`."""
    angle = np.linalg.norm(turn, axis=1, keepdims=True)
    axis = turn / np.where(angle > 0, angle, 1.0)
    along = axis * np.einsum("nk,nk->n", axis, way)[:, None]
    across = way - along
    half = 0.5 * angle
    stretch = np.where(half > 0, half / np.tan(np.where(half > 0, half, 1.0)), 1.0)
    velocity: Floats = along + stretch * across - half * np.cross(axis, across)
    return velocity


def as_motions(value: object, argument: str, reach: float) -> tuple[Floats, Ints, bool]:
    """Segments and ends of motions as the core takes them, and whether there may be several.

    `reach` is the size of the largest coordinate of what is moved.
    """
    if isinstance(value, Motion):
        segments, ends, several = value._segments, [len(value._segments)], False
        check_reach(value._poses, reach, argument)
    elif isinstance(value, list | tuple) and value and isinstance(value[0], Motion):
        for index, one in enumerate(value):
            if not isinstance(one, Motion):
                raise InputError(f"{argument}[{index}] must be a Motion, as the first is")
            check_reach(one._poses, reach, f"{argument}[{index}]")
        segments = np.concatenate([one._segments for one in value])
        ends, several = list(np.cumsum([len(one._segments) for one in value])), True
    else:
        segments, ends, several = _from_poses(value, argument, reach)
    return segments, np.asarray(ends, dtype=np.int32), several


def _from_poses(value: object, argument: str, reach: float) -> tuple[Floats, list[int], bool]:
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.empty(0, dtype=object)
    shape = array.shape
    foreign = array.dtype.kind not in "iuf"
    if foreign or array.ndim not in (3, 4) or shape[-2:] != (4, 4) or shape[-3] < 2:
        raise InputError(
            f"{argument} must be a Motion, a pair of poses, poses (m, 4, 4) with m at least 2, or "
            f"many motions: a list of Motion or poses (n, m, 4, 4); got "
            f"{type(value).__name__ if foreign else f'shape {shape}'}"
        )
    several = array.ndim == 4
    count = shape[0] if several else 1
    flat = _rigid(as_poses(array.reshape(-1, 4, 4), reach=reach, argument=argument), argument)
    poses = flat.reshape(count, shape[-3], 4, 4)
    steps = shape[-3] - 1
    segments = _segments(poses, np.linspace(0.0, 1.0, steps + 1), argument)
    return segments, list(range(steps, count * steps + 1, steps)), several


def at_rest(pose: Floats | None = None) -> tuple[Floats, Ints]:
    """The motion of a body that stays where it is, as the core takes it."""
    rows = np.zeros((1, _NUMBERS))
    rows[0, 2:14] = rows[0, 14:26] = (np.eye(4) if pose is None else pose)[:3].ravel()
    return rows, np.ones(1, dtype=np.int32)
