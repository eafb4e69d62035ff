"""Whether a mesh is closed, as its report says."""

from __future__ import annotations

import numpy as np
import pytest

from families import PAIRS, SELVES
from impinge import Mesh, _core
from support.meshes import Arrays, box, empty, merge, moved, sphere, torus, unwelded


def assert_as_reported(mesh: Arrays) -> None:
    one = Mesh(*mesh)
    assert _core.is_closed(one.vertices, one.faces) == one.report().closed


@pytest.mark.parametrize("name", SELVES)
def test_selves(name: str) -> None:
    for seed in range(2):
        assert_as_reported(SELVES[name].build("small", seed))


@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name: str) -> None:
    for mesh in PAIRS[name].build("small", 0):
        assert_as_reported(mesh)


def test_by_hand() -> None:
    vertices, faces = box()
    flipped = faces.copy()
    flipped[3] = flipped[3][::-1]
    collapsed = np.concatenate([faces, [[0, 0, 1], [2, 2, 2]]]).astype(np.int32)
    cases = {
        True: [box(), torus(8, 5), unwelded(sphere(5)), merge(box(), moved(box(), 3))],
        False: [empty(), (vertices, faces[1:]), (vertices, flipped)],
    }
    cases[True].append((vertices, collapsed))
    cases[False].append((vertices, np.concatenate([faces, faces[:1]])))
    cases[False].append((vertices, np.concatenate([faces, faces])))
    for closed, meshes in cases.items():
        for mesh in meshes:
            assert _core.is_closed(np.asarray(mesh[0], dtype=float), mesh[1]) == closed
            assert_as_reported(mesh)


def test_wrong_indices_are_refused() -> None:
    with pytest.raises(ValueError, match="has an index that is not one of 2 vertices"):
        _core.is_closed(np.zeros((2, 3)), np.array([[0, 1, 2]], dtype=np.int32))
