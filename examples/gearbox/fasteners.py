"""Bolts, nuts, pins, keys, sleeves and bearings."""

from gearbox.loops import Loop, circle, hexagon, rectangle
from gearbox.solid import Solid


def bolt(
    radius: float, *, length: float, across_flats: float, height: float, sides: int = 12
) -> Solid:
    """A hexagon bolt: the head stands on z = 0, the shank hangs down to z = -length."""
    solid = Solid()
    shank, tip, head = (
        circle(radius, sides=sides),
        circle(radius - 0.5, sides=sides),
        hexagon(across_flats),
    )
    solid.cap(tip, -length, up=False)
    solid.cone(tip, -length, shank, 0.5 - length)
    solid.wall(shank, 0.5 - length, 0.0)
    solid.cap(head, 0.0, holes=(shank,), up=False)
    _hexagon_head(solid, head, across_flats, height)
    return solid


def _hexagon_head(solid: Solid, head: Loop, across_flats: float, height: float) -> None:
    top = hexagon(across_flats, inset=0.75)
    solid.wall(head, 0.0, height - 0.5)
    solid.cone(head, height - 0.5, top, height)
    solid.cap(top, height)


def nut(bore: float, *, across_flats: float, height: float, sides: int = 12) -> Solid:
    """A hexagon nut between z = -height and z = 0."""
    solid = Solid()
    hole, side = circle(bore, sides=sides), hexagon(across_flats)
    solid.wall(side, -height, 0.0)
    solid.wall(hole, -height, 0.0, hole=True)
    solid.cap(side, -height, holes=(hole,), up=False)
    solid.cap(side, 0.0, holes=(hole,))
    return solid


def breather(radius: float, *, length: float) -> Solid:
    """A vent plug: shank below z = 0, a collar on z = 0, a hexagon and a turned cap above it."""
    solid = Solid()
    sides = 24
    shank, collar, hex_loop = circle(radius, sides=sides), circle(11.0, sides=sides), hexagon(19.0)
    cap, crown = circle(8.0, sides=sides), circle(6.0, sides=sides)
    solid.cap(shank, -length, up=False)
    solid.wall(shank, -length, 0.0)
    solid.cap(collar, 0.0, holes=(shank,), up=False)
    solid.wall(collar, 0.0, 2.5)
    solid.cap(collar, 2.5, holes=(hex_loop,))
    solid.wall(hex_loop, 2.5, 9.0)
    solid.cap(hex_loop, 9.0, holes=(cap,))
    solid.wall(cap, 9.0, 14.0)
    solid.cone(cap, 14.0, crown, 16.0)
    solid.cap(crown, 16.0)
    return solid


def pin(radius: float, *, length: float, sides: int = 12) -> Solid:
    """A dowel pin from z = 0 upward, both ends chamfered."""
    solid = Solid()
    end = radius - 0.5
    solid.turn([(end, 0.0), (radius, 0.5), (radius, length - 0.5), (end, length)], sides=sides)
    return solid


def key(width: float, *, height: float, length: float) -> Solid:
    """A parallel key: centred in x, standing on y = 0 and z = 0."""
    solid = Solid()
    side = rectangle(-width / 2.0, 0.0, width / 2.0, height)
    solid.wall(side, 0.0, length)
    solid.cap(side, 0.0, up=False)
    solid.cap(side, length)
    return solid


def sleeve(bore: float, outer: float, *, length: float) -> Solid:
    """A spacer between z = 0 and z = length."""
    solid = Solid()
    solid.revolve([(bore, 0.0), (outer, 0.0), (outer, length), (bore, length)], sides=24)
    return solid


def bearing(bore: float, outer: float, *, width: float) -> Solid:
    """A ball bearing with a shield on the side of z = 0, a little deeper than the two rings."""
    solid = Solid()
    inner_edge, outer_edge = bore + 0.3125 * (outer - bore), outer - 0.25 * (outer - bore)
    shield = [(inner_edge, 0.0), (inner_edge, 0.75), (outer_edge, 0.75), (outer_edge, 0.0)]
    solid.revolve([(bore, 0.0), *shield, (outer, 0.0), (outer, width), (bore, width)], sides=24)
    return solid
