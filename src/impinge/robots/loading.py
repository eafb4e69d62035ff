"""From the files of a robot to what it is."""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge._options import checked_length
from impinge.errors import InputError
from impinge.robots.geometry import Workshop
from impinge.robots.kinematics import Kinematics
from impinge.robots.model import Parts
from impinge.robots.packages import Finder, Packages
from impinge.robots.reach import Reach
from impinge.robots.srdf import Semantics, read_srdf
from impinge.robots.urdf import Description, read_urdf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from impinge.mesh import Mesh

Pairs = frozenset[frozenset[str]]


def parts_of(
    path: object, srdf: object, packages: Packages, primitive_error: object, lenient: bool
) -> tuple[Parts, Pairs]:
    """What the files say, and the pairs of links that are not checked."""
    error = checked_length("primitive_error", primitive_error)
    if error == 0.0:
        raise InputError("primitive_error must be above 0: no mesh is as round as a ball")
    urdf = _as_path(path, "path")
    robot = read_urdf(urdf)
    semantics = Semantics() if srdf is None else read_srdf(_as_path(srdf, "srdf"), robot)
    workshop = Workshop(robot, Finder(urdf, packages), error, lenient)
    made = {name: workshop.mesh_of(link) for name, link in robot.links.items()}
    meshes = {name: mesh for name, mesh in made.items() if mesh is not None}
    kinematics = Kinematics(robot)
    index = {name: at for at, name in enumerate(kinematics.links)}
    bodies = np.array([index[name] for name in meshes], dtype=np.int32)
    adjacent = _adjacent(robot, meshes)
    parts = Parts(
        robot.name,
        kinematics,
        meshes,
        bodies,
        Reach(kinematics, bodies, tuple(meshes.values())),
        semantics.groups,
        semantics.states,
        adjacent,
        tuple(semantics.warnings),
    )
    return parts, _ignored(meshes, adjacent, semantics)


def _adjacent(robot: Description, meshes: Mapping[str, Mesh]) -> Pairs:
    """Pairs of links with geometry that are not checked without an SRDF.

    A link and the next one above it that has geometry; and links between which nothing can move.
    """
    above = {joint.child: joint for joint in robot.joints.values()}
    found: set[frozenset[str]] = set()
    clusters: dict[str, list[str]] = {}
    for name in meshes:
        link = name
        while link in above:
            link = above[link].parent
            if link in meshes:
                found.add(frozenset((name, link)))
                break
        fixed = name
        while fixed in above and above[fixed].kind == "fixed":
            fixed = above[fixed].parent
        clusters.setdefault(fixed, []).append(name)
    for cluster in clusters.values():
        found.update(frozenset(pair) for pair in combinations(cluster, 2))
    return frozenset(found)


def _ignored(meshes: Mapping[str, Mesh], adjacent: Pairs, semantics: Semantics) -> Pairs:
    """Adjacent pairs and those of the SRDF, without those that it wants checked."""
    pairs = adjacent | semantics.disabled
    for link in semantics.alone:
        pairs |= {frozenset((link, other)) for other in meshes if other != link}
    return frozenset(
        pair for pair in pairs - semantics.enabled if len(pair) == 2 and pair <= meshes.keys()
    )


def _as_path(path: object, argument: str) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"{argument} must be a path, got {type(path).__name__}")
    return Path(os.fsdecode(path))
