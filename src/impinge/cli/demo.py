"""`impinge demo`: a small simulation as an animation."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from impinge.cli.output import output_path, write
from impinge.cli.progress import ProgressBar
from impinge.scenes.demo import FPS
from impinge.scenes.demos import DEMOS

if TYPE_CHECKING:
    from impinge.scenes.demo import Demo, DemoRun, Tally

_METHODS = tuple(dict.fromkeys(method for demo in DEMOS.values() for method in demo.methods))
_DATA = Path("../shared/data")

_EPILOG = "\b\nDemos:\n" + "\n".join(f"  {demo.name:8}{demo.title}." for demo in DEMOS.values())


@click.command(short_help="Animation of a small simulation.", epilog=_EPILOG)
@click.argument("name", metavar="NAME", type=click.Choice(list(DEMOS)))
@click.option(
    "--out", "path", required=True, metavar="FILE.gif|FILE.html", callback=output_path,
    help="The animation, or a page with it.",
)  # fmt: skip
@click.option("--frames", type=click.IntRange(1), default=75, show_default=True)
@click.option(
    "--method", type=click.Choice(_METHODS),
    help="What finds the contacts of tori and chain (ray, proximity) or the pairs of the others "
    "(cinder, bvh).",
)  # fmt: skip
@click.option("--count", type=click.IntRange(1), help="How many tori, links, spheres or flakes.")
@click.option(
    "--resolution", type=click.Choice([str(1 << k) for k in range(6, 13)]),
    help="Pixels on a side of cinder's image.  [default: 1024]",
)  # fmt: skip
@click.option("--device", type=click.Choice(["auto", "cpu", "gpu"]), help="Where cinder draws.")
@click.option("--seed", type=click.IntRange(0), help="Other numbers, another course of things.")
@click.option("--spin", type=float, help="Degrees a second by which the body in the snow turns.")
@click.option("--hole", is_flag=True, default=None, help="The body in the snow has no bottom.")
@click.option(
    "--data", metavar="DIR", type=click.Path(exists=True, file_okay=False),
    help=f"Folder with a bunny, the body of snow and bounce.  [default: {_DATA} if it is there]",
)  # fmt: skip
def demo(
    name: str, path: str, frames: int, method: str | None, resolution: str | None, **given: Any
) -> int:
    """Simulate NAME and draw it, 25 frames for a second.

    Demos that look for pairs tell how many were found and lost in each frame; a body within
    another is a pair, too.
    """
    from impinge.report import animation, gif

    kind = Path(path).suffix.lower()
    if kind not in (".gif", ".html"):
        raise click.ClickException(f"{path}: the name must end in .gif or .html")
    chosen = DEMOS[name]
    given["resolution"] = resolution and int(resolution)
    parameters = _parameters(chosen, method, given)
    with ProgressBar() as progress:
        progress.stage("simulating")
        run = chosen.make(**parameters)
        shown = [animation.recorded(run.bodies, run.colours())]
        tallies: list[Tally] = []
        busy = 0.0
        for number in range(1, frames):
            progress(number / frames)
            start = time.perf_counter()
            tally = run.step()
            busy += time.perf_counter() - start
            if tally is not None:
                tallies.append(tally)
                busy -= tally.judging
            shown.append(animation.recorded(run.bodies, run.colours()))
        progress.stage("drawing")
        images = animation.pictures(shown, azimuth=chosen.azimuth, progress=progress)
        data = gif.encode(images, fps=FPS)
    facts = _facts(run, parameters["method"], frames, busy)
    try:
        Path(path).write_bytes(data if kind == ".gif" else _page(chosen.title, facts, data))
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written ({error.strerror})") from None
    write(f"{path}: {facts}\n{_pairs(tallies)}")
    return 0


def _parameters(demo: Demo, method: str | None, given: dict[str, Any]) -> dict[str, Any]:
    """What the demo is made with; what it does not know is refused."""
    from impinge.errors import listed

    if method is not None and method not in demo.methods:
        raise click.ClickException(
            f"{demo.name} has no method {method}; choose one of {listed(demo.methods)}"
        )
    wanted = {key: value for key, value in given.items() if value is not None}
    for key in wanted:
        if key not in demo.parameters:
            raise click.ClickException(f"{demo.name} has no --{key}")
    if "data" in demo.parameters and _DATA.is_dir():
        wanted.setdefault("data", str(_DATA))
    return {**demo.parameters, **wanted, "method": method or demo.methods[0]}


def _facts(run: DemoRun, method: str, frames: int, busy: float) -> str:
    faces = sum(len(body.faces) for body in run.bodies)
    parts = [f"{len(run.bodies)} bodies, {faces:,} faces", f"{frames} frames by {method}"]
    if busy:
        parts.append(f"{(frames - 1) / busy:.3g} frames/s without drawing")
    return ", ".join([*parts, *(f"{name}: {value}" for name, value in run.facts().items())])


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
