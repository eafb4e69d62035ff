"""Robots of the package example-robot-data as workloads: their links as they are, in a cell.

Links are meshes; boxes and cylinders of a URDF are made into triangles, for everybody alike. Poses,
neighbours that are ignored, and limits of joints are those that Pinocchio reads.
"""

from __future__ import annotations

import sysconfig
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.lab.bench import shapes
from impinge.lab.bench.cases import Machine, Surface

if TYPE_CHECKING:
    from impinge._types import Floats, Ints

ROBOTS = {
    "panda": ("panda_description/urdf/panda.urdf", "panda_description/srdf/panda.srdf"),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "ur_description/srdf/ur5.srdf"),
    "talos": ("talos_data/robots/talos_full_v2.urdf", "talos_data/srdf/talos.srdf"),
}
"""Files of each robot, with its ignored pairs."""

_SIDES = 32
# of the ring of bumpy spheres around a robot, and how high they are
_REACH = {"panda": (0.75, 0.1), "ur5": (0.8, 0.1), "talos": (0.9, -0.8)}
_SPHERES, _RADIUS, _HEIGHT = 10, 0.12, 0.8


def installed() -> bool:
    """Whether robots and what reads them are there."""
    return find_spec("pinocchio") is not None and _folder() is not None


def machine(name: str, count: int, *, frequency: int = 0) -> Machine:
    """A robot in random configurations; with a frequency, in a ring of bumpy spheres."""
    pin = import_module("pinocchio")
    folder = _folder()
    assert folder is not None
    urdf, srdf = (str(folder / "example-robot-data" / "robots" / file) for file in ROBOTS[name])
    model = pin.buildModelFromUrdf(urdf)
    links = pin.buildGeomFromUrdf(
        model, urdf, pin.GeometryType.COLLISION, package_dirs=[str(folder)]
    )
    links.addAllCollisionPairs()
    pin.removeCollisionPairs(model, links, srdf)
    meshes = [_surface(each.geometry) for each in links.geometryObjects]
    pairs = {tuple(sorted((pair.first, pair.second))) for pair in links.collisionPairs}
    low, high = model.lowerPositionLimit, model.upperPositionLimit
    random = np.random.default_rng(0)
    configurations = random.uniform(
        np.maximum(low, -np.pi), np.minimum(high, np.pi), (count, model.nq)
    )
    poses = _placements(pin, model, links, configurations)
    joints = [each.parentJoint for each in links.geometryObjects]
    placements = [each.placement.homogeneous for each in links.geometryObjects]
    if frequency:
        # what is fixed to the ground stands where it stands
        pairs |= {(k, len(meshes)) for k, joint in enumerate(joints) if joint > 0}
        meshes.append(_ring(*_REACH[name], frequency))
        joints.append(0)
        placements.append(np.eye(4))
        still = np.broadcast_to(np.eye(4), (count, 1, 4, 4))
        poses = np.concatenate([poses, still], axis=1)
    return Machine(
        tuple(meshes),
        np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2),
        poses,
        1 if frequency else 0,
        urdf,
        np.array(joints, dtype=np.int32),
        np.array(placements),
        configurations,
    )


def _folder() -> Path | None:
    """Where the package keeps its data."""
    for root in (Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix", Path("/usr/local")):
        if (root / "share" / "example-robot-data" / "robots").is_dir():
            return root / "share"
    return None


def _placements(pin: Any, model: Any, links: Any, configurations: Floats) -> Floats:
    data, where = model.createData(), links.createData()
    poses = np.empty((len(configurations), links.ngeoms, 4, 4))
    for row, configuration in zip(poses, configurations, strict=True):
        pin.updateGeometryPlacements(model, data, links, where, configuration)
        for pose, placement in zip(row, where.oMg, strict=True):
            pose[:] = placement.homogeneous
    return poses


def _surface(geometry: Any) -> Surface:
    kind = type(geometry).__name__
    if kind == "Box":
        return _box(np.asarray(geometry.halfSide))
    if kind == "Cylinder":
        return _cylinder(geometry.radius, geometry.halfLength)
    triangles = (geometry.tri_indices(i) for i in range(geometry.num_tris))
    faces = [(each[0], each[1], each[2]) for each in triangles]
    return Surface(np.array(geometry.vertices()), np.array(faces, dtype=np.int32))


def _box(half: Floats) -> Surface:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    faces = [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ]  # fmt: skip
    return Surface(corners * half, np.array(faces, dtype=np.int32))


def _cylinder(radius: float, half: float) -> Surface:
    angle = np.arange(_SIDES) * 2 * np.pi / _SIDES
    ring = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.full(_SIDES, -half)])
    vertices = np.concatenate([ring, ring * (1, 1, -1), [(0, 0, -half), (0, 0, half)]])
    i = np.arange(_SIDES)
    j, low, high = (i + 1) % _SIDES, np.full(_SIDES, 2 * _SIDES), np.full(_SIDES, 2 * _SIDES + 1)
    faces: list[tuple[Any, Any, Any]] = [
        (i, j, _SIDES + j), (i, _SIDES + j, _SIDES + i), (low, j, i), (high, _SIDES + i, _SIDES + j)
    ]  # fmt: skip
    return Surface(vertices, np.concatenate([np.stack(f, axis=1) for f in faces]).astype(np.int32))


def _ring(radius: float, low: float, frequency: int) -> Surface:
    """Bumpy spheres of 20 frequency^2 triangles each around the origin, as one mesh."""
    random = np.random.default_rng(5)
    vertices: list[Floats] = []
    faces: list[Ints] = []
    for index, angle in enumerate(np.arange(_SPHERES) * 2 * np.pi / _SPHERES):
        points, own = shapes.bumpy(frequency, seed=index)
        height = low + random.uniform(0, _HEIGHT)
        centre = radius * np.cos(angle), radius * np.sin(angle), height
        faces.append(own + index * len(points))
        vertices.append(points * _RADIUS + centre)
    return Surface(np.concatenate(vertices), np.concatenate(faces).astype(np.int32))
