"""`impinge view`: parts and their collisions in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from impinge.cli.output import write
from impinge.cli.progress import ProgressBar
from impinge.cli.reading import read_models
from impinge.cli.verdict_options import asked_of_check, verdict_options

_EPILOG = """\b
Examples:
  impinge view assembly.glb
  impinge view gear.stl shaft.stl --touching exclude
  impinge view assembly.glb --tolerance 0.01 --clearance 0.5
  impinge view part.obj --self

The page is served to this machine only, at an address nobody can guess. Ctrl-C ends it.
"""


def server_options(command: Any) -> Any:
    """The options of commands that serve a page."""
    for option in (
        click.option("--no-browser", is_flag=True, help="Only print the address."),
        click.option(
            "--port", type=click.IntRange(0, 65535), metavar="N",
            help="Port to serve on; a busy one is answered with the next free one.",
        ),
        click.option(
            "--host", default="127.0.0.1", metavar="ADDRESS", show_default=True,
            help="Where to serve; another address than this opens the page to other machines.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


@click.command(epilog=_EPILOG, short_help="Look at parts and their collisions.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@verdict_options
@click.option("--self", "self_collision", is_flag=True, help="Also show self-intersections.")
@click.option(
    "--touching", type=click.Choice(["include", "exclude"]), default="include", show_default=True,
    help="Whether parts that only touch are shown.",
)  # fmt: skip
@click.option("--method", default="bvh", show_default=True, help="Detector by name.")
@click.option("--lenient", is_flag=True, help="Go on with what is usable of a broken file.")
@server_options
def view(files: tuple[str, ...], method: str, lenient: bool, **options: Any) -> int:
    """Show the parts of mesh FILEs in the browser: hide, explode, drag them, see what collides."""
    from impinge.detectors.registry import detector
    from impinge.io.load import scene_of
    from impinge.render.picture.camera import up_of
    from impinge.view.inspection import Inspection

    detector(method)
    asked = asked_of_check(*(options.pop(name) for name in ("tolerance", "clearance", "facets")))
    with ProgressBar() as progress:
        scene = scene_of(read_models(files, lenient=lenient, progress=progress))
    session = Inspection(
        scene,
        title=", ".join(Path(file).name for file in files),
        up=up_of(files),
        method=method,
        touching=options.pop("touching"),
        self_collision=options.pop("self_collision"),
        **asked,
    )
    serve_session(session, **options)
    return 0


def serve_session(session: Any, *, host: str, port: int | None, no_browser: bool) -> None:
    """Serve until Ctrl-C."""
    from impinge.view.run import PORT, serve

    serve(
        session,
        host=host,
        port=PORT if port is None else port,
        browser=not no_browser,
        say=lambda line: write(f"impinge: {line}\n"),
    )
