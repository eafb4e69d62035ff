"""`impinge show-passes`: pictures of how `cinder` works."""

from __future__ import annotations

from pathlib import Path

import click

from impinge.cli.output import told, write, write_file
from impinge.cli.targets import Target, force_option, guard, output_path

_EPILOG = """\b
Examples:
  impinge show-passes --out passes.png
  impinge show-passes --out walk-through --resolution 256
"""


@click.command("show-passes", epilog=_EPILOG, short_help="Pictures of the passes of cinder.")
@click.option(
    "--out", "path", required=True, metavar="FILE.png|DIR", callback=output_path,
    help="One sheet of all pictures; or a folder for the sheet and each of them.",
)  # fmt: skip
@click.option(
    "--resolution", type=click.Choice(["64", "128", "256", "512"]), default="128",
    show_default=True, help="Pixels on a side of the buffers.",
)  # fmt: skip
@force_option
def show_passes(path: str, resolution: str, *, force: bool) -> int:
    """Draw the buffers of `cinder` after each pass, for three boxes of which one meets both others:
    the figures 7 to 13 of the paper."""
    from impinge.lab.pictures.passes_picture import pictures
    from impinge.render.picture.png import encode

    images, seen = pictures(resolution=int(resolution))
    out = Path(path)
    files = {out: images["passes"]}
    if out.suffix.lower() != ".png":
        files = {out / f"{name}.png": image for name, image in images.items()}
    guard([Target("--out", str(file), ".png") for file in files], force=force)
    if out not in files:
        with told(path):
            out.mkdir(parents=True, exist_ok=True)
    for file, image in files.items():
        write_file(str(file), encode(image))
    pairs = ", ".join(f"{a} and {b}" for a, b in seen.pairs)
    write(f"{path}: {len(files)} {'picture' if len(files) == 1 else 'pictures'}; pairs: {pairs}\n")
    return 0
