"""The last stage: what the tiles found is added up, and only then does anything go."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from impinge._outputs import replacing, sync_file, sync_folder
from impinge.cluster import sealed
from impinge.cluster.pairs import Sums, load_sums, summed
from impinge.cluster.sealed import Seal, damaged, seal_of

if TYPE_CHECKING:
    from impinge.cluster.folder import RunFolder
    from impinge.cluster.plan import TilePlan

_BODIES = ("body_a", "body_b")
_AGAIN = "call again, and it is made again"
# sums of so many tiles are added up at a time
_TILES = 256
# most of the time of these threads is spent waiting for the disk
_THREADS = 16


def done_tiles(folder: RunFolder, plan: TilePlan) -> set[int]:
    """The tiles of a plan whose pairs are there, as they were written."""

    def done(tile: int) -> bool:
        if not folder.pairs(tile).exists():
            return False
        sums = load_sums(folder.summary(tile))
        return sums is not None and sums.mark == mark and seal_of(folder.pairs(tile)) == sums.seal

    mark = plan.mark
    with ThreadPoolExecutor(_THREADS) as pool:
        return {tile for tile, whole in enumerate(pool.map(done, range(plan.tiles))) if whole}


def summarise(folder: RunFolder, plan: TilePlan, bodies: pa.Table, about: dict[str, Any]) -> None:
    """Write the tables of a run, and the file with which it is done; about: what that tells."""
    whole, mark = summed([]), plan.mark
    seals: dict[str, Seal] = {}
    with ThreadPoolExecutor(_THREADS) as pool:
        for start in range(0, plan.tiles, _TILES):
            some = range(start, min(start + _TILES, plan.tiles))
            parts = list(pool.map(lambda tile: _safe(folder, tile, mark), some))
            whole = summed([whole, *(part.table for part in parts)])
            names_of = (folder.pairs(tile).relative_to(folder.path).as_posix() for tile in some)
            seals |= dict(zip(names_of, (part.seal for part in parts), strict=True))
    if any(whole.column(body).to_numpy().max(initial=-1) >= len(bodies) for body in _BODIES):
        raise damaged(folder.path, "a body is in it that there is not; remove it and run again")
    sync_folder(folder.path / "pairs")
    for name, table in (("bodies.parquet", bodies), ("summary.parquet", whole)):
        seals[name] = _write_table(table, folder.path / name)
    # the last file: with it the run is done, and what only led to it can go
    sealed.write_json(folder.path / "stats.json", {**about, "files": seals})
    for stage in ("scatter", "survey", "summary"):
        folder.clear(stage)


def _safe(folder: RunFolder, tile: int, mark: int) -> Sums:
    """The sums of a tile, whose pairs are then on the disk for good."""
    sums = load_sums(folder.summary(tile))
    if sums is None or sums.mark != mark:
        raise damaged(folder.summary(tile), _AGAIN)
    if seal_of(folder.pairs(tile)) != sums.seal:
        raise damaged(folder.pairs(tile), _AGAIN)
    sync_file(folder.pairs(tile))
    return sums


def _write_table(table: pa.Table, path: Path) -> Seal:
    with replacing(path, links=False) as partial:
        pq.write_table(table, partial)
        seal = seal_of(partial)
    if seal is None:
        raise damaged(path, _AGAIN)
    return seal
