"""Which pairs of links of a robot need no check, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from impinge._outputs import write_text
from impinge._text import counted, table
from impinge.results.columns import Frozen

if TYPE_CHECKING:
    from os import PathLike

    from impinge._types import Longs

REASONS = ("adjacent", "default", "always", "never")
"""Why a pair is ignored, in this order: the first that holds is told."""


@dataclass(frozen=True, eq=False, repr=False)
class IgnoredPairs(Frozen):
    """Pairs of links that need no check, as sampled; the answer of `Robot.ignored_pairs`.

    Iterating gives (link, link, reason). Arrays are read-only.

    See Also
    --------
    impinge.robots.Robot.ignored_pairs, impinge.robots.Robot.ignoring

    Examples
    --------
    >>> from impinge import data
    >>> from impinge.robots import Robot
    >>> found = Robot.load(data.path("arm.urdf")).ignored_pairs(samples=200)
    >>> found.counts_by_reason
    {'adjacent': 4, 'default': 0, 'always': 0, 'never': 3}
    >>> for a, b, reason in found:
    ...     if reason == "never":
    ...         print(a, b)
    column lower_arm
    column gripper
    upper_arm gripper
    """

    pairs: tuple[tuple[str, str], ...]
    """Names of links, in the order of the robot."""
    reasons: tuple[str, ...]
    """"adjacent": a joint is between them; "default": they collide at rest; "always", "never": in
    every sample, in none. "never" is what the samples show, not a proof."""
    counts: Longs
    """(k,) int64: in how many samples they collided."""
    samples: int
    """How many random configurations were looked at."""
    robot: str
    """Name of the robot."""

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        return ((a, b, why) for (a, b), why in zip(self.pairs, self.reasons, strict=True))

    @property
    def counts_by_reason(self) -> dict[str, int]:
        """How many pairs there are for each reason."""
        return {reason: self.reasons.count(reason) for reason in REASONS}

    def to_srdf(self) -> str:
        """The pairs as an SRDF document, for `Robot.load(srdf=)`, MoveIt and others."""
        from xml.sax.saxutils import quoteattr

        lines = [
            f"  <disable_collisions link1={quoteattr(a)} link2={quoteattr(b)} "
            f'reason="{reason.capitalize()}"/>'
            for a, b, reason in self
        ]
        head = ['<?xml version="1.0" encoding="UTF-8"?>', f"<robot name={quoteattr(self.robot)}>"]
        return "\n".join([*head, *lines, "</robot>", ""])

    def save(self, path: str | PathLike[str]) -> None:
        """Write `to_srdf` to a file, which is replaced as a whole.

        Parameters
        ----------
        path : str or path
        """
        write_text(path, self.to_srdf())

    def __repr__(self) -> str:
        rows = (
            (f"{a} × {b}", why, str(count))
            for (a, b, why), count in zip(self, self.counts.tolist(), strict=True)
        )
        title = f"{counted(len(self), 'ignored pair')} of links, {self.samples:,} samples"
        return table(title, list(islice(rows, 40)))
