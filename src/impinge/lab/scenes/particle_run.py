"""What simulations have in common that go on by what is found, frame by frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.body import Body
    from impinge.detectors.protocol import Detector
    from impinge.scene import Scene

FPS = 25.0
GREY, BLUE, RED = (0.80, 0.81, 0.83), (0.45, 0.62, 0.78), (0.86, 0.13, 0.18)


class Tally(NamedTuple):
    """Pairs of bodies of one frame that matter to the demo."""

    true: int
    found: int
    """Of the true ones."""
    lost: int
    invented: int
    seconds: float
    """To find them."""
    judging: float
    """Seconds to tell which are true, no part of the demo."""


class ParticleRun(Protocol):
    """A simulation under way: `step()` is one frame, a 25th of a second."""

    scene: Scene
    """The bodies that are looked at; what has come to rest may have left."""

    def use(self, method: str | Detector) -> None:
        """Ask this one from now on: an image, or "bvh"."""

    def step(self) -> Tally: ...

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All bodies to show."""

    def colours(self) -> list[Floats]:
        """For each of them (3,), or (m, 3) for its faces, in 0..1."""

    def facts(self) -> dict[str, Any]:
        """How it stands, in a few words and numbers."""
