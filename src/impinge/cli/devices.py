"""`impinge devices`: the GPUs of this machine, and which of them would be taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from impinge.cli.output import write, write_json
from impinge.cli.targets import Target, force_option, guard, output_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from impinge.gpu import Adapter

_EPILOG = """\b
Examples:
  impinge devices
  impinge devices --json -
"""


@click.command(epilog=_EPILOG, short_help="List the GPUs.")
@click.option(
    "--json",
    "json_path",
    metavar="FILE",
    callback=output_path,
    help="Write the list as JSON ('-': to stdout, instead of the table).",
)
@force_option
def devices(json_path: str | None, force: bool) -> int:
    """List the GPUs of this machine and which one device="auto" and device="gpu" take."""
    guard([Target("--json", json_path, ".json")], force=force)
    found, problem = _found()
    rows = [_entry(adapter, found) for adapter in found]
    if json_path is not None:
        write_json(json_path, {"devices": rows, "problem": problem})
    if json_path != "-":
        write(_text(rows, problem))
    return 0


def _found() -> tuple[Sequence[Adapter], str | None]:
    """All adapters, and what stands in the way of using one."""
    from impinge.errors import GpuError, MissingDependencyError
    from impinge.gpu import adapters
    from impinge.gpu.adapters import required

    found: Sequence[Adapter] = ()
    try:
        found = adapters()
        required(found, software=True)
    except (GpuError, MissingDependencyError) as error:
        return found, str(error)
    return found, None


def _entry(adapter: Adapter, found: Sequence[Adapter]) -> dict[str, object]:
    from impinge.gpu import chosen

    taken = {"auto": chosen(found, software=False), "gpu": chosen(found, software=True)}
    return {
        "name": adapter.name,
        "type": adapter.kind,
        "backend": adapter.backend,
        "driver": adapter.driver,
        "usable": adapter.problem is None,
        "problem": adapter.problem,
        "taken_for": [device for device, choice in taken.items() if choice is adapter],
    }


def _text(rows: Sequence[dict[str, object]], problem: str | None) -> str:
    from impinge._terminal import drawn

    lines = []
    if rows:
        columns = ("name", "type", "backend", "driver", "usable", "taken for device=")
        cells = [
            (
                *(str(row[key]) for key in columns[:4]),
                "yes" if row["usable"] else f"no: {row['problem']}",
                ", ".join(row["taken_for"]) or "-",  # type: ignore[arg-type]
            )
            for row in rows
        ]
        lines.append(drawn("GPUs", [(column, False) for column in columns], cells))
    if problem:
        lines.append(f"{problem}\n")
    if not any("auto" in row["taken_for"] for row in rows):  # type: ignore[operator]
        lines.append('device="auto" takes the CPU\n')
    return "".join(lines)
