"""The `impinge` command; everything heavy is imported by the subcommand that needs it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code is 0 without collision, 1 with one, 2 on error."""
    try:
        import click  # noqa: F401
    except ModuleNotFoundError:
        from impinge.errors import MissingDependencyError

        cause = MissingDependencyError("click", "io", "the command")
        print(f"impinge: error: {cause}", file=sys.stderr)
        return 2
    from impinge.cli.app import run

    return run(sys.argv[1:] if arguments is None else arguments)
