"""The size of overlaps, by hand and against formulas, and what cannot be asked."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import numpy as np
import pytest

import impinge
from impinge import InputError, Relation, _core, overlap, penetration
from support.blobs import bumpy, turned
from support.meshes import Arrays, box, merge, moved

BOX = box((0, 0, 0), (4, 4, 4))


def volume_of(mesh: Arrays) -> float:
    corners = mesh[0][mesh[1]]
    return float(np.linalg.det(corners).sum() / 6)


def test_boxes() -> None:
    found = penetration(BOX, box((1, 2, 3), (9, 9, 9)))
    assert found.relation == Relation.OVERLAPPING
    assert found.volume == 6.0
    assert found.centroid.tolist() == [2.5, 3.0, 3.5]
    assert found.bounds.tolist() == [[1, 2, 3], [4, 4, 4]]


def test_nothing_in_common_is_none() -> None:
    for other in (box((4, 0, 0), (5, 4, 4)), box((5, 0, 0), (6, 4, 4))):
        found = penetration(BOX, other)
        assert (found.volume, found.centroid, found.bounds) == (0.0, None, None)
        assert len(overlap(BOX, other)) == 0


def test_one_inside_is_all_of_it() -> None:
    inner = bumpy(3)
    found = penetration(box((-3, -3, -3), (3, 3, 3)), inner)
    assert found.relation == Relation.B_INSIDE
    assert found.volume == pytest.approx(volume_of(inner), rel=1e-14)
    assert found.bounds.tolist() == [inner[0].min(axis=0).tolist(), inner[0].max(axis=0).tolist()]


@pytest.mark.parametrize("seed", range(8))
def test_the_parts_of_a_cut_body_add_up(seed: int) -> None:
    """What is in a box and what is in those around it is all there is."""
    rng = np.random.default_rng(seed)
    body = turned(bumpy(seed), rng)
    edges = [-9.0, *np.sort(rng.uniform(-0.5, 0.5, size=2)), 9.0]
    cuts = [box((x, -9, -9), (y, 9, 9)) for x, y in pairwise(edges)]
    volumes = [penetration(body, cut).volume for cut in cuts]
    assert sum(volumes) == pytest.approx(volume_of(body), rel=1e-13)
    moments = sum(v * penetration(body, cut).centroid for v, cut in zip(volumes, cuts, strict=True))
    whole = penetration(body, box((-9, -9, -9), (9, 9, 9)))
    assert moments == pytest.approx(whole.volume * whole.centroid, abs=1e-13)


@pytest.mark.parametrize("seed", range(6))
def test_the_overlap_as_a_mesh(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = turned(bumpy(seed), rng)
    b = turned(bumpy(seed + 100), rng, rng.normal(size=3) * 0.5)
    found, common = penetration(a, b), overlap(a, b)
    assert common.report().closed
    assert found.volume == pytest.approx(volume_of((common.vertices, common.faces)), rel=1e-13)
    assert found.bounds == pytest.approx(common.bounds, abs=0)
    # a point is in both exactly if it is in what is common
    points = rng.uniform(*common.bounds, size=(2000, 3))
    both = impinge.contains(a, points) & impinge.contains(b, points)
    assert np.array_equal(impinge.contains(common, points), both)
    assert 100 < both.sum() < 1900
    # and no piece is turned over
    assert np.all(np.abs(impinge.signed_distance(a, common.vertices)) < 2)
    assert impinge.side(a, common.vertices).max() <= 0 or found.volume > 0


@pytest.mark.parametrize("seed", range(3))
def test_pieces_of_the_overlap_know_their_faces(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = turned(bumpy(seed), rng)
    b = turned(bumpy(seed + 100), rng, rng.normal(size=3) * 0.5)
    solids = [_core.Solid(_core.Tree(*mesh), 0) for mesh in (a, b)]
    vertices, faces, surfaces, parents = _core.overlap_pieces(*solids, 0, None)
    assert surfaces.dtype == np.int8
    for surface, (points, triangles) in enumerate((a, b)):
        rows = surfaces == surface
        piece, parent = vertices[faces[rows]], points[triangles[parents[rows]]]
        normal = np.cross(parent[:, 1] - parent[:, 0], parent[:, 2] - parent[:, 0])
        area = np.linalg.norm(normal, axis=1)
        height = np.einsum("mcx,mx->mc", piece - parent[:, :1], normal) / area[:, None]
        assert np.abs(height).max() < 1e-14
        # facing the same way, and not larger than what they are parts of
        own = np.cross(piece[:, 1] - piece[:, 0], piece[:, 2] - piece[:, 0])
        sizes = np.einsum("mx,mx->m", own, normal) / area
        assert sizes.min() > -1e-15
        assert np.all(np.bincount(parents[rows], sizes)[parents[rows]] < area * (1 + 1e-12))


def test_a_small_overlap_of_large_bodies() -> None:
    """Flush but for a millionth, far from the origin."""
    far = np.array([1e3, 2e3, -1e3])
    a = moved(BOX, far)
    b = moved(box((4 - 1e-6, 1, 1), (8, 3, 3)), far)
    thickness = a[0][:, 0].max() - b[0][:, 0].min()
    found = penetration(a, b)
    assert found.volume == pytest.approx(4 * thickness, rel=1e-12)


def test_threads_make_no_difference() -> None:
    a, b = bumpy(1, frequency=40), moved(bumpy(2, frequency=40), (0.3, 0.2, 0.1))
    one, many = penetration(a, b, workers=1), penetration(a, b, workers=4)
    assert one.volume == many.volume
    assert one.centroid.tolist() == many.centroid.tolist()
    assert np.array_equal(overlap(a, b, workers=1).faces, overlap(a, b, workers=4).faces)


def test_shells_that_overlap_are_told() -> None:
    double = merge(BOX, box((1, 1, 1), (6, 3, 3)))
    with pytest.raises(InputError, match=r"a has shells that overlap each other.*unite them"):
        penetration(double, BOX)
    with pytest.raises(InputError, match="b has shells"):
        overlap(BOX, double)
    # without an overlap nothing is counted
    assert penetration(double, box((7, 0, 0), (8, 1, 1))).volume == 0.0
    glued = merge(BOX, box((4, 0, 0), (6, 4, 4)))
    assert penetration(glued, box((3, 1, 1), (5, 3, 3))).volume == pytest.approx(8, rel=1e-14)


def test_an_answer_is_frozen() -> None:
    found = penetration(BOX, box((1, 1, 1), (9, 9, 9)))
    again = pickle.loads(pickle.dumps(copy.copy(found)))
    assert again.volume == found.volume
    for answer in (found, again):
        with pytest.raises(ValueError, match="read-only"):
            answer.bounds[0, 0] = 1.0
