"""`impinge info`: what is right and wrong with the meshes of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from impinge.cli.output import write, write_json
from impinge.cli.progress import ProgressBar
from impinge.cli.reading import read_models
from impinge.cli.targets import Target, force_option, guard, output_path

if TYPE_CHECKING:
    from impinge.io import Model, Part

_EPILOG = """\b
Examples:
  impinge info part.stl
  impinge info assembly.glb --json -
"""

_DEFECTS = {
    "open_edges": ("open edge", "open edges"),
    "nonmanifold_edges": ("non-manifold edge", "non-manifold edges"),
    "flipped_edges": ("flipped edge", "flipped edges"),
    "flipped_components": ("shell inside out", "shells inside out"),
    "degenerate_faces": ("degenerate face", "degenerate faces"),
    "duplicate_faces": ("duplicate face", "duplicate faces"),
}


@click.command(epilog=_EPILOG, short_help="Report on the meshes of files.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--json",
    "json_path",
    metavar="FILE",
    callback=output_path,
    help="Write the report as JSON ('-': to stdout, instead of the table).",
)
@click.option("--lenient", is_flag=True, help="Go on with what is usable of a broken file.")
@force_option
def info(files: tuple[str, ...], json_path: str | None, lenient: bool, force: bool) -> int:
    """Report on every part of mesh FILEs: size, closed, oriented, defects."""
    guard([Target("--json", json_path, ".json")], files, force=force)
    with ProgressBar() as progress:
        models = read_models(files, lenient=lenient, progress=progress)
    if json_path is not None:
        write_json(json_path, {"files": [_file_dict(model) for model in models]})
    if json_path != "-":
        write("\n".join(_file_text(model) for model in models))
    return 0


def _world(part: Part) -> tuple[list[list[float]] | None, float | None]:
    """The part's box (2, 3) and signed volume where its pose puts it."""
    import numpy as np

    from impinge import _core

    report = part.mesh.report()
    points = _core.transform(part.mesh.vertices, part.pose)
    volume = report.volume
    if volume is not None:
        volume = float(volume * np.linalg.det(part.pose[:3, :3]))
    if not len(points):
        return None, volume
    return [points.min(axis=0).tolist(), points.max(axis=0).tolist()], volume


def _oriented(part: Part) -> bool:
    """Whether every shell is closed and faces outward where the pose puts it."""
    import numpy as np

    report = part.mesh.report()
    if np.linalg.det(part.pose[:3, :3]) > 0:
        return report.oriented
    # A mirrored part faces outward when its mesh is all inside out.
    return report.closed and report.flipped_components == report.components > 0


def _part_dict(part: Part) -> dict[str, object]:
    bounds, volume = _world(part)
    report = part.mesh.report().to_dict()
    return {
        **report,
        "name": part.name,
        "oriented": _oriented(part),
        "bounds": bounds,
        "volume": volume,
        "pose": part.pose.tolist(),
    }


def _file_dict(model: Model) -> dict[str, object]:
    return {
        "file": str(model.path),
        "triangles": model.triangles,
        "parts": [_part_dict(part) for part in model.parts],
        "warnings": list(model.warnings),
    }


def _file_text(model: Model) -> str:
    from impinge._terminal import drawn

    columns = [
        ("part", False), ("triangles", True), ("vertices", True), ("shells", True),
        ("closed", False), ("oriented", False), ("size", False), ("volume", True),
        ("defects", False),
    ]  # fmt: skip
    parts = len(model.parts)
    title = f"{model.path}: {parts:,} part{'s' * (parts != 1)}, {model.triangles:,} triangles"
    return drawn(title, columns, [_row(part) for part in model.parts])


def _row(part: Part) -> tuple[str, ...]:
    from impinge._terminal import number

    report = part.mesh.report()
    bounds, volume = _world(part)
    size = "-"
    if bounds is not None:
        size = " x ".join(number(high - low) for low, high in zip(*bounds, strict=True))
    defects = [
        f"{found:,} {nouns[found != 1]}"
        for field, nouns in _DEFECTS.items()
        if (found := getattr(report, field))
    ]
    return (
        part.name,
        f"{report.faces:,}",
        f"{report.vertices:,}",
        f"{report.components:,}",
        "yes" if report.closed else "no",
        "yes" if _oriented(part) else "no",
        size,
        "-" if volume is None else number(volume),
        ", ".join(defects) or "none",
    )
