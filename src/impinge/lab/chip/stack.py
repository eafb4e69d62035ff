"""The stack engine: lists of aligned pairs in an SRAM of its own, and a stack of pointers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import Longs

    Range = tuple[int, int]


@dataclass
class Level:
    """A tumbled pair on the way down, and where the lists for what is below its nodes lie."""

    nodes: Longs
    lists: list[Range]
    second: bool = False
    """The bit: not set when the level is pushed, set when the second branch is entered."""


class StackEngine:
    """Lists of entries 4 p + mask: an aligned pair p, and a bit for each live node of it."""

    def __init__(self) -> None:
        self._sram = np.zeros(1024, dtype=np.int64)
        self._levels: list[Level] = []
        self._end = 0
        self.words = 0
        """Most words that were in use."""
        self.deepest = 0

    @property
    def level(self) -> int:
        """The register with the current level; 0 when nothing is left."""
        return len(self._levels)

    @property
    def top(self) -> Level:
        return self._levels[-1]

    def push(self, nodes: Longs, lists: list[Range]) -> None:
        self._levels.append(Level(nodes, lists))
        self.deepest = max(self.deepest, self.level)

    def flip(self) -> None:
        """To the second branch. What the first one has left is overwritten."""
        self.top.second = True
        self.forget_after(self.top.lists)

    def pop(self) -> None:
        self._levels.pop()

    def write(self, entries: Longs) -> Range:
        """A new list behind all others."""
        begin, end = self._end, self._end + len(entries)
        while end > len(self._sram):
            self._sram = np.concatenate([self._sram, np.zeros_like(self._sram)])
        self._sram[begin:end] = entries
        self._end = end
        self.words = max(self.words, end)
        return begin, end

    def read(self, place: Range) -> tuple[Longs, Longs]:
        """Pairs and masks of a list."""
        entries = self._sram[place[0] : place[1]]
        return entries >> 2, entries & 3

    def forget_after(self, lists: list[Range]) -> None:
        """Frees what was written behind these lists."""
        self._end = max(end for _, end in lists)
