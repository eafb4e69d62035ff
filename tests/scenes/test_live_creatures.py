"""Creatures on the GPU are where the formula in NumPy has them."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.scenes.creatures import creatures, deform
from impinge.scenes.live_creatures import LiveCreatures

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
