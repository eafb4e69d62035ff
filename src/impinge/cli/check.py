"""`impinge check`: which parts clash, touch, or are too near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from impinge.cli.output import told, warn_all, write, write_file, write_json, write_text
from impinge.cli.progress import ProgressBar
from impinge.cli.reading import ignore_option, read_models, scene_of_parts
from impinge.cli.targets import Target, force_option, guard, output_file
from impinge.cli.verdict_options import asked_of_check, verdict_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge.cli.seen import Seen
    from impinge.io import Model
    from impinge.results.check import Check
    from impinge.results.clashes import Clash
    from impinge.results.collisions import Collisions
    from impinge.scene import Scene

PASSED, FAILED = 0, 1

Decorated = TypeVar("Decorated", bound="Callable[..., Any]")

_EPILOG = """\b
Examples:
  impinge check gear.stl shaft.stl              parts of several files
  impinge check assembly.glb                    all parts of one assembly
  impinge check assembly.glb --tolerance 0.01   what is less deep is a contact
  impinge check assembly.glb --clearance 0.5 --fail-on near
  impinge check assembly.glb --report clash.html --csv clash.csv
  impinge check assembly.glb --ignore bolt nut  leave one pair of parts out
  impinge check part.obj --self                 self-intersections
  impinge check assembly.glb --json - | jq .summary
  impinge check moving.glb --animation --report clash.html
  impinge check FOLDER --cluster local --out run   more than fits in memory
  impinge check FOLDER --cluster tcp://scheduler:8786 --out /shared/run

Exit code: 0 no clash, 1 a clash (or what --fail-on says), 2 error.
"""


@dataclass(frozen=True)
class Options:
    """What was asked for on the command line."""

    tolerance: float | None
    clearance: float | None
    facets: str
    fail_on: str
    self_collision: bool
    touching: str
    method: str
    ignore: tuple[tuple[str, str], ...]
    workers: int | None
    lenient: bool
    json_path: str | None
    csv_path: str | None
    report_path: str | None
    png_path: str | None
    quiet: bool
    cluster: str | None
    out: str | None
    memory: str | None
    force: bool
    animation: bool
    frames: float

    @property
    def printed(self) -> bool:
        """Whether the table goes to stdout."""
        return not self.quiet and "-" not in (self.json_path, self.csv_path)

    @property
    def targets(self) -> list[Target]:
        """The files to write."""
        return [
            Target("--json", self.json_path, ".json"),
            Target("--csv", self.csv_path, ".csv"),
            Target("--report", self.report_path, ".html"),
            Target("--png", self.png_path, ".png"),
        ]

    def as_dict(self) -> dict[str, Any]:
        """What the answer depends on."""
        return {
            "tolerance": "precision" if self.tolerance is None else self.tolerance,
            "clearance": self.clearance,
            "facets": self.facets,
            "fail_on": self.fail_on,
            "touching": self.touching,
            "self": self.self_collision,
            "method": self.method,
            "ignored": [list(pair) for pair in self.ignore],
        }


@dataclass(frozen=True, eq=False)
class Found:
    """The answer: verdicts in the order of the table, and what else was asked."""

    scene: Scene
    check: Check
    hits: Collisions | None
    """With self-intersections; None when not asked for."""
    own: list[Clash]
    seen: Seen | str | None
    """By the method of `--method`; a sentence when it cannot tell."""
    failed: bool
    coarse: str = ""
    """A warning about clashes that are hardly deep."""

    @property
    def triangles(self) -> int:
        return sum(len(body.mesh.faces) for body in self.scene.bodies)

    @property
    def missed(self) -> list[list[str]] | None:
        if self.seen is None or isinstance(self.seen, str):
            return None
        return [list(pair) for pair in self.seen.missed]

    @property
    def warnings(self) -> tuple[str, ...]:
        more = () if self.hits is None else self.hits.warnings
        if isinstance(self.seen, str):
            more += (self.seen,)
        elif self.seen is not None:
            more += self.seen.warnings
        if self.coarse:
            more += (self.coarse,)
        return tuple(dict.fromkeys(more + self.check.warnings))


def _file_option(
    option: str, name: str, metavar: str, help_text: str, *kinds: str
) -> Callable[[Decorated], Decorated]:
    callback = output_file(*kinds)
    return click.option(option, name, metavar=metavar, callback=callback, help=help_text)


@click.command(epilog=_EPILOG, short_help="Check parts against each other.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@verdict_options
@click.option(
    "--fail-on",
    type=click.Choice(["clash", "contact", "near", "never"]),
    default="clash",
    show_default=True,
    help="The mildest verdict with exit code 1; inside and duplicate are worse than clash.",
)
@click.option("--self", "self_collision", is_flag=True, help="Also report self-intersections.")
@click.option(
    "--touching",
    type=click.Choice(["include", "exclude"]),
    default="include",
    show_default=True,
    help="Whether contacts are listed.",
)
@ignore_option
@_file_option(
    "--report",
    "report_path",
    "FILE.html",
    "Write a page with a 3D view and pictures of the clashes.",
    ".html",
    ".htm",
)
@_file_option(
    "--json",
    "json_path",
    "FILE.json",
    "Write the result as JSON ('-': to stdout, instead of the table).",
    "-",
    ".json",
)
@_file_option(
    "--csv",
    "csv_path",
    "FILE.csv",
    "Write the table with all digits ('-': to stdout, instead of the table).",
    "-",
    ".csv",
)
@_file_option("--png", "png_path", "FILE.png", "Write a picture of the parts.", ".png")
@click.option(
    "--method",
    default="bvh",
    show_default=True,
    help="Detector by name: which of the pairs does it find? Verdicts do not depend on it.",
)
@click.option("--workers", type=click.IntRange(min=1), help="Threads (default: all cores).")
@click.option("--lenient", is_flag=True, help="Go on with what is usable of a broken file.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Check a folder in tiles, by the workers of a Dask scheduler, or 'local' ones.",
)
@click.option("--out", metavar="DIR", help="With --cluster: folder of the run and its pairs.")
@click.option("--memory", metavar="2GB", help="With --cluster: what a worker may use.")
@click.option("--animation", is_flag=True, help="When do parts of an animated glTF file clash?")
@click.option(
    "--frames", type=click.FloatRange(1, 10_000), default=60, show_default=True,
    help="With --animation: steps in a second.",
)  # fmt: skip
@force_option
@click.option("--quiet", "-q", is_flag=True, help="Print no table, only set the exit code.")
def check(files: tuple[str, ...], **options: object) -> int:
    """Check the parts of mesh FILEs (STL, OBJ, PLY, OFF, GLB, glTF, 3MF) against each other."""
    asked = Options(**options)  # type: ignore[arg-type]
    _refuse_contradictions(asked)
    guard(asked.targets, files, force=asked.force)
    if asked.animation:
        from impinge.cli.animated import check_animated

        return check_animated(files, asked)
    if asked.cluster is not None:
        from impinge.cli.clustered import check_clustered

        return check_clustered(files, asked)
    with ProgressBar(wanted=not asked.quiet) as progress:
        models = read_models(files, lenient=asked.lenient, progress=progress)
        alone = "" if asked.self_collision else "--self to look for self-intersections"
        found = _ask(scene_of_parts(models, asked.ignore, alone), asked, progress)
    warn_all(found.warnings)
    _write_files(files, models, found, asked)
    if asked.printed:
        write(_as_text(models, found, asked))
    return FAILED if found.failed else PASSED


def _refuse_contradictions(asked: Options) -> None:
    if asked.cluster is None and (asked.out is not None or asked.memory is not None):
        raise click.UsageError("--out and --memory need --cluster")
    if asked.fail_on == "near" and asked.clearance is None:
        raise click.UsageError("--fail-on near needs --clearance, which tells what is near")
    if asked.fail_on in ("contact", "near") and asked.touching == "exclude":
        raise click.UsageError(
            f"--fail-on {asked.fail_on} needs the contacts: not --touching exclude"
        )
    if asked.json_path == asked.csv_path == "-":
        raise click.UsageError("--json - and --csv - cannot both go to stdout")


def _ask(scene: Scene, asked: Options, progress: ProgressBar) -> Found:
    from impinge.cli.seen import seen_by
    from impinge.cli.verdicts import coarse_numbers
    from impinge.detectors import detector

    able = detector(asked.method).capabilities
    progress.stage("checking")
    # The callable also lets Ctrl-C through while the native core works.
    answer = scene.check(
        **asked_of_check(asked.tolerance, asked.clearance, asked.facets),
        workers=asked.workers,
        progress=progress,
    )
    seen = None
    if asked.method not in ("auto", "bvh"):
        progress.stage(f"asking {asked.method}")
        seen = seen_by(asked.method, scene, answer, workers=asked.workers, progress=progress)
    hits, own = None, []
    if asked.self_collision:
        progress.stage("looking for self-intersections")
        hits = scene.collide(
            method=asked.method if {"pairs", "self"} <= able else "bvh",
            touching=asked.touching,
            self_collision=True,
            workers=asked.workers,
            progress=progress,
        )
        own = [clash for clash in hits.clashes if clash.bodies[0] == clash.bodies[1]]
    if asked.touching == "exclude":
        answer = answer[answer.verdicts != "contact"]
    coarse = "" if asked.tolerance is not None else coarse_numbers(answer, scene)
    failed = _fails(answer, own, asked.fail_on)
    return Found(scene, answer.sorted("verdict"), hits, own, seen, failed, coarse)


def _fails(answer: Check, own: list[Clash], fail_on: str) -> bool:
    """Whether there is something as bad as that."""
    if fail_on == "never":
        return False
    if len(answer.clashes) or any(clash.crosses for clash in own):
        return True
    if fail_on == "clash":
        return False
    return bool(own or len(answer.contacts) or (fail_on == "near" and len(answer.near)))


def _as_text(models: list[Model], found: Found, asked: Options) -> str:
    from impinge.cli.verdicts import meeting_table, sentence, tolerance_lines, verdict_table

    text = verdict_table(found.check)
    if found.own:
        text += meeting_table("Self-intersections", found.own) + "\n"
    text += sentence(found.check, found.own, found.triangles)
    text += tolerance_lines(models, asked.tolerance)
    if found.seen is not None and not isinstance(found.seen, str):
        text += found.seen.told(asked.method)
    return text


def _write_files(files: tuple[str, ...], models: list[Model], found: Found, asked: Options) -> None:
    from impinge.cli.document import check_document

    if asked.json_path is not None:
        write_json(asked.json_path, check_document(models, found, asked))
    if asked.csv_path is not None:
        write_text(asked.csv_path, found.check.to_csv())
    if asked.report_path is not None:
        _write_report(asked.report_path, files, models, found, asked)
    if asked.png_path is not None:
        _write_picture(asked.png_path, files, found)


def _write_report(
    path: str, files: tuple[str, ...], models: list[Model], found: Found, asked: Options
) -> None:
    from pathlib import Path

    from impinge.cli.verdicts import precision_notes
    from impinge.report import write_report

    with told(path):
        write_report(
            path,
            found.scene,
            found.check,
            title=", ".join(Path(file).name for file in files),
            sources=files,
            notes=precision_notes(models) if asked.tolerance is None else (),
            hits=found.hits,
        )


def _write_picture(path: str, files: tuple[str, ...], found: Found) -> None:
    from impinge.render.drawing import Drawing
    from impinge.render.picture.camera import up_of
    from impinge.render.picture.png import encode
    from impinge.render.picture.views import overview

    drawing = Drawing(found.check, up_of(files), hits=found.hits)
    write_file(path, encode(overview(drawing).image))
