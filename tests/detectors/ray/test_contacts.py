"""Contacts by rays: against the algorithm as printed, and what must hold for all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impinge
from detectors.ray import reference
from detectors.ray.scenes import OVERLAPS, bumpy, same, scene_of, torus, turned
from impinge import contact_points, detector
from impinge.results.contact_points import ContactPoints
from support import meshes
from support.meshes import Arrays

OCTREE = detector("ray", accelerator="octree")
TREE = detector("ray", accelerator="bvh")
SMOOTH = [name for name in OVERLAPS if name not in ("boxes", "gears", "ball in box")]


def mirrored(contacts: ContactPoints) -> list[tuple[int, ...]]:
    """Rows as if the two bodies had been given the other way round."""
    bodies = 1 - contacts.bodies
    rows = np.concatenate([bodies, contacts.vertices, contacts.faces[:, None]], axis=1)
    return sorted(map(tuple, rows.tolist()))


@pytest.mark.parametrize("name", OVERLAPS)
def test_contacts_are_those_of_the_printed_algorithm(name: str) -> None:
    a, b = OVERLAPS[name]
    length = reference.diagonal(a, b)
    contacts = contact_points(a, b, method=OCTREE)
    for first, (source, target) in enumerate([(a, b), (b, a)]):
        rows = np.flatnonzero(contacts.bodies[:, 0] == first)
        truth = reference.one_way(source, target, length)
        assert contacts.vertices[rows, 0].tolist() == sorted(truth)
        depth = np.linalg.norm(contacts.points[rows, 1] - contacts.points[rows, 0], axis=1)
        np.testing.assert_allclose(depth, [truth[v][1] for v in sorted(truth)], atol=1e-8 * length)
        if name == "bumpy tori":
            assert contacts.faces[rows].tolist() == [truth[v][0] for v in sorted(truth)]
    assert len(contacts) > 0


@pytest.mark.parametrize("name", OVERLAPS)
def test_octree_tree_and_threads_agree(name: str) -> None:
    a, b = OVERLAPS[name]
    first = contact_points(a, b, method=OCTREE, workers=1)
    for method in (OCTREE, TREE):
        for workers in (1, 2):
            assert same(first, contact_points(a, b, method=method, workers=workers))


@pytest.mark.parametrize("name", OVERLAPS)
def test_points_are_where_the_coefficients_put_them(name: str) -> None:
    bodies = OVERLAPS[name]
    contacts = contact_points(*bodies)
    assert contacts.owners[:, 0].tolist() == contacts.bodies[:, 0].tolist()
    assert (contacts.owners[:, 1:] == contacts.bodies[:, 1:]).all()
    assert (contacts.bodies[:, 0] != contacts.bodies[:, 1]).all()
    np.testing.assert_allclose(contacts.coefficients[:, 0], 1.0)
    assert (contacts.coefficients[:, 1:] <= 0).all()
    np.testing.assert_allclose(contacts.coefficients.sum(axis=1), 0.0, atol=1e-15)
    corners = np.array(
        [
            [bodies[body][0][vertex] for body, vertex in zip(*row, strict=True)]
            for row in zip(contacts.owners, contacts.vertices, strict=True)
        ]
    )
    gap = contacts.points[:, 0] - contacts.points[:, 1]
    np.testing.assert_allclose(
        np.einsum("nk,nkx->nx", contacts.coefficients, corners), gap, atol=1e-12
    )
    np.testing.assert_array_equal(contacts.points[:, 0], corners[:, 0])
    for row, (body, face) in enumerate(zip(contacts.bodies[:, 1], contacts.faces, strict=True)):
        assert bodies[body][1][face].tolist() == contacts.vertices[row, 1:].tolist()
        normal = reference.face_normals((bodies[body][0], bodies[body][1][face][None]))[0]
        np.testing.assert_allclose(contacts.normals[row], normal, atol=1e-12)
    assert ((contacts.weights > 0) & (contacts.weights <= 1)).all()
    # alpha is the angle between the line of the pair and the normal
    along = -gap / np.linalg.norm(gap, axis=1)[:, None]
    cosine = np.einsum("nx,nx->n", along, contacts.normals)
    np.testing.assert_allclose(contacts.weights, cosine, atol=1e-6)
    assert (contacts.rest == 0).all()


@pytest.mark.parametrize("name", SMOOTH)
def test_first_points_are_inside_the_other_and_second_ones_in_their_own(name: str) -> None:
    bodies = OVERLAPS[name]
    contacts = contact_points(*bodies)
    for first in (0, 1):
        rows = contacts.bodies[:, 0] == first
        assert (reference.winding(bodies[1 - first], contacts.points[rows, 0]) > 0.5).all()
        # the second point is inside or on the first body: a little towards the first point, too
        inner = contacts.points[rows, 1] * 0.999 + contacts.points[rows, 0] * 0.001
        assert (reference.winding(bodies[first], inner) > 0.5).all()


def test_every_vertex_inside_another_torus_is_a_contact() -> None:
    a, b = OVERLAPS["tori side by side"]
    contacts = contact_points(a, b)
    for first, (source, target) in enumerate([(a, b), (b, a)]):
        inside = np.flatnonzero(reference.winding(target, source[0]) > 0.5)
        assert contacts.vertices[contacts.bodies[:, 0] == first, 0].tolist() == inside.tolist()
        assert len(inside) > 20
    assert contacts.stats["rays_shot"] >= len(contacts)


@pytest.mark.parametrize("name", OVERLAPS)
def test_forces_and_torques_vanish(name: str) -> None:
    contacts = contact_points(*OVERLAPS[name])
    shares = contacts.coefficients[..., None] * reference.forces(contacts)[:, None]
    shapes = contacts._origin.shapes
    at = np.array(
        [
            [shapes[body].vertices[vertex] for body, vertex in zip(*row, strict=True)]
            for row in zip(contacts.owners, contacts.vertices, strict=True)
        ]
    )
    size = np.abs(shares).sum()
    assert np.abs(shares.sum(axis=(0, 1))).max() <= 1e-10 * size
    assert np.abs(np.cross(at, shares).sum(axis=(0, 1))).max() <= 1e-10 * size


@pytest.mark.parametrize("name", OVERLAPS)
def test_exchanged_roles_give_the_mirrored_contacts(name: str) -> None:
    a, b = OVERLAPS[name]
    there, back = contact_points(a, b), contact_points(b, a)
    rows = np.concatenate([back.bodies, back.vertices, back.faces[:, None]], axis=1)
    assert mirrored(there) == sorted(map(tuple, rows.tolist()))


def test_one_way_only() -> None:
    a, b = OVERLAPS["tori deep"]
    both = contact_points(a, b)
    one = contact_points(a, b, method=detector("ray", symmetric=False))
    rows = both.bodies[:, 0] == 0
    np.testing.assert_array_equal(one.vertices, both.vertices[rows])
    np.testing.assert_array_equal(one.points, both.points[rows])


NO_CONTACT: dict[str, tuple[Arrays, Arrays]] = {
    # rays of the inner ball pass through its own vertices
    "ball in a larger one": (meshes.sphere(8, radius=0.5), meshes.sphere(8)),
    "ball off the centre": (meshes.moved(meshes.sphere(8, radius=0.3), (0.2, 0.1, 0)), torus()),
    "torus in a box": (torus(), meshes.box((-3, -3, -3), (3, 3, 3))),
    "box in a box": (meshes.box((0.25, 0.25, 0.25), (0.75, 0.75, 0.75)), meshes.box()),
    # near each other, boxes overlapping
    "tori linked without touching": (
        torus(),
        (meshes.moved(torus(), (0, 0, 0))[0][:, [0, 2, 1]] * [1, 1, -1] + [1, 0, 0], torus()[1]),
    ),
    "tori side by side": (torus(), meshes.moved(torus(), (2.7 + 1e-6, 0, 0))),
    "balls almost touching": (
        meshes.sphere(10),
        meshes.moved(meshes.sphere(10), np.array([1.5, 1.2, 0.6])),
    ),
    "equal planes": (meshes.box(), meshes.box((1, 0, 0), (2, 1, 1))),
    # every vertex is outside: the bars cross between them
    "crossed bars": (
        meshes.box((-3, -0.2, -0.2), (3, 0.2, 0.2)),
        meshes.box((-0.2, -3, -0.1), (0.2, 3, 0.1)),
    ),
}


@pytest.mark.parametrize("name", NO_CONTACT)
@pytest.mark.parametrize("method", [OCTREE, TREE])
def test_no_contact(name: str, method: impinge.detectors.Detector) -> None:
    a, b = NO_CONTACT[name]
    contacts = contact_points(a, b, method=method)
    assert len(contacts) == 0
    assert contacts.points.shape == (0, 2, 3)
    assert np.isfinite([*contacts.stats.to_dict()["rays"].values()]).all()


def test_all_rays_leave_their_own_body_first() -> None:
    # a disc through a ball, after the paper's figure 9: its rays leave it on the other side, those
    # of the ball leave the ball before they reach the rim of the disc
    disc = meshes.moved(meshes.sphere(10), (0, 0, 0), scale=(2, 2, 0.05))
    ball = meshes.sphere(9)
    assert impinge.collide(disc, ball)
    for method in (OCTREE, TREE):
        contacts = contact_points(disc, ball, method=method)
        assert len(contacts) == 0
        assert contacts.stats["rays_shot"] > 20
        assert contacts.stats["rays_unreliable"] == 0


def test_a_vertex_without_a_way_inside_is_counted() -> None:
    # two tetrahedra that share a vertex, opposite each other: no direction is inside both
    one = meshes.tetrahedron()
    tip = one[0][0]
    both = meshes.merge(one, meshes.arrays(2 * tip - one[0], one[1][:, ::-1]))
    block = meshes.box(tip - 0.4, tip + 0.4)
    contacts = contact_points(both, block)
    assert contacts.stats["rays_unreliable"] == 1
    assert not (contacts.vertices[contacts.bodies[:, 0] == 0, 0] == 0).any()


def test_rejections_are_counted() -> None:
    contacts = contact_points(*OVERLAPS["tori deep"])
    stats = contacts.stats
    kept = len(contacts) + stats["rays_rejected_entering"] + stats["rays_rejected_outside"]
    assert stats["rays_rejected_entering"] > 0
    assert kept <= stats["rays_shot"]
    # rays of the outer side of the ring leave it before they reach the wall of the box
    half = contact_points(torus(), meshes.box((-3, -3, -3), (0, 3, 3)))
    assert half.stats["rays_rejected_outside"] > 50


def test_surfaces_apart_with_a_common_inside() -> None:
    # a ball around the hole of a hollow one: no faces meet, and still they overlap
    inner = meshes.sphere(8)
    hollow = meshes.merge(meshes.sphere(12, radius=3.0), (inner[0], inner[1][:, ::-1]))
    ball = meshes.sphere(10, radius=2.0)
    assert not impinge.collide(hollow, ball)
    by_octree, by_tree = (contact_points(hollow, ball, method=m) for m in (OCTREE, TREE))
    assert same(by_octree, by_tree)
    assert len(by_octree) > 50


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_anywhere(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shapes = [meshes.sphere(4), meshes.torus(10, 6), meshes.box((-1, -1, -1), (1, 1, 1))]
    a, b = (
        turned(bumpy(shapes[rng.integers(3)], seed + k), seed + k, rng.uniform(-0.8, 0.8, 3))
        for k in range(2)
    )
    by_octree, by_tree = (contact_points(a, b, method=method) for method in (OCTREE, TREE))
    assert same(by_octree, by_tree)
    length = reference.diagonal(a, b)
    for first, (source, target) in enumerate([(a, b), (b, a)]):
        truth = reference.one_way(source, target, length)
        rows = by_octree.bodies[:, 0] == first
        assert by_octree.vertices[rows, 0].tolist() == sorted(truth)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_whole_numbers(seed: int) -> None:
    # boxes on a grid: rays along the axes, through edges and vertices and in planes
    rng = np.random.default_rng(seed)
    corners = np.sort(rng.choice(5, (4, 2, 3)), axis=1).astype(float)
    corners[:, 1] += corners[:, 1] == corners[:, 0]
    scene = scene_of(*(meshes.box(low, high) for low, high in corners))
    first = scene.contact_points(method=OCTREE, workers=1)
    assert same(first, scene.contact_points(method=TREE, workers=2))
    assert np.isfinite(first.points).all()


def test_many_bodies() -> None:
    rng = np.random.default_rng(3)
    bodies = [turned(meshes.torus(12, 8), k, rng.uniform(-2, 2, 3)) for k in range(12)]
    scene = scene_of(*bodies)
    every = scene.contact_points(method=OCTREE, workers=1)
    assert same(every, scene.contact_points(method=TREE, workers=2))
    keys = np.concatenate([every.bodies, every.vertices[:, :1]], axis=1)
    np.testing.assert_array_equal(keys, np.unique(keys, axis=0))
    # pair by pair it is the same, but for the scale that says what nothing is
    for i in range(12):
        for j in range(i):
            rows = (np.sort(every.bodies, axis=1) == [j, i]).all(axis=1)
            alone = contact_points(bodies[j], bodies[i])
            np.testing.assert_array_equal(every.points[rows], alone.points)


def test_deformed_and_posed_bodies() -> None:
    a, b = OVERLAPS["tori deep"]
    truth = contact_points(a, b)
    scene = scene_of(a, a)
    scene[0].vertices = a[0] + 5
    scene[1].vertices = a[0] + 1
    for method in (OCTREE, TREE):
        assert not scene.contact_points(method=method).points[:, 0, 0].max(initial=0) > 50
    scene[0].vertices = a[0]
    scene[1].vertices = b[0]
    for method in (OCTREE, TREE):
        assert same(truth, _renamed(scene.contact_points(method=method), truth))
    posed = impinge.Scene()
    posed.add(*a)
    matrix = np.eye(4)
    matrix[:3, 3] = (2.4, 0.1, 0.05)
    posed.add(*a, pose=matrix)
    moved = contact_points(a, meshes.posed(a, matrix))
    for method in (OCTREE, TREE):
        np.testing.assert_array_equal(posed.contact_points(method=method).points, moved.points)


def _renamed(contacts: ContactPoints, like: ContactPoints) -> ContactPoints:
    from dataclasses import replace

    return replace(contacts, _origin=contacts._origin._replace(names=like.names))


@pytest.mark.parametrize("power", [-1000, -400, -120, -40, 40, 120, 320])
def test_huge_and_tiny_bodies(power: int) -> None:
    a, b = OVERLAPS["tori deep"]
    truth = contact_points(a, b)
    scale = 2.0**power
    scaled = [meshes.arrays(mesh[0] * scale, mesh[1]) for mesh in (a, b)]
    contacts = contact_points(*scaled)
    np.testing.assert_array_equal(contacts.vertices, truth.vertices)
    np.testing.assert_allclose(contacts.points, truth.points * scale, rtol=1e-9, atol=1e-9 * scale)
    np.testing.assert_allclose(contacts.weights, truth.weights, atol=1e-9)


@pytest.mark.parametrize("offset", [1e3, 1e6])
def test_far_from_the_origin(offset: float) -> None:
    a, b = (meshes.moved(mesh, (offset, -offset, offset)) for mesh in OVERLAPS["tori deep"])
    assert same(contact_points(a, b, method=OCTREE), contact_points(a, b, method=TREE))
    assert len(contact_points(a, b)) == len(contact_points(*OVERLAPS["tori deep"]))


def test_unwelded_vertices_count_as_one() -> None:
    a, b = OVERLAPS["balls"]
    truth = contact_points(a, b)
    loose = contact_points(meshes.unwelded(a), meshes.unwelded(b))
    assert len(loose) == len(truth)
    depths = [
        np.sort(np.linalg.norm(c.points[:, 0] - c.points[:, 1], axis=1)) for c in (truth, loose)
    ]
    np.testing.assert_allclose(*depths)


def test_faces_without_area_and_unused_vertices_do_not_matter() -> None:
    a, b = OVERLAPS["balls"]
    truth = contact_points(a, b)
    vertices, faces = a
    flat = [[0, 0, 1], [5, 5, 5], [faces[0][0], faces[0][1], faces[0][0]]]
    spoiled = meshes.arrays(
        np.concatenate([vertices, [[0.9, 0.1, 0.1]]]), np.concatenate([faces, flat])
    )
    np.testing.assert_array_equal(contact_points(spoiled, b).points, truth.points)


def test_the_weight_makes_forces_of_a_cylinder_more_upright() -> None:
    """The paper's figures 7 and 8: how far the force of a slab on a cylinder is from upright."""
    worst = {sides: cylinder_ratio(sides) for sides in (10, 20, 40)}
    for weighted, plain in worst.values():
        assert weighted < plain
    assert worst[10][0] < 0.1
    assert worst[40][0] < worst[20][0] < worst[10][0]
    assert worst[40][0] < 0.01


def cylinder_ratio(sides: int, turns: int = 20) -> tuple[float, float]:
    """Worst tangential over normal force, with and without weights."""
    # the axis is 0.7 radii above the slab, as deep as makes 8 percent for ten sides
    slab = meshes.box((-3, -0.5, -4), (3, 1.5, -0.7))
    ratios = []
    for turn in np.arange(turns) / turns:
        contacts = contact_points(cylinder(sides, turn), slab, method=UP)
        row = []
        for weighted in (True, False):
            net = reference.forces(contacts, weighted=weighted).sum(axis=0)
            row.append(abs(net[0]) / abs(net[2]))
        ratios.append(row)
    weighted, plain = np.max(ratios, axis=0)
    return float(weighted), float(plain)


UP = detector("ray", symmetric=False)


def cylinder(sides: int, turn: float) -> Arrays:
    """Closed, along y, with many rings: the rays of its rims are not the story."""
    angle = (np.arange(sides) + turn) * (2 * np.pi / sides)
    rings = np.linspace(0, 1, 12)
    points = np.stack(
        [
            np.broadcast_to(np.cos(angle), (len(rings), sides)),
            np.broadcast_to(rings[:, None], (len(rings), sides)),
            np.broadcast_to(np.sin(angle), (len(rings), sides)),
        ],
        axis=-1,
    )
    faces = meshes._rings(points, close_rings=False).reshape(-1, 3)
    count = len(rings) * sides
    ring, after = np.arange(sides), np.roll(np.arange(sides), -1)
    last = count - sides
    low = np.stack([np.full(sides, count), after, ring], axis=1)
    high = np.stack([np.full(sides, count + 1), last + ring, last + after], axis=1)
    mesh = meshes.arrays(
        np.concatenate([points.reshape(-1, 3), [[0, 0, 0], [0, 1, 0]]]),
        np.concatenate([faces, low, high]),
    )
    volume = np.einsum(
        "nk,nk->", mesh[0][mesh[1][:, 0]], np.cross(mesh[0][mesh[1][:, 1]], mesh[0][mesh[1][:, 2]])
    )
    return mesh if volume > 0 else (mesh[0], np.ascontiguousarray(mesh[1][:, ::-1]))
