"""A run believes no file: what is damaged is made again, or named with the cure."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cluster.tools import rows, run, truth
from impinge.cluster import load_result
from impinge.cluster.source import stl_rows
from impinge.cluster.triangles import Batch, Triangles, load, write
from impinge.errors import Cancelled, ImpingeError
from support import meshes

BODIES = [meshes.moved(meshes.sphere(5), (0.7 * i, 0.1 * i, 0)) for i in range(3)]
TILE = 60


@pytest.fixture(scope="module")
def halfway(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was stopped when some of its tiles were solved."""
    folder = tmp_path_factory.mktemp("halfway") / "run"
    with pytest.raises(Cancelled):
        run(BODIES, folder, tile=TILE, progress=lambda fraction: fraction < 0.8)
    assert list((folder / "pairs").iterdir())
    return folder


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "run"
    run(BODIES, folder, tile=TILE)
    return folder


def empty(content: bytes) -> bytes:
    return b""


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def longer(content: bytes) -> bytes:
    return content + b"more"


def flipped(content: bytes) -> bytes:
    """One bit, in the middle."""
    at = len(content) // 2
    return content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]


def zeroed(content: bytes) -> bytes:
    """As long as it was, as after a power cut."""
    return bytes(len(content))


DAMAGES = [empty, cut, longer, flipped, zeroed]
Damage = Callable[[bytes], bytes]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(
    "pattern", ["survey/*.npz", "plan-0.npz", "scatter/*.npz", "summary/*.sums", "pairs/*.parquet"]
)
def test_what_can_be_made_again_is(
    halfway: Path, tmp_path: Path, pattern: str, damage: Damage
) -> None:
    out = shutil.copytree(halfway, tmp_path / "run")
    for path in list(out.glob(pattern))[::2]:
        path.write_bytes(damage(path.read_bytes()))
    assert np.array_equal(rows(run(BODIES, out, tile=TILE)), truth(BODIES))


def test_pipes_in_place_of_files(halfway: Path, tmp_path: Path) -> None:
    """Nobody waits for them."""
    out = shutil.copytree(halfway, tmp_path / "run")
    for pattern in ("survey/*", "plan-0.npz", "scatter/*", "summary/*", "pairs/*", ".lock"):
        for path in list(out.glob(pattern))[:2]:
            path.unlink()
            os.mkfifo(path)
    assert np.array_equal(rows(run(BODIES, out, tile=TILE)), truth(BODIES))
    for name in ("run.json", "stats.json"):
        (out / name).unlink()
        os.mkfifo(out / name)
    with pytest.raises(ImpingeError, match=r"stats\.json: is damaged"):
        load_result(out)
    with pytest.raises(ImpingeError, match=r"run\.json: is damaged"):
        run(BODIES, out)
    os.mkfifo(tmp_path / "x.stl")
    assert stl_rows(tmp_path / "x.stl") is None


def test_files_that_took_the_place_of_others(halfway: Path, tmp_path: Path) -> None:
    """Each is whole by itself."""
    out = shutil.copytree(halfway, tmp_path / "run")
    for pattern in ("pairs/*.parquet", "scatter/*.rows"):
        first, second, *_ = sorted(out.glob(pattern))
        first.write_bytes(second.read_bytes())
    assert np.array_equal(rows(run(BODIES, out, tile=TILE)), truth(BODIES))


def test_a_plan_of_other_tiles(halfway: Path, tmp_path: Path) -> None:
    """What was made by the one plan is not taken for the other."""
    with pytest.raises(Cancelled):
        run(BODIES, tmp_path / "other", tile=2 * TILE, progress=lambda fraction: fraction < 0.8)
    out = shutil.copytree(halfway, tmp_path / "run")
    shutil.copy(tmp_path / "other" / "plan-0.npz", out)
    assert np.array_equal(rows(run(BODIES, out, tile=TILE)), truth(BODIES))


@pytest.mark.parametrize("damage", [cut, flipped, zeroed])
def test_rows_are_made_again_or_named(halfway: Path, tmp_path: Path, damage: Damage) -> None:
    out = shutil.copytree(halfway, tmp_path / "run")
    for path in out.glob("scatter/*.rows"):
        path.write_bytes(damage(path.read_bytes()))
    if damage is not cut:
        with pytest.raises(ImpingeError, match=r"\.rows: is damaged; remove it, and the next run"):
            run(BODIES, out, tile=TILE)
        for path in out.glob("scatter/*.rows"):
            path.unlink()
    assert np.array_equal(rows(run(BODIES, out, tile=TILE)), truth(BODIES))


@pytest.mark.parametrize("damage", [*DAMAGES, lambda content: b"[" * 100_000])
def test_a_damaged_description(halfway: Path, tmp_path: Path, damage: Damage) -> None:
    out = shutil.copytree(halfway, tmp_path / "run")
    path = out / "run.json"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ImpingeError, match=r"run\.json: is damaged; give another folder, or "):
        run(BODIES, out, tile=TILE)


def test_numbers_that_were_changed_by_hand(halfway: Path, tmp_path: Path) -> None:
    out = shutil.copytree(halfway, tmp_path / "run")
    path = out / "run.json"
    for cutting in ([10**9, 10**6, False], ["a", "b"], None):
        path.write_text(json.dumps({**json.loads(path.read_text()), "cutting": cutting}))
        with pytest.raises(ImpingeError, match=r"run\.json: is damaged"):
            run(BODIES, out, tile=TILE)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(
    "name", ["stats.json", "bodies.parquet", "summary.parquet", "pairs/tile-0000001.parquet"]
)
def test_a_damaged_result(finished: Path, tmp_path: Path, name: str, damage: Damage) -> None:
    out = shutil.copytree(finished, tmp_path / "run")
    (out / name).write_bytes(damage((out / name).read_bytes()))

    def used(found: object) -> None:
        repr(found)
        rows(found)

    for answer in (lambda: load_result(out), lambda: run(BODIES, out, tile=TILE)):
        with pytest.raises(ImpingeError, match=rf"{name}: is damaged; remove .*run and run again"):
            used(answer())


def test_a_result_without_one_of_its_files(finished: Path, tmp_path: Path) -> None:
    out = shutil.copytree(finished, tmp_path / "run")
    (out / "pairs" / "tile-0000001.parquet").unlink()
    with pytest.raises(ImpingeError, match=r"tile-0000001\.parquet: is damaged"):
        rows(load_result(out))


def test_a_result_that_came_too_early(halfway: Path, tmp_path: Path) -> None:
    out = shutil.copytree(halfway, tmp_path / "run")
    (out / "stats.json").write_text('{"stages": [], "warnings": []}')
    with pytest.raises(ImpingeError, match=r"stats\.json: is damaged"):
        run(BODIES, out, tile=TILE)


def triangles(corners: np.ndarray, body: list[int]) -> Triangles:
    faces = np.arange(len(corners), dtype=np.int64)
    return Triangles(corners, np.array(body, dtype=np.int32), faces)


@pytest.mark.parametrize(
    ("corners", "body"),
    [
        (np.full((3, 3, 3), np.nan, np.float32), [0, 0, 1]),
        (np.full((3, 3, 3), -np.inf), [0, 0, 1]),
        (np.zeros((3, 3, 3)), [0, 0, -7]),
    ],
)
def test_numbers_that_no_reader_lets_through(
    tmp_path: Path, corners: np.ndarray, body: list[int]
) -> None:
    """They do not reach the core, whatever their checksum says."""
    path = tmp_path / "x.rows"
    with path.open("wb") as file:
        runs, wide, crc = write(file, triangles(corners, body))
    single = corners.dtype == np.float32
    with pytest.raises(ImpingeError, match=r"x\.rows: is damaged; remove it"):
        load([Batch(str(path), 0, 3, runs, single, wide, crc)])


def test_large_numbers_are_finite(tmp_path: Path) -> None:
    """Their sum need not be."""
    path = tmp_path / "x.rows"
    with path.open("wb") as file:
        runs, wide, crc = write(file, triangles(np.full((3, 3, 3), 1e308), [0, 0, 1]))
    found = load([Batch(str(path), 0, 3, runs, False, wide, crc)])
    assert (found.corners == 1e308).all()
