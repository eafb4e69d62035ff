"""The module for any CPU and the one for AVX2 do the same, bit by bit."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from detectors.peel.scenes import random_scene
from impinge import _core
from impinge._core import baseline
from impinge.detectors.image.view import View
from support.meshes import pose, posed, sphere

avx2 = pytest.importorskip("impinge._core.avx2", exc_type=ImportError)
if not baseline.cpu_has_avx2():
    pytest.skip("this CPU has no AVX2", allow_module_level=True)


def stages(core: ModuleType, *arrays: object) -> list[np.ndarray]:
    seen = core.Seen(*arrays)
    results = []
    for mask, _ in (core.sample_squares(seen), core.sample_rays(seen)):
        pyramid = core.merge(mask)
        results += [mask, *core.pack(core.separate(seen, pyramid))]
    return results


@pytest.mark.parametrize("seed", range(20))
def test_masks_and_candidates(seed: int) -> None:
    scene = random_scene(np.random.default_rng(seed), 64, 200)
    arrays = (scene.snapped, scene.faces, scene.body, scene.closed, scene.alone, 64)
    for one, other in zip(stages(baseline, *arrays), stages(avx2, *arrays), strict=True):
        assert np.array_equal(one, other)


def test_snapping_and_gathering() -> None:
    rng = np.random.default_rng(0)
    bodies = [posed(sphere(20), pose(rng, spread=1.5)) for _ in range(5)]
    vertices = [np.ascontiguousarray(body[0], dtype=float) for body in bodies]
    faces = [np.ascontiguousarray(body[1], dtype=np.int32) for body in bodies]
    view = View.fit(np.concatenate(vertices), 256, rng.normal(size=3))
    alone = np.array([True, False, False, False, False])
    for cull in (False, True):
        one, other = (
            core.gather(
                vertices, faces, alone, view.centre, view.frame, view.scales, 256, cull, workers
            )
            for core, workers in ((baseline, 1), (avx2, 2))
        )
        assert all(np.array_equal(p, q) for p, q in zip(one, other, strict=True))
    assert _core.cpu in ("baseline", "avx2")
