"""The model of a cluster, and the scene it is measured on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from impinge.lab.bench import scale, scale_model
from impinge.lab.bench.scale_model import Cluster, Costs, StageCost, Work, predicted, simulated
from impinge.lab.bench.scale_scene import write_scene

EVEN = StageCost(1e-6, 0.0, 0.0, deviation=0.0)
COSTS = Costs(EVEN, EVEN, EVEN, (0.0, 0.5), schedule_seconds=0.0, plan_seconds_per_tile=0.0)
WORK = Work(1e7, pieces=40, tiles=40)


def test_equal_tasks_are_shared_out_exactly() -> None:
    assert simulated(COSTS, WORK, Cluster(1)) == pytest.approx(30.0)
    assert predicted(COSTS, WORK, Cluster(1)) == pytest.approx(30.0)
    assert simulated(COSTS, WORK, Cluster(4)) == pytest.approx(7.5)
    # more workers than tasks: one task of each stage
    assert simulated(COSTS, WORK, Cluster(100)) == pytest.approx(0.75)


def test_the_scheduler_is_a_limit() -> None:
    costs = replace(COSTS, schedule_seconds=1.0)
    assert simulated(costs, WORK, Cluster(1000)) == pytest.approx(3 * 39 + 0.75)
    assert predicted(costs, WORK, Cluster(1000)) >= 120


def test_storage_is_a_limit() -> None:
    stage = replace(EVEN, bytes_per_triangle=100.0)
    costs = replace(COSTS, survey=stage, scatter=stage, solve=stage)
    slow = Cluster(10, worker_bytes_per_second=1e9, storage_bytes_per_second=1e8)
    assert simulated(costs, WORK, slow) == pytest.approx(3 * (1.0 + 10.0))


def test_trouble_costs_time_and_loses_no_task() -> None:
    healthy = Cluster(8)
    times = [simulated(COSTS, WORK, healthy)]
    for trouble in (
        replace(healthy, slow_tasks=0.3),
        replace(healthy, slow_tasks=0.3, slow_workers=0.5),
        replace(healthy, slow_tasks=0.3, slow_workers=0.5, hours_between_failures=0.002),
    ):
        times.append(simulated(COSTS, WORK, trouble))
    assert times == sorted(times)
    assert np.isfinite(times).all()
    assert simulated(COSTS, WORK, trouble, seed=1) == simulated(COSTS, WORK, trouble, seed=1)


def test_a_run_chooses_as_many_tasks_as_the_model_says() -> None:
    pieces, tiles, ghosts = Work(10e9).counts(COSTS, 1000)
    assert ghosts == 0
    assert 1000 < pieces < 20_000
    assert 1000 < tiles < 30_000


def test_fits() -> None:
    assert scale._power([100, 400], [0.2, 0.1]) == pytest.approx((2.0, 0.5))
    assert scale._line([1, 4], [100, 200], [3.0, 9.0]) == pytest.approx((1.5, 0.015))


def test_the_scene_has_the_size_that_was_asked_for(tmp_path: Path) -> None:
    assert write_scene(tmp_path, 20_000) == 20_480
    assert len(list(tmp_path.glob("*.stl"))) == 4
    found, _ = scale._single(tmp_path)
    assert found.shape[1] == 5
    assert len(found) > 100


def test_what_else_is_in_the_folder_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stop(Exception):
        pass

    def written(folder: Path, _: int) -> int:
        folder.mkdir(parents=True)
        (folder / "made").touch()
        raise Stop

    monkeypatch.setattr(scale, "write_scene", written)
    mine = tmp_path / "scene" / "mine.txt"
    mine.parent.mkdir()
    mine.touch()
    for folder in (tmp_path, tmp_path / "new"):
        with pytest.raises(Stop):
            scale.measure(folder, 20_000, say=lambda _: None)
    assert sorted(tmp_path.rglob("*")) == [mine.parent, mine]


def test_the_plot_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from impinge.lab.bench import scale_report

    monkeypatch.setattr(scale_report, "SIZES", (1e7, 5e7))
    monkeypatch.setattr(scale_report, "WORKERS", (1, 10))

    costs = replace(COSTS, schedule_seconds=1e-3, ghosts=(7.0, 0.5))
    names = {path.name for path in scale_report.plot(costs, tmp_path)}
    assert names == {"scale.png", "scale.svg"}
    assert len(scale_report.extended(costs)) == 4
    assert scale_model.Work(1e6).counts(costs, 2)[2] > 0
