"""How deep solids overlap: known depths, a dense sampling by code of its own, and the way out."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge import InputError, Relation, penetration
from support.blobs import bumpy, turned
from support.meshes import Arrays, box, merge, moved, sphere

CUBE = box((0, 0, 0), (4, 4, 4))


def distances(points: np.ndarray, mesh: Arrays) -> np.ndarray:
    """From each point to the closest of all triangles, by projecting it on every one."""
    a, b, c = (mesh[0][mesh[1][:, k]] for k in range(3))
    best = np.full(len(points), np.inf)
    for p, q, r in zip(a, b, c, strict=True):
        n = np.cross(q - p, r - p)
        if not (area := n @ n):
            continue
        foot = points - ((points - p) @ n / area)[:, None] * n
        walls = [np.cross(v - u, n) @ (foot - u).T for u, v in ((p, q), (q, r), (r, p))]
        over = np.all(np.array(walls) <= 0, axis=0)
        best[over] = np.minimum(best[over], np.linalg.norm(foot - points, axis=1)[over])
        for u, v in ((p, q), (q, r), (r, p)):
            share = np.clip((points - u) @ (v - u) / ((v - u) @ (v - u)), 0, 1)
            on = u + share[:, None] * (v - u)
            best = np.minimum(best, np.linalg.norm(on - points, axis=1))
    return best


def is_inside(points: np.ndarray, mesh: Arrays) -> np.ndarray:
    """By the solid angles of all triangles."""
    total = np.zeros(len(points))
    for corners in mesh[0][mesh[1]]:
        u, v, w = (corner - points for corner in corners)
        lu, lv, lw = (np.linalg.norm(side, axis=1) for side in (u, v, w))
        top = np.einsum("ij,ij->i", u, np.cross(v, w))
        down = lu * lv * lw + lw * np.einsum("ij,ij->i", u, v)
        down += lv * np.einsum("ij,ij->i", u, w) + lu * np.einsum("ij,ij->i", v, w)
        total += np.arctan2(top, down)
    return total > np.pi


def sampled(a: Arrays, b: Arrays, bounds: np.ndarray, rng: np.random.Generator) -> float:
    """The deepest of many common points; each round looks closer around the best."""
    deepest, (low, high) = 0.0, bounds
    for _ in range(5):
        points = rng.uniform(low, high, size=(3000, 3))
        points = points[is_inside(points, a) & is_inside(points, b)]
        if len(points):
            depth = np.maximum(distances(points, a), distances(points, b))
            deepest = max(deepest, float(depth.max()))
            middle, reach = points[depth.argmax()], 0.15 * (high - low)
            low, high = middle - reach, middle + reach
    return deepest


def checked(a: Arrays, b: Arrays, **options: float) -> impinge.Penetration:
    """What must be true of every answer."""
    found = penetration(a, b, **options)
    lower, upper = found.depth_bounds
    assert found.depth == lower <= upper
    if found.relation in (Relation.APART, Relation.TOUCHING):
        assert upper == 0
        return found
    length = np.linalg.norm(found.translation)
    assert length >= lower
    moved_out = b[0] + found.translation, b[1]
    assert impinge.relation(a, moved_out) in (Relation.APART, Relation.TOUCHING)
    assert found.normal == pytest.approx(found.translation / length)
    point = found.point[None]
    reach = max(np.abs(a[0]).max(), np.abs(b[0]).max())
    for mesh in (a, b):
        inside = impinge.signed_distance(mesh, point)[0]
        assert inside <= 1e-12 * reach
    deep = max(distances(point, a)[0], distances(point, b)[0])
    assert deep == pytest.approx(lower, abs=1e-12 * reach)
    return found


def flipped(mesh: Arrays) -> Arrays:
    return mesh[0], mesh[1][:, ::-1]


KNOWN = {
    "flush, by a rounding": (box((0, 0, 0), (9, 9, 3)), box((0, 0, 3 - 2**-20), (9, 9, 6)), 2**-20),
    "foil on a block": (box((0, 0, 0), (9, 9, 3)), box((0, 0, 3 - 2**-20), (9, 9, 3.001)), 2**-20),
    "a wire in a block": (box((0, 0, 0), (9, 9, 9)), box((4, 4, 6), (4.1, 4.1, 20)), 3.0),
    "a wire past the middle": (box((0, 0, 0), (9, 9, 9)), box((4, 4, 3), (4.1, 4.1, 20)), 4.1),
    "equal": (CUBE, CUBE, 2.0),
    "one inside": (box((0, 0, 0), (9, 9, 9)), box((4, 4, 4), (5, 5, 5)), 4.5),
    "bars that cross": (box((-9, -1, -1), (9, 1, 1)), box((-1, -9, -1), (1, 9, 1)), 1.0),
    "a bar through a plate": (box((0, 0, 0), (40, 40, 2)), box((10, 10, -20), (20, 20, 20)), 5.0),
    "corners": (CUBE, box((3, 3, 3), (7, 7, 7)), 1.0),
    "around a cavity": (
        merge(box((0, 0, 0), (20, 20, 20)), flipped(box((8, 8, 8), (12, 12, 12)))),
        box((5, 5, 5), (15, 15, 15)),
        8 * 3**0.5 / (1 + 3**0.5),  # as far from the corner of the cavity as from the sides
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_known_depths(name: str) -> None:
    a, b, depth = KNOWN[name]
    for one, other in ((a, b), (b, a)):
        lower, upper = checked(one, other).depth_bounds
        assert lower * (1 - 1e-6) <= depth <= upper * (1 + 1e-6)
        # foil has its core as near as what it lies on, and no way out may be seen at once
        assert upper <= lower * (2.001 if "foil" in name else 1.001) + 1e-12


@pytest.mark.parametrize("name", KNOWN)
def test_turned_they_are_as_deep(name: str) -> None:
    a, b, depth = KNOWN[name]
    rng = np.random.default_rng(len(name))
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    rotation *= np.sign(np.linalg.det(rotation))
    lower, upper = checked((a[0] @ rotation.T, a[1]), (b[0] @ rotation.T, b[1])).depth_bounds
    assert lower - 1e-12 <= depth <= upper + 1e-12
    assert upper <= lower * 1.001 + 1e-11


@pytest.mark.parametrize("seed", range(12))
def test_bounds_hold_a_dense_sampling(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = turned(bumpy(seed, frequency=4), rng)
    b = turned(bumpy(seed + 50, frequency=3), rng, rng.normal(size=3) * 0.6)
    found = checked(a, b)
    if found.depth == 0:
        return
    lower, upper = found.depth_bounds
    assert upper <= lower * 1.001
    assert 0.9 * lower <= sampled(a, b, found.bounds, rng) <= upper


@pytest.mark.parametrize("seed", range(8))
def test_more_faces_change_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    vertices, faces = turned(bumpy(seed, frequency=3), rng)
    a = np.round(vertices * 2**20) / 2**20, faces  # so that the middles of sides are exact
    b = turned(bumpy(seed + 50, frequency=3), rng, rng.normal(size=3) * 0.5)
    found, finer = checked(a, b), checked(split_in_four(a), b)
    assert found.relation == finer.relation
    assert finer.volume == pytest.approx(found.volume, rel=1e-12)
    assert finer.depth_bounds[0] <= found.depth_bounds[1] * (1 + 1e-12)
    assert found.depth_bounds[0] <= finer.depth_bounds[1] * (1 + 1e-12)


def split_in_four(mesh: Arrays) -> Arrays:
    corners = mesh[0][mesh[1]]
    middles = 0.5 * (corners + np.roll(corners, -1, axis=1))
    parts = [np.stack([corners[:, k], middles[:, k], middles[:, k - 1]], axis=1) for k in range(3)]
    triangles = np.concatenate([*parts, middles])
    return triangles.reshape(-1, 3), np.arange(len(triangles) * 3).reshape(-1, 3)


@pytest.mark.parametrize("seed", range(60))
def test_a_small_box_inside_is_as_deep_as_its_deepest_point(seed: int) -> None:
    # which is inside, farther from its own faces than these are from the other box's, and has
    # opposite faces of that one almost equally close
    rng = np.random.default_rng(seed)
    half, inner = rng.uniform(1, 1.05, 3), rng.uniform(0.05, 0.15, 3)
    middle = rng.uniform(-0.1, 0.1, 3)
    low, high = middle - inner, middle + inner
    # along each axis the best place is the middle, or what is next to it
    nearest = np.clip(0, low, high)
    depth = max(min(half - np.abs(nearest)), min(inner))
    # in small faces, of which those on one side may be found without the others
    outer = split_in_four(split_in_four(box(-half, half)))
    found = checked(outer, box(low, high), accuracy=1e-6)
    assert found.depth_bounds[0] <= depth * (1 + 1e-12)
    assert found.depth_bounds[1] >= depth * (1 - 1e-12)
    assert found.depth == pytest.approx(depth, rel=2e-6)


@pytest.mark.parametrize("splits", [0, 4, 5])
def test_a_rod_from_the_middle_is_as_deep_as_the_middle(splits: int) -> None:
    # the face behind the rod is far from most of it, and those in front face one way
    corners = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)], dtype=float)
    outer = corners, np.array([(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])
    for _ in range(splits):
        outer = split_in_four(outer)
    rod, faces = box((-0.05, -0.05, -0.03), (0.05, 0.05, 1))
    sides = np.array([(1, -1, 0), (1, 1, -2), (1, 1, 1)]) / np.sqrt([[2], [6], [3]])
    found = checked(outer, (rod @ sides, faces))
    lower, upper = found.depth_bounds
    assert lower <= 1 / np.sqrt(3) * (1 + 1e-12)
    assert upper >= 1 / np.sqrt(3) * (1 - 1e-12)
    assert found.depth == pytest.approx(1 / np.sqrt(3), rel=1e-3)


def test_convex_solids_go_the_shortest_way() -> None:
    for shift, length in (((3, 1, 2), 1.0), ((0.5, 0.25, -3.5), 0.5), ((1, 1, 1), 3.0)):
        found = checked(CUBE, moved(CUBE, shift))
        assert np.linalg.norm(found.translation) == pytest.approx(length, rel=1e-12)


def test_a_hook_comes_out_somehow() -> None:
    ring = merge(
        box((0, 0, 0), (9, 1, 1)), box((0, 8, 0), (9, 9, 1)),
        box((0, 1, 0), (1, 8, 1)), box((8, 1, 0), (9, 8, 1)),
    )  # fmt: skip
    checked(ring, box((0.5, 4, -4), (1.5, 5, 4)))
    checked(ring, (ring[0][:, [0, 2, 1]] + (4, 0, 4), ring[1][:, ::-1]))


def test_glued_blocks_are_one() -> None:
    """Faces between them bound nothing, though the other surface crosses them."""
    blocks = [box((x, 0, 0), (x + 2, 10, 10)) for x in range(0, 10, 2)]
    needle = box((-1, 4.9, 4.95), (11, 5.0, 5.05))
    lower, upper = penetration(merge(*blocks), needle).depth_bounds
    assert lower <= 5.0 <= upper


def test_apart_there_is_no_depth() -> None:
    found = checked(CUBE, moved(CUBE, (4, 0, 0)))
    assert (found.depth, found.point, found.normal) == (0.0, None, None)
    assert found.translation.tolist() == [0, 0, 0]


def test_a_finer_accuracy_is_reached() -> None:
    a, b = bumpy(1, frequency=4), moved(bumpy(2, frequency=4), (0.7, 0.1, 0))
    for accuracy in (1e-1, 1e-2, 1e-4):
        lower, upper = checked(a, b, accuracy=accuracy).depth_bounds
        assert upper <= lower * (1 + accuracy) + 1e-12


@pytest.mark.parametrize("accuracy", [0, -1, 2, float("nan"), "fine", None])
def test_what_is_no_accuracy(accuracy: object) -> None:
    with pytest.raises(InputError, match="accuracy must be a number from 1e-9 to 1"):
        penetration(CUBE, CUBE, accuracy=accuracy)  # type: ignore[arg-type]


@pytest.mark.parametrize("scale", [1e-160, 1e-200, 1e-300])
def test_the_way_out_of_tiny_solids_parts_them(scale: float) -> None:
    # products of such lengths are zero
    for vertices, faces in (sphere(4), CUBE):
        a, b = vertices * scale, np.add(vertices, (0.7, 0.3, 0.1)) * scale
        found = penetration((a, faces), (b, faces))
        assert found.relation == Relation.OVERLAPPING
        apart = impinge.relation((a, faces), (b + found.translation, faces))
        assert apart in (Relation.APART, Relation.TOUCHING)
