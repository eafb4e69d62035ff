"""Contacts of near features against every vertex with every face and every two edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from detectors.ray.scenes import OVERLAPS, same, scene_of, torus, turned
from impinge import contact_points, detector
from impinge.results.contact_points import ContactPoints
from support import meshes
from support.meshes import Arrays


def near(threshold: float | None = None) -> impinge.detectors.Detector:
    return detector("proximity", threshold=threshold)


def rows_of(contacts: ContactPoints) -> set[tuple[object, ...]]:
    """What is in contact: a vertex and the corners with a share, or two edges."""
    found = set()
    for bodies, vertices, coefficients, face in zip(
        contacts.bodies.tolist(),
        contacts.vertices.tolist(),
        contacts.coefficients.tolist(),
        contacts.faces.tolist(),
        strict=True,
    ):
        used = frozenset(v for v, c in zip(vertices, coefficients, strict=True) if -c > 1e-9)
        if face >= 0:
            row = key((bodies[0], frozenset(vertices[:1])), (bodies[1], used))
        else:
            row = key((bodies[0], frozenset(vertices[:2])), (bodies[1], frozenset(vertices[2:])))
        assert row not in found, "each pair of features once"
        found.add(row)
    return found


def key(
    first: tuple[int, frozenset[int]], second: tuple[int, frozenset[int]]
) -> tuple[object, ...]:
    """A pair of features; of two vertices or edges it does not matter which is first."""
    if len(first[1]) == len(second[1]):
        first, second = sorted([first, second], key=lambda side: (side[0], sorted(side[1])))
    return first, second


def closest(triangle: np.ndarray, p: np.ndarray) -> tuple[float, list[int]]:
    """Distance of a point from a triangle, and the corners that carry the closest point."""
    best = (np.inf, [])
    u, v = triangle[1] - triangle[0], triangle[2] - triangle[0]
    shares, *_ = np.linalg.lstsq(np.stack([u, v], axis=1), p - triangle[0], rcond=None)
    full = np.array([1 - shares.sum(), *shares])
    if (full > 1e-9).all():
        return float(np.linalg.norm(full @ triangle - p)), [0, 1, 2]
    for i, j in ((0, 1), (1, 2), (2, 0)):
        along = triangle[j] - triangle[i]
        s = np.clip((p - triangle[i]) @ along / (along @ along), 0, 1)
        gap = float(np.linalg.norm(triangle[i] + s * along - p))
        corners = [k for k, share in ((i, 1 - s), (j, s)) if share > 1e-9]
        if gap < best[0]:
            best = (gap, sorted(corners))
    return best


def truth(bodies: list[Arrays], threshold: float) -> set[tuple[object, ...]]:
    """Slow and obvious: all features of all pairs of bodies."""
    found = set()
    for i, a in enumerate(bodies):
        for j, b in enumerate(bodies):
            if i != j:
                found |= vertex_rows(i, a, j, b, threshold)
            if i < j:
                found |= edge_rows(i, a, j, b, threshold)
    return found


def vertex_rows(i: int, a: Arrays, j: int, b: Arrays, threshold: float) -> set[tuple[object, ...]]:
    found = set()
    for vertex, p in enumerate(a[0]):
        feet = [closest(b[0][face], p) for face in b[1]]
        features = [
            frozenset(face[corners].tolist()) for face, (_, corners) in zip(b[1], feet, strict=True)
        ]
        for (gap, _), feature in zip(feet, features, strict=True):
            around = [k for k, face in enumerate(b[1]) if feature <= set(face.tolist())]
            if gap < threshold and all(features[k] == feature for k in around):
                found.add(key((i, frozenset([vertex])), (j, feature)))
    return found


def edge_rows(i: int, a: Arrays, j: int, b: Arrays, threshold: float) -> set[tuple[object, ...]]:
    found = set()
    for p, q in edges(a):
        for r, s in edges(b):
            u, v, w = a[0][q] - a[0][p], b[0][s] - b[0][r], b[0][r] - a[0][p]
            system = np.array([[u @ u, -u @ v], [u @ v, -v @ v]])
            if abs(np.linalg.det(system)) < 1e-18:
                continue
            x, y = np.linalg.solve(system, [u @ w, v @ w])
            gap = np.linalg.norm(x * u - y * v - w)
            if min(x, y) > 1e-9 and max(x, y) < 1 - 1e-9 and gap < threshold:
                found.add(key((i, frozenset([p, q])), (j, frozenset([r, s]))))
    return found


def edges(mesh: Arrays) -> list[tuple[int, int]]:
    ends = np.sort(mesh[1][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    return [(int(p), int(q)) for p, q in np.unique(ends, axis=0)]


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_all_near_features_and_no_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shapes = [meshes.tetrahedron(size=0.6), meshes.box(), meshes.sphere(2), meshes.grid(2, 2)]
    bodies = [turned(shapes[rng.integers(4)], seed + k, rng.uniform(-1, 1, 3)) for k in range(2)]
    threshold = float(rng.uniform(0.05, 0.4))
    contacts = contact_points(*bodies, method=near(threshold))
    assert rows_of(contacts) == truth(bodies, threshold)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_whole_numbers(seed: int) -> None:
    # vertices over vertices and edges, parallel edges, equal planes
    rng = np.random.default_rng(seed)
    low = rng.integers(0, 4, (2, 3)).astype(float)
    bodies = [meshes.box(corner, corner + rng.integers(1, 3, 3)) for corner in low]
    contacts = contact_points(*bodies, method=near(1.1))
    assert rows_of(contacts) == truth(bodies, 1.1)
    assert np.isfinite(contacts.normals).all()


@pytest.mark.parametrize("name", OVERLAPS)
def test_what_holds_for_all(name: str) -> None:
    bodies = OVERLAPS[name]
    contacts = contact_points(*bodies, method=near(), workers=1)
    assert same(contacts, contact_points(*bodies, method=near(), workers=2))
    rows_of(contacts)
    threshold = contacts.rest[0]
    assert (contacts.rest == threshold).all()
    gap = contacts.points[:, 0] - contacts.points[:, 1]
    assert (np.linalg.norm(gap, axis=1) < threshold).all()
    assert (contacts.weights == 1).all()
    np.testing.assert_allclose(np.linalg.norm(contacts.normals, axis=1), 1.0, atol=1e-12)
    corners = np.array(
        [
            [bodies[body][0][vertex] for body, vertex in zip(*row, strict=True)]
            for row in zip(contacts.owners, contacts.vertices, strict=True)
        ]
    )
    np.testing.assert_allclose(
        np.einsum("nk,nkx->nx", contacts.coefficients, corners), gap, atol=1e-12
    )
    on_edges = contacts.faces < 0
    assert on_edges.any()
    assert (~on_edges).any()
    signs = np.sign(contacts.coefficients)
    assert (signs[on_edges] == [1, 1, -1, -1]).all()
    np.testing.assert_allclose(contacts.coefficients.sum(axis=1), 0, atol=1e-14)
    order = np.lexsort(
        (contacts.vertices[:, 0], on_edges, contacts.bodies[:, 1], contacts.bodies[:, 0])
    )
    np.testing.assert_array_equal(contacts.vertices[order, 0], contacts.vertices[:, 0])


def test_normals_point_out_of_the_second_body() -> None:
    # apart from each other, so that the first points are outside
    a, b = meshes.sphere(8), meshes.moved(meshes.sphere(8), (2.02, 0.1, 0.05))
    contacts = contact_points(a, b, method=near(0.15))
    assert len(contacts) > 5
    gap = contacts.points[:, 0] - contacts.points[:, 1]
    assert (np.einsum("nx,nx->n", gap, contacts.normals) > 0).all()


def test_a_vertex_on_a_face_has_a_normal() -> None:
    tip = meshes.tetrahedron()
    tip = meshes.moved(tip, -tip[0][0] + np.array([0.3, 0.4, 1.0]))
    contacts = contact_points(tip, meshes.box(), method=near(1e-3))
    rows = np.flatnonzero(contacts.faces >= 0)
    assert len(rows) == 1
    np.testing.assert_allclose(contacts.normals[rows[0]], [0, 0, 1], atol=1e-12)
    assert np.linalg.norm(contacts.points[rows[0], 0] - contacts.points[rows[0], 1]) < 1e-12


def test_crossing_edges_have_a_normal() -> None:
    a = meshes.arrays([[-1, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, 1, 2]])
    b = meshes.arrays([[0, -1, 0], [0, 1, 0], [0, 0, -1]], [[0, 1, 2]])
    contacts = contact_points(a, b, method=near(0.1))
    on_edges = contacts.faces < 0
    np.testing.assert_allclose(np.abs(contacts.normals[on_edges]), [[0, 0, 1]], atol=1e-12)


def test_self_contacts_leave_out_the_neighbourhood() -> None:
    for mesh in (torus(), meshes.sphere(10), meshes.grid(10, 10), meshes.gear(9)):
        assert len(scene_of(mesh).contact_points(method=near(), self_collision=True)) == 0
    bent = meshes.grid(20, 4)
    vertices = bent[0].copy()
    angle = vertices[:, 0] * np.pi
    # folded: the upper layer is 0.1 above the lower one
    folded = np.stack([0.05 * np.sin(angle) + 0 * angle, vertices[:, 1], -0.05 * np.cos(angle)], 1)
    folded[:, 0] += np.abs(vertices[:, 0] - 0.5)
    mesh = folded, bent[1]
    one = scene_of(mesh).contact_points(method=near(0.08), self_collision=True, workers=1)
    assert same(
        one, scene_of(mesh).contact_points(method=near(0.08), self_collision=True, workers=2)
    )
    assert len(one) > 10
    for vertices_, face in zip(one.vertices, one.faces, strict=True):
        first = vertices_[:1] if face >= 0 else vertices_[:2]
        second = vertices_[1:] if face >= 0 else vertices_[2:]
        assert not set(first.tolist()) & set(second.tolist())


def test_unwelded_vertices_count_as_one() -> None:
    a, b = OVERLAPS["balls"]
    truth_ = contact_points(a, b, method=near(0.1))
    loose = contact_points(meshes.unwelded(a), meshes.unwelded(b), method=near(0.1))
    assert len(loose) == len(truth_)
    gaps = [
        np.sort(np.linalg.norm(c.points[:, 0] - c.points[:, 1], axis=1)) for c in (truth_, loose)
    ]
    np.testing.assert_allclose(*gaps, atol=1e-12)


def test_degenerate_faces() -> None:
    rng = np.random.default_rng(5)
    points = rng.integers(0, 3, (40, 3, 3)).astype(float)
    points[::3, 2] = points[::3, 1]
    points[::7] = points[::7, :1]
    one, two = meshes.soup(points[:20]), meshes.soup(points[20:] + 0.1)
    contacts = contact_points(one, two, method=near(0.5))
    assert np.isfinite(contacts.points).all()
    np.testing.assert_allclose(np.linalg.norm(contacts.normals, axis=1), 1.0, atol=1e-12)


@pytest.mark.parametrize("power", [-1000, -400, -40, 40, 320])
def test_huge_and_tiny_bodies(power: int) -> None:
    scale = 2.0**power
    a, b = OVERLAPS["balls"]
    truth_ = contact_points(a, b, method=near())
    contacts = contact_points(
        *(meshes.arrays(mesh[0] * scale, mesh[1]) for mesh in (a, b)), method=near()
    )
    np.testing.assert_array_equal(contacts.vertices, truth_.vertices)
    np.testing.assert_allclose(contacts.points, truth_.points * scale, rtol=1e-9, atol=1e-9 * scale)
    np.testing.assert_allclose(contacts.rest, truth_.rest * scale, rtol=1e-12)


def test_bodies_apart_by_less_than_the_threshold() -> None:
    a, b = meshes.box(), meshes.box((1.1, 0.1, 0.2), (2, 0.8, 0.7))
    assert len(contact_points(a, b, method=near(0.09))) == 0
    assert len(contact_points(a, b, method=near(0.11))) > 0


def test_two_bodies_of_one_mesh_in_one_place() -> None:
    mesh = impinge.Mesh(*meshes.sphere(3))
    scene = impinge.Scene()
    scene.add(mesh)
    scene.add(mesh)
    apart = scene_of(meshes.sphere(3), meshes.sphere(3))
    for method in (near(), "ray"):
        one, two = scene.contact_points(method=method), apart.contact_points(method=method)
        assert len(one) > 0
        np.testing.assert_array_equal(one.vertices, two.vertices)
        np.testing.assert_array_equal(one.points, two.points)


@pytest.mark.parametrize("name", [name for name in OVERLAPS if "tori" in name])
def test_rays_need_fewer_contacts(name: str) -> None:
    # the paper's reason why rays are faster
    assert (
        0
        < len(contact_points(*OVERLAPS[name]))
        < len(contact_points(*OVERLAPS[name], method=near()))
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_frames_are_as_if_each_was_the_first(workers: int) -> None:
    vertices, faces = meshes.grid(24, 24)
    method = near(0.02)
    scene = impinge.Scene()
    cloth = scene.add(vertices, faces)
    for frame in range(4):
        # a sheet that folds over itself, so that layers are near each other
        angle = vertices[:, 0] * (4 + frame)
        rolled = np.stack(
            [np.sin(angle) * 0.2, vertices[:, 1], np.cos(angle) * (0.2 + 0.003 * vertices[:, 0])], 1
        )
        cloth.vertices = rolled
        found = scene.contact_points(method=method, self_collision=True, workers=workers)
        fresh = impinge.Scene()
        fresh.add(rolled, faces)
        assert same(found, fresh.contact_points(method=method, self_collision=True, workers=1))
        edges = found.faces < 0
        order = np.lexsort((*found.vertices[:, :0:-1].T, found.faces, found.vertices[:, 0], edges))
        assert order.tolist() == list(range(len(found)))
    assert len(found) > 50
