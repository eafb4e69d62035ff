"""A scene with its motion, and what a paper printed about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from impinge._text import counted
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge.scene import Scene


@dataclass(frozen=True)
class PaperRow:
    """Counts and milliseconds as printed; None is what the paper does not tell."""

    triangles: int
    rays: int | None = None
    downloaded: int | None = None
    potentially_colliding: int | None = None
    tests: int | None = None
    positives: int | None = None
    sample_ms: float | None = None
    """Sampling, merging and separating."""
    pack_ms: float | None = None
    """Packing and downloading."""
    exact_ms: float | None = None
    total_ms: float | None = None


@dataclass(frozen=True)
class SceneRun:
    """A scene that goes through time: `advance(t)`, then ask `scene`.

    Where the bodies are depends on t alone, not on the times before.
    """

    name: str
    title: str
    scene: Scene
    self_collision: bool
    frames: int
    paper: PaperRow
    move: Callable[[float], None] = field(repr=False)

    @property
    def faces(self) -> int:
        return sum(len(body.faces) for body in self.scene)

    @property
    def times(self) -> tuple[float, ...]:
        """The times of the frames, from 0 to 1."""
        return tuple(np.linspace(0.0, 1.0, self.frames).tolist())

    def advance(self, t: float) -> None:
        """Move and deform all bodies to time t: 0 is the beginning, 1 the end."""
        if not np.isfinite(t):
            raise InputError(f"t must be a finite number, got {t!r}")
        self.move(float(t))

    def __repr__(self) -> str:
        bodies, faces = counted(len(self.scene), "body"), f"{self.faces:,} faces"
        return f"SceneRun({self.name!r}, {bodies}, {faces}, {counted(self.frames, 'frame')})"
