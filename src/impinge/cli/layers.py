"""`impinge show-layers`: a picture of how `peel` looks at a scene."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from impinge.cli.output import write, write_file
from impinge.cli.progress import ProgressBar
from impinge.cli.reading import read_models
from impinge.cli.targets import Target, force_option, guard, output_path

if TYPE_CHECKING:
    from impinge.scene import Scene

_EPILOG = """\b
Examples:
  impinge show-layers deformable-horses --out layers.png
  impinge show-layers rigid-bunnies --time 1 --resolution 512 --out pile.png
  impinge show-layers gear.stl shaft.stl --out gears.png
"""


@click.command("show-layers", epilog=_EPILOG, short_help="Picture of the layers of a scene.")
@click.argument("sources", nargs=-1, required=True, metavar="SCENE|FILE...")
@click.option(
    "--out", "path", required=True, metavar="FILE.png", callback=output_path,
    help="The picture.",
)  # fmt: skip
@click.option(
    "--resolution", type=click.Choice(["64", "128", "256", "512"]), default="256",
    show_default=True, help="Rays on a side.",
)  # fmt: skip
@click.option(
    "--time", "t", type=click.FloatRange(0, 1), default=0.5, show_default=True,
    help="When, from 0 to 1; files do not move.",
)  # fmt: skip
@force_option
def show_layers(
    sources: tuple[str, ...], path: str, resolution: str, t: float, *, force: bool
) -> int:
    """Draw the layers, rays, boxes and candidates of `peel` for a SCENE by name, or mesh FILEs."""
    from impinge.detectors.registry import detector
    from impinge.lab.pictures.layers import look
    from impinge.lab.pictures.layers_picture import picture
    from impinge.render.picture.png import encode

    guard([Target("--out", path, ".png")], sources, force=force)
    size = int(resolution)
    with ProgressBar() as progress:
        scene, title = _scene(sources, t, progress)
        progress.stage("sampling")
        progress(0.0)
        layers = look(scene, resolution=size)
        method = detector("peel", device="cpu", resolution=size, conservative=False, dilate=0)
        found = len(scene.collide(method=method, self_collision=True))
        all_pairs = len(scene.collide(self_collision=True))
    facts = (
        f"{len(layers.corners):,} triangles, {len(layers.ids):,} candidates",
        f"{layers.depth} layers, {size} x {size} rays",
        f"{found:,} of {all_pairs:,} pairs found",
    )
    write_file(path, encode(picture(layers, title=title, facts=facts)))
    write(f"{path}: {'; '.join(facts)}\n")
    return 0


def _scene(sources: tuple[str, ...], t: float, progress: ProgressBar) -> tuple[Scene, str]:
    from impinge.errors import nearest, word_list
    from impinge.io.load import scene_of
    from impinge.lab import scenes

    if len(sources) == 1 and sources[0] in scenes.names():
        progress.stage(f"making {sources[0]}")
        run = scenes.make(sources[0])
        run.advance(t)
        return run.scene, f"{run.name} at {t:g}"
    for source in sources:
        if not Path(source).exists():
            names = scenes.names()
            raise click.ClickException(
                f"{source}: no such file, and no scene of this name; scenes are {word_list(names)}"
                f"{nearest(source, names)}"
            )
    models = read_models(sources, lenient=False, progress=progress)
    return scene_of(models), ", ".join(Path(source).name for source in sources)
