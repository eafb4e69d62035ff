"""A file as layers, each with a grammar of its own: what mutation and minimising work on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

Mutator: TypeAlias = Callable[[bytes, Random], bytes]


@dataclass(frozen=True)
class Layer:
    """A stretch of a file, how it is mutated, and the whole file with another in its place."""

    content: bytes
    mutate: Mutator
    rebuilt: Callable[[bytes], bytes]
    weight: int = 1


Layers: TypeAlias = Iterator[Layer]
