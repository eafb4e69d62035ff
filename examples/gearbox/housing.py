"""The housing with its feet, the cover and the base plate."""

import numpy as np

from gearbox import layout as at
from gearbox.loops import Loop, circle, rectangle, rounded, snap
from gearbox.solid import Solid

CAVITY = rounded(-80.0, -46.0, 106.0, 46.0, radii=(24.0, 24.0))
FLANGE = rounded(-103.0, -69.0, 129.0, 69.0, radii=(25.0, 47.0))
FLANGE_CHAMFER = rounded(-101.5, -67.5, 127.5, 67.5, radii=(23.5, 45.5))
BODY_ROUNDED = rounded(-90.0, -56.0, 116.0, 56.0, radii=(12.0, 34.0))
# the straight bottom edge is cut where the feet begin
BODY = np.concatenate([BODY_ROUNDED, snap([(-56.0, -56.0), (82.0, -56.0)])])
LEFT_FOOT = snap([(-90.0, -62.0), (-114.0, -62.0), (-114.0, -76.0), (-56.0, -76.0)])
RIGHT_FOOT = snap([(82.0, -76.0), (140.0, -76.0), (140.0, -62.0), (116.0, -62.0)])


def _body_with_feet() -> tuple[Loop, Loop, Loop]:
    """The outline of body and feet, and the two feet beyond the body."""
    arc = 10
    lower_right, upper, lower_left = BODY[:arc], BODY[arc : 3 * arc], BODY[3 * arc : 4 * arc]
    left_end, right_end = BODY[4 * arc :]
    outline = [
        upper,
        lower_left[:1],
        LEFT_FOOT,
        [left_end, right_end],
        RIGHT_FOOT,
        lower_right[-1:],
    ]
    left = [LEFT_FOOT, [left_end], lower_left[::-1]]
    right = [RIGHT_FOOT, lower_right[::-1], [right_end]]
    return np.concatenate(outline), np.concatenate(left), np.concatenate(right)


def _edge(loop: Loop, start: tuple[float, float]) -> int:
    """The index of the edge that begins at `start`."""
    return int(np.flatnonzero((loop == np.asarray(start)).all(axis=1))[0])


def _bolt_holes(dowel: float) -> tuple[Loop, ...]:
    bolts = [circle(at.COVER_HOLE, sides=12, centre=point) for point in at.COVER_BOLTS]
    return (*bolts, *[circle(dowel, sides=12, centre=point) for point in at.DOWELS])


def housing() -> Solid:
    solid = Solid()
    outline, left, right = _body_with_feet()
    feet_edges = [(-90.0, -62.0), (-114.0, -76.0), (82.0, -76.0), (140.0, -62.0)]
    skip = tuple(_edge(outline, start) for start in [*feet_edges, (82.0, 56.0)])
    solid.wall(outline, at.BACK, at.FOOT_FRONT, skip=skip)
    solid.cap(left, at.FOOT_FRONT)
    solid.cap(right, at.FOOT_FRONT)
    solid.wall(BODY, at.FOOT_FRONT, at.FLANGE_BACK)
    _add_flange(solid)
    _add_back(solid, outline)
    _add_foot_holes(solid)
    _add_breather_hole(solid)
    return solid


def _add_flange(solid: Solid) -> None:
    holes = _bolt_holes(at.DOWEL_RADIUS)
    solid.cap(FLANGE, at.FLANGE_BACK, holes=(BODY, *holes), up=False)
    solid.wall(FLANGE, at.FLANGE_BACK, at.RIM)
    solid.cap(FLANGE, at.RIM, holes=(CAVITY, *holes))
    for hole in holes:
        solid.wall(hole, at.FLANGE_BACK, at.RIM, hole=True)
    solid.wall(CAVITY, at.FLOOR, at.RIM, hole=True, skip=(_edge(CAVITY, (82.0, 46.0)),))


def _add_back(solid: Solid, outline: Loop) -> None:
    """The back wall with a boss outside and a blind bearing pocket inside for each shaft."""
    pockets, bosses = [], []
    for seat in at.SEATS.values():
        pocket = circle(seat.outer, sides=24, centre=(seat.x, 0.0))
        boss = circle(seat.boss, centre=(seat.x, 0.0))
        edge = circle(seat.boss - 1.0, centre=(seat.x, 0.0))
        solid.wall(pocket, at.FLOOR - seat.width, at.FLOOR, hole=True)
        solid.cap(pocket, at.FLOOR - seat.width)
        solid.wall(boss, at.BACK_BOSS + 1.0, at.BACK)
        solid.cone(edge, at.BACK_BOSS, boss, at.BACK_BOSS + 1.0)
        solid.cap(edge, at.BACK_BOSS, up=False)
        pockets.append(pocket)
        bosses.append(boss)
    solid.cap(CAVITY, at.FLOOR, holes=tuple(pockets))
    solid.cap(outline, at.BACK, holes=tuple(bosses), up=False)


def _add_foot_holes(solid: Solid) -> None:
    spans = {-102.0: (-114.0, -90.0, -56.0), 128.0: (140.0, 116.0, 82.0)}
    for x, (outside, top_end, bottom_end) in spans.items():
        centres = [(z, bolt_x) for bolt_x, z in at.FOOT_BOLTS if bolt_x == x]
        holes = tuple(circle(at.FOOT_HOLE, sides=12, centre=centre) for centre in centres)
        top = rectangle(at.BACK, min(outside, top_end), at.FOOT_FRONT, max(outside, top_end))
        bottom = rectangle(
            at.BACK, min(outside, bottom_end), at.FOOT_FRONT, max(outside, bottom_end)
        )
        solid.cap(top, at.FOOT_TOP, holes=holes, axis="y")
        solid.cap(bottom, at.FOOT_BOTTOM, holes=holes, up=False, axis="y")
        for hole in holes:
            solid.wall(hole, at.FOOT_BOTTOM, at.FOOT_TOP, hole=True, axis="y")


def _add_breather_hole(solid: Solid) -> None:
    x, z = at.BREATHER
    hole = circle(at.BREATHER_HOLE, sides=24, centre=(z, x))
    solid.cap(rectangle(at.BACK, -56.0, at.FOOT_FRONT, 82.0), 56.0, holes=(hole,), axis="y")
    solid.cap(rectangle(at.FLOOR, -56.0, at.RIM, 82.0), 46.0, holes=(hole,), up=False, axis="y")
    solid.wall(hole, 46.0, 56.0, hole=True, axis="y")


def cover() -> Solid:
    solid = Solid()
    holes = _bolt_holes(at.DOWEL_HOLE)
    pockets, bosses = [], []
    for seat in at.SEATS.values():
        pocket = circle(seat.outer, sides=24, centre=(seat.x, 0.0))
        boss = circle(seat.boss, centre=(seat.x, 0.0))
        edge = circle(seat.boss - 1.0, centre=(seat.x, 0.0))
        bottom = at.RIM + seat.width
        through = () if seat.through is None else (circle(seat.through, centre=(seat.x, 0.0)),)
        solid.wall(pocket, at.RIM, bottom, hole=True)
        solid.cap(pocket, bottom, holes=through, up=False)
        for hole in through:
            solid.wall(hole, bottom, at.BOSS_TOP, hole=True)
        solid.wall(boss, at.PLATE_TOP, at.BOSS_TOP - 1.0)
        solid.cone(boss, at.BOSS_TOP - 1.0, edge, at.BOSS_TOP)
        solid.cap(edge, at.BOSS_TOP, holes=through)
        pockets.append(pocket)
        bosses.append(boss)
    solid.cap(FLANGE, at.RIM, holes=(*pockets, *holes), up=False)
    solid.wall(FLANGE, at.RIM, at.PLATE_TOP - 1.5)
    solid.cone(FLANGE, at.PLATE_TOP - 1.5, FLANGE_CHAMFER, at.PLATE_TOP)
    solid.cap(FLANGE_CHAMFER, at.PLATE_TOP, holes=(*bosses, *holes))
    for hole in holes:
        solid.wall(hole, at.RIM, at.PLATE_TOP, hole=True)
    return solid


def base_plate(*, thickness: float, thread: float) -> Solid:
    """The plate below the feet, built lying: local z is the world's y, local y the world's -z."""
    solid = Solid()
    outline = rounded(-126.0, -58.0, 152.0, 24.0, radii=(10.0, 10.0), segments=4)
    holes = tuple(circle(thread, sides=12, centre=(x, -z)) for x, z in at.FOOT_BOLTS)
    edge = rounded(-124.5, -56.5, 150.5, 22.5, radii=(8.5, 8.5), segments=4)
    solid.cap(outline, -thickness, holes=holes, up=False)
    solid.wall(outline, -thickness, -1.5)
    solid.cone(outline, -1.5, edge, 0.0)
    solid.cap(edge, 0.0, holes=holes)
    for hole in holes:
        solid.wall(hole, -thickness, 0.0, hole=True)
    return solid
