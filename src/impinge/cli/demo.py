"""`impinge demo`: a scene in motion, in the browser or as an animation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from impinge.cli.output import output_path, write
from impinge.cli.progress import ProgressBar
from impinge.cli.view import serve_session, server_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge.report.animation import Frame
    from impinge.scenes.demos import Demo

_FPS = 25.0

_EPILOG = """\b
Examples:
  impinge demo                                  all scenes
  impinge demo tori                             live, in the browser
  impinge demo cloth --headless --frames 100 --out cloth.gif
  impinge demo chain --frames 40 --png chain.png
"""


@click.command(epilog=_EPILOG, short_help="A scene in motion.")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--method", help="Detector by name.")
@click.option("--headless", is_flag=True, help="No browser: write the animation to --out.")
@click.option(
    "--out", "path", metavar="FILE.gif|FILE.html", callback=output_path,
    help="The animation, or a page with it; implies --headless.",
)  # fmt: skip
@click.option(
    "--png", "png_path", metavar="FILE.png", callback=output_path,
    help="A picture of the last frame; implies --headless.",
)  # fmt: skip
@click.option("--frames", type=click.IntRange(1), default=75, show_default=True)
@server_options
def demo(name: str | None, method: str | None, **options: Any) -> int:
    """Show the scene NAME in motion; without a NAME, list all scenes."""
    from impinge.detectors.registry import detector
    from impinge.scenes import demos

    if name is None:
        write(_list(demos.demos()))
        return 0
    chosen = demos.find(name)
    if method is not None:
        detector(method)
        _check_method(chosen, method)
    headless, path = options.pop("headless"), options.pop("path")
    png_path, frames = options.pop("png_path"), options.pop("frames")
    if headless or path or png_path:
        if not (path or png_path):
            raise click.UsageError("--headless needs --out FILE or --png FILE")
        return _write(chosen, method or chosen.method, frames, path, png_path)
    from impinge.view.performance import Performance

    serve_session(Performance(chosen, method=method), **options)
    return 0


def _list(known: Sequence[Demo]) -> str:
    width = max(len(one.name) for one in known)
    rows = [f"  {one.name.ljust(width)}  {one.sentence}\n" for one in known]
    return "Scenes, to be shown by impinge demo NAME:\n" + "".join(rows)


def _check_method(chosen: Demo, method: str) -> None:
    if chosen.methods is not None and method not in chosen.methods:
        from impinge.errors import listed

        raise click.UsageError(f"the methods of {chosen.name} are {listed(chosen.methods)}")


def _write(chosen: Demo, method: str, count: int, path: str | None, png_path: str | None) -> int:
    """Run without a page, and write what was asked for."""
    from impinge.report import animation, gif, png

    for given, kinds in ((path, (".gif", ".html")), (png_path, (".png",))):
        if given and Path(given).suffix.lower() not in kinds:
            raise click.ClickException(f"{given}: the name must end in {' or '.join(kinds)}")
    with ProgressBar() as progress:
        progress.stage("running")
        values = chosen.values
        act = chosen.make(values)
        frames: list[Frame] = []
        most = 0
        for number in range(count):
            progress(number / count)
            moment = act.step(method, values)
            found = moment.result
            most = max(most, 0 if found is None else len(found))
            frames.append(animation.recorded(act.bodies, found, colours=moment.colours))
        progress.stage("drawing")
        view = animation.View(chosen.azimuth, up=chosen.up, box=act.frame)
        if path:
            drawn = animation.pictures(frames, view=view, progress=progress)
            data = gif.encode(drawn, fps=_FPS)
        if png_path:
            last = animation.pictures(frames[-1:], size=(1200, 900), view=view)
            _save(png_path, png.encode(last[0]))
    faces = sum(len(body.faces) for body in act.bodies)
    facts = (
        f"{len(act.bodies)} bodies, {faces:,} faces, {act.clock}, "
        f"up to {most:,} {'contacts' if chosen.methods else 'pairs'} by {method}"
    )
    if path:
        whole = path.lower().endswith(".gif")
        _save(path, data if whole else _page(chosen.sentence, facts, data))
    for written in (path, png_path):
        if written:
            write(f"{written}: {facts}\n")
    return 0


def _save(path: str, data: bytes) -> None:
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written ({error.strerror})") from None


def _page(title: str, facts: str, data: bytes) -> bytes:
    from impinge.report.markup import document, element, picture

    shown = picture(data, alt=title, kind="gif")
    return document(title, element("h1", title), element("p", facts), shown).encode("utf-8")
