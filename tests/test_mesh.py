from __future__ import annotations

import copy
import pickle
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import impinge
from impinge import InputError, Mesh, _core
from impinge.detectors import bvh
from support import meshes

V, F = meshes.tetrahedron()


@pytest.mark.parametrize("rows", [4, 400])
@pytest.mark.parametrize("real", ["f8", "f4"])
@pytest.mark.parametrize("whole", ["i4", "i8", "f8"])
def test_arrays_are_copied_and_the_copies_cannot_be_written_to(
    rows: int, real: str, whole: str
) -> None:
    v, f = np.resize(V, (rows, 3)).astype(real), np.resize(F, (rows, 3)).astype(whole)
    mesh = Mesh(v, f)
    v[:], f[:] = np.nan, 10**9
    assert np.array_equal(mesh.vertices, np.resize(V, (rows, 3)))
    assert np.array_equal(mesh.faces, np.resize(F, (rows, 3)))
    for array in (mesh.vertices, mesh.faces):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f8", "g", "i1", "i8", ">i4"])
def test_any_real_dtype_of_vertices(dtype: str) -> None:
    mesh = Mesh(V.astype(dtype), F)
    assert mesh.vertices.dtype == np.float64
    assert mesh.vertices.dtype.isnative
    np.testing.assert_array_equal(mesh.vertices, V)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "u8", ">i4", "f4", "f8"])
def test_any_dtype_of_whole_faces(dtype: str) -> None:
    mesh = Mesh(V, F.astype(dtype))
    assert mesh.faces.dtype == np.int32
    np.testing.assert_array_equal(mesh.faces, F)


def _unaligned(array: np.ndarray) -> np.ndarray:
    buffer = np.zeros(array.nbytes + 1, dtype=np.uint8)
    result = buffer[1:].view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


LAYOUTS: dict[str, Any] = {
    "fortran": np.asfortranarray,
    "strided": lambda a: np.repeat(a, 2, axis=0)[::2],
    "columns": lambda a: np.hstack([a, a])[:, :3],
    "reversed": lambda a: a[::-1].copy()[::-1],
    "unaligned": _unaligned,
    "list": lambda a: a.tolist(),
    "tuples": lambda a: tuple(map(tuple, a.tolist())),
    "array interface": lambda a: SimpleNamespace(__array_interface__=a.__array_interface__, keep=a),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_any_layout(layout: Any) -> None:
    mesh = Mesh(layout(V), layout(F))
    for got, expected in ((mesh.vertices, V), (mesh.faces, F)):
        np.testing.assert_array_equal(got, expected)
        assert got.flags.c_contiguous
        assert got.flags.aligned


def test_read_only_arrays_and_dlpack() -> None:
    frozen = V.copy()
    frozen.flags.writeable = False
    np.testing.assert_array_equal(Mesh(frozen, F).vertices, V)

    class OnlyDlpack:
        def __init__(self, array: np.ndarray) -> None:
            self.array = array

        def __dlpack__(self, **options: Any) -> Any:
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self.array.__dlpack_device__()

    mesh = Mesh(OnlyDlpack(V.copy()), OnlyDlpack(F.copy()))
    np.testing.assert_array_equal(mesh.vertices, V)
    np.testing.assert_array_equal(mesh.faces, F)


@pytest.mark.parametrize("nothing", [[], np.zeros((0, 3)), np.zeros((0, 3), dtype=int)])
def test_a_mesh_may_be_empty(nothing: Any) -> None:
    mesh = Mesh(nothing, nothing)
    assert mesh.vertices.shape == mesh.faces.shape == (0, 3)
    assert len(mesh) == 0
    assert mesh, "an empty mesh is still a mesh"
    assert np.isnan(mesh.bounds).all()


BAD_VERTICES: dict[str, tuple[Any, str]] = {
    "nan": ([[0, 0, 0], [0, np.nan, 0]], r"vertices\[1\] = \(0.0, nan, 0.0\) is not finite"),
    "inf": ([[0, 0, -np.inf]], r"vertices\[0\] .* is not finite"),
    "huge": ([[0, 0, 2e100]], r"vertices\[0\] .* too large"),
    "long double": (np.full((1, 3), np.longdouble("1e400")), "is not finite"),
    "bool": (np.zeros((2, 3), dtype=bool), "dtype bool"),
    "complex": (np.zeros((2, 3), dtype=complex), "dtype complex128"),
    "object": (np.zeros((2, 3), dtype=object), "dtype object"),
    "text": ([["a", "b", "c"]], "dtype <U1"),
    "record": (np.zeros(2, dtype=[("x", float), ("y", float)]), "dtype"),
    "ragged": ([[0, 0, 0], [1, 2]], "vertices must be"),
    "flat": (np.zeros(9), r"shape \(n, 3\), got \(9,\)"),
    "planar": (np.zeros((4, 2)), "zeros for z"),
    "homogeneous": (np.zeros((4, 4)), r"got \(4, 4\)"),
    "none": (None, "dtype object"),
    "masked": (np.ma.masked_less(V, 0), "masked"),
}


@pytest.mark.parametrize(("vertices", "message"), BAD_VERTICES.values(), ids=BAD_VERTICES.keys())
def test_bad_vertices_are_named(vertices: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Mesh(vertices, [])


BAD_FACES: dict[str, tuple[Any, str]] = {
    "too high": ([[0, 1, 2], [0, 1, 4]], r"faces\[1\] = \(0, 1, 4\) has index 4.*0\.\.3"),
    "negative": ([[0, 1, -1]], r"faces\[0\] .* has index -1"),
    "beyond int32": (np.array([[0, 1, 2**32 + 1]]), "has index 4294967297"),
    "beyond int64": (np.array([[0, 1, 2**63]], dtype=np.uint64), "has index 9223372036854775808"),
    "fractions": ([[0, 1, 1.5]], r"faces\[0\] = \(0.0, 1.0, 1.5\) must be whole"),
    "nan": ([[0, 1, np.nan]], "must be whole"),
    "inf": ([[0, 1, np.inf]], "must be whole"),
    "quads": ([[0, 1, 2, 3]], "triangulate"),
    "flat": ([3, 0, 1, 2], "one row of three"),
    "bool": (np.zeros((2, 3), dtype=bool), "dtype bool"),
    "object": (np.zeros((2, 3), dtype=object), "dtype object"),
    "ragged": ([[0, 1, 2], [0, 1]], "faces must be"),
}


@pytest.mark.parametrize(("faces", "message"), BAD_FACES.values(), ids=BAD_FACES.keys())
def test_bad_faces_are_named(faces: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Mesh(V, faces)


def test_faces_of_no_vertices() -> None:
    with pytest.raises(InputError, match="has index 0"):
        Mesh([], [[0, 0, 0]])


def test_more_faces_than_the_core_can_number() -> None:
    many = np.broadcast_to(np.zeros(1, dtype=np.int32), (2**30 + 1, 3))
    with pytest.raises(InputError, match="at most 1073741824"):
        Mesh(V, many)


@given(st.integers(-(2**70), 2**70), st.integers(0, 11))
def test_any_index_is_used_or_named(index: int, place: int) -> None:
    faces = F.tolist()
    faces[place // 3][place % 3] = index
    if 0 <= index < len(V):
        np.testing.assert_array_equal(Mesh(V, faces).faces, faces)
    else:
        with pytest.raises(InputError, match="faces"):
            Mesh(V, faces)


@given(st.floats(allow_nan=True, allow_infinity=True), st.integers(0, 11))
def test_any_coordinate_is_used_or_named(value: float, place: int) -> None:
    vertices = V.copy()
    vertices.flat[place] = value
    if abs(value) <= 1e100:
        np.testing.assert_array_equal(Mesh(vertices, F).vertices, vertices)
    else:
        with pytest.raises(InputError, match=rf"vertices\[{place // 3}\]"):
            Mesh(vertices, F)


OPERANDS: dict[str, Any] = {
    "tuple": (V, F),
    "list": [V, F],
    "mapping": {"vertices": V, "faces": F},
    "attributes": SimpleNamespace(vertices=V, faces=F),
    "open3d": SimpleNamespace(vertices=V, triangles=F),
    "pyvista": SimpleNamespace(points=V, regular_faces=F, faces=np.insert(F, 0, 3, axis=1).ravel()),
}


@pytest.mark.parametrize("operand", OPERANDS.values(), ids=OPERANDS.keys())
def test_operands(operand: Any) -> None:
    mesh = Mesh.of(operand)
    np.testing.assert_array_equal(mesh.vertices, V)
    np.testing.assert_array_equal(mesh.faces, F)


def test_a_mesh_is_its_own_operand() -> None:
    mesh = Mesh(V, F, name="part")
    assert Mesh.of(mesh) is mesh


def test_a_trimesh_object() -> None:
    trimesh = pytest.importorskip("trimesh")
    mesh = Mesh.of(trimesh.creation.box())
    assert mesh.report().closed
    assert mesh.report().volume == pytest.approx(1.0)


def test_a_body_stands_for_its_world_coordinates() -> None:
    pose = np.eye(4)
    pose[:3, 3] = 1, 2, 3
    body = impinge.Scene().add(V, F, pose=pose)
    np.testing.assert_array_equal(Mesh.of(body).vertices, np.add(V, (1, 2, 3)))


class _Polygons:
    points = V

    @property
    def regular_faces(self) -> object:
        raise ValueError("faces are not regular")


WRONG: dict[str, tuple[Any, str]] = {
    "none": (None, "got NoneType"),
    "number": (3, "got int"),
    "path": ("part.stl", "impinge.load_mesh"),
    "array": (V, r"one array of shape \(4, 3\)"),
    "triple": ((V, F, F), "a tuple of 3"),
    "empty mapping": ({}, "got dict"),
    "points": (SimpleNamespace(vertices=V), "got SimpleNamespace"),
    "scene": (SimpleNamespace(geometry={}), "several meshes"),
    "polygons": (_Polygons(), "triangulate"),
    "bad faces": ((V, F + 1), r"a: faces\["),
}


@pytest.mark.parametrize(("operand", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_is_no_mesh_is_named(operand: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Mesh.of(operand, argument="a")
    assert str(caught.value).startswith("a")


def test_a_name_is_text() -> None:
    assert Mesh(V, F, name="bolt").name == "bolt"
    with pytest.raises(InputError, match="name must be a string"):
        Mesh(V, F, name=3)  # type: ignore[arg-type]


def test_a_mesh_cannot_be_changed() -> None:
    mesh = Mesh(V.copy(), F)
    with pytest.raises(AttributeError):
        mesh.vertices = V  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        mesh.vertices[0] = 0


def test_bounds_are_of_the_used_vertices() -> None:
    mesh = Mesh(np.vstack([V, [9, 9, 9]]), F)
    np.testing.assert_array_equal(mesh.bounds, [[-1, -1, -1], [1, 1, 1]])


@pytest.mark.parametrize(
    "clone", [copy.copy, copy.deepcopy, lambda mesh: pickle.loads(pickle.dumps(mesh))]
)
def test_copies_and_pickles(clone: Any) -> None:
    mesh = Mesh(V.copy(), F.copy(), name="part")
    impinge.self_collide(mesh)
    again = clone(mesh)
    assert again is not mesh
    assert again != mesh
    assert again.name == "part"
    np.testing.assert_array_equal(again.vertices, V)
    np.testing.assert_array_equal(again.faces, F)
    assert not again.vertices.flags.writeable
    assert not again.faces.flags.writeable
    assert not impinge.self_collide(again)


def test_a_deep_copy_is_independent() -> None:
    vertices = V.copy()
    again = copy.deepcopy(Mesh(vertices, F))
    vertices[:] = 0
    np.testing.assert_array_equal(again.vertices, V)


def test_the_tree_is_not_pickled() -> None:
    mesh = Mesh(*meshes.grid(30, 30))
    before = len(pickle.dumps(mesh))
    impinge.self_collide(mesh)
    assert len(pickle.dumps(mesh)) == before


def test_one_tree_whatever_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    built = []

    def counting(*arguments: Any, **options: Any) -> Any:
        built.append(1)
        return _core.Tree(*arguments, **options)

    monkeypatch.setattr(bvh, "_TREES", bvh._TREES._replace(build=counting))
    mesh = Mesh(*meshes.grid(60, 60))
    results = []
    gate = threading.Barrier(6)

    def work() -> None:
        gate.wait()
        results.append(len(impinge.self_collide(mesh)))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [0] * 6
    assert len(built) == 1


def test_repr() -> None:
    assert repr(Mesh(V, F)) == "Mesh(4 vertices, 4 faces)"
    assert repr(Mesh(V, F, name="part")) == "Mesh('part', 4 vertices, 4 faces)"
