"""`impinge bench`: how fast, compared with whom, and how it grows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from impinge.cli.output import write

_EPILOG = """\b
Examples:
  impinge bench peers --quick
  impinge bench peers --workload W1 --workload W3 --peer meshlib --repeat 9
  impinge bench peers --threads 1 --out results
  impinge bench threads
  impinge bench growth --quick
  impinge bench dop --quick
  impinge bench motion --quick
  impinge bench impacts --data DIR
  impinge bench view
  impinge bench scale --quick
  impinge bench papers peel --quick
  impinge bench papers dop --quick
  impinge bench papers cdfc --data DIR
"""


@click.group(epilog=_EPILOG, short_help="Measure, and compare with other libraries.")
def bench() -> None:
    """Measure impinge, and compare it with the other libraries that are installed."""


_out = click.option(
    "--out", "folder", default="bench-results", show_default=True, metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path), help="Folder for JSON, CSV and plots.",
)  # fmt: skip
_threads = click.option(
    "--threads", type=click.IntRange(min=1), help="Threads of each (default: its own default)."
)
_quick = click.option("--quick", is_flag=True, help="Small sizes: done in less than a minute.")


@bench.command(short_help="Compare with other libraries.")
@_quick
@click.option("--workload", "workloads", multiple=True, metavar="W1", help="Only this; repeatable.")
@click.option("--peer", "peers", multiple=True, metavar="NAME", help="Only this; repeatable.")
@click.option("--repeat", type=click.IntRange(min=1), help="Passes through each workload.")
@_threads
@click.option(
    "--data", metavar="DIR", type=click.Path(exists=True, file_okay=False),
    help="Folder of the Scalable-CCD data set: adds its recorded cloth to W2.",
)  # fmt: skip
@_out
def peers(
    *,
    quick: bool,
    workloads: tuple[str, ...],
    peers: tuple[str, ...],
    repeat: int | None,
    threads: int | None,
    data: str | None,
    folder: Path,
) -> int:
    """Ask impinge and the installed peers the same questions: answers first, then times.

    Nothing is installed: a peer that is missing is named with the command that installs it.
    """
    from impinge.lab.bench import report
    from impinge.lab.bench.run import run

    with _Status() as say:
        result = run(
            workload_names=workloads,
            peer_names=peers,
            repeat=repeat,
            threads=threads,
            quick=quick,
            data=data,
            say=say,
        )
    write(report.tables(result))
    for peer in result.missing:
        write(f"not installed: {peer.name} ({peer.cure})\n")
    if result.skipped:
        write(f"no time was left for {', '.join(result.skipped)}\n")
    write(f"{report.machine_text()}, {report.threads_text(result)}\n")
    _tell(report.write(result, folder))
    return 0


@bench.command(short_help="Time and memory against size.")
@_quick
@_threads
@_out
def growth(quick: bool, threads: int | None, folder: Path) -> int:
    """Time of build, refit, pair, self and many bodies from 1k to 4M triangles, and memory."""
    from impinge.lab.bench import growth as module

    sizes = module.QUICK_SIZES if quick else module.SIZES
    with _Status() as say:
        found = module.grow(sizes, threads=threads, say=say)
    write(module.table(found))
    _tell(module.write(found, folder))
    return 0


@bench.command(short_help="What a second thread brings.")
@_quick
@_out
def threads(quick: bool, folder: Path) -> int:
    """Time of impinge with one thread and with two, in turns, and the factor between them."""
    from impinge.lab.bench import threads as module
    from impinge.lab.bench.report import machine_text

    with _Status() as say:
        pairs = module.scale(quick=quick, say=say)
    write(f"{module.table(pairs)}{machine_text()}\n")
    _tell(module.write(pairs, folder), plotted=False)
    return 0


@bench.command(short_help="When moving features meet.")
@_quick
@click.option(
    "--data", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with published queries, and with the recorded cloth on a ball.",
)  # fmt: skip
def impacts(quick: bool, data: Path | None) -> int:
    """Vertices, faces and edges that move: answers and processor time beside IPC Toolkit."""
    from impinge.lab.bench import impacts as module
    from impinge.lab.bench.report import machine_text

    with _Status() as say:
        found = module.compare(data, quick=quick, say=say)
    write(f"{module.tables(*found)}{machine_text()}\n")
    return 0


@bench.command(short_help="A frame on its way to the viewer.")
@_quick
def view(quick: bool) -> int:
    """Time to pack a frame of a deforming mesh, send it and have it acknowledged."""
    from impinge.lab.bench import view as module
    from impinge.lab.bench.report import machine_text

    with _Status() as say:
        rows = module.frames((10_000,), count=5, say=say) if quick else module.frames(say=say)
    write(f"{module.table(rows)}{machine_text()}\n")
    return 0


@bench.command(short_help="DOP trees by traversal and number of directions.")
@_quick
@_out
def dop(quick: bool, folder: Path) -> int:
    """Two copies of an object, one of them turning: nodes met and time, beside the box tree."""
    from impinge.lab.bench import dop as module
    from impinge.lab.bench.report import machine_text

    with _Status() as say:
        rows = module.turn(quick=quick, say=say)
    write(f"{module.tables(rows)}{machine_text()}, 1 thread\n")
    _tell(module.write(rows, folder))
    return 0


@bench.command(short_help="Times of impact, beside python-fcl.")
@_quick
@_out
def motion(quick: bool, folder: Path) -> int:
    """Random motions: impacts that are missed, late or early, and their time, beside python-fcl;
    and motions that are called free, each tried at many times."""
    from impinge.lab.bench import motion as module
    from impinge.lab.bench.report import machine_text

    with _Status() as say:
        rows = module.compare(*((100, 1_000) if quick else (2_000, 10_000)), say=say)
        free = module.free(*((2_000, 200) if quick else (100_000, 1_000)), say=say)
    write(f"{module.table(rows, free)}{machine_text()}, 1 thread\n")
    _tell([module.write(rows, free, folder)], plotted=False)
    return 0


@bench.command(short_help="Tiles on many workers, measured and foretold.")
@_quick
@click.option("--full", is_flag=True, help="52 million triangles, with a killed worker, an abort.")
@click.option("--triangles", type=click.IntRange(min=20_000), help="Size of the scene.")
@click.option("--memory", default="2GB", show_default=True, help="What each worker may use.")
@click.option(
    "--work", default="bench-work", show_default=True, metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the scene and the runs, which are removed at the end (200 bytes a triangle).",
)  # fmt: skip
@_out
def scale(
    *, quick: bool, full: bool, triangles: int | None, memory: str, work: Path, folder: Path
) -> int:
    """A scene in many files, checked by one worker and by two: the same pairs as one process,
    the cost of tiles, and a model of a cluster that is checked against these runs."""
    from impinge.lab.bench import scale as module
    from impinge.lab.bench import scale_report
    from impinge.lab.bench.report import machine_text

    size = triangles or (module.QUICK if quick else module.FULL if full else module.USUAL)
    with _Status() as say:
        result = module.measure(work, size, memory=memory, full=full, say=say)
    write(f"{scale_report.tables(result)}{machine_text()}\n")
    _tell(scale_report.write(result, folder))
    return 0


@bench.group(short_help="Experiments of the papers, measured again.")
def papers() -> None:
    """Measure the published experiments again, beside the printed numbers."""


@papers.command(short_help="Georgii, Krüger, Westermann 2007.")
@_quick
@click.option("--scene", "names", multiple=True, metavar="NAME", help="Only this; repeatable.")
@click.option(
    "--device", type=click.Choice(["cpu", "gpu"]), default="cpu", show_default=True,
    help="Where the layers are sampled.",
)  # fmt: skip
@_threads
@click.option(
    "--data", metavar="DIR", type=click.Path(exists=True, file_okay=False),
    help="Folder with real meshes: a bunny, horse or dragon takes the place of the made one.",
)  # fmt: skip
@_out
def peel(
    *,
    quick: bool,
    names: tuple[str, ...],
    device: str,
    threads: int | None,
    data: str | None,
    folder: Path,
) -> int:
    """The scenes of the paper with `peel`: counts, times, recall by resolution, six layers.

    Every answer is compared with `bvh` before it is timed; pairs that plain sampling misses are
    shown as recall.
    """
    from impinge.lab.bench.report import machine_text
    from impinge.lab.papers.peel import experiments as module
    from impinge.lab.papers.peel import report as peel_report

    with _Status() as say:
        result = module.measure(
            names, quick=quick, device=device, threads=threads, data=data, say=say
        )
    write(f"{peel_report.tables(result)}{machine_text()}\n")
    _tell(peel_report.write(result, folder))
    return 0


@papers.command(short_help="Hermann, Faure, Raffin 2008.")
@_quick
@_threads
@_out
def ray(*, quick: bool, threads: int | None, folder: Path) -> int:
    """The experiments of the paper with `ray` and `proximity`: forces, separation, time step,
    speed, a chain, scaling."""
    from impinge.lab.bench.report import machine_text
    from impinge.lab.papers.ray import experiments as module
    from impinge.lab.papers.ray import report as ray_report

    with _Status() as say:
        result = module.measure(quick=quick, threads=threads, say=say)
    write(f"{ray_report.tables(result)}{machine_text()}\n")
    _tell(ray_report.write(result, folder))
    return 0


@papers.command("dop", short_help="Zachmann, Knittel 2003.")
@_quick
@click.option("--object", "names", multiple=True, metavar="NAME", help="Only this; repeatable.")
@click.option(
    "--data", metavar="DIR", type=click.Path(exists=True, file_okay=False),
    help="Folder with real meshes, which take the place of some of the made ones.",
)  # fmt: skip
@_out
def chip(*, quick: bool, names: tuple[str, ...], data: str | None, folder: Path) -> int:
    """Table 1 of the paper: the collision chip as a model beside the software of `dop`."""
    from impinge.lab.bench.report import machine_text
    from impinge.lab.papers.dop import experiments as module
    from impinge.lab.papers.dop import report as dop_report

    with _Status() as say:
        result = module.measure(names, quick=quick, data=data, say=say)
    write(f"{dop_report.tables(result)}{machine_text()}\n")
    _tell(dop_report.write(result, folder))
    return 0


@papers.command(short_help="Mainzer, Zachmann 2013.")
@_quick
@click.option("--peer", "peers", multiple=True, metavar="NAME", help="Only this; repeatable.")
@_threads
@click.option(
    "--data", metavar="DIR", type=click.Path(exists=True, file_okay=False),
    help="Folder with recorded frames, in cloth-ball and cloth-funnel.",
)  # fmt: skip
@_out
def cdfc(
    *, quick: bool, peers: tuple[str, ...], threads: int | None, data: str | None, folder: Path
) -> int:
    """Cloth on Ball and Funnel with `cdfc`: time of the stages by frame, and table 1 with `bvh` and
    the installed peers."""
    from impinge.lab.bench.report import machine_text
    from impinge.lab.papers.cdfc import experiments as module
    from impinge.lab.papers.cdfc import report as cdfc_report

    with _Status() as say:
        result = module.measure(quick=quick, threads=threads, peer_names=peers, data=data, say=say)
    write(f"{cdfc_report.tables(result)}")
    for peer in result.missing:
        write(f"not installed: {peer.name} ({peer.cure})\n")
    write(f"{machine_text()}\n")
    _tell(cdfc_report.write(result, folder))
    return 0


@papers.command(short_help="Malmsten, Klasén 2005.")
@_quick
@click.option(
    "--device", type=click.Choice(["cpu", "gpu"]), default="cpu", show_default=True,
    help="Where the passes are drawn.",
)  # fmt: skip
@_threads
@_out
def cinder(*, quick: bool, device: str, threads: int | None, folder: Path) -> int:
    """Pairs that `cinder` finds, loses and invents by resolution, number of spheres and mip stages,
    and time by number of objects and polygons, beside `bvh`."""
    from impinge.lab.bench.report import machine_text
    from impinge.lab.papers.cinder import experiments as module
    from impinge.lab.papers.cinder import report as cinder_report

    with _Status() as say:
        result = module.measure(quick=quick, device=device, threads=threads, say=say)
    write(f"{cinder_report.tables(result)}{machine_text()}\n")
    _tell(cinder_report.write(result, folder))
    return 0


def _tell(files: list[Path], *, plotted: bool = True) -> None:
    write("written: " + ", ".join(map(str, files)) + "\n")
    if plotted and not any(file.suffix == ".svg" for file in files):
        write("no plot: matplotlib is not installed (pip install matplotlib)\n")


class _Status:
    """One line on the terminal that says what is going on, gone when it is over."""

    def __enter__(self) -> Callable[[str], None]:
        self._wanted = sys.stderr.isatty()
        return self._say

    def _say(self, text: str) -> None:
        if self._wanted:
            print(f"\r\x1b[2K{text}", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._wanted:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)
