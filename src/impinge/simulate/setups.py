"""Worlds of the paper on inward rays (Hermann, Faure, Raffin 2008), for demos and measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from impinge.simulate.shapes import ring, torus
from impinge.simulate.world import World

if TYPE_CHECKING:
    from impinge.simulate.solids import Solid

# so that two in a row are deep in each other, and the next but one is just apart
_NEXT = (0.5, 0.1, 0.3)


def entangled_tori(*, count: int = 2, fine: int = 2, **options: Any) -> World:
    """Tori at rest, each deep in the next; `fine=2` has 1,600 faces each."""
    world = World(gravity=(0.0, 0.0, 0.0), **options)
    solid = _torus(fine)
    for k in range(count):
        offset = tuple(k * step for step in _NEXT)
        world.add(solid.moved(offset, axis=(0.0, 0.0, 1.0), degrees=7.3 * k), name=f"torus-{k + 1}")
    return world


def approaching_tori(*, speed: float = 1.0, fine: int = 2, **options: Any) -> World:
    """Two tori, the upper one flying down at the lower one."""
    world = World(gravity=(0.0, 0.0, 0.0), **options)
    world.add(_torus(fine))
    world.add(_torus(fine).moved((0.6, 0.0, 0.75))).velocities = (0.0, 0.0, -speed)
    return world


def falling_tori(*, count: int = 2, fine: int = 2, young: float = 1e5, **options: Any) -> World:
    """Tori that fall on one which is twice as stiff and held at its bottom."""
    world = World(**options)
    solid = _torus(fine)
    lowest = world.add(solid, young=2.0 * young)
    world.fix(lowest, solid.vertices[:, 2] < -0.2)
    for k in range(1, count):
        way = (0.45 * (-1) ** k, 0.2 * (k % 3 - 1), 0.75 * k)
        world.add(solid.moved(way, axis=(1.0, 0.3, 0.0), degrees=12.0 * k), young=young)
    return world


def chain(*, links: int = 5, fine: int = 2, **options: Any) -> World:
    """A chain that is held at one end and let go in a straight line."""
    world = World(**options)
    solid = ring(around=16 * fine, across=5 * fine)
    for k in range(links):
        placed = solid.moved((2.0 * k, 0.0, 0.0), axis=(1.0, 0.0, 0.0), degrees=45.0 + 90.0 * k)
        link = world.add(placed, young=3e6, damping=0.02, name=f"ring-{k + 1}")
        if k == 0:
            world.fix(link, solid.vertices[:, 0] < -1.0)
    return world


def _torus(fine: int) -> Solid:
    return torus(around=20 * fine, across=10 * fine)
