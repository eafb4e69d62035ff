"""Published queries of continuous collision detection, with the truth of exact solvers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import impinge
from shared_data.readers import read

FOLDERS = (
    *("erleben-cube-cliff-edges", "erleben-sliding-spike", "erleben-spike-crack"),
    *("erleben-spike-hole", "erleben-wedges", "unit-tests"),
)
KINDS = {"vertex-face": impinge.vertex_face_impact, "edge-edge": impinge.edge_edge_impact}


def queries(files: list[Path]) -> tuple[np.ndarray, np.ndarray]:
    """Rows (n, 8, 3), start and end, and what stands behind them: numerators and denominators."""
    rows = [
        [float(part) for part in line.split(",")]
        for file in files
        for line in file.read_text().splitlines()
        if line
    ]
    table = np.array(rows)
    return (table[:, 0:6:2] / table[:, 1:6:2]).reshape(-1, 8, 3), table[::8, 6:]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_sample_queries(shared_data: Path, folder: str, kind: str) -> None:
    points, behind = queries(sorted((shared_data / "ccd-queries" / folder / kind).glob("*.csv")))
    found = KINDS[kind](points[:, :4], points[:, 4:])
    assert np.isfinite(found).tolist() == behind[:, 0].astype(bool).tolist()
    assert len(found) > 70


@pytest.mark.parametrize(("kind", "short"), [("vertex-face", "vf"), ("edge-edge", "ee")])
def test_the_funnel(shared_data: Path, kind: str, short: str) -> None:
    folder = shared_data / "dynamic" / "cloth-funnel"
    points, _ = queries([folder / f"227{short}.csv"])
    truth = json.loads((folder / f"227{short}_mma_bool.json").read_text())
    found = KINDS[kind](points[:, :4], points[:, 4:])
    assert np.isfinite(found).tolist() == truth


@pytest.mark.parametrize(
    ("name", "files", "kinds"),
    [
        ("cloth-ball", ("92vf", "cloth_ball92.ply", "cloth_ball93.ply"), ("vf",)),
        ("cloth-funnel", ("227", "227.ply", "228.ply"), ("vf", "ee")),
    ],
)
def test_a_frame_has_the_published_impacts_and_no_others(
    shared_data: Path, name: str, files: tuple[str, str, str], kinds: tuple[str, ...]
) -> None:
    folder = shared_data / "dynamic" / name
    start, faces = read(folder / files[1])
    end, _ = read(folder / files[2])
    sides = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    # in the order of the published numbers: by the higher end, then the lower
    edges = np.unique(sides[:, ::-1], axis=0)[:, ::-1]
    found = impinge.impacts((start, faces), to=end)
    assert found.certain.all()
    for number, kind in enumerate(("vf", "ee")):
        if kind not in kinds:
            continue
        label = files[0].removesuffix("vf") + kind
        pairs = np.array(json.loads((folder / f"{label}.json").read_text()))
        met = pairs[np.array(json.loads((folder / f"{label}_mma_bool.json").read_text()))]
        if kind == "vf":
            rows = np.column_stack([met[:, 0], faces[met[:, 1] - len(start) - len(edges)]])
        else:
            rows = np.sort(met - len(start), axis=1)
            rows = np.column_stack([edges[rows[:, 0]], edges[rows[:, 1]]])
            both = rows.reshape(-1, 2, 2)
            swapped = [tuple(q) < tuple(p) for p, q in both.tolist()]
            both[swapped] = both[swapped, ::-1]
        ours = found.features[found.kinds == number]
        assert {*map(tuple, ours.tolist())} == {*map(tuple, rows.tolist())}
        assert len(ours) == len({*map(tuple, rows.tolist())}) > 20
