"""`impinge check --cluster`: a folder in tiles, by many workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from impinge.cli.output import warn, write, write_json
from impinge.cli.progress import ProgressBar

if TYPE_CHECKING:
    from impinge.cli.check import Options
    from impinge.cluster import ClusterCollisions

# of a table in the terminal; the files have all of them
_MOST_ROWS = 40


def check_clustered(files: tuple[str, ...], asked: Options) -> int:
    """Check a folder, or files, and show the worst of what was found."""
    if asked.out is None:
        raise click.UsageError("--cluster needs --out, a folder for the run and its pairs")
    _refuse_questions_about_solids(asked)
    from impinge.cluster import collide

    with ProgressBar(wanted=not asked.quiet) as progress:
        try:
            found = collide(
                files[0] if len(files) == 1 else list(files),
                out=asked.out,
                client=asked.cluster,
                workers=asked.workers,
                memory=asked.memory or "2GB",
                self_collision=asked.self_collision,
                touching=asked.touching,
                ignore=asked.ignore,
                lenient=asked.lenient,
                progress=progress,
                on_stage=progress.stage,
            )
        except KeyboardInterrupt:
            warn(f"what is done is kept in {asked.out}; the same command goes on from there")
            raise
    if len(found.names) == 1 and not asked.self_collision:
        raise click.ClickException(
            f"{files[0]}: has one part and nothing to check it against; give --self to look for "
            "self-intersections"
        )
    for text in found.warnings:
        warn(text)
    if asked.json_path is not None:
        write_json(asked.json_path, _as_dict(found, files, asked))
    if asked.printed:
        write(_as_text(found))
    return int(_fails(_summary(found), asked.fail_on))


def _refuse_questions_about_solids(asked: Options) -> None:
    """The tiles of a run have the faces in them, and no whole parts."""
    given = {
        "--report": asked.report_path is not None,
        "--csv": asked.csv_path is not None,
        "--png": asked.png_path is not None,
        "--method": asked.method != "bvh",
        "--tolerance": asked.tolerance not in (None, 0),
        "--clearance": asked.clearance is not None,
    }
    for option, wanted in given.items():
        if wanted:
            raise click.UsageError(
                f"{option} does not go with --cluster, which compares faces, exactly"
            )


def _fails(summary: dict[str, int], fail_on: str) -> bool:
    return bool(
        (fail_on != "never" and summary["clashes"])
        or (fail_on == "contact" and summary["contacts"])
    )


def _summary(found: ClusterCollisions) -> dict[str, int]:
    clashes = sum(count > 0 for count in found.table.column("crossing").to_pylist())
    return {
        "parts": len(found.names),
        "triangles": sum(found.bodies.column("triangles").to_pylist()),
        "clashes": clashes,
        "contacts": found.table.num_rows - clashes,
        "pairs": len(found),
    }


def _as_text(found: ClusterCollisions) -> str:
    from impinge._text import counted
    from impinge.cli.verdicts import meeting_table

    summary = _summary(found)
    worst = found.worst(_MOST_ROWS)
    text = ""
    for title, rows in (
        ("Parts that cross", [clash for clash in worst if clash.crosses]),
        ("Parts that only touch", [clash for clash in worst if not clash.crosses]),
    ):
        text += meeting_table(title, rows) + "\n" if rows else ""
    told = "No pair of parts crosses or touches"
    if found.table.num_rows:
        crossing = counted(summary["clashes"], "pair")
        told = f"{crossing} of parts that cross and {summary['contacts']:,} that only touch"
    parts = f"{counted(summary['parts'], 'part')} ({summary['triangles']:,} triangles)"
    text += f"{told} among {parts}; exact, without a tolerance.\n"
    if found.table.num_rows > _MOST_ROWS:
        text += f"Shown are the {_MOST_ROWS} with the most pairs.\n"
    return text + f"{summary['pairs']:,} pairs of triangles in {found.folder / 'pairs'}\n"


def _as_dict(found: ClusterCollisions, files: tuple[str, ...], asked: Options) -> dict[str, object]:
    import impinge
    from impinge.cli.document import SCHEMA
    from impinge.results.clashes import clash_dict

    summary = _summary(found)
    return {
        "schema": SCHEMA,
        "impinge": impinge.__version__,
        "files": list(files),
        "options": {**asked.as_dict(), "tolerance": 0.0},
        "failed": _fails(summary, asked.fail_on),
        "summary": summary,
        "parts": found.bodies.to_pylist(),
        "rows": [clash_dict(row) for row in found.summary],
        "warnings": list(found.warnings),
        "folder": str(found.folder),
    }
