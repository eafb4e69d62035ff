"""Poses as they are written on a command line, or in a JSON file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from impinge._types import Floats

HELP = (
    "x,y,z or x,y,z,rx,ry,rz: a shift, after turns by so many degrees about the x, then the y, "
    "then the z axis; or 12 or 16 numbers of a matrix, row by row; or a JSON file with one of them."
)
_MOST_BYTES = 1 << 20


def pose_option(_: click.Context, parameter: click.Parameter, value: str | None) -> Floats | None:
    """Checks one pose."""
    if value is None:
        return None
    return _pose(value, parameter)


def poses_option(
    _: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> list[Floats]:
    """Checks each of several poses."""
    return [_pose(value, parameter) for value in values]


def _pose(value: str, parameter: click.Parameter) -> Floats:
    try:
        return pose_of_numbers(_numbers(value))
    except ValueError as error:
        raise click.BadParameter(f"{value!r} {error}", param=parameter) from None


def _numbers(value: str) -> list[float]:
    if Path(value).suffix.lower() == ".json":
        return _numbers_of_file(Path(value))
    try:
        return [float(word) for word in value.replace(",", " ").split()]
    except ValueError:
        raise ValueError("is neither numbers with commas nor a JSON file") from None


def _numbers_of_file(path: Path) -> list[float]:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise ValueError(f"cannot be read ({error.strerror})") from None
    if len(data) > _MOST_BYTES:
        raise ValueError("is too large for a pose")
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("is not JSON") from None
    rows = content if isinstance(content, list) else [content]
    flat: list[Any] = []
    for row in rows:
        flat += row if isinstance(row, list) else [row]
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in flat):
        raise ValueError("holds something else than a list of numbers, or of rows of them")
    return [float(one) for one in flat]


def pose_of_numbers(numbers: list[float]) -> Floats:
    """(4, 4) of 3, 6, 12 or 16 numbers."""
    import numpy as np

    if not all(math.isfinite(one) for one in numbers):
        raise ValueError("has a number that is not finite")
    pose = np.eye(4)
    if len(numbers) in (12, 16):
        pose[: len(numbers) // 4] = np.reshape(numbers, (-1, 4))
    elif len(numbers) in (3, 6):
        pose[:3, 3] = numbers[:3]
        for axis, degrees in enumerate(numbers[3:]):
            pose[:3, :3] = _turn(axis, degrees) @ pose[:3, :3]
    else:
        raise ValueError(f"has {len(numbers)} numbers; a pose has 3, 6, 12 or 16")
    return pose


def _turn(axis: int, degrees: float) -> Floats:
    """(3, 3) about a coordinate axis; exact for quarter turns."""
    import numpy as np

    quarters, rest = divmod(degrees % 360, 90)
    cosine, sine = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    for _ in range(int(quarters)):
        cosine, sine = -sine, cosine
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[[i, i, j, j], [i, j, i, j]] = cosine, -sine, sine, cosine
    return turn
