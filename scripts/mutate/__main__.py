"""Breaks the sources on purpose, one change at a time, and lists the changes no test notices.

    python scripts/mutate geometry pairs [--count 30] [--seed 0] [--work folder] [--jobs 1]
    python scripts/mutate geometry --list

Works in a copy of the tree. Most changes of the core are compiled together, with -O1, and asked for
by number, so that each costs no more than the tests of its room, up to the first that fails, in a
fork of one process; the rest is compiled one by one. There is one build, whatever the number of
instruction sets: to compare it with another that has no change would be no test. With --work the
copy is kept, so that new tests are tried against the same changes soon; --only-survivors asks those
of the last run there again.

Prints each survivor with its place, and the score: how many of the changes the tests of that room
noticed. Changes that cannot be noticed are named in equivalent.txt with the reason, and left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from changes import Mutant, chosen, equivalent
from rooms import ROOMS
from tree import Tree


def main() -> int:
    parser = argparse.ArgumentParser(
        "mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rooms", choices=ROOMS, nargs="+", metavar="room", help=", ".join(ROOMS))
    parser.add_argument("--count", type=int, default=30, help="changes to try, of each room")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--work", type=Path, help="a folder to keep the build in")
    parser.add_argument("--jobs", type=int, default=1, help="of the compiler")
    parser.add_argument("--seconds", type=float, default=300.0, help="for the tests of one change")
    parser.add_argument("--list", action="store_true", help="the sample, and no more")
    parser.add_argument(
        "--only-survivors", action="store_true", help="those of the last run in --work"
    )
    asked = parser.parse_args()
    if asked.list:
        print(*(m for _, m in sampled(asked)), sep="\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        run((asked.work or Path(folder)).resolve(), asked)
    return 0


def sampled(asked: argparse.Namespace) -> list[tuple[str, Mutant]]:
    """The changes to try, each with its room."""
    return [(room, m) for room in asked.rooms for m in chosen(ROOMS[room], asked.count, asked.seed)]


class Record:
    """What was tried in a folder, and which test noticed it."""

    def __init__(self, work: Path, asked: argparse.Namespace) -> None:
        work.mkdir(parents=True, exist_ok=True)
        self._file = work / "record.json"
        self.rows = [
            {"room": room, "change": asdict(m), "tried": False, "by": None}
            for room, m in sampled(asked)
        ]
        if asked.only_survivors:
            # the same sample, and so the same build
            self.rows = json.loads(self._file.read_text())
            for row in self.rows:
                row["tried"] = bool(row["tried"] and row["by"])
        known = equivalent()
        self.changes = [
            (number, row, Mutant(**row["change"])) for number, row in enumerate(self.rows, 1)
        ]
        self.changes = [each for each in self.changes if each[2].mark not in known]

    def keep(self, row: dict[str, Any], by: str | None) -> None:
        row.update(tried=True, by=by)
        self._file.write_text(json.dumps(self.rows, indent=1))

    def score(self, room: str) -> str:
        tried = [row for _, row, _ in self.changes if row["room"] == room and row["tried"]]
        return f"{sum(bool(row['by']) for row in tried)} of {len(tried)} changes noticed"


def run(work: Path, asked: argparse.Namespace) -> None:
    """Try all changes of each room, those that are switched on first."""
    record, tree = Record(work, asked), Tree(work / "tree")
    switched: set[int] = set()
    if all(m.file.endswith(".py") for _, _, m in record.changes):
        tree.take_core()
    else:
        tree.configure()
        began = time.monotonic()
        switched = tree.build_switched([Mutant(**row["change"]) for row in record.rows], asked.jobs)
        print(
            f"{len(switched)} changes in one build of {time.monotonic() - began:.0f} s", flush=True
        )
    for name in asked.rooms:
        room = ROOMS[name]
        left = {
            number: (row, mutant)
            for number, row, mutant in record.changes
            if row["room"] == name and not row["tried"]
        }
        together = sorted(left.keys() & switched)
        for number, by in (
            tree.each_failing(room, asked.seconds, [0, *together]) if together else ()
        ):
            if number:
                tell(record, *left.pop(number), by)
            elif by:
                raise SystemExit(f"mutate: {by} of {name} fails without any change")
        if left and not together and (by := tree.failing(room, 10 * asked.seconds)):
            raise SystemExit(f"mutate: {by} of {name} fails without any change")
        built = False
        for row, mutant in left.values():
            compiled = not mutant.file.endswith(".py")
            built = built or compiled
            with tree.changed(mutant):
                if not compiled or tree.build(asked.jobs) is None:
                    tell(record, row, mutant, tree.failing(room, asked.seconds))
        if built:
            # without the last change
            tree.build(asked.jobs)
    for room in asked.rooms:
        print(f"{room}: {record.score(room)}", flush=True)


def tell(record: Record, row: dict[str, Any], mutant: Mutant, by: str | None) -> None:
    record.keep(row, by)
    print(f"{'noticed ' if by else 'SURVIVED'} {mutant}  ## {by or ''}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
