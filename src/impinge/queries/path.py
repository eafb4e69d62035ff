"""The way of every question: its options are checked, it is asked, and what it ignores dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from impinge import _core
from impinge._options import (
    MODE,
    TOUCHING,
    checked_bool,
    checked_int,
    choice,
    ticking,
    worker_count,
)
from impinge._pairs import pair_keys
from impinge.detectors.raw import RawContactPoints, RawOverlaps, RawPairs
from impinge.detectors.registry import detector
from impinge.errors import Cancelled, InputError, TooManyPairsError
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._options import Tick
    from impinge._types import Longs, Progress
    from impinge.detectors.protocol import Detector

T = TypeVar("T")
Raw = TypeVar("Raw", RawPairs, RawOverlaps, RawContactPoints)

# nothing that fits in memory has more
_MOST_PAIRS = 1 << 62
_ROWS_OF_PAIRS = ("pairs", "kinds", "bodies", "pose")
_FACES = {"pairs": _ROWS_OF_PAIRS}
# the columns that tell the bodies of a row, and all columns of these rows
_BODIES = {
    RawPairs: {"bodies": _ROWS_OF_PAIRS, "inside": ("inside",)},
    RawOverlaps: {"pairs": ("pairs", "pixels", "normals"), "triangles": ("triangles",)},
    RawContactPoints: {
        "bodies": tuple(
            name
            for name in RawContactPoints._fields
            if name not in ("counters", "warnings", "complete")
        )
    },
}


class Options(NamedTuple):
    """What every question takes; all but the detector in the order of a `SceneQuery`."""

    detector: Detector
    touching: bool
    duplicates: bool
    first: bool
    workers: int
    tick: Tick | None
    max_pairs: int | None = None


def checked(
    method: str | Detector,
    touching: str = "include",
    mode: str = "all",
    workers: int | None = None,
    progress: Progress | None = None,
    *,
    duplicates: bool = False,
    limit: object = None,
) -> Options:
    """The options of `collide`, as detectors take them."""
    try:
        touches, first = TOUCHING[touching], MODE[mode]
    except (KeyError, TypeError):
        touches, first = choice("touching", touching, TOUCHING), choice("mode", mode, MODE)
    return Options(
        detector(method),
        touches,
        duplicates if type(duplicates) is bool else checked_bool("report_duplicates", duplicates),
        first,
        0 if workers is None else worker_count(workers),
        None if progress is None else ticking(progress),
        None if limit is None else _pair_limit(limit),
    )


def _pair_limit(max_pairs: object) -> int:
    limit = checked_int(max_pairs)
    if limit is None or limit < 0:
        raise InputError(
            f"max_pairs must be an integer of at least 0, or None for no limit; got {max_pairs!r}"
        )
    return min(limit, _MOST_PAIRS)


def two_meshes(a: object, b: object) -> tuple[Mesh, Mesh]:
    return (
        a if type(a) is Mesh else Mesh.of(a, argument="a"),
        b if type(b) is Mesh else Mesh.of(b, argument="b"),
    )


def ask(tick: Tick | None, work: Callable[..., T], *arguments: Any) -> T:
    """Do the work; progress goes from 0.0 to 1.0, and cancelling is our own error."""
    if tick is None:
        return work(*arguments)
    try:
        # however quick the query is, it can be cancelled
        if not tick(0.0):
            raise _core.Cancelled
        result = work(*arguments)
    except _core.Cancelled:
        raise Cancelled("the progress callable returned False; there is no result") from None
    tick.finish()
    return result


def answer(
    work: Callable[[Any], Raw],
    query: Any,
    ignored: Longs | None,
    *,
    faces: bool = False,
) -> Raw:
    """What a detector finds, but for ignored pairs of bodies, or of `faces`."""
    try:
        raw = work(query) if query.tick is None else ask(query.tick, work, query)
    except _core.TooManyPairs:
        raise TooManyPairsError(query.max_pairs) from None
    return raw if ignored is None else without(raw, ignored, faces=faces)


def limited(raw: RawPairs, max_pairs: int | None) -> RawPairs:
    """The answer of a detector that may not know the limit."""
    if max_pairs is not None and len(raw.pairs) > max_pairs:
        raise TooManyPairsError(max_pairs)
    return raw


def without(raw: Raw, ignored: Longs, *, faces: bool = False) -> Raw:
    """What is left without the pairs of bodies, or of `faces`, whose keys are ignored."""
    columns: dict[str, Any] = {}
    for name, rows in (_FACES if faces else _BODIES[type(raw)]).items():
        ids = getattr(raw, name)
        if ids is None:
            continue
        # two bodies, or two bodies each with a face
        pairs = ids[:, :: ids.shape[1] // 2]
        kept = ~np.isin(pair_keys(pairs, ordered=faces), ignored)
        for row in rows:
            column = getattr(raw, row)
            columns[row] = None if column is None else column[kept]
    return raw._replace(**columns)
