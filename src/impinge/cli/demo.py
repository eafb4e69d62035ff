"""`impinge demo`: a scene in motion, in the browser or as an animation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from impinge._text import counted
from impinge.cli.output import write, write_file
from impinge.cli.progress import ProgressBar
from impinge.cli.targets import Target, force_option, guard, output_path
from impinge.cli.view import serve_session, server_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from impinge.lab.demos.animation import Frame
    from impinge.lab.demos.registry import Demo, DemoRun
    from impinge.lab.scenes.particle_run import Tally

_DATA = Path("../shared/data")
_NUMBERS = ("count", "seed", "spin", "hole")
_TEXTS = ("resolution", "device", "data")

_EPILOG = """\b
Examples:
  impinge demo                                  all scenes
  impinge demo tori                             live, in the browser
  impinge demo cloth --headless --frames 100 --out cloth.gif
  impinge demo stairs --count 100 --method bvh --out stairs.gif
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
@click.option("--count", type=int, help="How many tori, links, spheres or flakes.")
@click.option("--seed", type=int, help="Another course of stairs, snow or bounce.")
@click.option("--spin", type=float, help="Degrees a second by which the body in the snow turns.")
@click.option("--hole", is_flag=True, default=None, help="The body in the snow has no bottom.")
@click.option(
    "--resolution", type=click.Choice([str(1 << k) for k in range(6, 13)]),
    help="Pixels on a side of cinder's image.  [default: 1024]",
)  # fmt: skip
@click.option("--device", type=click.Choice(["auto", "cpu", "gpu"]), help="Where cinder draws.")
@click.option(
    "--data", metavar="DIR", type=click.Path(exists=True, file_okay=False),
    help=f"Folder with a bunny, the body of snow and bounce.  [default: {_DATA} if it is there]",
)  # fmt: skip
@force_option
@server_options
def demo(name: str | None, method: str | None, *, force: bool, **options: Any) -> int:
    """Show the scene NAME in motion; without a NAME, list all scenes.

    Written to a file, it tells its frame rate; scenes that go on by pairs of bodies also how many
    of them were found, lost and invented in each frame.
    """
    from impinge.detectors.registry import detector
    from impinge.lab.demos import registry as demos

    if name is None:
        write(_list(demos.demos()))
        return 0
    given = {key: options.pop(key) for key in (*_NUMBERS, *_TEXTS)}
    chosen = _set_up(demos.find(name), given)
    if method is not None:
        detector(method)
        _check_method(chosen, method)
    headless, path = options.pop("headless"), options.pop("path")
    png_path, frames = options.pop("png_path"), options.pop("frames")
    if headless or path or png_path:
        if not (path or png_path):
            raise click.UsageError("--headless needs --out FILE or --png FILE")
        _check_targets(path, png_path, force=force)
        return _write(chosen, method or chosen.method, frames, path, png_path)
    from impinge.lab.demos.session import DemoSession

    serve_session(DemoSession(chosen, method=method), **options)
    return 0


def _list(known: Sequence[Demo]) -> str:
    width = max(len(one.name) for one in known)
    rows = [f"  {one.name.ljust(width)}  {one.sentence}\n" for one in known]
    return "Scenes, to be shown by impinge demo NAME:\n" + "".join(rows)


def _set_up(chosen: Demo, given: Mapping[str, Any]) -> Demo:
    """The demo with what was given in place of what it begins with; what it lacks is refused."""
    wanted = {key: value for key, value in given.items() if value is not None}
    known = {one.name: one for one in chosen.parameters}
    for key, value in wanted.items():
        if key not in known and key not in chosen.texts:
            raise click.UsageError(f"{chosen.name} has no --{key}")
        if key in known and not known[key].low <= value <= known[key].high:
            low, high = known[key].low, known[key].high
            raise click.UsageError(f"--{key} of {chosen.name} must be from {low:g} to {high:g}")
    texts = {key: wanted.get(key, value) for key, value in chosen.texts.items()}
    if "data" in texts and texts["data"] is None and _DATA.is_dir():
        texts["data"] = str(_DATA)
    make = chosen.make
    return replace(
        chosen,
        make=lambda values: make(values, **texts),
        parameters=tuple(
            replace(one, value=float(wanted.get(one.name, one.value))) for one in chosen.parameters
        ),
    )


def _check_method(chosen: Demo, method: str) -> None:
    if chosen.methods is not None and method not in chosen.methods:
        from impinge.errors import word_list

        raise click.UsageError(f"the methods of {chosen.name} are {word_list(chosen.methods)}")


def _check_targets(path: str | None, png_path: str | None, *, force: bool) -> None:
    targets = []
    for option, given, kinds in (
        ("--out", path, (".gif", ".html")),
        ("--png", png_path, (".png",)),
    ):
        if given:
            kind = Path(given).suffix.lower()
            if kind not in kinds:
                raise click.ClickException(f"{given}: the name must end in {' or '.join(kinds)}")
            targets.append(Target(option, given, kind))
    guard(targets, force=force)


def _write(chosen: Demo, method: str, count: int, path: str | None, png_path: str | None) -> int:
    """Run without a page, and write what was asked for."""
    from impinge.lab.demos import animation
    from impinge.lab.scenes.particle_run import FPS
    from impinge.render.picture import png
    from impinge.results.contact_points import ContactPoints

    if path:
        # what it needs and may be missing is told before the scene runs
        from impinge.lab.demos import gif
    with ProgressBar() as progress:
        progress.stage("running")
        values = chosen.values
        act = chosen.make(values)
        frames: list[Frame] = []
        tallies: list[Tally] = []
        most, busy, what = 0, 0.0, "pairs"
        for number in range(count):
            progress(number / count)
            start = perf_counter()
            moment = act.step(method, values)
            busy += perf_counter() - start
            if moment.tally is not None:
                tallies.append(moment.tally)
                busy -= moment.tally.judging
            found = moment.result
            most = max(most, 0 if found is None else len(found))
            what = "contacts" if isinstance(found, ContactPoints) else "pairs"
            frames.append(animation.recorded(act.bodies, found, colours=moment.colours))
        progress.stage("drawing")
        view = animation.Viewpoint(chosen.azimuth, up=chosen.up, box=act.frame)
        if path:
            drawn = animation.pictures(frames, view=view, progress=progress)
            data = gif.encode(drawn, fps=FPS)
        if png_path:
            last = animation.pictures(frames[-1:], size=(1200, 900), view=view)
            write_file(png_path, png.encode(last[0]))
    more = act.facts()
    if not tallies:
        more = {f"most {what}": f"{most:,}", **more}
    facts = _facts(act, f"{count} frames by {method}", count / busy, more)
    if path:
        whole = path.lower().endswith(".gif")
        write_file(path, data if whole else _page(chosen.sentence, facts, data))
    for written in (path, png_path):
        if written:
            write(f"{written}: {facts}\n")
    write(_pairs(tallies))
    return 0


def _facts(act: DemoRun, frames: str, rate: float, more: Mapping[str, Any]) -> str:
    faces = sum(len(body.faces) for body in act.bodies)
    parts = [f"{counted(len(act.bodies), 'body')}, {faces:,} faces", f"{frames}, {act.clock}"]
    parts += [f"{rate:.3g} frames/s without drawing"]
    return ", ".join([*parts, *(f"{name}: {value}" for name, value in more.items())])


def _pairs(tallies: list[Tally]) -> str:
    """One line for each column, with a number for each frame."""
    if not tallies:
        return ""
    seconds = sum(tally.seconds for tally in tallies) / len(tallies)
    lines = [f"milliseconds to find them: {1e3 * seconds:.3g} a frame"]
    for column in ("true", "found", "lost", "invented"):
        numbers = [getattr(tally, column) for tally in tallies]
        lines.append(f"{column:8} {' '.join(map(str, numbers))}")
    return "\n".join(lines) + "\n"


def _page(title: str, facts: str, data: bytes) -> bytes:
    from impinge.report.markup import document, element, picture

    shown = picture(data, alt=title, kind="gif")
    return document(title, element("h1", title), element("p", facts), shown).encode("utf-8")
