"""The options of commands that tell clashes, contacts and gaps apart."""

from __future__ import annotations

from typing import Any

import click

from impinge.cli.output import length


def verdict_options(command: Any) -> Any:
    """`--tolerance`, `--clearance` and `--facets`."""
    for option in (
        click.option(
            "--facets",
            type=click.Choice(["contact", "clash"]),
            default="contact",
            show_default=True,
            help="What round parts are that overlap by no more than their facets.",
        ),
        click.option(
            "--clearance",
            type=float,
            callback=length,
            metavar="LENGTH",
            help="Also list gaps up to this.",
        ),
        click.option(
            "--tolerance",
            type=float,
            callback=length,
            metavar="LENGTH",
            help="An overlap not deeper, or a gap not wider, is a contact; 0 is exact. Default: as "
            "far as the numbers of the two files may be off.",
        ),
    ):
        command = option(command)
    return command


def asked_of_check(tolerance: float | None, clearance: float | None, facets: str) -> dict[str, Any]:
    """What `Scene.check` is asked for by these options."""
    return {
        "tolerance": "precision" if tolerance is None else tolerance,
        "clearance": clearance,
        "facets": facets == "contact",
    }
