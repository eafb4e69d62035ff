"""Creatures on the GPU are where the formula in NumPy has them."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge import InputError
from impinge.lab.scenes.creatures import creatures, deform
from impinge.lab.scenes.live_creatures import LiveCreatures

pytestmark = pytest.mark.usefixtures("gpu_device")


@pytest.fixture
def live() -> LiveCreatures:
    return LiveCreatures(creatures(2, 2, detail=6))


@pytest.mark.parametrize("t", [0.0, 0.37, 1.0])
def test_the_shader_is_the_formula(live: LiveCreatures, t: float) -> None:
    crowd = live.crowd
    live.growth = np.random.default_rng(1).uniform(0.3, 1.0, len(live.growth))
    live.advance(t)
    found = np.concatenate([body.read_vertices() for body in live.scene])
    expected = deform(
        crowd.rest, crowd.part, t, parts=crowd.parts, growth=live.growth, offset=crowd.offsets(t)
    )
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
    assert [body.name for body in live.scene] == [
        "creature-1",
        "creature-2",
        "shuttle-1",
        "shuttle-2",
    ]


def test_they_collide_as_their_vertices_do(live: LiveCreatures) -> None:
    method = impinge.detector("peel", device="gpu", resolution=256)
    live.advance(0.4)
    hits = live.scene.collide(method=method, self_collision=True)
    here = impinge.Scene()
    for body in live.scene:
        here.add(body.read_vertices(), body.faces)
    expected = here.collide(method="brute", self_collision=True)
    np.testing.assert_array_equal(hits.bodies, expected.bodies)
    np.testing.assert_array_equal(hits.pairs, expected.pairs)
    np.testing.assert_array_equal(hits.kinds, expected.kinds)
    assert len(hits) > 0
    crowd = live.crowd
    first = crowd.owner.searchsorted(hits.bodies)
    faces = crowd.owner[crowd.face_parts()].searchsorted(hits.bodies) + hits.pairs
    np.testing.assert_array_equal(first + hits.parts, crowd.face_parts()[faces])


def test_tentacles_retract_from_what_they_touch_and_grow_again(live: LiveCreatures) -> None:
    method = impinge.detector("peel", device="gpu", resolution=256)
    live.advance(0.4)
    hits = live.scene.collide(method=method, self_collision=True)
    touched = np.unique(live.crowd.owner.searchsorted(hits.bodies) + hits.parts)
    tentacles = live.crowd.parts.bend > 0
    live.feel(hits)
    assert tentacles[touched].any()
    assert (live.growth[touched[tentacles[touched]]] < 1).all()
    rest = np.setdiff1d(np.arange(len(live.growth)), touched)
    assert (live.growth[rest] == 1).all()
    assert (live.growth[~tentacles] == 1).all()
    # time stands still: what touched goes on retracting until it is free, or as short as can be
    counts = [len(hits)]
    for _ in range(3):
        live.advance(0.4)
        hits = live.scene.collide(method=method, self_collision=True)
        live.feel(hits)
        counts.append(len(hits))
    assert min(counts) < counts[0]
    free = live.scene.collide(method=method).stats
    assert free["bytes_down"] < 12 * len(live.crowd.rest)
    with pytest.raises(InputError, match="feel needs a result about these bodies"):
        live.feel(impinge.Scene().collide())
