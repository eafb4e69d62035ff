"""What a robot is: its links, its joints, and where the links are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from impinge._arrays import as_pose, first_index, unchecked_table
from impinge._options import checked_int
from impinge.errors import InputError, missing
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Ints
    from impinge.body import Body
    from impinge.mesh import Mesh
    from impinge.robots.kinematics import Kinematics
    from impinge.robots.reach import Reach

# turns that no cosine is meant for; what they round off would be lengths
_LARGEST_VALUE = 1e6


@dataclass(frozen=True, eq=False)
class Parts:
    """What all copies of a robot share."""

    name: str
    kinematics: Kinematics
    meshes: dict[str, Mesh]
    """Of the links that have geometry."""
    bodies: Ints
    """Which links these are."""
    reach: Reach
    groups: Mapping[str, tuple[str, ...]]
    states: Mapping[str, Mapping[str, float]]
    adjacent: frozenset[frozenset[str]]
    warnings: tuple[str, ...]


class Model:
    """Links and joints; the values of the free joints, (m, dof), are where it is."""

    def __init__(self, parts: Parts, base: Floats, ignored: frozenset[frozenset[str]]) -> None:
        self._parts = parts
        self._base = base
        self._ignored = ignored
        self._kept: object = None
        kinematics = parts.kinematics
        self._free = kinematics.free
        self._factors, self._offsets = kinematics.factors, kinematics.offsets

    @property
    def name(self) -> str:
        """As the URDF has it."""
        return self._parts.name

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that have a column in a configuration, in the order of the URDF.

        Fixed joints have none, nor have those that mimic another or that a group leaves still.
        """
        return tuple(self._parts.kinematics.movable[index] for index in self._free)

    @property
    def links(self) -> tuple[str, ...]:
        """All links, in the order of the URDF."""
        return self._parts.kinematics.links

    @property
    def meshes(self) -> Mapping[str, Mesh]:
        """The collision geometry of the links that have any, in the coordinates of the link."""
        return MappingProxyType(self._parts.meshes)

    @property
    def lower(self) -> Floats:
        """(dof,): the lower limit of each joint; -inf for one that turns without end."""
        return self._parts.kinematics.lower[self._free]

    @property
    def upper(self) -> Floats:
        """(dof,): the upper limit of each joint; inf for one that turns without end."""
        return self._parts.kinematics.upper[self._free]

    @property
    def base(self) -> Floats:
        """(4, 4): where the root link stands in the world."""
        return self._base

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """The joints of each group of the SRDF, without those that are fixed or mimic another."""
        free = set(self.joints)
        return MappingProxyType(
            {
                name: tuple(joint for joint in joints if joint in free)
                for name, joints in self._parts.groups.items()
            }
        )

    @property
    def states(self) -> Mapping[str, Floats]:
        """(dof,) for each named configuration of the SRDF; joints that it leaves out rest."""
        return MappingProxyType(
            {name: self._of_names(values) for name, values in self._parts.states.items()}
        )

    @property
    def ignored(self) -> tuple[tuple[str, str], ...]:
        """Pairs of links with geometry that are not checked, in the order of the links."""
        order = {link: index for index, link in enumerate(self.meshes)}
        pairs = [sorted(pair, key=order.__getitem__) for pair in self._ignored]
        return tuple((a, b) for a, b in sorted(pairs, key=lambda pair: [order[x] for x in pair]))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the SRDF says about links and joints that do not exist, and was left out."""
        return self._parts.warnings

    @property
    def rest(self) -> Floats:
        """(dof,): 0 for each joint, or the limit that is nearest to it."""
        rest: Floats = np.clip(0.0, self.lower, self.upper)
        return rest

    def group(self, name: str, *, at: object = None) -> Self:
        """The same robot, of which only the joints of a group move.

        Parameters
        ----------
        name : str
            A group of the SRDF.
        at : (dof,) array_like, optional
            Where the other joints stay; None is `rest`.

        Returns
        -------
        Robot
            Its configurations have a column for each joint of the group. All links are checked.
        """
        if name not in self.groups:
            raise missing("group", name, "groups", list(self.groups))
        still = self.rest if at is None else self._row(at, "at")
        wanted = set(self.groups[name])
        kept = np.array([joint in wanted for joint in self.joints], dtype=bool)
        result = copy(self)
        result._free, result._factors = self._free[kept], self._factors[kept]
        result._offsets = self._offsets + np.where(kept, 0.0, still) @ self._factors
        return result

    def ignoring(self, pairs: Iterable[tuple[str, str]]) -> Self:
        """The same robot, with more pairs of links that are not checked.

        Parameters
        ----------
        pairs : iterable of pairs of str
            Names of links, such as `IgnoredPairs.pairs`. One without geometry is never checked.

        Returns
        -------
        Robot
        """
        more = set()
        for row, pair in enumerate(pairs):
            both = [pair] if isinstance(pair, str) else [*pair]
            if len(both) != 2 or both[0] == both[1]:
                raise InputError(f"pairs[{row}] must be two links, got {pair!r}")
            for link in both:
                if link not in self.links:
                    raise missing(f"pairs[{row}]", link, "links", list(self.links))
            if all(link in self.meshes for link in both):
                more.add(frozenset(both))
        result = copy(self)
        result._ignored, result._kept = self._ignored | more, None
        return result

    def poses(self, Q: object, *, links: Iterable[str] | None = None) -> dict[str, Floats]:
        """Where the links are in many configurations: forward kinematics.

        Parameters
        ----------
        Q : (m, dof) array_like
            A value for each of `joints`: radians, or a length where the joint slides. Limits are
            not looked at, see `within_limits`.
        links : iterable of str, optional
            Names of links; None is those that have geometry.

        Returns
        -------
        dict of str to (m, 4, 4) float64
            For `Scene.collides(poses=)` and its like: world = R v + t.
        """
        names = tuple(self.meshes) if links is None else tuple(links)
        order = {link: index for index, link in enumerate(self.links)}
        for link in names:
            if link not in order:
                raise missing("links", link, "links", list(self.links))
        wanted = np.array([order[name] for name in names], dtype=np.int32)
        placed = self._placed(self._rows(Q, "Q"), wanted)
        return {name: placed[:, column] for column, name in enumerate(names)}

    def within_limits(self, Q: object) -> Bools:
        """Whether all joints are within their limits, those that mimic others too.

        Parameters
        ----------
        Q : (m, dof) array_like

        Returns
        -------
        (m,) bool
        """
        values = self._values(self._rows(Q, "Q"))
        kinematics = self._parts.kinematics
        inside: Bools = np.all((values >= kinematics.lower) & (values <= kinematics.upper), axis=1)
        return inside

    def random(self, count: int, *, seed: int = 0) -> Floats:
        """Configurations that are spread evenly within the limits.

        Parameters
        ----------
        count : int
        seed : int, default 0
            The same gives the same configurations.

        Returns
        -------
        (count, dof) float64
            Joints that turn without end get values from -pi to pi.
        """
        number = checked_int(count)
        if number is None or number < 0:
            raise InputError(f"count must be an integer of at least 0, got {count!r}")
        lower = np.where(np.isfinite(self.lower), self.lower, -np.pi)
        upper = np.where(np.isfinite(self.upper), self.upper, np.pi)
        rng = np.random.default_rng(seed)
        return rng.uniform(lower, upper, (number, len(self._free)))

    def add_to(
        self, scene: Scene, *, prefix: str = "", groups: str | Iterable[str] | None = None
    ) -> dict[str, Body]:
        """Add a body for each link with geometry, at rest, and ignore the pairs that are ignored.

        Parameters
        ----------
        scene : Scene
        prefix : str, default ""
            Stands before the name of each link. A name that is taken gets a number.
        groups : str or iterable of str, optional
            As for `Scene.add`.

        Returns
        -------
        dict of str to Body
            By the names of the links.
        """
        poses = self.poses(self.rest[None])
        added = {
            link: scene.add(mesh, name=prefix + link, pose=poses[link][0], groups=groups)
            for link, mesh in self.meshes.items()
        }
        for a, b in self.ignored:
            scene.ignore(added[a], added[b])
        return added

    def _placed(self, rows: Floats, wanted: Ints | None = None) -> Floats:
        """(m, k, 4, 4): k links in the world, those with geometry unless others are wanted."""
        kinematics, bodies = self._parts.kinematics, self._parts.bodies
        wanted = bodies if wanted is None else wanted
        return kinematics.poses(self._values(rows), self._base, wanted)

    def _values(self, rows: Floats) -> Floats:
        """(m, movable): of all movable joints."""
        values: Floats = rows @ self._factors + self._offsets
        return values

    def _rows(self, Q: object, argument: str) -> Floats:
        """(m, dof) float64, finite."""
        rows = unchecked_table(Q, argument, "joints", len(self._free))
        good = np.abs(rows) <= _LARGEST_VALUE
        if not good.all():
            row, column = first_index(~good)
            raise InputError(
                f"{argument}[{row}, {column}] = {rows[row, column]} of joint "
                f"{self.joints[column]!r} must be finite and at most {_LARGEST_VALUE:g} in size"
            )
        return rows

    def _row(self, q: object, argument: str) -> Floats:
        array = np.asarray(q)
        if array.ndim != 1:
            raise InputError(f"{argument} must have shape ({len(self._free)},), got {array.shape}")
        row: Floats = self._rows(array[None], argument)[0]
        return row

    def _of_names(self, values: Mapping[str, float]) -> Floats:
        """(dof,) of joints by name; the others rest."""
        result = self.rest.copy()
        for column, joint in enumerate(self.joints):
            result[column] = values.get(joint, result[column])
        return result

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": None}

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.name!r}, {len(self.joints)} joints, "
            f"{len(self.meshes)} links with geometry)"
        )


def placed_base(base: object) -> Floats:
    """(4, 4) where the root stands: a rigid pose."""
    if base is None:
        return np.eye(4)
    pose = as_pose(base, argument="base")
    turn = pose[:3, :3]
    if not np.allclose(turn @ turn.T, np.eye(3), rtol=0.0, atol=1e-9) or np.linalg.det(turn) < 0.0:
        raise InputError("base must be rigid: a rotation and a translation, without a scale")
    return pose
