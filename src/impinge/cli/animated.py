"""`impinge check --animation`: when parts of an animated file clash."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from impinge.cli.output import told, warn_all, write, write_json
from impinge.cli.progress import ProgressBar
from impinge.cli.reading import scene_of_parts

if TYPE_CHECKING:
    from impinge._types import Floats
    from impinge.cli.check import Options
    from impinge.io.animation import Animation
    from impinge.mesh import Mesh
    from impinge.queries.clash_times import ClashTime
    from impinge.scene import Scene

SCHEMA = 1
"""Grows when a key goes away or changes its meaning; new keys may come at any time."""

PASSED, FAILED = 0, 1
_MOST_ROWS = 40


class Moving(NamedTuple):
    """A part as a rigid body: its mesh, and its poses in each span, or None where it rests."""

    mesh: Mesh
    poses: list[Floats] | None
    precision: float


class Row(NamedTuple):
    """Two parts that clash from one time to another."""

    a: str
    b: str
    time: ClashTime


@dataclass(frozen=True, eq=False)
class Found:
    """All clashes, by the time at which they begin."""

    animation: Animation
    names: list[str]
    rows: list[Row]

    @property
    def begin(self) -> float:
        return float(self.animation.spans[0].times[0])

    @property
    def end(self) -> float:
        return float(self.animation.spans[-1].times[-1])


def check_animated(files: tuple[str, ...], asked: Options) -> int:
    """The intervals in which each two parts clash, in a table, as JSON and as a time line."""
    from impinge.io.animation import read_animation

    _refuse_contradictions(files, asked)
    with ProgressBar(wanted=not asked.quiet) as progress:
        progress.stage(f"reading {files[0]}")
        animation = read_animation(files[0], steps=asked.frames, lenient=asked.lenient)
        scene = scene_of_parts([animation.model], asked.ignore, "no --animation")
        progress.stage("moving")
        found = _ask(animation, scene, asked, progress)
    warn_all(animation.model.warnings)
    failed = bool(found.rows) and asked.fail_on != "never"
    if asked.json_path is not None:
        write_json(asked.json_path, _document(found, asked, failed=failed))
    if asked.report_path is not None:
        _write_report(asked.report_path, files[0], found)
    if asked.printed:
        write(_as_text(found))
    return FAILED if failed else PASSED


def _refuse_contradictions(files: tuple[str, ...], asked: Options) -> None:
    given = {
        "--csv": asked.csv_path is not None,
        "--png": asked.png_path is not None,
        "--self": asked.self_collision,
        "--method": asked.method != "bvh",
        "--clearance": asked.clearance is not None,
        "--cluster": asked.cluster is not None,
        "--touching exclude": asked.touching == "exclude",
        f"--fail-on {asked.fail_on}": asked.fail_on in ("contact", "near"),
    }
    for option, wanted in given.items():
        if wanted:
            raise click.UsageError(f"{option} does not go with --animation, which tells clashes")
    if len(files) != 1:
        raise click.UsageError(f"--animation takes one file, got {len(files)}")


def _ask(animation: Animation, scene: Scene, asked: Options, progress: ProgressBar) -> Found:
    from impinge.errors import Cancelled
    from impinge.queries.clash_times import MovingPair, clash_times, joined

    parts = [_moving(animation, index) for index in range(len(animation.model.parts))]
    names = [body.name for body in scene.bodies]
    ignored = {frozenset((a.name, b.name)) for a, b in scene.ignored}
    pairs = [
        (i, j)
        for i, j in combinations(range(len(parts)), 2)
        if (parts[i].poses is not None or parts[j].poses is not None)
        and frozenset((names[i], names[j])) not in ignored
    ]
    rows = []
    for done, (i, j) in enumerate(pairs):
        if progress(done / len(pairs)) is False:
            raise Cancelled("the progress callable returned False; there is no result")
        a, b = parts[i], parts[j]
        within = a.precision + b.precision if asked.tolerance is None else asked.tolerance
        times: list[ClashTime] = []
        for number, span in enumerate(animation.spans):
            own, other = (None if one.poses is None else one.poses[number] for one in (a, b))
            times += clash_times(MovingPair(a.mesh, b.mesh, own, other, span.times), within)
        rows += [Row(names[i], names[j], time) for time in joined(times, 1 / asked.frames)]
    return Found(animation, names, sorted(rows, key=lambda row: (row.time.begin, row.a, row.b)))


def _moving(animation: Animation, index: int) -> Moving:
    """A part with what stretches it put into its vertices, so that its poses are rigid."""
    import numpy as np

    from impinge import Mesh
    from impinge.errors import MeshFileError
    from impinge.motion import is_nearly_rigid

    part = animation.model.parts[index]
    spans = [span.poses.get(index) for span in animation.spans]
    worlds = [world for world in spans if world is not None]
    first = worlds[0][0] if worlds else part.pose
    if worlds:
        left, sizes, right = np.linalg.svd(first[:3, :3])
        if not sizes[2] > 0:
            raise MeshFileError(animation.model.path, "animations[0]", f"flattens {part.name!r}")
        turn = left @ right
        turn = turn if np.linalg.det(turn) > 0 else turn @ np.diag([1.0, 1.0, -1.0])
        stretch = turn.T @ first[:3, :3]
        vertices = part.mesh.vertices @ stretch.T
    else:
        vertices = part.mesh.vertices @ first[:3, :3].T + first[:3, 3]
    mesh = Mesh(vertices, part.mesh.faces, name=part.name)
    if not worlds:
        return Moving(mesh, None, part.precision)
    poses = []
    for world in worlds:
        rigid = world.copy()
        rigid[:, :3, :3] = world[:, :3, :3] @ np.linalg.inv(stretch)
        if not is_nearly_rigid(rigid):
            raise MeshFileError(
                animation.model.path,
                "animations[0]",
                f"changes the size or shape of {part.name!r}; only rigid motion is checked",
            )
        poses.append(rigid)
    return Moving(mesh, poses, part.precision)


def _document(found: Found, asked: Options, *, failed: bool) -> dict[str, Any]:
    import impinge

    animation = found.animation
    return {
        "schema": SCHEMA,
        "impinge": impinge.__version__,
        "file": str(animation.model.path),
        "animation": {"name": animation.name, "begin": found.begin, "end": found.end},
        "options": {
            "tolerance": "precision" if asked.tolerance is None else asked.tolerance,
            "frames": asked.frames,
            "fail_on": asked.fail_on,
            "ignored": [list(pair) for pair in asked.ignore],
        },
        "failed": failed,
        "summary": {
            "parts": len(found.names),
            "moving": len({index for span in animation.spans for index in span.poses}),
            "pairs": len({(row.a, row.b) for row in found.rows}),
            "clashes": len(found.rows),
        },
        "rows": [
            {
                "a": row.a,
                "b": row.b,
                "begin": row.time.begin,
                "end": row.time.end,
                "certain": row.time.certain,
                "faces": None if row.time.pair is None else list(row.time.pair),
                "where": None if row.time.point is None else row.time.point.tolist(),
            }
            for row in found.rows
        ],
        "warnings": [f"{animation.model.path}: {text}" for text in animation.model.warnings],
    }


def _as_text(found: Found) -> str:
    from impinge._terminal import drawn, point
    from impinge._text import counted

    moving = len({index for span in found.animation.spans for index in span.poses})
    clashes = len(found.rows)
    summary = (
        f"{clashes:,} clash{'es' * (clashes != 1)} of {counted(len(found.names), 'part')}, "
        f"{moving} of them moving, from {found.begin:g} to {found.end:g} seconds.\n"
    )
    if not found.rows:
        return summary
    columns = [
        ("part A", False), ("part B", False), ("from", True), ("to", True), ("where", False),
    ]  # fmt: skip
    rows = [
        (
            row.a,
            row.b,
            f"{row.time.begin:.6g}",
            f"{row.time.end:.6g}",
            "-" if row.time.point is None else point(row.time.point.tolist()),
        )
        for row in found.rows[:_MOST_ROWS]
    ]
    left = len(found.rows) - _MOST_ROWS
    more = f"and {left:,} more clashes; --json FILE.json has all\n" if left > 0 else ""
    return drawn("Clashes over time", columns, rows) + more + summary


def _write_report(path: str, file: str, found: Found) -> None:
    from pathlib import Path

    from impinge.report.timeline import Bar, write_timeline

    bars = [Bar(row.a, row.b, row.time.begin, row.time.end) for row in found.rows]
    with told(path):
        write_timeline(
            path, bars, begin=found.begin, end=found.end, title=Path(file).name,
            parts=len(found.names),
        )  # fmt: skip
