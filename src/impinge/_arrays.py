"""Arrays as users have them, turned into the arrays the core takes; errors name the argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bools, Floats, Ints, Longs

LARGEST = 1e100
MOST_FACES = 2**30
MOST_VERTICES = 2**31 - 1


def as_vertices(values: object, *, argument: str = "vertices") -> Floats:
    """(n, 3) float64, contiguous and read-only, always a copy."""
    # one native look; only what is unusual or wrong goes the long way
    ready: Floats | None = _core.copy_points(values, LARGEST)
    if ready is not None and len(ready) <= MOST_VERTICES:
        return ready
    array = _unchecked_rows(values, argument, copy=True)
    check_coordinates(array, argument)
    return array


def unchecked_points(values: object, *, argument: str = "points") -> Floats:
    """(m, 3) float64, contiguous and read-only, whatever the numbers are: who uses them looks."""
    return _unchecked_rows(values, argument, one="; write points[None] for one point")


def _unchecked_rows(values: object, argument: str, *, copy: bool = False, one: str = "") -> Floats:
    array = _as_array(values, argument, "(n, 3) real numbers")
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        planar = array.ndim == 2 and array.shape[1] == 2
        hint = "; add a column of zeros for z" if planar else one if array.shape == (3,) else ""
        raise InputError(f"{argument} must have shape (n, 3), got {array.shape}{hint}")
    if len(array) > MOST_VERTICES:
        raise InputError(f"{argument} has {len(array)} rows, at most {MOST_VERTICES} are possible")
    return _frozen(_converted(array, np.float64, copy=copy))


def unchecked_table(values: object, argument: str, columns: str, width: int) -> Floats:
    """(m, width) float64, contiguous and read-only, whatever the numbers are; `columns` are what
    the columns stand for."""
    array = _as_array(values, argument, f"(m, {width}) real numbers")
    if array.ndim != 2 or array.shape[1] != width:
        hint = f"; write {argument}[None] for one" if array.shape == (width,) else ""
        raise InputError(
            f"{argument} must have shape (m, {width}), a column for each of the {width} {columns}, "
            f"got {array.shape}{hint}"
        )
    return _frozen(_converted(array, np.float64))


def as_vectors(values: object, argument: str) -> Floats:
    """(m, 3) or a single (3,) float64, contiguous and read-only, each finite and at most 1e100."""
    vectors = unchecked_vectors(values, argument)
    check_coordinates(np.atleast_2d(vectors), argument, what="ray")
    return vectors


def unchecked_vectors(values: object, argument: str) -> Floats:
    """The same, whatever the numbers are: for those who look at each of them anyway."""
    array = _as_array(values, argument, "(m, 3) or (3,) real numbers")
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, 3)
    if array.ndim not in (1, 2) or array.shape[-1] != 3:
        raise InputError(f"{argument} must have shape (m, 3) or (3,), got {array.shape}")
    if array.ndim == 2 and len(array) > MOST_VERTICES:
        raise InputError(f"{argument} has {len(array)} rows, at most {MOST_VERTICES} are possible")
    return _frozen(_converted(array, np.float64))


def as_corner_rows(values: object, argument: str) -> Floats:
    """(m, 4, 3) float64, contiguous and read-only: rows of four points, each finite."""
    array = _as_array(values, argument, "(m, 4, 3) real numbers")
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, 4, 3)
    if array.ndim != 3 or array.shape[1:] != (4, 3):
        hint = f"; write {argument}[None] for one row" if array.shape == (4, 3) else ""
        raise InputError(f"{argument} must have shape (m, 4, 3), got {array.shape}{hint}")
    rows = _frozen(_converted(array, np.float64))
    # -max and max pass NaN on; the comparison fails on it
    if rows.size and not (rows.min() >= -LARGEST and rows.max() <= LARGEST):
        row, corner, _ = np.argwhere(~(np.abs(rows) <= LARGEST))[0].tolist()
        raise InputError(
            f"{argument}[{row}, {corner}] = {_row(rows[row, corner])} is not finite or too large "
            "(at most 1e100); repair or remove this row"
        )
    return rows


def as_direction(values: object, argument: str) -> Floats:
    """(3,) float64, finite and not zero."""
    vector = _as_triple(values, argument)
    if not np.isfinite(vector).all() or not vector.any():
        raise InputError(f"{argument} must be finite and not zero, got {_row(vector)}")
    return vector


def as_point(values: object, argument: str) -> Floats:
    """(3,) float64, finite."""
    point = _as_triple(values, argument)
    if not np.isfinite(point).all():
        raise InputError(f"{argument} must be finite, got {_row(point)}")
    return point


def _as_triple(values: object, argument: str) -> Floats:
    array = _as_array(values, argument, "three real numbers")
    if array.shape != (3,):
        raise InputError(f"{argument} must have shape (3,), got {array.shape}")
    return _frozen(_converted(array, np.float64))


def as_numbers(values: object, argument: str) -> Floats:
    """(k,) or () float64, finite and at most 1e100 in size."""
    array = _as_array(values, argument, "a number or (k,) numbers")
    if array.ndim > 1:
        raise InputError(f"{argument} must be a number or have shape (k,), got {array.shape}")
    numbers = _frozen(_converted(array, np.float64))
    fits = np.abs(numbers) <= LARGEST
    if not fits.all():
        place = argument if array.ndim == 0 else f"{argument}[{int(np.argmin(fits))}]"
        worst = numbers if array.ndim == 0 else numbers[int(np.argmin(fits))]
        raise InputError(f"{place} must be finite and at most 1e100 in size, got {worst}")
    return numbers


def as_faces(values: object, *, vertex_count: int, argument: str = "faces") -> Ints:
    """(m, 3) int32, contiguous and read-only, each entry in 0..vertex_count-1; always a copy."""
    ready: Ints | None = _core.copy_faces(values, vertex_count)
    if ready is not None and len(ready) <= MOST_FACES:
        return ready
    array = _as_array(values, argument, "(m, 3) vertex indices")
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        raise InputError(
            f"{argument} must have shape (m, 3), got {array.shape}{_face_hint(array.shape)}"
        )
    if len(array) > MOST_FACES:
        raise InputError(f"{argument} has {len(array)} rows, at most {MOST_FACES} are possible")
    array = array.copy()
    _check_whole(array, argument)
    if array.size and (array.min() < 0 or array.max() >= vertex_count):
        face, corner = first_index((array < 0) | (array >= vertex_count))
        raise InputError(
            f"{argument}[{face}] = {_row(array[face])} has index {int(array[face, corner])}, "
            f"but valid indices are 0..{vertex_count - 1} for {vertex_count} vertices"
        )
    return _frozen(_converted(array, np.int32))


def as_pose(value: object, *, argument: str = "pose") -> Floats:
    """(4, 4) float64, read-only, a copy: finite and affine, world = R v + t."""
    array = _as_array(value, argument, "a (4, 4) matrix")
    if array.shape != (4, 4):
        raise InputError(f"{argument} must have shape (4, 4), got {array.shape}")
    pose = _converted(array, np.float64, copy=True)
    _check_affine(pose[None], argument, single=True)
    read_only(pose)
    return pose


def as_poses(values: object, *, reach: float, argument: str = "poses") -> Floats:
    """(m, 4, 4) float64, read-only, a copy: the result refers to it after the call.

    None of them moves coordinates of size `reach` beyond 1e100.
    """
    if type(values) is np.ndarray:
        # one native look; only what is unusual or wrong goes the long way
        try:
            ready: Floats | None = _core.copy_poses(values, reach, LARGEST)
        except TypeError:
            ready = None
        if ready is not None:
            read_only(ready)
            return ready
    array = _as_array(values, argument, "(m, 4, 4) matrices")
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, 4, 4)
    if array.ndim != 3 or array.shape[1:] != (4, 4):
        hint = "; write poses=pose[None] for one pose" if array.shape == (4, 4) else ""
        raise InputError(f"{argument} must have shape (m, 4, 4), got {array.shape}{hint}")
    poses = _converted(array, np.float64, copy=True)
    _check_affine(poses, argument, single=False)
    check_reach(poses, reach, argument)
    read_only(poses)
    return poses


def as_face_pairs(values: object, *, counts: tuple[int, int], argument: str = "ignore") -> Longs:
    """(k, 2) int64 pairs of face ids, the columns bounded by `counts`."""
    array = _as_array(values, argument, "(k, 2) pairs of face ids")
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, 2)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"{argument} must have shape (k, 2), got {array.shape}")
    _check_whole(array, argument)
    outside = (array < 0) | (array >= np.asarray(counts))
    if outside.any():
        row, column = first_index(outside)
        raise InputError(
            f"{argument}[{row}] = {_row(array[row])} names face {int(array[row, column])}, "
            f"but that mesh has faces 0..{counts[column] - 1}"
        )
    return array.astype(np.int64)


def reach_of(vertices: Floats) -> float:
    """Size of the largest coordinate."""
    return float(max(-vertices.min(), vertices.max(), 0.0)) if vertices.size else 0.0


def check_reach(poses: Floats, reach: float, argument: str, *, single: bool = False) -> None:
    """Raise when a pose of (m, 4, 4) moves coordinates of size `reach` beyond 1e100."""
    if _core.poses_fit(poses, reach, LARGEST):
        return
    with np.errstate(over="ignore"):
        farthest = np.abs(poses[:, :3, :3]).sum(axis=2) * reach + np.abs(poses[:, :3, 3])
    fits: Bools = np.all(farthest <= LARGEST, axis=1)
    if not fits.all():
        place = _place(argument, fits, single)
        raise InputError(f"{place} moves the mesh beyond 1e100; scale it down")


def check_coordinates(array: Floats, argument: str, *, what: str = "vertex") -> None:
    """Raise unless every coordinate is finite and at most 1e100 in size."""
    # min and max need no temporary array and pass NaN on; the comparison fails on it
    if array.size == 0 or (array.min() >= -LARGEST and array.max() <= LARGEST):
        return
    row, _ = first_index(~(np.abs(array) <= LARGEST))
    problem = "is too large (at most 1e100)" if np.isfinite(array[row]).all() else "is not finite"
    raise InputError(
        f"{argument}[{row}] = {_row(array[row])} {problem}; repair or remove this {what}"
    )


def first_index(mask: AnyArray) -> tuple[int, ...]:
    """Index of the first True."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))


def read_only(array: AnyArray) -> None:
    """Make an array that we own unwritable."""
    # by position, which takes a quarter of the time
    array.setflags(False)  # type: ignore[call-arg]


def _as_array(values: object, argument: str, expected: str) -> AnyArray:
    if type(values) is np.ndarray:
        array = values
    elif isinstance(values, np.ndarray):
        if np.any(getattr(values, "mask", False)):
            raise InputError(f"{argument} is a masked array; fill or drop its masked entries")
        array = np.asarray(values)
    else:
        array = _from_foreign(values, argument, expected)
    if array.dtype.kind not in "iuf":
        hint = " (rows of unequal length?)" if array.dtype.kind == "O" else ""
        raise InputError(f"{argument} must be {expected}, got dtype {array.dtype}{hint}")
    return array


def _from_foreign(values: object, argument: str, expected: str) -> AnyArray:
    try:
        if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
            return np.asarray(np.from_dlpack(values))
        array: AnyArray = np.asarray(values)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise InputError(
            f"{argument} must be {expected}, got {type(values).__name__}: {error}"
        ) from error
    return array


def _converted(array: AnyArray, dtype: type[np.generic], *, copy: bool = False) -> AnyArray:
    if array.dtype.type is dtype and array.dtype.isnative:
        if copy:
            return array.copy()
        if array.flags.c_contiguous and array.flags.aligned:
            return array
    # a long double may overflow here; the check of the coordinates reports it as infinite
    with np.errstate(over="ignore"):
        if copy:
            return np.array(array, dtype=dtype, order="C")
        return np.require(array, dtype=dtype, requirements=["C", "ALIGNED"])


def _frozen(array: AnyArray) -> AnyArray:
    # a view, so that an array of the user's stays writable for the user
    view = array.view()
    read_only(view)
    return view


def _check_whole(array: AnyArray, argument: str) -> None:
    if array.dtype.kind != "f":
        return
    fraction = ~(np.floor(array) == array) | np.isinf(array)
    if fraction.any():
        row, _ = first_index(fraction)
        raise InputError(
            f"{argument}[{row}] = {_row(array[row])} must be whole numbers, got dtype {array.dtype}"
        )


def _check_affine(poses: Floats, argument: str, *, single: bool) -> None:
    if _core.poses_fit(poses, 0.0, np.inf):
        return
    finite: Bools = np.all(np.isfinite(poses), axis=(1, 2))
    if not finite.all():
        raise InputError(f"{_place(argument, finite, single)} has an entry that is not finite")
    affine: Bools = np.all(poses[:, 3] == (0.0, 0.0, 0.0, 1.0), axis=1)
    if not affine.all():
        place = _place(argument, affine, single)
        bottom = _row(poses[int(np.argmin(affine)), 3])
        raise InputError(
            f"{place} has the bottom row {bottom}, expected (0, 0, 0, 1): "
            "the translation stands in the last column, world = R v + t"
        )


def _place(argument: str, good: Bools, single: bool) -> str:
    return argument if single else f"{argument}[{int(np.argmin(good))}]"


def _face_hint(shape: tuple[int, ...]) -> str:
    if len(shape) == 2 and shape[1] == 4:
        return "; triangulate first: split each quad (a, b, c, d) into (a, b, c) and (a, c, d)"
    if len(shape) == 1:
        return "; give one row of three vertex indices per triangle"
    return ""


def _row(row: AnyArray) -> str:
    return f"({', '.join(str(value) for value in row.tolist())})"
