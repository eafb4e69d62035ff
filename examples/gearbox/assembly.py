"""All parts of the gearbox with their poses."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gearbox import layout as at
from gearbox.fasteners import bearing, bolt, breather, key, nut, pin, sleeve
from gearbox.gears import plain_gear, webbed_gear
from gearbox.housing import base_plate, cover, housing
from gearbox.loops import circle, slotted
from gearbox.shafts import Keyway, Step, shaft
from gearbox.solid import Solid

# the M8 bolt that found its way into a hole for M6: a mistake to be found
WRONG_BOLT = 3

# half a turn about y; local z becomes the world's y
FLIPPED = np.diag([-1.0, 1.0, -1.0])
UPRIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


@dataclass(frozen=True)
class Part:
    """One named instance of a mesh; `rotation` holds only 0 and ±1, so that poses are exact."""

    name: str
    mesh: str
    translation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: NDArray[np.float64] | None = None


def meshes() -> dict[str, Solid]:
    """Each different shape once, by name."""
    return {
        "housing": housing(),
        "cover": cover(),
        "base-plate": base_plate(thickness=16.0, thread=4.0),
        **_shafts(),
        **_gears(),
        **{
            f"bearing-{name}": bearing(seat.bore, seat.outer, width=seat.width)
            for name, seat in at.SEATS.items()
        },
        "sleeve-idler-back": sleeve(10.25, 13.0, length=9.0),
        "sleeve-idler-middle": sleeve(10.25, 14.0, length=7.0),
        "sleeve-output": sleeve(12.75, 17.0, length=7.0),
        "key": key(8.0, height=7.0, length=16.0),
        "dowel": pin(at.DOWEL_RADIUS, length=16.0),
        "breather": breather(6.0, length=24.0),
        "bolt-m6": bolt(3.0, length=27.0, across_flats=10.0, height=4.5),
        "bolt-m8": bolt(4.0, length=27.0, across_flats=13.0, height=5.5),
        "nut-m6": nut(3.0, across_flats=10.0, height=5.0),
    }


def _shafts() -> dict[str, Solid]:
    gear_key = Keyway(width=8.0, floor=10.0, start=38.0, end=54.0)
    end_key = Keyway(width=8.0, floor=7.0, start=106.0, end=122.0)
    clearance = 3.0 / 16.0
    small, middle, large = (seat.bore - clearance for seat in at.SEATS.values())
    return {
        "input-shaft": shaft(
            [Step(small, -8.0, 3.0), Step(9.0, 3.0, 61.0), Step(small, 61.0, 112.0)]
        ),
        # 4 mm too long: it should end at z = 73
        "idler-shaft": shaft(
            [Step(middle, -9.0, 7.0), Step(10.0, 7.0, 61.0), Step(middle, 61.0, 77.0)]
        ),
        "output-shaft": shaft(
            [
                Step(large, -11.0, 4.0),
                Step(14.0, 4.0, 30.0),
                Step(17.0, 30.0, 35.0),
                Step(14.0, 35.0, 56.0, gear_key),
                Step(large, 56.0, 88.0),
                Step(11.0, 88.0, 126.0, end_key),
                Step(10.0, 126.0, 130.0),
            ]
        ),
    }


def _gears() -> dict[str, Solid]:
    pinion_1, wheel_1 = at.STAGE_1
    pinion_2, wheel_2 = at.STAGE_2
    keyed = slotted(14.0625, width=8.0, floor=17.5)[1]
    # a tooth of each pinion points along x, into a gap of its wheel
    gap_1, gap_2 = np.pi + np.pi / wheel_1.count, np.pi + np.pi / wheel_2.count
    return {
        "input-pinion": plain_gear(pinion_1, circle(9.0), width=20.0, phase=0.0),
        "idler-gear": webbed_gear(
            wheel_1, circle(10.0), width=18.0, phase=gap_1, hub=15.0, recess=5.0, windows=6
        ),
        "idler-pinion": plain_gear(pinion_2, circle(10.0), width=24.0, phase=0.0),
        "output-gear": webbed_gear(
            wheel_2, keyed, width=22.0, phase=gap_2, hub=20.0, recess=6.0, windows=7
        ),
    }


def parts() -> list[Part]:
    """The assembly: every part, in the order of the file."""
    return [
        Part("housing", "housing"),
        Part("cover", "cover"),
        Part("base-plate", "base-plate", (0.0, at.FOOT_BOTTOM, 0.0), UPRIGHT),
        Part("input-shaft", "input-shaft", (at.INPUT_X, 0.0, 0.0)),
        Part("idler-shaft", "idler-shaft", (at.IDLER_X, 0.0, 0.0)),
        Part("output-shaft", "output-shaft", (at.OUTPUT_X, 0.0, 0.0)),
        Part("input-pinion", "input-pinion", (at.INPUT_X, 0.0, 8.0)),
        Part("idler-gear", "idler-gear", (at.IDLER_X, 0.0, 9.0)),
        Part("idler-pinion", "idler-pinion", (at.IDLER_X, 0.0, 34.0)),
        Part("output-gear", "output-gear", (at.OUTPUT_X, 0.0, 35.0)),
        *_bearings(),
        Part("sleeve-idler-back", "sleeve-idler-back", (at.IDLER_X, 0.0, 0.0)),
        Part("sleeve-idler-middle", "sleeve-idler-middle", (at.IDLER_X, 0.0, 27.0)),
        Part("sleeve-output", "sleeve-output", (at.OUTPUT_X, 0.0, 57.0)),
        Part("key-gear", "key", (at.OUTPUT_X, 10.0, 38.0)),
        Part("key-output", "key", (at.OUTPUT_X, 7.0, 106.0)),
        *[Part(f"dowel-{n}", "dowel", (x, y, 56.0)) for n, (x, y) in enumerate(at.DOWELS, 1)],
        Part("breather", "breather", (at.BREATHER[0], 56.0, at.BREATHER[1]), UPRIGHT),
        *_cover_bolts(),
        *[
            Part(f"foot-bolt-{n}", "bolt-m8", (x, at.FOOT_TOP, z), UPRIGHT)
            for n, (x, z) in enumerate(at.FOOT_BOLTS, 1)
        ],
    ]


def _bearings() -> list[Part]:
    found = []
    for name, seat in at.SEATS.items():
        found.append(Part(f"bearing-{name}-back", f"bearing-{name}", (seat.x, 0.0, 0.0), FLIPPED))
        found.append(Part(f"bearing-{name}-front", f"bearing-{name}", (seat.x, 0.0, at.RIM)))
    return found


def _cover_bolts() -> list[Part]:
    found = []
    for n, (x, y) in enumerate(at.COVER_BOLTS, 1):
        mesh = "bolt-m8" if n == WRONG_BOLT else "bolt-m6"
        found.append(Part(f"cover-bolt-{n:02d}", mesh, (x, y, at.PLATE_TOP)))
        found.append(Part(f"nut-{n:02d}", "nut-m6", (x, y, at.FLANGE_BACK)))
    return found
