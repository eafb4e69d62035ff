"""`impinge check`: which parts collide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from impinge.cli.output import output_path, warn, write, write_json
from impinge.cli.progress import ProgressBar
from impinge.cli.reading import read_models

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge.io import Model
    from impinge.results.clashes import BodyClash, Clash
    from impinge.results.collisions import Collisions
    from impinge.scene import Scene

NO_COLLISION, COLLISION = 0, 1

_EPILOG = """\b
Examples:
  impinge check gear.stl shaft.stl              parts of several files
  impinge check assembly.glb                    all parts of one assembly
  impinge check part.obj --self                 self-intersections
  impinge check assembly.glb --ignore bolt nut  leave one pair of parts out
  impinge check assembly.glb --touching exclude only parts that cross
  impinge check assembly.glb --json - | jq .summary
  impinge check FOLDER --cluster local --out run   more than fits in memory
  impinge check FOLDER --cluster tcp://scheduler:8786 --out /shared/run

Exit code: 0 no collision, 1 collision, 2 error.
"""


@dataclass(frozen=True)
class Options:
    """What was asked for on the command line."""

    self_collision: bool
    touching: str
    method: str
    ignore: tuple[tuple[str, str], ...]
    workers: int | None
    lenient: bool
    json_path: str | None
    report_path: str | None
    png_path: str | None
    quiet: bool
    cluster: str | None
    out: str | None
    memory: str | None


@click.command(epilog=_EPILOG, short_help="Check parts against each other.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--self", "self_collision", is_flag=True, help="Also report self-intersections.")
@click.option(
    "--touching",
    type=click.Choice(["include", "exclude"]),
    default="include",
    show_default=True,
    help="Whether parts that only touch count as colliding.",
)
@click.option(
    "--ignore",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="Leave a pair of parts out; may be repeated.",
)
@click.option(
    "--json",
    "json_path",
    metavar="FILE",
    callback=output_path,
    help="Write the result as JSON ('-': to stdout, instead of the table).",
)
@click.option(
    "--report",
    "report_path",
    metavar="FILE.html",
    callback=output_path,
    help="Write a page with a 3D view and pictures of the clashes.",
)
@click.option(
    "--png",
    "png_path",
    metavar="FILE.png",
    callback=output_path,
    help="Write a picture of the parts, what crosses in red.",
)
@click.option("--method", default="bvh", show_default=True, help="Detector by name.")
@click.option("--workers", type=click.IntRange(min=1), help="Threads (default: all cores).")
@click.option("--lenient", is_flag=True, help="Go on with what is usable of a broken file.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Check a folder in tiles, by the workers of a Dask scheduler, or 'local' ones.",
)
@click.option("--out", metavar="DIR", help="With --cluster: folder of the run and its pairs.")
@click.option("--memory", metavar="2GB", help="With --cluster: what a worker may use.")
@click.option("--quiet", "-q", is_flag=True, help="Print no table, only set the exit code.")
def check(files: tuple[str, ...], **options: object) -> int:
    """Check the parts of mesh FILEs (STL, OBJ, PLY, OFF, GLB, glTF, 3MF) against each other."""
    asked = Options(**options)  # type: ignore[arg-type]
    if asked.cluster is not None:
        from impinge.cli.clustered import check_clustered

        return check_clustered(files, asked)
    if asked.out is not None or asked.memory is not None:
        raise click.UsageError("--out and --memory need --cluster")
    with ProgressBar(wanted=not asked.quiet) as progress:
        models = read_models(files, lenient=asked.lenient, progress=progress)
        scene = _scene(models, asked)
        hits = _collide(scene, asked, progress)
        progress.stage("measuring")
        found = hits.clashes
    for text in hits.warnings:
        warn(text)
    if asked.json_path is not None:
        write_json(asked.json_path, _as_dict(models, scene, hits, found, asked))
    if asked.report_path is not None:
        _write_report(asked.report_path, files, scene, hits)
    if asked.png_path is not None:
        _write_picture(asked.png_path, files, hits)
    if not asked.quiet and asked.json_path != "-":
        write(as_text(found, _summary(scene, found)))
    return COLLISION if hits else NO_COLLISION


def _scene(models: list[Model], asked: Options) -> Scene:
    from impinge.io.load import scene_of

    scene = scene_of(models)
    if len(scene.bodies) == 1 and not asked.self_collision:
        path = models[0].path
        raise click.ClickException(
            f"{path}: has one part and nothing to check it against; give another file, "
            "or --self to look for self-intersections"
        )
    for a, b in asked.ignore:
        for name in (a, b):
            if name not in scene:
                raise click.ClickException(f"--ignore: {_unknown_part(name, scene)}")
        scene.ignore(a, b)
    return scene


def _unknown_part(name: str, scene: Scene) -> str:
    from impinge.errors import nearest, word_list

    names = [body.name for body in scene.bodies]
    hint = nearest(name, names) or f"; the parts are {word_list(names[:10])}"
    more = f" and {len(names) - 10} more" if len(names) > 10 and "did you mean" not in hint else ""
    return f"no part is called {name!r}{hint}{more}"


def _collide(scene: Scene, asked: Options, progress: ProgressBar) -> Collisions:
    from impinge.detectors import detector

    progress.stage("checking")
    able = detector(asked.method).capabilities
    # a method that finds bodies only is followed by one that finds their faces
    refine = "bvh" if "overlaps" in able and "pairs" not in able else None
    # The callable also lets Ctrl-C through while the native core works.
    return scene.collide(
        method=asked.method,
        touching=asked.touching,
        self_collision=asked.self_collision,
        refine=refine,
        workers=asked.workers,
        progress=progress,
    )


def _write_report(path: str, files: tuple[str, ...], scene: Scene, hits: Collisions) -> None:
    from pathlib import Path

    from impinge.report import write_report

    title = ", ".join(Path(file).name for file in files)
    try:
        write_report(path, scene, hits, title=title, sources=files)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written ({error.strerror})") from None


def _write_picture(path: str, files: tuple[str, ...], hits: Collisions) -> None:
    from pathlib import Path

    from impinge.render.picture.camera import up_of
    from impinge.render.picture.png import encode

    try:
        Path(path).write_bytes(encode(hits.to_image(up=up_of(files))))
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written ({error.strerror})") from None


def _summary(scene: Scene, found: list[Clash]) -> dict[str, int]:
    clashes = sum(clash.crosses for clash in found)
    return {
        "parts": len(scene.bodies),
        "triangles": sum(len(body.mesh.faces) for body in scene.bodies),
        "clashes": clashes,
        "contacts": len(found) - clashes,
        "pairs": sum(clash.pairs for clash in found),
    }


def _as_dict(
    models: list[Model], scene: Scene, hits: Collisions, found: list[Clash], asked: Options
) -> dict[str, object]:
    import impinge
    from impinge.results.clashes import clash_dict

    return {
        "impinge": impinge.__version__,
        "files": [str(model.path) for model in models],
        "method": asked.method,
        "touching": asked.touching,
        "self": asked.self_collision,
        "ignored": [list(pair) for pair in asked.ignore],
        "collides": bool(hits),
        "summary": _summary(scene, found),
        "parts": [{"name": body.name, "triangles": len(body.mesh.faces)} for body in scene.bodies],
        "results": [
            {**clash_dict(clash), "faces": hits.pairs[clash.rows].tolist()} for clash in found
        ],
        "warnings": [
            *(f"{model.path}: {text}" for model in models for text in model.warnings),
            *hits.warnings,
        ],
    }


def as_text(found: Sequence[BodyClash], summary: dict[str, int]) -> str:
    """The tables of the clashes and contacts, and the verdict."""
    clashes = [clash for clash in found if clash.crosses]
    contacts = [clash for clash in found if not clash.crosses]
    text = ""
    if clashes:
        text += _table("Clashes", clashes) + "\n"
    if contacts:
        text += _table("Contacts that only touch", contacts) + "\n"
    return text + _verdict(summary) + "\n"


def _table(title: str, found: Sequence[BodyClash]) -> str:
    from impinge._terminal import drawn, number, point

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


def _verdict(summary: dict[str, int]) -> str:
    clashes, contacts = summary["clashes"], summary["contacts"]
    among = f"{summary['parts']:,} part{'s' * (summary['parts'] != 1)}"
    among += f" ({summary['triangles']:,} triangles)"
    if not clashes and not contacts:
        return f"No collision among {among}."
    parts = []
    if clashes:
        parts.append(f"{clashes:,} clash{'es' * (clashes != 1)}")
    if contacts:
        parts.append(
            f"{contacts:,} contact{'s' * (contacts != 1)} that only touch{'es' * (contacts == 1)}"
        )
    return f"{' and '.join(parts)} among {among}."
