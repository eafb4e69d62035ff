"""What is ignored is dropped from every sort of answer, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from impinge._pairs import pair_keys
from impinge.detectors import RawContactPoints, RawOverlaps, RawPairs
from impinge.queries.path import without

BODIES = np.array([[0, 1], [0, 2], [1, 2], [2, 2]], dtype=np.int32)
IGNORED = pair_keys(np.array([[0, 2], [2, 2]]))
KEPT = [0, 2]


def numbered(count: int, *shape: int) -> np.ndarray:
    """A column in which every row is another."""
    return np.arange(count * max(int(np.prod(shape)), 1), dtype=np.int32).reshape(count, *shape)


def test_pairs_of_faces() -> None:
    raw = RawPairs(numbered(4, 2), numbered(4).astype(np.uint8), BODIES, None, {"hits": 4})
    left = without(raw, IGNORED)
    for name in ("pairs", "kinds", "bodies"):
        np.testing.assert_array_equal(getattr(left, name), getattr(raw, name)[KEPT])
    assert left.pose is left.inside is left.shapes is None
    assert left.counters == {"hits": 4}


def test_bodies_inside_others_are_ignored_either_way() -> None:
    inside = np.array([[2, 0], [1, 0], [0, 2]], dtype=np.int32)
    raw = RawPairs(numbered(4, 2), numbered(4), BODIES, None, {}, inside=inside)
    assert without(raw, IGNORED).inside.tolist() == [[1, 0]]


def test_pairs_that_name_no_bodies_stay() -> None:
    raw = RawPairs(numbered(4, 2), numbered(4), None, numbered(4), {})
    assert without(raw, IGNORED).pairs is raw.pairs


def test_faces_of_poses() -> None:
    faces = np.array([[3, 5], [5, 3], [3, 5], [4, 4]], dtype=np.int32)
    raw = RawPairs(faces, numbered(4), None, np.array([0, 0, 1, 1], dtype=np.int32), {})
    left = without(raw, pair_keys(np.array([[3, 5]]), ordered=True), faces=True)
    assert left.pairs.tolist() == [[5, 3], [4, 4]], "(5, 3) is another pair of faces"
    assert left.pose.tolist() == [0, 1]
    assert left.kinds.tolist() == [1, 3]


@pytest.mark.parametrize("payload", ["objects", "triangles", "normals"])
def test_overlaps(payload: str) -> None:
    # an edge of the later body may be in a face of the earlier one
    triangles = np.array([[2, 7, 0, 8], [1, 7, 0, 8], [0, 5, 2, 6]], dtype=np.int32)
    raw = RawOverlaps(
        BODIES,
        numbered(4).astype(np.int64),
        triangles if payload == "triangles" else None,
        numbered(4, 3).astype(float) if payload == "normals" else None,
        ("a warning",),
        {},
    )
    left = without(raw, IGNORED)
    assert left.pairs.tolist() == BODIES[KEPT].tolist()
    assert left.pixels.tolist() == KEPT
    assert left.warnings == ("a warning",)
    assert left.triangles is None if raw.triangles is None else left.triangles[:, 1].tolist() == [7]
    if raw.normals is not None:
        np.testing.assert_array_equal(left.normals, raw.normals[KEPT])


def test_contacts() -> None:
    others = {"bodies", "counters", "warnings", "complete"}
    names = [name for name in RawContactPoints._fields if name not in others]
    columns = {name: numbered(4) for name in names}
    # the first point of a contact may be that of the later body
    raw = RawContactPoints(bodies=BODIES[:, ::-1].copy(), **columns, counters={})
    left = without(raw, IGNORED)
    assert left.bodies.tolist() == [[1, 0], [2, 1]]
    for name in names:
        assert getattr(left, name).tolist() == KEPT, name
