"""Reads the files of a command, with their warnings on stderr."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from impinge.cli.output import warn

if TYPE_CHECKING:
    from impinge.cli.progress import ProgressBar
    from impinge.io import Model
    from impinge.scene import Scene

ignore_option = click.option(
    "--ignore",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="Leave a pair of parts out; may be repeated.",
)


def read_models(paths: Sequence[str], *, lenient: bool, progress: ProgressBar) -> list[Model]:
    """The checked parts of each file; the first unusable file is an error."""
    from impinge.io import read

    models = []
    for i, path in enumerate(paths):
        progress.stage(f"reading {path}")
        progress(i / len(paths))
        model = read(path, lenient=lenient)
        models.append(model)
        for text in model.warnings:
            warn(f"{path}: {text}")
    return models


def scene_of_parts(models: list[Model], ignore: Sequence[tuple[str, str]], alone: str) -> Scene:
    """All parts, but for ignored pairs; one part is an error whose cure `alone` names, if any."""
    from impinge.io.load import scene_of

    scene = scene_of(models)
    if len(scene.bodies) == 1 and alone:
        raise click.ClickException(
            f"{models[0].path}: has one part and nothing to check it against; "
            f"give another file, or {alone}"
        )
    for a, b in ignore:
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
