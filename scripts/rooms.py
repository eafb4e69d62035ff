"""Holds native/ to its plan: each room includes only rooms below it, and few the exact test.

    python scripts/rooms.py [folder]

Prints what breaks the plan, one line each, and exits with 1 if there is anything.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# From the ground up. What stands on one line does not include each other.
PLAN = """
base
geometry
mesh
boxes
pairs
brute  bvh/tree  dop  cdfc  raster  octree  sparse
bvh/self
bvh/pair
bvh/distance  bvh/ray  motion/linear
motion/rigid
contact_points
solids
depth
bindings
"""
LEVEL = {room: level for level, row in enumerate(PLAN.split("\n")) for room in row.split()}

# The oracle shares the rule with all others, and nothing else of how pairs are found.
ONLY = {"brute": ("base/", "geometry/", "mesh/", "brute/", "pairs/rule.hpp")}

# Whether two triangles meet is asked in these places alone.
EXACT_TEST = {
    "geometry/triangles.hpp": ("geometry/", "pairs/rule.hpp"),
    "geometry/within.hpp": ("geometry/", "pairs/rule.hpp", "bindings/distance.cpp"),
    "geometry/kernels.hpp": ("brute/", "dop/", "bindings/geometry.cpp"),
    "pairs/rule.hpp": ("brute/", "pairs/", "raster/", "bvh/pair/", "dop/job.hpp"),
}

# Rooms that all others stand on share one namespace; each of the others has its own.
COMMON = ("base", "geometry", "mesh", "boxes", "pairs", "brute", "bindings")

_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
_NAMESPACE = re.compile(r"^namespace (impinge\S*) \{$", re.MULTILINE)


def room_of(path: str) -> str:
    """The folder of a file, of `bvh` with the folder in it."""
    return path.rpartition("/")[0]


def findings(root: Path) -> list[str]:
    """What breaks the plan."""
    found = []
    for file in sorted(root.rglob("*.?pp")):
        name = file.relative_to(root).as_posix()
        text = file.read_text()
        if room_of(name) not in LEVEL:
            found.append(f"{name}: the plan has no room {room_of(name)!r}")
            continue
        found += [f"{name}: {why}" for why in _wrong_namespaces(name, text)]
        for included in _INCLUDE.findall(text):
            why = _wrong_include(root, name, included)
            if why:
                found.append(f"{name}: includes {included}, {why}")
    return found


def _wrong_include(root: Path, name: str, included: str) -> str | None:
    here, there = room_of(name), room_of(included)
    if not (root / included).is_file():
        return "which is no file: paths start at native/"
    if here != there and LEVEL.get(there, len(LEVEL)) >= LEVEL[here]:
        return f"but {there} is not below {here}"
    if here in ONLY and not included.startswith(ONLY[here]):
        return f"but {here} may only include {', '.join(ONLY[here])}"
    allowed = EXACT_TEST.get(included)
    if allowed is not None and not name.startswith(allowed):
        return f"which only {', '.join(allowed)} may"
    return None


def _wrong_namespaces(name: str, text: str) -> list[str]:
    top = name.split("/", maxsplit=1)[0]
    if top == "bindings":
        return []
    wanted = "impinge" if top in COMMON else f"impinge::{top}"
    names = set(_NAMESPACE.findall(text))
    # a class of a room below may be declared
    extra = names - {wanted} - ({"impinge"} if wanted in names else set())
    return [f"is in namespace {one}, expected {wanted}" for one in sorted(extra)]


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "native")
    found = findings(root)
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
