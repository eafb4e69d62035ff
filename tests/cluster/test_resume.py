"""An aborted run goes on where it was."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from cluster.tools import Here, rows, run, truth
from impinge.cluster import load_result
from impinge.cluster.folder import RunFolder
from impinge.errors import Cancelled, InputError
from support import meshes

BODIES = [meshes.moved(meshes.sphere(5), (0.7 * i, 0.1 * i, 0)) for i in range(3)]


class Aborts:
    """A progress callable that gives up at the n-th call."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, fraction: float) -> bool:
        self.left -= 1
        return self.left > 0


@pytest.mark.parametrize("after", [3, 12])
def test_a_second_run_goes_on(tmp_path: Path, after: int) -> None:
    first, second, third = Here(), Here(), Here()
    with pytest.raises(Cancelled) as error:
        run(BODIES, tmp_path, client=first, tile=100, progress=Aborts(after))
    assert "call again to go on" in error.value.__notes__[0]
    found = run(BODIES, tmp_path, client=second, tile=100)
    assert np.array_equal(rows(found), truth(BODIES))
    # every task once, in one of the two runs
    tasks = first.done + second.done
    assert len(tasks) == len(set(tasks))
    assert first.done
    assert second.done
    again = run(BODIES, tmp_path, client=third)
    assert third.done == []
    assert len(again) == len(found) == len(load_result(tmp_path))


def test_ctrl_c_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    def press(fraction: float) -> None:
        if fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as error:
        run(BODIES, tmp_path, tile=100, progress=press)
    assert "call again to go on" in error.value.__notes__[0]
    assert np.array_equal(rows(run(BODIES, tmp_path)), truth(BODIES))


def test_a_file_that_lost_its_end(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        run(BODIES, tmp_path, tile=100, progress=lambda fraction: fraction < 0.5)
    broken = max((tmp_path / "scatter").glob("*.rows"))
    broken.write_bytes(broken.read_bytes()[:100])
    assert np.array_equal(rows(run(BODIES, tmp_path, tile=100)), truth(BODIES))


def test_another_crew_goes_on(tmp_path: Path) -> None:
    """With more workers the source would be cut differently; the pieces stay as they are."""
    first, second = Here(), Here()
    with pytest.raises(Cancelled):
        run(BODIES, tmp_path, client=first, tile=100, progress=Aborts(7))
    second.count = 50
    with pytest.raises(InputError, match="for workers with 2 GB, these have 1"):
        run(BODIES, tmp_path, client=second, memory="1GB")
    found = run(BODIES, tmp_path, client=second, memory="4GB", tile=10)
    assert np.array_equal(rows(found), truth(BODIES))
    assert not set(first.done) & set(second.done)


def test_only_results_stay(tmp_path: Path) -> None:
    run(BODIES, tmp_path, tile=100)
    left = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    tiles = [name for name in left if re.fullmatch(r"tile-\d+\.parquet", name)]
    rest = {"bodies.parquet", "plan-0.npz", "run.json", "stats.json", "summary.parquet", ".lock"}
    assert tiles
    assert set(left) - set(tiles) == rest


def test_another_question_in_the_same_folder(tmp_path: Path) -> None:
    run(BODIES[:2], tmp_path)
    with pytest.raises(InputError, match="holds a run with other source; give another folder"):
        run(BODIES, tmp_path)
    moved = [BODIES[0], meshes.moved(BODIES[1], (1, 0, 0))]
    with pytest.raises(InputError, match="other source"):
        run(moved, tmp_path)
    with pytest.raises(InputError, match="other options"):
        run(BODIES[:2], tmp_path, self_collision=True)


def test_two_runs_in_one_folder(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path, {}, [1, 10**9, False])
    with pytest.raises(InputError, match="another run is at work"):
        RunFolder(tmp_path, {}, [1, 10**9, False])
    folder.close()
    RunFolder(tmp_path, {}, [1, 10**9, False]).close()


def test_a_folder_without_a_result(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no run that is done"):
        load_result(tmp_path)
