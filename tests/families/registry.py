"""What a family is, and where families are registered by name."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Rng = np.random.Generator


@dataclass(frozen=True)
class Family:
    """A named generator with the sizes at which it is run."""

    name: str
    make: Callable[[Rng, int], Any]
    small: int
    big: int

    def build(self, size: str, seed: int) -> Any:
        """The meshes of one case; the same for the same name, size and seed."""
        rng = np.random.default_rng([zlib.crc32(self.name.encode()), seed])
        return self.make(rng, self.small if size == "small" else self.big)


PAIRS: dict[str, Family] = {}
SELVES: dict[str, Family] = {}
SCENES: dict[str, Family] = {}
ALIGNED: dict[str, Family] = {}
SEQUENCES: dict[str, Family] = {}


def family(registry: dict[str, Family], *, small: int, big: int) -> Callable[..., Any]:
    """Register a generator under its function name."""

    def register(make: Callable[[Rng, int], Any]) -> Callable[[Rng, int], Any]:
        name = make.__name__.strip("_")
        registry[name] = Family(name, make, small, big)
        return make

    return register


def cases(registry: dict[str, Family], seeds: int) -> list[tuple[str, int]]:
    """All (family name, seed) of a registry."""
    return [(name, seed) for name in registry for seed in range(seeds)]
