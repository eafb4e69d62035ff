"""`impinge motion`: when a part that moves first meets another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from impinge.cli.output import length, write, write_json
from impinge.cli.poses import HELP, pose_option, poses_option
from impinge.cli.progress import ProgressBar
from impinge.cli.reading import read_models
from impinge.cli.targets import Target, force_option, guard, output_file

if TYPE_CHECKING:
    from impinge._types import Floats, Ints
    from impinge.io import Model
    from impinge.mesh import Mesh
    from impinge.results.time_of_impact import TimeOfImpact

SCHEMA = 1
"""Grows when a key goes away or changes its meaning; new keys may come at any time."""

FREE, MEETS = 0, 1

_EPILOG = """\b
Examples:
  impinge motion base.stl lid.stl --from 0,0,50 --to 0,0,0
  impinge motion base.stl arm.stl --to 0,0,0,0,0,90 --json -
  impinge motion cell.glb hand.stl --from start.json --through via.json --to goal.json
  impinge motion nut.stl bolt.stl --screw --to 0,0,-2,0,0,170 --touching exclude

Exit code: 0 no contact, 1 a contact, or what may be one; 2 error.
"""


@dataclass(frozen=True, eq=False)
class Side:
    """The parts of a file as one mesh, in the world of the file."""

    mesh: Mesh
    names: list[str]
    ends: Ints
    """Running totals of the faces of the parts."""

    def part(self, face: int) -> tuple[str, int]:
        """The part of a face, and its number there."""
        import numpy as np

        index = int(np.searchsorted(self.ends, face, side="right"))
        before = int(self.ends[index - 1]) if index else 0
        return self.names[index], face - before


@click.command(epilog=_EPILOG, short_help="When a moving part first meets another.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--from", "start", metavar="T0", callback=pose_option, help=f"Where B begins. {HELP}")
@click.option(
    "--through", "through", metavar="T", multiple=True, callback=poses_option,
    help="A pose on the way; may be repeated.",
)  # fmt: skip
@click.option("--to", "goal", metavar="T1", required=True, callback=pose_option, help="Its goal.")
@click.option("--screw", is_flag=True, help="Along the screw from T0 to T1, not the line.")
@click.option(
    "--tolerance", type=float, callback=length, metavar="LENGTH",
    help="How wide the gap may be at the time that is told (default: 1e-6 of the sizes).",
)  # fmt: skip
@click.option(
    "--touching", type=click.Choice(["include", "exclude"]), default="include", show_default=True,
    help="Whether touching counts; else only what gets deeper than the tolerance.",
)  # fmt: skip
@click.option(
    "--json", "json_path", metavar="FILE.json", callback=output_file("-", ".json"),
    help="Write the result as JSON ('-': to stdout, instead of the table).",
)  # fmt: skip
@click.option("--lenient", is_flag=True, help="Go on with what is usable of a broken file.")
@force_option
@click.option("--quiet", "-q", is_flag=True, help="Print no table, only set the exit code.")
def motion(
    a: str,
    b: str,
    *,
    start: Floats | None,
    through: list[Floats],
    goal: Floats,
    screw: bool,
    tolerance: float | None,
    touching: str,
    json_path: str | None,
    lenient: bool,
    force: bool,
    quiet: bool,
) -> int:
    """When the parts of file B, moved as one from pose T0 to T1, first meet the parts of file A.

    The time goes from 0 to 1. B moves on a line at constant speed and makes the shortest turn
    about its origin meanwhile. Without --from it begins where its file has it.
    """
    import numpy as np

    from impinge import Motion
    from impinge.queries.time_of_impact import time_of_impact

    if screw and through:
        raise click.UsageError("--screw goes from T0 to T1 at once: not with --through")
    guard([Target("--json", json_path, ".json")], (a, b), force=force)
    poses = [np.eye(4) if start is None else start, *through, goal]
    way = Motion.screw(*poses) if screw else Motion(poses)
    with ProgressBar(wanted=not quiet) as progress:
        models = read_models((a, b), lenient=lenient, progress=progress)
        sides = [_side(model) for model in models]
        progress.stage("moving")
        found: Any = time_of_impact(
            sides[0].mesh,
            sides[1].mesh,
            motion_b=way,
            tolerance=tolerance,
            touching=touching,
            progress=progress,
        )
    if json_path is not None:
        asked = {
            "poses": way.poses.tolist(),
            "screw": way.is_screw,
            "tolerance": tolerance,
            "touching": touching,
        }
        pose = None if math.isinf(found.time) else way.at(found.time).tolist()
        content = {"options": asked, **_answer(sides, found), "pose": pose}
        write_json(json_path, _document(models, content))
    if json_path != "-" and not quiet:
        write(_as_text(sides, found))
    return FREE if math.isinf(found.time) else MEETS


def _side(model: Model) -> Side:
    import numpy as np

    from impinge import Mesh, _core

    vertices = [_core.transform(part.mesh.vertices, part.pose) for part in model.parts]
    before = np.cumsum([0, *map(len, vertices)])
    faces = [part.mesh.faces + first for part, first in zip(model.parts, before, strict=False)]
    mesh = Mesh(np.concatenate(vertices), np.concatenate(faces), name=str(model.path))
    ends = np.cumsum([len(one) for one in faces]).astype(np.int32)
    return Side(mesh, [part.name for part in model.parts], ends)


def _document(models: list[Model], content: dict[str, Any]) -> dict[str, Any]:
    import impinge

    return {
        "schema": SCHEMA,
        "impinge": impinge.__version__,
        "files": [{"file": str(m.path), "parts": len(m.parts)} for m in models],
        **content,
        "warnings": [f"{model.path}: {text}" for model in models for text in model.warnings],
    }


def _answer(sides: list[Side], found: TimeOfImpact) -> dict[str, Any]:
    """What was found, in plain numbers, lists and strings."""
    met = found.pair is not None
    parts = [side.part(face) for side, face in zip(sides, found.pair or (), strict=False)]
    return {
        "free": not met,
        "time": found.time if met else None,
        "certain": found.certain,
        "start": found.start.name.lower(),
        "gap": found.gap if met else None,
        "parts": [name for name, _ in parts] or None,
        "pair": [face for _, face in parts] or None,
        "point": None if found.point is None else found.point.tolist(),
        "normal": None if found.normal is None else found.normal.tolist(),
    }


def _as_text(sides: list[Side], found: TimeOfImpact) -> str:
    from impinge._terminal import drawn, number, point

    if found.pair is None or found.point is None:
        return "No contact: the motion is certainly free.\n"
    columns = [
        ("part A", False), ("part B", False), ("time", True), ("gap", True), ("faces", False),
        ("where", False), ("normal", False),
    ]  # fmt: skip
    (name_a, face_a), (name_b, face_b) = (
        side.part(face) for side, face in zip(sides, found.pair, strict=True)
    )
    row = (
        name_a,
        name_b,
        f"{found.time:.9g}",
        number(found.gap),
        f"{face_a}, {face_b}",
        point(found.point.tolist()),
        "-" if found.normal is None else point(found.normal.tolist()),
    )
    text = drawn("First contact", columns, [row])
    if found.start.name != "FREE" and found.time == 0:
        return text + f"They are {found.start.name.lower()} in the beginning.\n"
    if not found.certain:
        text += "It may be a near miss: nearer than the tolerance, and no pose that collides.\n"
    return text + "Until then the motion is certainly free.\n"
