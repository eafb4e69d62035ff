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
    """Counts and milliseconds as a paper printed them; None is what it does not tell.

    See Also
    --------
    impinge.lab.scenes.SceneRun

    Examples
    --------
    >>> from impinge.lab import scenes
    >>> scenes.make("cloth", size="small").paper.triangles
    2000
    """

    triangles: int
    """Of the scene."""
    rays: int | None = None
    """Rays that are on."""
    downloaded: int | None = None
    """Triangles that were read from the GPU."""
    potentially_colliding: int | None = None
    """Triangles that are left after the test of boxes."""
    tests: int | None = None
    """Pairs of triangles that were tested."""
    positives: int | None = None
    """Pairs that collide."""
    sample_ms: float | None = None
    """Sampling, merging and separating."""
    pack_ms: float | None = None
    """Packing and downloading."""
    exact_ms: float | None = None
    """Testing pairs."""
    total_ms: float | None = None
    """All of it."""


@dataclass(frozen=True)
class SceneRun:
    """A scene that goes through time: `advance(t)`, then ask `scene`.

    Where the bodies are depends on t alone, not on the times before.

    See Also
    --------
    impinge.lab.scenes.make

    Examples
    --------
    >>> from impinge.lab import scenes
    >>> run = scenes.make("cloth", size="small")
    >>> run.times[0], run.times[-1]
    (0.0, 1.0)
    >>> run.advance(1.0)
    >>> bool(run.scene.collide())
    True
    """

    name: str
    """As `names` has it."""
    title: str
    """What it shows."""
    scene: Scene
    """The bodies as they are now."""
    self_collision: bool
    """Whether the paper also asks for self-collisions."""
    frames: int
    """Number of frames to ask about."""
    paper: PaperRow
    """What the paper printed."""
    move: Callable[[float], None] = field(repr=False)
    """Moves the bodies to a time."""

    @property
    def faces(self) -> int:
        """Number of faces of all bodies."""
        return sum(len(body.faces) for body in self.scene)

    @property
    def times(self) -> tuple[float, ...]:
        """The times of the frames, from 0 to 1."""
        return tuple(np.linspace(0.0, 1.0, self.frames).tolist())

    def advance(self, t: float) -> None:
        """Move and deform all bodies.

        Parameters
        ----------
        t : float
            The time: 0 is the beginning, 1 the end.
        """
        if not np.isfinite(t):
            raise InputError(f"t must be a finite number, got {t!r}")
        self.move(float(t))

    def __repr__(self) -> str:
        bodies, faces = counted(len(self.scene), "body"), f"{self.faces:,} faces"
        return f"SceneRun({self.name!r}, {bodies}, {faces}, {counted(self.frames, 'frame')})"
