"""`impinge contact-points`: where parts press into each other, and how deep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from impinge.cli.output import length, warn_all, write, write_json
from impinge.cli.progress import ProgressBar
from impinge.cli.reading import ignore_option, read_models, scene_of_parts
from impinge.cli.targets import Target, force_option, guard, output_file

if TYPE_CHECKING:
    from impinge._types import AnyArray
    from impinge.io import Model
    from impinge.results.contact_points import ContactPoints

SCHEMA = 1
"""Grows when a key goes away or changes its meaning; new keys may come at any time."""

_MOST_ROWS = 40

_EPILOG = """\b
Examples:
  impinge contact-points gear.stl shaft.stl
  impinge contact-points assembly.glb --json points.json
  impinge contact-points cloth.obj ball.obj --method proximity --threshold 0.01
  impinge contact-points assembly.glb --json - | jq .pairs

Exit code: 0 done, whether there are any or not; 2 error.
"""


@click.command("contact-points", epilog=_EPILOG, short_help="Where parts press into each other.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--method",
    type=click.Choice(["ray", "proximity"]),
    default="ray",
    show_default=True,
    help="ray: closed parts that overlap; proximity: any parts nearer than the threshold.",
)
@click.option(
    "--threshold",
    type=float,
    metavar="LENGTH",
    callback=length,
    help="What near means for proximity (default: a quarter of the mean edge).",
)
@click.option("--self", "self_collision", is_flag=True, help="Also parts with themselves.")
@ignore_option
@click.option(
    "--json",
    "json_path",
    metavar="FILE.json",
    callback=output_file("-", ".json"),
    help="Write all contact points as JSON ('-': to stdout, instead of the table).",
)
@click.option("--workers", type=click.IntRange(min=1), help="Threads (default: all cores).")
@click.option("--lenient", is_flag=True, help="Go on with what is usable of a broken file.")
@force_option
def contact_points(
    files: tuple[str, ...],
    *,
    method: str,
    threshold: float | None,
    self_collision: bool,
    ignore: tuple[tuple[str, str], ...],
    json_path: str | None,
    workers: int | None,
    lenient: bool,
    force: bool,
) -> int:
    """Contact points of the parts of mesh FILEs: where a force acts, and how deep they are."""
    from impinge.detectors import detector

    if threshold is not None and method != "proximity":
        raise click.UsageError("--threshold needs --method proximity; rays have none")
    guard([Target("--json", json_path, ".json")], files, force=force)
    options = {} if threshold is None else {"threshold": threshold}
    chosen = detector(method, **options)
    with ProgressBar() as progress:
        models = read_models(files, lenient=lenient, progress=progress)
        alone = "" if self_collision else "--self to look at it alone"
        scene = scene_of_parts(models, ignore, alone)
        progress.stage("looking for contact points")
        found = scene.contact_points(
            method=chosen, self_collision=self_collision, workers=workers, progress=progress
        )
    warn_all(found.warnings)
    if json_path is not None:
        write_json(json_path, _document(models, found, threshold))
    if json_path != "-":
        write(_as_text(found))
    return 0


def _pairs(found: ContactPoints) -> list[dict[str, Any]]:
    """One entry for each two parts, the deepest first."""
    import numpy as np

    pairs, of = np.unique(np.sort(found.bodies, axis=1), axis=0, return_inverse=True)
    entries = []
    for k, (a, b) in enumerate(pairs.tolist()):
        rows = np.flatnonzero(of.reshape(-1) == k)
        deepest = rows[np.argmax(found.depth[rows])]
        entries.append(
            {
                "a": found.names[a],
                "b": found.names[b],
                "points": len(rows),
                "depth": float(found.depth[deepest]),
                "where": found.points[deepest, 1].tolist(),
                "normal": found.normals[deepest].tolist(),
            }
        )
    return sorted(entries, key=lambda entry: -entry["depth"])


def _document(models: list[Model], found: ContactPoints, threshold: float | None) -> dict[str, Any]:
    """All that was asked and found, in plain numbers, lists and strings."""
    import impinge

    columns: dict[str, AnyArray] = {
        "bodies": found.bodies,
        "points": found.points,
        "normal": found.normals,
        "depth": found.depth,
        "face": found.faces,
        "weight": found.weights,
        "rest": found.rest,
    }
    if found.suspicious is not None:
        columns["suspicious"] = found.suspicious
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return {
        "schema": SCHEMA,
        "impinge": impinge.__version__,
        "files": [{"file": str(m.path), "parts": len(m.parts)} for m in models],
        "method": found.method,
        "threshold": threshold,
        "parts": list(found.names),
        "pairs": _pairs(found),
        "contact_points": [dict(zip(columns, row, strict=True)) for row in rows],
        "warnings": [
            *(f"{model.path}: {text}" for model in models for text in model.warnings),
            *found.warnings,
        ],
    }


def _as_text(found: ContactPoints) -> str:
    from impinge._terminal import drawn, number, point
    from impinge._text import counted

    pairs = _pairs(found)
    between = f" between {counted(len(pairs), 'pair')} of parts" if pairs else ""
    summary = f"{counted(len(found), 'contact point')} by {found.method}{between}\n"
    if not pairs:
        return summary
    columns = [
        ("part A", False), ("part B", False), ("points", True), ("depth", True), ("where", False),
        ("normal", False),
    ]  # fmt: skip
    rows = [
        (
            pair["a"],
            pair["b"],
            f"{pair['points']:,}",
            number(pair["depth"]),
            point(pair["where"]),
            point(pair["normal"]),
        )
        for pair in pairs[:_MOST_ROWS]
    ]
    more = f"and {len(pairs) - _MOST_ROWS:,} more pairs\n" if len(pairs) > _MOST_ROWS else ""
    return drawn("Contact points", columns, rows) + more + summary
