"""Reads the files of a command, with their warnings on stderr."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from impinge.cli.output import warn

if TYPE_CHECKING:
    from impinge.cli.progress import ProgressBar
    from impinge.io import Model


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
