"""A robot and its questions: what collides, how near it comes, which motions are free."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from impinge._options import checked_int, checked_length, ticking
from impinge.errors import InputError
from impinge.robots.asking import Asked
from impinge.robots.cell import Cell, PairRefs
from impinge.robots.loading import parts_of
from impinge.robots.model import Model, placed_base
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Bools, Floats, Progress
    from impinge.results.collisions import Collisions
    from impinge.results.distances import BodyDistances
    from impinge.results.ignored_pairs import IgnoredPairs
    from impinge.results.robot_motions import RobotMotions
    from impinge.robots.packages import Packages

_AT_ONCE = 1 << 14


class Robot(Model):
    """A robot with the meshes of its links; made by `Robot.load`, and never changed.

    A configuration is a value for each of `joints`, and most methods take m of them, (m, dof).
    `world` is a `Scene` or a mesh-like that stays where it is; None is the robot alone. Links are
    checked against the world and against each other, but for the `ignored` pairs.

    See Also
    --------
    impinge.Scene : For what a robot is not.

    Examples
    --------
    The arm that comes with the package, over a table:

    >>> import impinge
    >>> from impinge import data
    >>> from impinge.robots import Robot
    >>> arm = Robot.load(data.path("arm.urdf"))
    >>> arm.joints
    ('turn', 'shoulder', 'elbow')
    >>> world = impinge.Scene()
    >>> table = world.add([(-2, -2, 0), (2, -2, 0), (0, 3, 0)], [(0, 1, 2)], name="table")
    >>> Q = [(0.0, 0.3, 0.3), (0.0, 1.5, 1.0)]
    >>> arm.collides(Q, world, ignore=[("base", "table")]).tolist()
    [False, True]
    """

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        srdf: str | os.PathLike[str] | None = None,
        packages: Packages = None,
        base: object = None,
        primitive_error: float = 1e-3,
        lenient: bool = False,
    ) -> Robot:
        """Read a robot from a URDF file, with the collision geometry of its links.

        Parameters
        ----------
        path : str or path
            A URDF file. Joints may be revolute, continuous, prismatic or fixed, and mimic others.
        srdf : str or path, optional
            An SRDF file: pairs of links that are not checked, groups, named configurations.
            Adjacent links are never checked unless it enables them.
        packages : mapping, path or iterable of paths, optional
            Where packages are that the URDF names in ``package://name/file``: the folder of each
            by its name, or folders in which they stand. The folders above the URDF are looked at
            too.
        base : (4, 4) array_like, optional
            Where the root link stands in the world.
        primitive_error : float, default 0.001
            Cylinders, balls and capsules become meshes that hold them, with no point farther from
            them than this length. Boxes are exact.
        lenient : bool, default False
            Leave out what is broken in mesh files, with a warning, instead of raising.

        Returns
        -------
        Robot

        Raises
        ------
        MeshFileError
            A file cannot be read or trusted; the message tells where in it and why.

        Examples
        --------
        >>> from impinge import data
        >>> from impinge.robots import Robot
        >>> Robot.load(data.path("arm.urdf"), srdf=data.path("arm.srdf"))
        Robot('arm', 3 joints, 5 links with geometry)
        """
        parts, ignored = parts_of(path, srdf, packages, primitive_error, lenient)
        return cls(parts, placed_base(base), ignored)

    def scene(self, world: object = None, *, ignore: PairRefs = ()) -> Scene:
        """A new scene of the world's bodies and the links, which can be asked anything.

        Parameters
        ----------
        world, ignore
            As for `collides`.

        Returns
        -------
        Scene
            Bodies of the world come first, as copies that share their meshes.

        See Also
        --------
        impinge.robots.Robot.add_to : Into a scene of your own.
        """
        return Cell(self, world, ignore).scene

    def collides(
        self,
        Q: object,
        world: object = None,
        *,
        touching: str = "include",
        margin: float | None = None,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Bools:
        """Whether the robot collides with itself or the world, in many configurations.

        Parameters
        ----------
        Q : (m, dof) array_like
            A value for each of `joints`.
        world : Scene or mesh-like, optional
            What stands around the robot.
        touching, margin, workers, progress
            As for `Scene.collides`.
        ignore : iterable of pairs
            More pairs to leave out, of names of links and bodies of the world, or such bodies: a
            robot stands on its floor.

        Returns
        -------
        (m,) bool
            Exact for the coordinates that the poses of the links make. Surfaces are compared: a
            link that is wholly inside an obstacle does not touch its surface.

        See Also
        --------
        impinge.Scene.collides

        Examples
        --------
        >>> from impinge import data
        >>> from impinge.robots import Robot
        >>> arm = Robot.load(data.path("arm.urdf"))
        >>> arm.collides([(0.0, 0.0, 0.0), (0.0, 1.5, 2.8)]).tolist()
        [False, True]
        """
        rows, cell = self._rows(Q, "Q"), self._cell(world, ignore)

        def ask(rows: Floats, told: Progress | None) -> Bools:
            poses = cell.poses(self._placed(rows))
            return cell.scene.collides(
                poses=poses, touching=touching, margin=margin, workers=workers, progress=told
            )

        if len(rows) <= _AT_ONCE:
            return ask(rows, progress)
        # the poses of a million configurations would take gigabytes
        found = []
        for first in range(0, len(rows), _AT_ONCE):
            told = None if progress is None else _part(progress, first, len(rows))
            found.append(ask(rows[first : first + _AT_ONCE], told))
        return np.concatenate(found)

    def collide(
        self,
        Q: object,
        world: object = None,
        *,
        touching: str = "include",
        mode: str = "all",
        margin: float | None = None,
        ignore: PairRefs = (),
        max_pairs: int | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Collisions:
        """All pairs of faces that collide, in many configurations.

        Parameters
        ----------
        Q, world, ignore
            As for `collides`.
        touching, mode, margin, max_pairs, workers, progress
            As for `Scene.collide`.

        Returns
        -------
        Collisions
            With `pose`, the configuration of each row. Bodies of the world come before the links.
        """
        cell = self._cell(world, ignore)
        return cell.scene.collide(
            poses=cell.poses(self._placed(self._rows(Q, "Q"))),
            touching=touching,
            mode=mode,
            margin=margin,
            max_pairs=max_pairs,
            workers=workers,
            progress=progress,
        )

    def distances(
        self,
        Q: object,
        world: object = None,
        *,
        upper_bound: float | None = None,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> BodyDistances:
        """How far the links are from the world and from each other, in many configurations.

        Parameters
        ----------
        Q, world, ignore
            As for `collides`.
        upper_bound, workers, progress
            As for `Scene.distances`.

        Returns
        -------
        BodyDistances
            With `pose`, the configuration of each row.
        """
        cell = self._cell(world, ignore)
        return cell.scene.distances(
            poses=cell.poses(self._placed(self._rows(Q, "Q"))),
            upper_bound=upper_bound,
            workers=workers,
            progress=progress,
        )

    def free(
        self,
        Q0: object,
        Q1: object,
        world: object = None,
        *,
        tolerance: float = 1e-4,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> RobotMotions:
        """Which straight lines between configurations are free all the way, for certain.

        Every joint moves evenly from its value in `Q0` to that in `Q1`; one that turns without end
        turns by as much as these numbers differ. Distances at some configurations, and bounds of
        how fast bodies can approach between them, decide: no collision is missed between samples.

        Parameters
        ----------
        Q0, Q1 : (n, dof) array_like
            Where the motions start and end.
        world, ignore
            As for `collides`.
        tolerance : float, default 0.0001
            A motion on which bodies come nearer to each other than this length may be left as not
            certain; the smaller, the longer it may take where bodies slide along each other.
        workers, progress
            As for `Scene.distances`.

        Returns
        -------
        RobotMotions
            `free`, `blocked`, or neither: not certain.

        See Also
        --------
        impinge.results.RobotMotions

        Notes
        -----
        Distances count as smaller by what rounding can hide: 1e-10 of the extent of robot and
        world.
        """
        starts, ends = self._rows(Q0, "Q0"), self._rows(Q1, "Q1")
        if len(starts) != len(ends):
            raise InputError(f"Q0 has {len(starts)} configurations, but Q1 has {len(ends)}")
        least = checked_length("tolerance", tolerance)
        if least == 0.0:
            raise InputError("tolerance must be above 0: touching motions would never be decided")
        from impinge.robots.motions import free_motions

        cell, asked = self._cell(world, ignore), Asked(workers, ticking(progress))
        return free_motions(self, cell, (starts, ends), least, asked)

    def ignored_pairs(
        self,
        *,
        samples: int = 10_000,
        seed: int = 0,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> IgnoredPairs:
        """Pairs of links that need no check, found by random configurations within the limits.

        All pairs of links with geometry are looked at, those that are ignored now too.

        Parameters
        ----------
        samples : int, default 10000
            How many configurations. A pair that collides seldom may need more to be seen.
        seed : int, default 0
            The same gives the same configurations.
        workers, progress
            As for `Scene.collide`.

        Returns
        -------
        IgnoredPairs
            For `ignoring`, or as an SRDF document.

        See Also
        --------
        impinge.results.IgnoredPairs
        """
        number = checked_int(samples)
        if number is None or number < 1:
            raise InputError(f"samples must be an integer of at least 1, got {samples!r}")
        self._check_geometry()
        from impinge.robots.sampling import sampled_pairs

        return sampled_pairs(self, number, seed, Asked(workers, ticking(progress)))

    def _cell(self, world: object, ignore: PairRefs) -> Cell:
        """The robot in its world; kept until something of that moves."""
        self._check_geometry()
        if ignore != ():
            return Cell(self, world, ignore)
        kept = self._kept
        if not isinstance(kept, Cell) or not kept.unchanged(world):
            kept = self._kept = Cell(self, world)
        return kept

    def _check_geometry(self) -> None:
        if not self.meshes:
            raise InputError(
                f"robot {self.name!r} has nothing that could collide: no link has a <collision>"
            )


def _part(progress: Progress, first: int, count: int) -> Progress:
    """Progress of a part that begins at `first` of so many configurations."""
    return lambda fraction: progress((first + fraction * min(_AT_ONCE, count - first)) / count)
