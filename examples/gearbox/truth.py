"""What each pair of parts must be: a clash, exact touching, or (all other pairs) clean."""

from gearbox import layout as at
from gearbox.assembly import WRONG_BOLT

Pairs = list[tuple[str, str, str]]


def clashes() -> Pairs:
    """The deliberate mistakes: two parts and the reason."""
    bolt_name, nut_name = f"cover-bolt-{WRONG_BOLT:02d}", f"nut-{WRONG_BOLT:02d}"
    return [
        ("idler-pinion", "output-gear", "centre distance 58.5 mm instead of 60 mm"),
        ("cover", "idler-shaft", "shaft 4 mm too long: it pokes into the cover"),
        ("idler-gear", "breather", "vent plug too long: it reaches into the teeth"),
        ("cover", bolt_name, "M8 bolt in a hole for M6"),
        ("housing", bolt_name, "M8 bolt in a hole for M6"),
        (bolt_name, nut_name, "M8 bolt in an M6 nut"),
    ]


def collides() -> Pairs:
    """The pairs that share faces exactly and do not overlap."""
    found = [
        ("housing", "cover", "cover on the rim"),
        ("housing", "base-plate", "feet on the plate"),
        ("housing", "breather", "collar on the top"),
        ("input-shaft", "input-pinion", "press fit, same polygon"),
        ("idler-shaft", "idler-gear", "press fit, same polygon"),
        ("idler-shaft", "idler-pinion", "press fit, same polygon"),
        ("output-shaft", "output-gear", "gear against the collar"),
        ("output-shaft", "key-gear", "key flush in the keyway"),
        ("output-shaft", "key-output", "key flush in the keyway"),
        ("output-gear", "key-gear", "key flush with the sides of the keyway"),
        ("idler-gear", "sleeve-idler-back", "face against face"),
        ("idler-gear", "sleeve-idler-middle", "face against face"),
        ("idler-pinion", "sleeve-idler-middle", "face against face"),
        ("output-gear", "sleeve-output", "face against face"),
        ("bearing-idler-back", "sleeve-idler-back", "face against face"),
        ("bearing-output-front", "sleeve-output", "face against face"),
    ]
    for name in at.SEATS:
        found.append(("housing", f"bearing-{name}-back", "press fit in the pocket"))
        found.append(("cover", f"bearing-{name}-front", "press fit in the pocket"))
    for n in range(1, len(at.DOWELS) + 1):
        found.append(("housing", f"dowel-{n}", "press fit in the flange"))
    for n in range(1, len(at.COVER_BOLTS) + 1):
        found.append(("housing", f"nut-{n:02d}", "nut on the flange"))
        if n != WRONG_BOLT:
            found.append(("cover", f"cover-bolt-{n:02d}", "head on the cover"))
            found.append((f"cover-bolt-{n:02d}", f"nut-{n:02d}", "thread, same polygon"))
    for n in range(1, len(at.FOOT_BOLTS) + 1):
        found.append(("housing", f"foot-bolt-{n}", "head on the foot"))
        found.append(("base-plate", f"foot-bolt-{n}", "thread, same polygon"))
    return found


def near_misses() -> Pairs:
    """Clean pairs whose gap is small on purpose."""
    found = [
        ("input-pinion", "idler-gear", "teeth with backlash"),
        ("idler-shaft", "sleeve-idler-back", "sleeve with clearance"),
        ("idler-shaft", "sleeve-idler-middle", "sleeve with clearance"),
        ("output-shaft", "sleeve-output", "sleeve with clearance"),
    ]
    for name in at.SEATS:
        for side in ("back", "front"):
            found.append((f"{name}-shaft", f"bearing-{name}-{side}", "running clearance"))
    for n in range(1, len(at.DOWELS) + 1):
        found.append(("cover", f"dowel-{n}", "dowel with clearance"))
    for n in range(1, len(at.COVER_BOLTS) + 1):
        if n != WRONG_BOLT:
            found.append(("housing", f"cover-bolt-{n:02d}", "bolt in a clearance hole"))
    return found
