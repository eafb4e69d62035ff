"""Filters of bodies and of pairs of bodies, which compose with `&`, `|` and `~`.

For `Scene.ignore`, and the `ignore` of every question of a scene.

Examples
--------
A robot that may touch its tool, and nothing else:

>>> import impinge
>>> from impinge.filters import between, groups
>>> scene, sheet = impinge.Scene(), ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
>>> for name, own in (("arm", "robot"), ("hand", "robot"), ("gripper", "tool"), ("table", "cell")):
...     _ = scene.add(*sheet, name=name, groups=own)
>>> scene.ignore(between(groups("robot"), groups("tool")))
>>> for a, b in scene.ignored:
...     print(a.name, b.name)
arm gripper
hand gripper
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from impinge.body import Body
from impinge.errors import InputError, missing

if TYPE_CHECKING:
    from impinge._types import Bools, Ints

__all__ = ["BodyFilter", "PairFilter", "between", "groups", "within"]

# so many pairs are looked at together
_PAIRS_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class _Filter:
    """What both kinds share: they compose with their own kind."""

    kind: str
    """What it is made by, or the sign of the composition."""
    parts: tuple[object, ...]
    """What it is made of, or the filters that are composed."""

    def __and__(self, other: Self) -> Self:
        return self._with("&", other)

    def __or__(self, other: Self) -> Self:
        return self._with("|", other)

    def __invert__(self) -> Self:
        return type(self)("~", (self,))

    def _with(self, sign: str, other: Self) -> Self:
        if type(other) is not type(self):
            raise InputError(
                f"a {type(self).__name__} composes with another, got {type(other).__name__}"
            )
        return type(self)(sign, (self, other))

    def __bool__(self) -> bool:
        # `and`, `or` and `not` would pass one of the operands on, and nobody would notice
        raise InputError("compose filters with &, | and ~, not with and, or and not")


@dataclass(frozen=True, repr=False)
class BodyFilter(_Filter):
    """Some bodies of a scene; made by `groups`, composed with `&`, `|` and `~`.

    See Also
    --------
    impinge.filters.groups, impinge.filters.between

    Examples
    --------
    >>> from impinge.filters import groups
    >>> groups("robot") & ~groups("tool")
    (groups('robot') & ~groups('tool'))
    """

    def selects(self, bodies: Sequence[Body]) -> Bools:
        """Which bodies it selects.

        Parameters
        ----------
        bodies : sequence of Body
            Those of a scene.

        Returns
        -------
        (n,) ndarray of bool
        """
        if self.kind == "groups":
            return np.array([not body.groups.isdisjoint(self.parts) for body in bodies], dtype=bool)
        if self.kind == "body":
            return np.array([body.name == _name(self.parts[0]) for body in bodies], dtype=bool)
        return _composed(self.kind, [part.selects(bodies) for part in self._filters()])

    def _filters(self) -> Iterator[BodyFilter]:
        return (part for part in self.parts if isinstance(part, BodyFilter))

    def _check(self, bodies: Sequence[Body]) -> None:
        """Raise when it names what the scene does not have."""
        if self.kind == "groups":
            known = sorted(set().union(*(body.groups for body in bodies)))
            for name in self.parts:
                if name not in known:
                    raise missing("ignore: group", str(name), "groups", known)
        elif self.kind == "body":
            one = self.parts[0]
            if isinstance(one, Body) and not any(one is body for body in bodies):
                raise InputError(f"ignore: {one!r} is not in this scene; add it first")
            if isinstance(one, str) and not any(one == body.name for body in bodies):
                raise missing("ignore: body", one, "bodies", [body.name for body in bodies])
        for part in self._filters():
            part._check(bodies)

    def __repr__(self) -> str:
        if self.kind == "groups":
            return f"groups({', '.join(map(repr, self.parts))})"
        return repr(_name(self.parts[0])) if self.kind == "body" else _said(self.kind, self.parts)


@dataclass(frozen=True, repr=False)
class PairFilter(_Filter):
    """Some pairs of bodies of a scene; made by `within` and `between`, composed with `&|~`.

    See Also
    --------
    impinge.Scene.ignore, impinge.filters.within, impinge.filters.between

    Examples
    --------
    All pairs but those of the robot with the cell:

    >>> from impinge.filters import between, groups
    >>> ~between(groups("robot"), groups("cell"))
    ~between(groups('robot'), groups('cell'))
    """

    def selects(self, bodies: Sequence[Body]) -> Ints:
        """Which pairs it selects.

        Parameters
        ----------
        bodies : sequence of Body
            Those of a scene.

        Returns
        -------
        (k, 2) ndarray of int32
            Indices, not the higher one first, sorted; a body with itself is a pair, too.
        """
        count = len(bodies)
        step = max(1, _PAIRS_AT_ONCE // max(count, 1))
        masks: dict[int, Bools] = {}
        found = [np.zeros((0, 2), dtype=np.int32)]
        for start in range(0, count, step):
            rows = slice(start, min(start + step, count))
            chosen = np.triu(self._table(bodies, rows, masks), start)
            found.append((np.argwhere(chosen) + np.array([start, 0])).astype(np.int32))
        return np.concatenate(found)

    def _table(self, bodies: Sequence[Body], rows: slice, masks: dict[int, Bools]) -> Bools:
        """(rows, n) which pairs it selects."""
        if self.kind == "between":
            x, y = (_mask(part, bodies, masks) for part in self.parts)
            return (x[rows, None] & y[None, :]) | (y[rows, None] & x[None, :])
        parts = (part for part in self.parts if isinstance(part, PairFilter))
        return _composed(self.kind, [part._table(bodies, rows, masks) for part in parts])

    def _check(self, bodies: Sequence[Body]) -> None:
        for part in self.parts:
            if isinstance(part, BodyFilter | PairFilter):
                part._check(bodies)

    def __repr__(self) -> str:
        if self.kind == "between":
            x, y = self.parts
            return f"within({x!r})" if x is y else f"between({x!r}, {y!r})"
        return _said(self.kind, self.parts)


def groups(*names: str) -> BodyFilter:
    """The bodies that are in any of these groups.

    Parameters
    ----------
    *names : str
        As given to `Scene.add`; without any it selects no body, and `~groups()` every body.

    Returns
    -------
    BodyFilter

    See Also
    --------
    impinge.filters.within, impinge.filters.between, impinge.Scene.add

    Examples
    --------
    >>> import impinge
    >>> from impinge.filters import groups
    >>> scene, sheet = impinge.Scene(), ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    >>> arm = scene.add(*sheet, groups="robot")
    >>> hand = scene.add(*sheet, groups=["robot", "tool"])
    >>> (groups("robot") & ~groups("tool")).selects(scene.bodies).tolist()
    [True, False]
    """
    for name in names:
        if not isinstance(name, str) or not name:
            raise InputError(f"groups takes names that are strings and not empty, got {name!r}")
    return BodyFilter("groups", names)


def between(x: BodyFilter | Body | str, y: BodyFilter | Body | str) -> PairFilter:
    """The pairs of one body of `x` with one of `y`.

    Parameters
    ----------
    x, y : BodyFilter, Body or str
        Some bodies, or a single one by its name.

    Returns
    -------
    PairFilter
        What is in both `x` and `y` is a pair with itself, too.

    See Also
    --------
    impinge.Scene.ignore, impinge.filters.within

    Examples
    --------
    >>> import impinge
    >>> from impinge.filters import between, groups
    >>> scene, sheet = impinge.Scene(), ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    >>> floor = scene.add(*sheet, name="floor")
    >>> legs = [scene.add(*sheet, groups="legs") for _ in range(2)]
    >>> between("floor", groups("legs")).selects(scene.bodies).tolist()
    [[0, 1], [0, 2]]
    """
    return PairFilter("between", (_some(x, "x"), _some(y, "y")))


def within(x: BodyFilter | Body | str) -> PairFilter:
    """The pairs of two bodies of `x`, and each of them with itself.

    Parameters
    ----------
    x : BodyFilter, Body or str
        Some bodies, or a single one by its name.

    Returns
    -------
    PairFilter

    See Also
    --------
    impinge.Scene.ignore, impinge.filters.between

    Examples
    --------
    Fixtures stand on each other, and nobody wants to know:

    >>> import impinge
    >>> from impinge.filters import groups, within
    >>> scene, sheet = impinge.Scene(), ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    >>> for name in ("table", "clamp", "rail"):
    ...     _ = scene.add(*sheet, name=name, groups="fixtures")
    >>> scene.collides(ignore=within(groups("fixtures")))
    False
    """
    some = _some(x, "x")
    return PairFilter("between", (some, some))


def _some(value: object, argument: str) -> BodyFilter:
    if isinstance(value, BodyFilter):
        return value
    if not isinstance(value, Body | str):
        raise InputError(
            f"{argument} must be a filter of bodies, a body or its name, got {type(value).__name__}"
        )
    return BodyFilter("body", (value,))


def _name(value: object) -> object:
    return value.name if isinstance(value, Body) else value


def _mask(part: object, bodies: Sequence[Body], masks: dict[int, Bools]) -> Bools:
    assert isinstance(part, BodyFilter)
    if id(part) not in masks:
        masks[id(part)] = part.selects(bodies)
    return masks[id(part)]


def _composed(sign: str, masks: list[Bools]) -> Bools:
    if sign == "~":
        return ~masks[0]
    return masks[0] & masks[1] if sign == "&" else masks[0] | masks[1]


def _said(sign: str, parts: tuple[object, ...]) -> str:
    return f"~{parts[0]!r}" if sign == "~" else f"({parts[0]!r} {sign} {parts[1]!r})"
