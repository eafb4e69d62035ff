from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from impinge import Mesh
from support import meshes

COUNTS = (
    "open_edges",
    "nonmanifold_edges",
    "flipped_edges",
    "flipped_components",
    "degenerate_faces",
    "duplicate_faces",
    "duplicate_vertices",
    "unused_vertices",
)


def findings(mesh: Mesh) -> dict[str, int]:
    """The counts that are not zero."""
    report = mesh.report()
    for name in COUNTS:
        assert len(getattr(report, f"{name}_index")) == getattr(report, name)
    return {name: getattr(report, name) for name in COUNTS if getattr(report, name)}


def test_a_sound_body() -> None:
    mesh = Mesh(*meshes.box((0, 0, 0), (1, 2, 3)), name="box")
    report = mesh.report()
    assert findings(mesh) == {}
    assert (report.closed, report.oriented, report.components) == (True, True, 1)
    assert (report.vertices, report.faces) == (8, 12)
    assert report.volume == pytest.approx(6.0)
    np.testing.assert_array_equal(report.bounds, [[0, 0, 0], [1, 2, 3]])
    assert mesh.report() is report


def test_an_empty_mesh_is_not_closed() -> None:
    report = Mesh([], []).report()
    assert (report.closed, report.oriented, report.volume) == (False, False, None)
    assert report.components == 0


def test_a_missing_face_opens_three_edges() -> None:
    v, f = meshes.tetrahedron()
    mesh = Mesh(v, f[:3])
    assert findings(mesh) == {"open_edges": 3}
    assert sorted(map(tuple, mesh.report().open_edges_index.tolist())) == [(1, 2), (1, 3), (2, 3)]
    assert not mesh.report().closed
    assert mesh.report().volume is None


def test_seams_are_welded_exactly() -> None:
    mesh = Mesh(*meshes.unwelded(meshes.box()))
    assert findings(mesh) == {"duplicate_vertices": 28}
    assert mesh.report().closed
    v, f = meshes.unwelded(meshes.box())
    v[0] += 1e-12
    assert not Mesh(v, f).report().closed


def test_a_flipped_face() -> None:
    v, f = meshes.tetrahedron()
    f = f.copy()
    f[0] = f[0, ::-1]
    assert findings(Mesh(v, f)) == {"flipped_edges": 3}


def test_a_body_inside_out() -> None:
    v, f = meshes.box()
    both = meshes.merge((v, f), meshes.moved((v, f[:, ::-1]), (5, 0, 0)))
    report = Mesh(*both).report()
    assert findings(Mesh(*both)) == {"flipped_components": 1}
    assert (report.closed, report.oriented, report.components) == (True, False, 2)
    assert report.flipped_components_index.tolist() == [1]
    np.testing.assert_array_equal(report.component, [0] * 12 + [1] * 12)
    assert report.volume == pytest.approx(0.0)


def test_a_fin_makes_a_nonmanifold_edge() -> None:
    v, f = meshes.tetrahedron()
    mesh = Mesh(np.vstack([v, [5, 5, 5]]), np.vstack([f, [0, 1, 4]]))
    assert findings(mesh) == {"nonmanifold_edges": 1, "open_edges": 2}
    assert mesh.report().nonmanifold_edges_index.tolist() == [[0, 1]]


def test_bodies_that_touch_in_a_corner_are_two() -> None:
    box = meshes.box()
    report = Mesh(*meshes.merge(box, meshes.moved(box, (1, 1, 1)))).report()
    assert (report.components, report.closed, report.duplicate_vertices) == (2, True, 1)


def test_a_duplicate_face_is_the_later_one_whatever_its_rotation() -> None:
    v, f = meshes.tetrahedron()
    mesh = Mesh(v, np.vstack([f, np.roll(f[1], 1), f[1, ::-1]]))
    assert mesh.report().duplicate_faces_index.tolist() == [4, 5]


def test_collapsed_faces_are_degenerate_and_open_nothing() -> None:
    v, f = meshes.tetrahedron()
    mesh = Mesh(v, np.vstack([f, [0, 0, 1], [2, 2, 2]]))
    assert findings(mesh) == {"degenerate_faces": 2}
    assert mesh.report().degenerate_faces_index.tolist() == [4, 5]
    assert mesh.report().component.tolist() == [0, 0, 0, 0, -1, -1]
    assert mesh.report().closed


def test_a_needle_without_area_is_degenerate() -> None:
    mesh = Mesh([[0, 0, 0], [1, 0, 0], [0.5, 1e-15, 0]], [[0, 1, 2]])
    assert mesh.report().degenerate_faces == 1


def test_unused_vertices_do_not_widen_the_bounds() -> None:
    v, f = meshes.tetrahedron()
    mesh = Mesh(np.vstack([[99, 99, 99], v]), f + 1)
    assert findings(mesh) == {"unused_vertices": 1}
    np.testing.assert_array_equal(mesh.report().bounds, [[-1, -1, -1], [1, 1, 1]])


def test_the_sign_of_zero_does_not_matter() -> None:
    v, f = meshes.unwelded(meshes.box())
    v[::2] = np.where(v[::2] == 0, -0.0, v[::2])
    assert Mesh(v, f).report().closed


@given(st.integers(0, 2**32), st.integers(1, 5))
def test_neither_order_nor_rotation_of_faces_matters(seed: int, copies: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [meshes.moved(meshes.torus(7, 5), (4.0 * i, 0, 0)) for i in range(copies)]
    v, f = meshes.merge(*parts)
    f = rng.permutation(f)
    f = np.take_along_axis(f, (rng.integers(0, 3, (len(f), 1)) + np.arange(3)) % 3, axis=1)
    report = Mesh(v, f).report()
    assert (report.components, report.closed, report.oriented) == (copies, True, True)
    assert report.volume == pytest.approx(copies * (Mesh(*parts[0]).report().volume or 0))


def test_ids_too_large_to_be_packed_are_sorted_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("impinge.results.mesh_report._WIDEST_KEY", 0)
    v, f = meshes.torus(9, 6)
    report = Mesh(v, f[1:]).report()
    assert (report.components, report.open_edges) == (1, 3)
    assert Mesh(v, f).report().closed


def test_as_dict_and_json() -> None:
    v, f = meshes.tetrahedron()
    report = Mesh(v, f[:3], name="open").report()
    plain = report.to_dict()
    assert plain["open_edges"] == 3
    assert "open_edges_index" not in plain
    assert len(report.to_dict(indices=True)["open_edges_index"]) == 3
    json.dumps(report.to_dict(indices=True), allow_nan=False)
    json.dumps(Mesh([], []).report().to_dict(indices=True), allow_nan=False)


def test_readable_and_escaped() -> None:
    v, f = meshes.tetrahedron()
    report = Mesh(v, f[:3], name="<b>").report()
    assert repr(report).splitlines()[0] == "<b>: 4 vertices, 3 faces"
    assert "open edges          3" in repr(report)
    assert "<b>" not in report._repr_html_()
    assert "&lt;b&gt;" in report._repr_html_()
