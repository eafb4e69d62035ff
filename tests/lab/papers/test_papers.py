"""`impinge bench papers` through the command line."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from impinge.errors import InputError
from impinge.lab import scenes
from impinge.lab.bench.oracle import WrongReferenceError
from impinge.lab.papers.cdfc import experiments as cdfc
from impinge.lab.papers.cinder import experiments as cinder
from impinge.lab.papers.dop import experiments as dop
from impinge.lab.papers.dop.objects import OBJECTS, bisected, load
from impinge.lab.papers.dop.placing import full_turn
from impinge.lab.papers.peel import experiments as peel
from impinge.lab.papers.peel import report as peel_report
from impinge.lab.papers.ray import experiments as ray


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = replace(peel.QUICK, resolution=64, resolutions=(32, 64), frames=2)
    monkeypatch.setattr(peel, "QUICK", plan)
    few = replace(
        ray.QUICK, sides=(10, 60), steps=10, time_steps=(0.1, 0.4), chain_links=2,
        chain_time=0.5, counts=(2, 3), iterations=2,
    )  # fmt: skip
    monkeypatch.setattr(ray, "QUICK", few)
    monkeypatch.setattr(dop, "QUICK", dop.DopPlan(steps=6, repeat=1, share=0.05))
    few_frames = replace(cdfc.QUICK, frames=3, repeat=1, cells=(24, 20))
    monkeypatch.setattr(cdfc, "QUICK", few_frames)
    short = replace(
        cinder.QUICK, frames=30, every=30, spheres=(5,), resolutions=(128,), resolution=128,
        stages=(2,), sizes=(128,), objects=(4, 8, 16), frequencies=(1, 2, 3), repeat=1,
    )  # fmt: skip
    monkeypatch.setattr(cinder, "QUICK", short)
    monkeypatch.setattr(cinder, "MANY", 30)


def test_peel_quick(impinge: Callable[..., Any], tmp_path: Path) -> None:
    arguments = ["--quick", "--out", tmp_path, "--scene", "rigid-bunnies", "--scene", "cloth"]
    code, out, err = impinge("bench", "papers", "peel", *arguments)
    assert (code, err) == (0, "")
    assert "rigid-bunnies: rigid bunnies" in out
    # the printed row
    assert "2,800" in out
    assert "Recall by resolution" in out
    assert "6 layers, deeper marked" in out
    content = json.loads((tmp_path / "peel.json").read_text())
    assert content["paper"]["rigid-bunnies"]["total_ms"] == 95
    rows = content["rows"]
    exact = [row for row in rows if row["mode"] in ("conservative", "bvh")]
    assert all(row["missing"] == 0 for row in exact)
    assert {row["experiment"] for row in rows} == {"table", "resolution", "layers"}
    sampled = [row for row in rows if row["mode"] == "dilate 1" and row["experiment"] == "table"]
    assert len(sampled) == 4
    for row in sampled:
        assert row["downloaded"] >= row["potentially_colliding"]
        assert row["tests"] >= row["hits"]
        assert row["sample_s"] + row["pack_s"] + row["exact_s"] <= row["total_s"]
    with (tmp_path / "peel.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(rows)
    assert "| rigid-bunnies | paper | 500,000 | 2,800 |" in (tmp_path / "peel.md").read_text()


def test_plots_are_written(impinge: Callable[..., Any], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    arguments = ["--quick", "--out", tmp_path, "--scene", "deformable-bunnies", "--threads", 1]
    assert impinge("bench", "papers", "peel", *arguments).code == 0
    for name in ("peel", "peel-recall"):
        assert (tmp_path / f"{name}.png").read_bytes()[:4] == b"\x89PNG"
        assert "<svg" in (tmp_path / f"{name}.svg").read_text()


def test_deeper_layers_marked_lose_nothing() -> None:
    result = peel.measure(["rigid-bunnies"], quick=True)
    marked = result.of("layers", "rigid-bunnies", "6 layers, deeper marked")
    assert [record.verdict.missing for record in marked] == [0, 0]
    assert peel_report.recall(result.of("layers", "rigid-bunnies", peel.ALL_LAYERS)) == 1.0


def test_an_unknown_scene_is_answered_with_the_list(impinge: Callable[..., Any]) -> None:
    code, _, err = impinge("bench", "papers", "peel", "--scene", "clothes")
    assert code == 2
    assert "scene 'clothes' is unknown; choose one of 'deformable-bunnies'" in err


def test_made_up_pairs_are_an_error() -> None:
    run = scenes.make("deformable-horses", size="small")
    run.advance(0.5)
    hits = run.scene.collide()
    truth = np.concatenate([hits.bodies, hits.pairs], axis=1)
    with pytest.raises(WrongReferenceError, match="1 extra"):
        peel._check(hits, truth[1:], exact=False, where="here")
    more = np.concatenate([truth, truth[:1] + 100])
    peel._check(hits, more, exact=False, where="here")
    with pytest.raises(WrongReferenceError, match="1 missing"):
        peel._check(hits, more, exact=True, where="here")


def test_shares_are_never_rounded_up_to_all() -> None:
    assert peel_report.share(1.0) == "100 %"
    assert peel_report.share(0.99999) == "99.99 %"


def test_ray_quick(impinge: Callable[..., Any], tmp_path: Path) -> None:
    code, out, err = impinge("bench", "papers", "ray", "--quick", "--out", tmp_path)
    assert (code, err) == (0, "")
    assert "30 frames/s with ray" in " ".join(out.split())
    content = json.loads((tmp_path / "ray.json").read_text())
    coarse, fine = content["quality"]
    assert 0.07 < coarse["worst"] < 0.1
    assert coarse["worst"] < coarse["worst_unweighted"]
    assert fine["worst"] < 0.01
    *parted, stuck = (one["volumes"] for one in content["separation"])
    assert stuck[0] > 0.2
    assert stuck[-1] > 0.2
    assert [one[0] for one in parted] == [stuck[0]] * 2
    assert [one[-1] for one in parted] == [0.0] * 2
    steps = content["largest_step"]
    assert steps["ray, published"] >= 2 * steps["proximity"] > 0
    few, _, many = (one["contacts"] for one in content["speed"])
    assert few < many
    assert [one["count"] for one in content["scaling"]] == [2, 2, 3, 3]


def test_dop_quick(impinge: Callable[..., Any], tmp_path: Path) -> None:
    arguments = ["--quick", "--out", tmp_path, "--object", "light", "--object", "body"]
    code, out, err = impinge("bench", "papers", "dop", *arguments)
    assert (code, err) == (0, "")
    # the printed row
    assert "9,226" in out
    content = json.loads((tmp_path / "chip.json").read_text())
    assert content["paper"]["light"]["worst"]["hardware"] == 207
    assert abs(content["objects"]["light"]["cycles_against_formula"]) < 0.15
    rows = content["rows"]
    assert len(rows) == 12
    for row in rows:
        assert 0 < row["cycles"] < row["with_triangles"] or not row["checks"]
        assert row["classic"] > 0
        assert row["list"] > 0
    assert sum(row["pairs"] for row in rows) > 0
    assert sum(row["missed"] + row["extra"] for row in rows) < 20
    with (tmp_path / "chip.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(rows)
    assert "| Front light | paper | 30,075 |" in (tmp_path / "chip.md").read_text()


def test_an_unknown_object_is_answered_with_the_list(impinge: Callable[..., Any]) -> None:
    code, _, err = impinge("bench", "papers", "dop", "--object", "car")
    assert code == 2
    assert "object 'car' is unknown; choose one of 'filter', 'light'" in err


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_have_the_printed_number_of_triangles(name: str) -> None:
    (vertices, faces), _ = load(name)
    assert len(faces) == OBJECTS[name].triangles
    np.testing.assert_allclose(vertices.min(axis=0), -vertices.max(axis=0), atol=1e-12)


def test_a_real_mesh_takes_the_place_of_a_made_one(tmp_path: Path) -> None:
    (tmp_path / "scans").mkdir()
    lines = ["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1", "f 1 3 2", "f 1 2 4", "f 2 3 4", "f 3 1 4"]
    (tmp_path / "scans" / "armadillo.obj").write_text("\n".join(lines))
    (_, faces), name = load("figure", share=1e-3, data=tmp_path)
    assert (len(faces), name) == (125, "armadillo.obj")
    # none of that name, and one that is too large
    assert load("lock", share=1e-3, data=tmp_path)[1] == "parts"
    assert load("figure", share=2e-5, data=tmp_path)[1] == "figure"
    with pytest.raises(InputError, match="is not a folder"):
        load("figure", data=tmp_path / "nowhere")


def test_bisected_is_the_same_surface() -> None:
    vertices = np.array([[0.0, 0, 0], [3, 0, 0], [0, 2, 0], [3, 2, 1]])
    faces = np.array([[0, 1, 2], [1, 3, 2]], dtype=np.int32)
    more, cut = bisected((vertices, faces), 9)
    assert len(cut) == 9

    def normals(v: np.ndarray, f: np.ndarray) -> np.ndarray:
        return np.cross(v[f[:, 1]] - v[f[:, 0]], v[f[:, 2]] - v[f[:, 0]])

    np.testing.assert_allclose(normals(more, cut).sum(axis=0), normals(vertices, faces).sum(axis=0))


def test_the_turn_is_of_rotations() -> None:
    turns = full_turn(8)[:, :3, :3]
    np.testing.assert_allclose(
        turns @ turns.transpose(0, 2, 1), np.tile(np.eye(3), (8, 1, 1)), atol=1e-12
    )
    np.testing.assert_allclose(np.linalg.det(turns), 1)
    np.testing.assert_allclose(turns[4] @ [0, 0, 1], [0, 0, -1], atol=1e-12)


def test_cdfc_quick(impinge: Callable[..., Any], tmp_path: Path) -> None:
    arguments = ["--quick", "--out", tmp_path, "--peer", "coal", "--threads", 1]
    code, out, err = impinge("bench", "papers", "cdfc", *arguments)
    assert (code, err) == (0, "")
    assert "Cloth on Ball, made: milliseconds by frame" in out
    assert "paper: CStreams" in out
    content = json.loads((tmp_path / "cdfc.json").read_text())
    assert content["paper"]["funnel"]["CDFC"] == 6.53
    assert [one["scene"] for one in content["experiments"]] == ["ball", "funnel"]
    for one in content["experiments"]:
        # the frame in which the cloth is bent most meets itself
        assert one["frames"][-1]["pairs"] > 50
        for frame in one["frames"]:
            assert sum(frame["stages"].values()) <= frame["total"]
        names = {row["name"]: row for row in one["table"]}
        assert set(names) == {"impinge bvh", "impinge cdfc"}
        assert all(row["missing"] == row["extra"] == 0 for row in names.values())
    assert "| Funnel, made |  | paper: CDFC | 6.53 |" in (tmp_path / "cdfc.md").read_text()


def test_cinder_quick(impinge: Callable[..., Any], tmp_path: Path) -> None:
    code, out, err = impinge("bench", "papers", "cinder", "--quick", "--out", tmp_path)
    assert (code, err) == (0, "")
    assert "50 spheres on stairs, each of 30 frames; paper: all found" in out
    assert "R²" in out
    content = json.loads((tmp_path / "cinder.json").read_text())
    rows = content["rows"]
    experiments = {"run", "stairs", "stages", "pile", "objects", "polygons"}
    assert {row["experiment"] for row in rows} == experiments
    for row in rows:
        assert row["found"] + row["lost"] == row["true"]
        if row["method"] == "bvh":
            assert (row["lost"], row["invented"]) == (0, 0)
    whole, one, lossless = (row for row in rows if row["experiment"] == "stages")
    assert lossless["found"] == whole["found"]
    assert one["found"] <= whole["found"]
    assert one["pixels"] < whole["pixels"]
    assert set(content["fits"]) == {
        f"{name}, {method}" for name in ("objects", "polygons") for method in ("cinder", "bvh")
    }
    with (tmp_path / "cinder.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(rows)
    assert "| cinder 128² |" in (tmp_path / "cinder.md").read_text()


def test_a_straight_line() -> None:
    fit = cinder.Fit.of([1, 2, 4], [0.3, 0.5, 0.9])
    assert (fit.start, fit.slope, fit.share) == pytest.approx((0.1, 0.2, 1.0))
