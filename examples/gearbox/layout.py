"""The dimensions that several parts must agree on, in millimetres, shafts along z, y up."""

from dataclasses import dataclass

from gearbox.gears import Teeth


@dataclass(frozen=True)
class Seat:
    """A bearing seat: where it is, the bearing's size, the boss around it, the hole through it."""

    x: float
    bore: float
    outer: float
    width: float
    boss: float
    through: float | None


FLOOR, FLANGE_BACK, RIM, PLATE_TOP, BOSS_TOP = 0.0, 54.0, 64.0, 74.0, 82.0
BACK, BACK_BOSS, FOOT_FRONT = -12.0, -18.0, 46.0
FOOT_TOP, FOOT_BOTTOM = -62.0, -76.0

INPUT_X, IDLER_X = -54.0, 0.0
# the second stage needs 60 mm: this is one of the mistakes to be found
OUTPUT_X = 58.5

SEATS = {
    "input": Seat(INPUT_X, bore=7.5, outer=16.0, width=9.0, boss=22.0, through=9.0),
    "idler": Seat(IDLER_X, bore=8.5, outer=17.5, width=10.0, boss=23.0, through=None),
    "output": Seat(OUTPUT_X, bore=12.5, outer=23.5, width=12.0, boss=29.0, through=14.0),
}

STAGE_1 = (Teeth(module=2.0, count=19), Teeth(module=2.0, count=35))
STAGE_2 = (Teeth(module=2.5, count=17), Teeth(module=2.5, count=31))

COVER_BOLTS = [
    *[(x, 62.5) for x in (-60.0, 13.0, 86.0)],
    (122.5, 0.0),
    *[(x, -62.5) for x in (86.0, 13.0, -60.0)],
    (-96.5, 0.0),
]
COVER_HOLE, DOWEL_RADIUS, DOWEL_HOLE = 3.5, 3.0, 3.25
DOWELS = [(-84.0, 52.0), (118.0, -57.0)]

FOOT_BOLTS = [(x, z) for x in (-102.0, 128.0) for z in (0.0, 34.0)]
FOOT_HOLE = 4.5
BREATHER = (13.0, 20.0)
BREATHER_HOLE = 6.5
