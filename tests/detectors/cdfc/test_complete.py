"""The published threshold misses pairs, and the answer says so."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge.lab.scenes.cloths import cloth_on_ball


@pytest.fixture(scope="module")
def cloth() -> impinge.Mesh:
    vertices, faces = cloth_on_ball(np.array([1.0]), cells=60, frequency=6)
    return impinge.Mesh(vertices[0], faces)


def test_a_threshold_that_misses_pairs_is_told(cloth: impinge.Mesh) -> None:
    lossy = impinge.detector(
        "cdfc", clusters=16, membership="absolute", threshold=0.3, device="cpu"
    )
    found = impinge.self_collide(cloth, method=lossy)
    assert len(found) < len(impinge.self_collide(cloth))
    assert not found.complete
    assert "threshold 0.3" in found.warnings[0]
    assert found.to_dict()["complete"] is False
    poses = np.tile(np.eye(4), (2, 1, 1))
    assert not impinge.collide(cloth, cloth, poses=poses, method=lossy, mode="first").complete


def test_the_other_rules_are_complete(cloth: impinge.Mesh) -> None:
    for rule in ("bisector", "generous"):
        method = impinge.detector("cdfc", clusters=16, membership=rule, device="cpu")
        found = impinge.self_collide(cloth, method=method)
        assert found.complete
        assert found.exact
        assert found.warnings == ()
