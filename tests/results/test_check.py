"""The answer of `Scene.check` as a container: rows, masks, order, and other forms."""

from __future__ import annotations

import copy
import csv
import json
import pickle
from io import StringIO

import numpy as np
import pytest

import impinge
from impinge.errors import InputError
from impinge.results import Check, CheckRow, Verdict
from support.meshes import box, grid, moved


@pytest.fixture(scope="module")
def check() -> Check:
    scene = impinge.Scene()
    parts = {
        "block": box((0, 0, 0), (4, 4, 4)),
        "shallow": box((4 - 0.5, 0, 0), (6, 1, 1)),
        "deep": box((-6, 0, 0), (2, 1, 1)),
        "flush": box((0, 4, 0), (1, 5, 1)),
        "close": box((0, 0, 4.25), (1, 1, 5)),
        "closer": box((3, 3, 4.125), (4, 4, 5)),
        "sheet": moved(grid(2, 2, width=2.0, height=2.0), (3, 2.5, 2)),
        "again": box((0, 4, 0), (1, 5, 1)),
    }
    for name, mesh in parts.items():
        scene.add(mesh, name=name)
    return scene.check(clearance=0.3)


def names(check: Check) -> list[str]:
    return [f"{row.name_a} {row.name_b} {row.verdict}" for row in check]


def test_rows(check: Check) -> None:
    assert names(check) == [
        "block shallow clash",
        "block deep clash",
        "block flush contact",
        "block close near",
        "block closer near",
        "block sheet clash",
        "block again contact",
        "flush again duplicate",
    ]
    assert len(check) == 8
    assert check.counts == {"duplicate": 1, "inside": 0, "clash": 3, "contact": 2, "near": 2}
    assert repr(check) == "Check(8 pairs of 8 bodies: 1 duplicate, 3 clash, 2 contact, 2 near)"
    assert isinstance(check[0], CheckRow)
    assert check[-1].verdict is Verdict.DUPLICATE
    assert check[np.int64(1)].name_b == "deep"
    with pytest.raises(IndexError):
        check[8]


def test_a_row_of_a_surface(check: Check) -> None:
    row = check[5]
    assert row.surface
    assert (row.relation, row.depth, row.depth_bounds, row.volume) == (None, None, None, None)
    assert np.isnan(check.depths[5]).all()
    assert check.relations[5] == -1
    assert len(row.face_pairs) > 0
    assert row.overlap() is None


def test_face_pairs_are_those_of_two_bodies(check: Check) -> None:
    for row in check:
        wanted = (check.collisions.bodies == (row.a, row.b)).all(axis=1)
        assert np.array_equal(row.face_pairs, check.collisions.pairs[wanted])
    assert len(check[3].face_pairs) == 0


def test_parts_of_a_check(check: Check) -> None:
    assert names(check.clashes) == [names(check)[i] for i in (0, 1, 5, 7)]
    assert names(check.contacts) == [names(check)[i] for i in (2, 6)]
    assert names(check.near) == [names(check)[i] for i in (3, 4)]
    assert names(check[2:4]) == names(check)[2:4]
    assert names(check[[4, 0]]) == [names(check)[i] for i in (4, 0)]
    assert names(check[check.distances > 0]) == names(check.near)
    assert isinstance(check[:0], Check)
    assert len(check[[]]) == 0
    assert not check[:0]
    assert check
    part = check.clashes
    assert part.names == check.names
    assert len(part[0].face_pairs) == len(check[0].face_pairs)


def test_order(check: Check) -> None:
    depths = check.sorted("depth").depths[:, 0]
    assert depths[0] == pytest.approx(1.0, rel=1e-3)
    assert (np.diff(depths[:7]) <= 0).all()
    assert np.isnan(depths[7])
    assert names(check.sorted("bodies")) == names(check)
    near = check.near.sorted("distance").distances
    assert near.tolist() == [0.125, 0.25]
    assert check.sorted("volume")[0].name_b == "deep"
    with pytest.raises(InputError, match="by must be one of"):
        check.sorted("size")


def test_overlap(check: Check) -> None:
    pieces = check[0].overlap()
    assert pieces is not None
    assert pieces.vertices.min(axis=0).tolist() == [3.5, 0.0, 0.0]
    assert set(pieces.surfaces.tolist()) == {0, 1}
    mesh = impinge.Mesh(pieces.vertices, pieces.faces)
    assert mesh.report().volume == pytest.approx(0.5)
    assert check[2].overlap() is None


def test_arrays_are_read_only(check: Check) -> None:
    for one in (check, check[1:], check[1]):
        with pytest.raises(ValueError, match="read-only"):
            one.bounds[...] = 0
    with pytest.raises(ValueError, match="read-only"):
        check.verdicts[0] = "near"
    with pytest.raises(AttributeError):
        check.names = ()  # type: ignore[misc]


def test_dict_and_json(check: Check) -> None:
    told = json.loads(check.to_json())
    assert told == check.to_dict()
    assert told["counts"] == check.counts
    first, sheet = told["rows"][0], told["rows"][5]
    assert (first["a"], first["b"], first["verdict"]) == ("block", "shallow", "clash")
    assert first["relation"] == "overlapping"
    assert first["face_pairs"] == len(check[0].face_pairs)
    assert (sheet["depth"], sheet["volume"], sheet["surface"]) == (None, None, True)
    assert check.to_json(indent=2).startswith('{\n  "counts"')


def test_csv(check: Check) -> None:
    rows = list(csv.DictReader(StringIO(check.to_csv())))
    assert [row["b"] for row in rows] == [row.name_b for row in check]
    assert [row["verdict"] for row in rows] == check.verdicts.tolist()
    assert float(rows[0]["depth"]) == check[0].depth
    assert rows[5]["depth"] == ""
    assert rows[2]["reason"] == "touch"


def test_pandas(check: Check) -> None:
    pytest.importorskip("pandas")
    frame = check.to_pandas()
    assert len(frame) == 8
    assert frame["verdict"].tolist() == check.verdicts.tolist()
    assert frame["depth"].isna().sum() == 1


def test_pandas_is_named_when_it_is_missing(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        check.to_pandas()


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copies(check: Check, duplicate: object) -> None:
    again = duplicate(check)  # type: ignore[operator]
    assert again.to_json() == check.to_json()


def test_pickles(check: Check) -> None:
    again = pickle.loads(pickle.dumps(check))
    assert again.to_json() == check.to_json()
    pieces, expected = again[0].overlap(), check[0].overlap()
    assert np.array_equal(pieces.vertices, expected.vertices)


def test_tables(check: Check) -> None:
    text = str(check)
    assert "block × deep" in text
    assert "contact (touch)" in text
    assert "<table>" in check._repr_html_()
