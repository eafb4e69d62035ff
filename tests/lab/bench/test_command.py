"""`impinge bench` through the command line."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from impinge.lab.bench import growth, workloads

pytestmark = pytest.mark.usefixtures("fakes")


@pytest.fixture(autouse=True)
def one_tiny_workload(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real ones take longer than a test may."""
    rows = (
        workloads.Workload(
            "T1-tiny", "small spheres", "pair", lambda: workloads.posed(6, 4), 4, chunk=2,
            unit="pose",
        ),
        workloads.Workload("T7-tiny", "a tree", "build", lambda: workloads.breathing(6), 2),
        workloads.Workload("memory-tiny", "memory", "memory", lambda: workloads.breathing(6), 1),
    )  # fmt: skip
    monkeypatch.setattr(workloads, "available", lambda **_: rows)


def test_peers_quick(impinge: Callable[..., Any], tmp_path: Path) -> None:
    arguments = ["--quick", "--out", tmp_path, "--threads", 1]
    for peer in ("sloppy", "raising", "absent"):
        arguments += ["--peer", peer]
    code, out, err = impinge("bench", "peers", *arguments)
    assert (code, err) == (0, "")
    assert "12 missing, 8 extra of" in out
    assert "this mesh is not to my taste" in out
    assert "not installed: absent (pip install no-such-distribution)" in out
    content = json.loads((tmp_path / "peers.json").read_text())
    assert content["not_installed"] == {"absent": "pip install no-such-distribution"}
    found = {(row["workload"], row["contender"]): row for row in content["rows"]}
    assert found["T1-tiny", "impinge"]["correct"]
    assert found["T1-tiny", "sloppy"]["missing"] == 12
    assert found["T1-tiny", "raising"]["wall_median_s"] is None
    assert found["memory-tiny", "impinge"]["peak_bytes_per_triangle"] >= 0
    with (tmp_path / "peers.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(content["rows"])
    assert "| T1-tiny: small spheres |" in (tmp_path / "peers.md").read_text()


def test_plots_are_written(impinge: Callable[..., Any], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    arguments = ["--quick", "--workload", "T1", "--peer", "sloppy", "--out", tmp_path]
    assert impinge("bench", "peers", *arguments).code == 0
    assert (tmp_path / "peers.png").read_bytes()[:4] == b"\x89PNG"
    assert "<svg" in (tmp_path / "peers.svg").read_text()


def test_classes_are_in_the_table_and_the_files(
    impinge: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = workloads.Workload(
        "T4-tiny", "touch", "touch", lambda: workloads.touching(6, 8), 8, unit="pose",
        classes=workloads.POSE_CLASSES, groups=(("colliding", ("deep", "just colliding")),),
    )  # fmt: skip
    monkeypatch.setattr(workloads, "available", lambda **_: (row,))
    code, out, _ = impinge("bench", "peers", "--quick", "--peer", "sloppy", "--out", tmp_path)
    assert code == 0
    assert "T4-tiny by class (per pose)" in out
    names = [*workloads.POSE_CLASSES, "colliding"]
    content = json.loads((tmp_path / "peers.json").read_text())
    assert [(row["class"], row["contender"]) for row in content["classes"]] == [
        (name, contender) for contender in ("impinge", "sloppy") for name in names
    ]
    assert all(row["wall_min_s"] > 0 for row in content["classes"])
    with (tmp_path / "peers.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert [line["class"] for line in lines] == ["", "", *names, *names]
    assert "| just free |" in (tmp_path / "peers.md").read_text()


def test_threads(
    impinge: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = workloads.Workload("W7-tiny", "a tree", "build", lambda: workloads.breathing(6), 2)
    left_out = workloads.Workload("W1-tiny", "a pair", "pair", lambda: workloads.posed(6, 1), 1)
    monkeypatch.setattr(workloads, "available", lambda **_: (row, left_out))
    code, out, err = impinge("bench", "threads", "--quick", "--out", tmp_path)
    assert (code, err) == (0, "")
    assert "W7-tiny: a tree" in out
    assert "W1-tiny" not in out
    (found,) = json.loads((tmp_path / "threads.json").read_text())["rows"]
    assert found["factor"] == pytest.approx(found["wall_median_s_1"] / found["wall_median_s_2"])
    assert found["best_factor"] > 0
    assert found["same_answer"]
    with (tmp_path / "threads.csv").open() as file:
        assert [line["workload"] for line in csv.DictReader(file)] == ["W7-tiny"]


def test_unknown_names_are_answered_with_the_list(impinge: Callable[..., Any]) -> None:
    code, _, err = impinge("bench", "peers", "--peer", "fcll")
    assert code == 2
    assert "peer 'fcll' is unknown; choose from 'python-fcl', 'coal'" in err
    code, _, err = impinge("bench", "peers", "--workload", "W77")
    assert code == 2
    assert "unknown; choose from 'T1', 'T1-tiny'" in err


def test_growth(
    impinge: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growth, "QUICK_SIZES", (500, 2_000))
    code, out, _ = impinge("bench", "growth", "--quick", "--out", tmp_path)
    assert code == 0
    assert "many bodies" in out
    content = json.loads((tmp_path / "growth.json").read_text())
    assert [curve["name"] for curve in content["curves"]] == [
        "build", "refit", "pair", "self", "many bodies",
    ]  # fmt: skip
    assert all(len(curve["seconds"]) == 2 for curve in content["curves"])
    assert len(content["peak"]) == 2
    assert content["memory_exponents"].keys() == {"peak", "kept"}


def test_exponents_of_memory_are_those_of_all_bytes() -> None:
    sizes = (16_000, 64_000, 256_000)
    grown = growth.Growth((), sizes, peak=(80.0, 80.0, 80.0), kept=(40.0, 20.0, 10.0))
    assert grown.memory_exponents == pytest.approx({"peak": 1.0, "kept": 0.5})
    assert growth.Growth((), sizes, (), ()).memory_exponents == {}


def test_exponent_is_that_of_the_large_sizes() -> None:
    sizes = (1_000, 16_000, 64_000, 256_000)
    seconds = (1.0, *(n**0.5 / 1000 for n in sizes[1:]))
    assert growth.fitted_exponent(sizes, seconds) == pytest.approx(0.5)


def test_an_unknown_subcommand_or_bad_number_is_a_usage_error(impinge: Callable[..., Any]) -> None:
    code, _, err = impinge("bench", "peer")
    assert code == 2
    assert "peer" in err
    code, _, err = impinge("bench", "peers", "--repeat", "0")
    assert code == 2
    assert "--repeat" in err
    code, _, err = impinge("bench", "peers", "--data", "no/such/folder")
    assert code == 2
    assert "does not exist" in err
