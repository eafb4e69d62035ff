"""When moving bodies meet."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from impinge._text import counted
from impinge.results.columns import Answer

if TYPE_CHECKING:
    from impinge._types import Bools, Bytes, Floats, Ints


class Start(IntEnum):
    """How two surfaces lie to each other when a motion begins.

    See Also
    --------
    impinge.results.TimeOfImpact

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = impinge.Mesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> away = np.tile(np.eye(4), (2, 1, 1))
    >>> away[1, 2, 3] = 1.0
    >>> impinge.time_of_impact(mesh, mesh, motion_b=away).start.name
    'TOUCHING'
    """

    FREE = 0
    """No point in common."""
    TOUCHING = 1
    """Faces share points, and none crosses another."""
    OVERLAPPING = 2
    """Faces cross."""


@dataclass(frozen=True, eq=False)
class TimeOfImpact(Answer):
    """When two moving meshes first meet, and where; the answer of `impinge.time_of_impact`.

    `float(impact)` is the time.

    See Also
    --------
    impinge.time_of_impact

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = impinge.Mesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> down = np.tile(np.eye(4), (2, 1, 1))
    >>> down[:, 2, 3] = 3.0, -1.0
    >>> impact = impinge.time_of_impact(mesh, mesh, motion_b=down)
    >>> impact.pair, impact.normal.round(9).tolist(), impact.start.name, impact.certain
    ((1, 0), [0.0, 0.0, 1.0], 'FREE', True)
    """

    time: float
    """Until then they are certainly apart; inf when they are to the end."""
    pair: tuple[int, int] | None
    """The faces of a and of b that are in contact first; None without an impact."""
    point: Floats | None
    """(3,) float64: between the closest points of the two faces, in world coordinates."""
    normal: Floats | None
    """(3,) float64: unit vector from a to b along which the faces are apart, or overlap least; None
    where none is known."""
    gap: float
    """How far the two faces are apart at that time; inf without an impact."""
    start: Start
    """How the surfaces lie to each other in the beginning."""
    certain: bool
    """False for what may be a near miss: no collision was found by the exact test in poses shortly
    after. True without an impact."""

    exact = False
    """The time is a bound, however near; whether something meets is decided exactly where `certain`
    is set."""

    def __float__(self) -> float:
        return self.time


@dataclass(frozen=True, eq=False, repr=False)
class TimesOfImpact(Answer):
    """The same for each of n motions; `times[i]` is one `TimeOfImpact`. Arrays are read-only.

    See Also
    --------
    impinge.time_of_impact

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = impinge.Mesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> motions = np.tile(np.eye(4), (2, 2, 1, 1))
    >>> motions[:, :, 2, 3] = (2, -2), (2, 3)
    >>> found = impinge.time_of_impact(mesh, mesh, motion_b=motions)
    >>> found.times.round(9).tolist(), found.pairs.tolist()
    ([0.25, inf], [[1, 0], [-1, -1]])
    """

    times: Floats
    """(n,) float64; inf without an impact."""
    pairs: Ints
    """(n, 2) int32: faces of a and of b; -1 without an impact."""
    points: Floats
    """(n, 3) float64; NaN without an impact."""
    normals: Floats
    """(n, 3) float64; NaN without an impact, and where none is known."""
    gaps: Floats
    """(n,) float64; inf without an impact."""
    starts: Bytes
    """(n,) uint8, the numbers of a `Start`."""
    certain: Bools
    """(n,) bool."""

    exact = False
    """Times are bounds, however near; whether something meets is decided exactly where `certain`
    is set."""

    def __len__(self) -> int:
        return len(self.times)

    def __getitem__(self, index: int) -> TimeOfImpact:
        time, start = float(self.times[index]), Start(int(self.starts[index]))
        if math.isinf(time):
            return TimeOfImpact(time, None, None, None, math.inf, start, True)
        face_a, face_b = self.pairs[index].tolist()
        normal = self.normals[index]
        return TimeOfImpact(
            time,
            (face_a, face_b),
            self.points[index],
            None if math.isnan(normal[0]) else normal,
            float(self.gaps[index]),
            start,
            bool(self.certain[index]),
        )

    def __iter__(self) -> Iterator[TimeOfImpact]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        impacts = int((self.times < math.inf).sum())
        return f"TimesOfImpact({counted(len(self), 'motion')}, {counted(impacts, 'impact')})"


@dataclass(frozen=True, eq=False)
class BodyImpact(Answer):
    """When any two bodies of a scene first meet; the answer of `Scene.time_of_impact`.

    `float(impact)` is the time.

    See Also
    --------
    impinge.Scene.time_of_impact

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = impinge.Mesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> scene = impinge.Scene()
    >>> _ = scene.add(mesh, name="floor"), scene.add(mesh, name="plate")
    >>> down = np.tile(np.eye(4), (2, 1, 1))
    >>> down[:, 2, 3] = 2.0, -2.0
    >>> impact = scene.time_of_impact({"plate": down})
    >>> round(impact.time, 9), impact.names
    (0.25, ('floor', 'plate'))
    """

    bodies: tuple[int, int] | None
    """Indices of the two bodies, the lower one first; None without an impact."""
    names: tuple[str, str] | None
    """Their names."""
    impact: TimeOfImpact
    """Of the first as a and the second as b."""

    exact = False
    """The time is a bound, however near."""

    @property
    def time(self) -> float:
        """Until then all bodies are certainly apart; inf when they are to the end."""
        return self.impact.time

    def __float__(self) -> float:
        return self.impact.time


@dataclass(frozen=True, eq=False, repr=False)
class BodyImpacts(Answer):
    """The same for each of n motions; `impacts[i]` is one `BodyImpact`. Arrays are read-only.

    See Also
    --------
    impinge.Scene.time_of_impact

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> mesh = impinge.Mesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    >>> scene = impinge.Scene()
    >>> _ = scene.add(mesh, name="floor"), scene.add(mesh, name="plate")
    >>> motions = np.tile(np.eye(4), (2, 2, 1, 1))
    >>> motions[:, :, 2, 3] = (2, -2), (2, 3)
    >>> found = scene.time_of_impact({"plate": motions})
    >>> found.times.round(9).tolist(), found.bodies.tolist()
    ([0.25, inf], [[0, 1], [-1, -1]])
    """

    bodies: Ints
    """(n, 2) int32: indices of the bodies that meet first; -1 without an impact."""
    impacts: TimesOfImpact
    """Of the first as a and the second as b."""
    names: tuple[str, ...]
    """Names of all bodies of the query."""

    exact = False
    """Times are bounds, however near."""

    @property
    def times(self) -> Floats:
        """(n,) float64; inf without an impact."""
        return self.impacts.times

    def __len__(self) -> int:
        return len(self.bodies)

    def __getitem__(self, index: int) -> BodyImpact:
        a, b = self.bodies[index].tolist()
        impact = self.impacts[index]
        if a < 0:
            return BodyImpact(None, None, impact)
        return BodyImpact((a, b), (self.names[a], self.names[b]), impact)

    def __iter__(self) -> Iterator[BodyImpact]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"BodyImpacts({counted(len(self), 'motion')})"
