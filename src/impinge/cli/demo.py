"""`impinge demo`: a small simulation as an animation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from impinge.cli.output import output_path, write
from impinge.cli.progress import ProgressBar

if TYPE_CHECKING:
    from impinge.simulate import World

_FPS = 25.0


class _Demo(NamedTuple):
    title: str
    make: Callable[[str], World]
    steps: int
    """Between two frames."""
    azimuth: float


def _tori(method: str) -> World:
    from impinge.simulate.setups import falling_tori

    # stiff enough for the weight of three, which would press softer ones through each other
    return falling_tori(count=4, young=6e5, method=method)


def _chain(method: str) -> World:
    from impinge.simulate.setups import chain

    return chain(method=method)


_DEMOS = {
    "tori": _Demo("Soft tori fall on each other", _tori, 2, 25.0),
    "chain": _Demo("A chain of soft rings swings", _chain, 1, 8.0),
}


@click.command(short_help="Animation of a small simulation.")
@click.argument("name", metavar="NAME", type=click.Choice(list(_DEMOS)))
@click.option(
    "--out", "path", required=True, metavar="FILE.gif|FILE.html", callback=output_path,
    help="The animation, or a page with it.",
)  # fmt: skip
@click.option("--frames", type=click.IntRange(1), default=75, show_default=True)
@click.option(
    "--method", type=click.Choice(["ray", "proximity"]), default="ray", show_default=True,
    help="What finds the contacts.",
)  # fmt: skip
def demo(name: str, path: str, frames: int, method: str) -> int:
    """Simulate NAME (tori or chain) and draw it, 25 frames for a second."""
    from impinge.report import animation, gif

    kind = Path(path).suffix.lower()
    if kind not in (".gif", ".html"):
        raise click.ClickException(f"{path}: the name must end in .gif or .html")
    chosen = _DEMOS[name]
    with ProgressBar() as progress:
        progress.stage("simulating")
        world = chosen.make(method)
        shown, contacts = [animation.recorded(world.scene)], 0
        for number in range(1, frames):
            progress(number / frames)
            for _ in range(chosen.steps):
                contacts = max(contacts, world.step(1.0 / (_FPS * chosen.steps)).contacts)
            shown.append(animation.recorded(world.scene))
        progress.stage("drawing")
        pictures = animation.pictures(world.scene, shown, azimuth=chosen.azimuth, progress=progress)
        data = gif.encode(pictures, fps=_FPS)
    facts = (
        f"{len(world.bodies)} bodies, {sum(len(b.faces) for b in world.scene):,} faces, "
        f"{world.time:.1f} s, up to {contacts} contacts by {method}"
    )
    try:
        Path(path).write_bytes(data if kind == ".gif" else _page(chosen.title, facts, data))
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written ({error.strerror})") from None
    write(f"{path}: {facts}\n")
    return 0


def _page(title: str, facts: str, data: bytes) -> bytes:
    from impinge.report.markup import document, element, picture

    shown = picture(data, alt=title, kind="gif")
    return document(title, element("h1", title), element("p", facts), shown).encode("utf-8")
