"""Answers about pairs of parts, kept from one question of a scene to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge._arrays import read_only

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from impinge._types import AnyArray, Longs


class KeptAnswers:
    """What was answered about pairs of solids the last time, for as long as both are the same.

    A solid is never changed: a body that moves or deforms gets another one. So a pair is known by
    its two objects, which are held, and by what else was asked about it.
    """

    __slots__ = ("_columns", "_rows", "_solids")

    def __init__(self) -> None:
        self._solids: tuple[object, ...] = ()
        self._rows: dict[tuple[float, ...], int] = {}
        self._columns: tuple[AnyArray, ...] = ()

    def answer(
        self,
        solids: Sequence[object],
        pairs: AnyArray,
        asked: AnyArray,
        ask: Callable[[Longs], tuple[AnyArray, ...]],
    ) -> tuple[AnyArray, ...]:
        """Columns with a row for each of the pairs (k, 2).

        `asked` (k, n) is what the answer to a pair depends on beside its solids, and `ask` gives
        the columns of those rows that are not known.
        """
        ids = [id(solid) for solid in solids]
        both = zip(pairs.tolist(), asked.tolist(), strict=True)
        keys = [(ids[a], ids[b], *own) for (a, b), own in both]
        known = np.array([self._rows.get(key, -1) for key in keys], dtype=np.int64)
        is_new = known < 0
        columns = ask(np.flatnonzero(is_new))
        if not is_new.all():
            columns = tuple(
                _merged(is_new, own, before[known[~is_new]])
                for own, before in zip(columns, self._columns, strict=True)
            )
        for column in columns:
            read_only(column)
        # held with the answers: no other object can have the ids
        self._solids, self._columns = tuple(solids), columns
        self._rows = dict(zip(keys, range(len(keys)), strict=True))
        return columns


class Kept:
    """What a scene keeps from one check to the next; one thread at a time checks it."""

    __slots__ = ("gaps", "meetings", "overlaps")

    def __init__(self) -> None:
        self.overlaps, self.meetings, self.gaps = KeptAnswers(), KeptAnswers(), KeptAnswers()


def _merged(is_new: AnyArray, new: AnyArray, known: AnyArray) -> AnyArray:
    column = np.empty((len(is_new), *new.shape[1:]), dtype=new.dtype)
    column[is_new], column[~is_new] = new, known
    return column
