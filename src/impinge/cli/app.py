"""The group of subcommands, and what becomes of their errors."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence

import click

from impinge._text import one_line
from impinge.cli.bench import bench
from impinge.cli.check import check
from impinge.cli.contact_points import contact_points
from impinge.cli.demo import demo
from impinge.cli.devices import devices
from impinge.cli.info import info
from impinge.cli.layers import show_layers
from impinge.cli.motion import motion
from impinge.cli.output import warn_unencodable, write
from impinge.cli.passes import show_passes
from impinge.cli.view import view
from impinge.errors import ImpingeError

ERROR = 2
INTERRUPTED = 130

_EPILOG = """\b
Examples:
  impinge check gear.stl shaft.stl
  impinge check assembly.glb --report clash.html --json clash.json
  impinge check part.obj --self
  impinge contact-points assembly.glb --json points.json
  impinge motion base.stl lid.stl --from 0,0,50 --to 0,0,0
  impinge view assembly.glb
  impinge info part.obj
  impinge show-layers deformable-horses --out layers.png
  impinge show-passes --out passes.png
  impinge demo stairs --out stairs.gif
  impinge bench peers --quick

Exit code of check: 0 no clash, 1 clash, 2 error.
"""


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        import impinge

        write(f"impinge {impinge.__version__}\n")
        context.exit()


@click.group(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_show_version,
    help="Show the version and exit.",
)  # fmt: skip
def impinge() -> None:
    """Exact and fast collision detection between triangle meshes."""


impinge.add_command(bench)
impinge.add_command(check)
impinge.add_command(contact_points)
impinge.add_command(demo)
impinge.add_command(devices)
impinge.add_command(info)
impinge.add_command(motion)
impinge.add_command(show_layers)
impinge.add_command(show_passes)
impinge.add_command(view)


def run(arguments: Sequence[str]) -> int:
    """Run a subcommand; every error is one line on stderr."""
    warn_unencodable()
    try:
        result = impinge.main(
            list(arguments) or ["--help"], prog_name="impinge", standalone_mode=False
        )
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted")
        return INTERRUPTED
    except Exception as error:
        _say(f"error: {_message(error)}")
        return ERROR
    return int(result or 0)


def _message(error: Exception) -> str:
    match error:
        case click.UsageError():
            if isinstance(error, click.NoSuchOption):
                error = _without_risky(error)
            command = error.ctx.command_path if error.ctx else "impinge"
            return f"{error.format_message()} (see {command} --help)"
        case click.ClickException():
            return error.format_message()
        case MemoryError():
            return "out of memory"
        case ImpingeError() | OSError():
            return str(error)
    # A bug must not exit with 1, which says "collision".
    traceback.print_exception(error)
    return "this is a bug of impinge; the lines above tell where"


def _without_risky(error: click.NoSuchOption) -> click.NoSuchOption:
    # nobody should come to read broken files, or lose one, by a slip of the keyboard
    risky = ("--lenient", "--force")
    meant = [option for option in error.possibilities or () if option not in risky]
    return click.NoSuchOption(error.option_name, possibilities=meant, ctx=error.ctx)


def _say(message: str) -> None:
    print(f"impinge: {one_line(message)}", file=sys.stderr)
