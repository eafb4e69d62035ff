"""When a moving vertex meets a moving face, and two moving edges each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from impinge import _core
from impinge._arrays import as_corner_rows
from impinge._options import checked_length, ticking, worker_count
from impinge.errors import InputError
from impinge.queries.path import ask

if TYPE_CHECKING:
    from impinge._types import Floats, Progress

# of the core: a part of the size of each pair of features
_BY_SIZE = -1.0


class Limits(NamedTuple):
    """What counts as contact, and how near is near enough; lengths."""

    separation: float
    tolerance: float


def vertex_face_impact(
    start: object,
    end: object,
    *,
    minimum_separation: float = 0.0,
    tolerance: float | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """When a moving vertex meets a moving face, for many of them.

    Parameters
    ----------
    start, end : (m, 4, 3) array_like
        The vertex and the three corners of the face, at time 0 and at time 1.
    minimum_separation, tolerance, workers, progress
        As for `impinge.impacts`.

    Returns
    -------
    (m,) ndarray of float64
        Never later than the true times; inf where they do not meet from 0 to 1.

    See Also
    --------
    impinge.edge_edge_impact, impinge.impacts

    Examples
    --------
    >>> import impinge
    >>> face = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]
    >>> start, end = [[(1, 1, 1), *face]], [[(1, 1, -1), *face]]
    >>> impinge.vertex_face_impact(start, end).round(6).tolist()
    [0.5]
    """
    rows = _corner_rows(start, end)
    limits = checked_limits(minimum_separation, tolerance)
    tick = ticking(progress)
    threads = worker_count(workers)
    times, *_ = ask(tick, _core.feature_impacts, *rows, False, *limits, threads, tick)
    return times


def edge_edge_impact(
    start: object,
    end: object,
    *,
    minimum_separation: float = 0.0,
    tolerance: float | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """When two moving edges meet, for many of them.

    Parameters
    ----------
    start, end : (m, 4, 3) array_like
        The ends of the first edge and those of the second, at time 0 and at time 1.
    minimum_separation, tolerance, workers, progress
        As for `impinge.impacts`.

    Returns
    -------
    (m,) ndarray of float64
        Never later than the true times; inf where they do not meet from 0 to 1.

    See Also
    --------
    impinge.vertex_face_impact, impinge.impacts

    Examples
    --------
    >>> import impinge
    >>> bar = [(0, 0, 0), (2, 0, 0)]
    >>> start, end = [[*bar, (1, -1, 1), (1, 1, 1)]], [[*bar, (1, -1, -3), (1, 1, -3)]]
    >>> impinge.edge_edge_impact(start, end).round(6).tolist()
    [0.25]
    """
    rows = _corner_rows(start, end)
    limits = checked_limits(minimum_separation, tolerance)
    tick = ticking(progress)
    threads = worker_count(workers)
    times, *_ = ask(tick, _core.feature_impacts, *rows, True, *limits, threads, tick)
    return times


def checked_limits(minimum_separation: object, tolerance: object) -> Limits:
    separation = checked_length("minimum_separation", minimum_separation)
    near = _BY_SIZE if tolerance is None else checked_length("tolerance", tolerance)
    return Limits(separation, near)


def _corner_rows(start: object, end: object) -> tuple[Floats, Floats]:
    first, last = as_corner_rows(start, "start"), as_corner_rows(end, "end")
    if len(first) != len(last):
        raise InputError(f"start and end must have as many rows, got {len(first)} and {len(last)}")
    return first, last
