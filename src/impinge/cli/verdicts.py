"""What `impinge check` prints: the rows of a check, self-intersections, sums, and the tolerance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge._terminal import drawn, number, point
from impinge.results.verdict import CLASHES, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge.io import Model
    from impinge.results.check import Check
    from impinge.results.check_row import CheckRow
    from impinge.results.clashes import BodyClash
    from impinge.scene import Scene

# of files whose precision is told one by one, and of rows in a terminal
_MOST_FILES = 4
_MOST_ROWS = 200
# four times the rounding of float32
_COARSE = 2.0**-22

_NOUNS = {
    Verdict.DUPLICATE: ("duplicate", "duplicates"),
    Verdict.INSIDE: ("part inside another", "parts inside another"),
    Verdict.CLASH: ("clash", "clashes"),
    Verdict.CONTACT: ("contact", "contacts"),
    Verdict.NEAR: ("gap below the clearance", "gaps below the clearance"),
}


def verdict_table(check: Check) -> str:
    """The rows of a check; empty when there are none."""
    if not len(check):
        return ""
    columns = [
        ("part A", False), ("part B", False), ("verdict", False), ("depth", True),
        ("volume", True), ("distance", True), ("reason", False), ("where", False),
    ]  # fmt: skip
    text = drawn("", columns, [_cells(row) for row in check[:_MOST_ROWS]]) + "\n"
    if len(check) > _MOST_ROWS:
        text += f"Shown are {_MOST_ROWS} of {len(check):,} rows; --csv FILE.csv writes all.\n"
    return text


def _cells(row: CheckRow) -> tuple[str, ...]:
    return (
        row.name_a,
        row.name_b,
        row.verdict.value,
        _measure(row.depth),
        _measure(row.volume),
        _measure(row.distance),
        row.reason or ("open part" if row.surface else ""),
        point(row.point.tolist()),
    )


def _measure(value: float | None) -> str:
    return "?" if value is None else number(value) if value else "-"


def meeting_table(title: str, found: Sequence[BodyClash]) -> str:
    """Pairs of faces that meet, for each pair of parts or part."""
    columns = [
        ("part A", False), ("part B", False), ("pairs", True), ("kinds", False),
        ("size", True), ("curve", True), ("where", False),
    ]  # fmt: skip
    rows = [
        (
            clash.a,
            "(itself)" if clash.a == clash.b else clash.b,
            f"{clash.pairs:,}",
            ", ".join(f"{n:,} {kind}" for kind, n in clash.kinds.items() if n),
            number(clash.size),
            number(clash.length) if clash.crosses else "-",
            point(clash.center.tolist()),
        )
        for clash in found
    ]
    return drawn(title, columns, rows)


def sentence(check: Check, own: Sequence[BodyClash], triangles: int) -> str:
    """The sums in one sentence."""
    counts = {verdict: check.counts[verdict.value] for verdict in Verdict}
    told = [_counted(count, *_NOUNS[verdict]) for verdict, count in counts.items() if count]
    facets = int((check.reasons == "facets").sum())
    if facets:
        contacts = _counted(counts[Verdict.CONTACT], *_NOUNS[Verdict.CONTACT])
        told[told.index(contacts)] = f"{contacts} ({facets:,} by facets only)"
    if own:
        told.append(_counted(len(own), "part that meets itself", "parts that meet themselves"))
    if not any(counts[verdict] for verdict in CLASHES):
        told.insert(0, "no clash")
    listed = " and ".join(filter(None, [", ".join(told[:-1]), told[-1]]))
    among = f"{_counted(len(check.names), 'part', 'parts')} ({triangles:,} triangles)"
    return f"{listed[0].upper()}{listed[1:]} among {among}.\n"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def tolerance_lines(models: Sequence[Model], tolerance: float | None) -> str:
    """What was taken for the same place; None is the precision of the files."""
    if tolerance == 0:
        return "Tolerance 0: exact for the numbers as they are.\n"
    if tolerance is not None:
        return f"Tolerance {tolerance:.4g}.\n"
    worst = sorted((part.precision for model in models for part in model.parts), reverse=True)[:2]
    first = f"Tolerance up to {sum(worst):.2g}, what both parts of a pair may be off together:\n"
    return first + "".join(f"  {note}\n" for note in precision_notes(models))


def precision_notes(models: Sequence[Model]) -> list[str]:
    """For each file, or the least precise of many, how far its numbers may be off."""
    shown = list(models)
    if len(models) > _MOST_FILES:
        shown = sorted(models, key=lambda model: -file_precision(model)[0])[:_MOST_FILES]
    off = "{}: off by up to {:.2g} ({})"
    notes = [off.format(model.path, *file_precision(model)) for model in shown]
    if len(models) > len(shown):
        notes.append(f"and {len(models) - len(shown):,} more files, none less precise")
    return notes


def coarse_numbers(check: Check, scene: Scene) -> str:
    """A warning where clashes are no deeper than float32 would round the coordinates."""
    clashing = check.verdicts == Verdict.CLASH
    if not clashing.any():
        return ""
    reach = max(float(np.abs(body.world_vertices).max(initial=0.0)) for body in scene.bodies)
    shallow = clashing & (check.depths[:, 1] <= _COARSE * reach)
    if not shallow.any():
        return ""
    deepest = float(check.depths[shallow, 1].max())
    enough = 10.0 ** np.ceil(np.log10(deepest))
    count = _counted(int(shallow.sum()), "clash is", "clashes are")
    return (
        f"{count} at most {deepest:.1g} deep: the numbers may have been rounded more than their "
        f"files tell; --tolerance {enough:.0e} takes such an overlap as a contact"
    )


def file_precision(model: Model) -> tuple[float, str]:
    """Of the least precise part of a file: how far vertices may be off, and why."""
    part = max(model.parts, key=lambda part: part.precision)
    return part.precision, part.numbers
