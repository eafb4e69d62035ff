"""The module for any CPU and the one for AVX2 do the same, bit by bit."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from detectors.cdfc.scenes import confetti, crumpled
from impinge._core import baseline
from support.meshes import Arrays

avx2 = pytest.importorskip("impinge._core.avx2", exc_type=ImportError)
if not baseline.cpu_has_avx2():
    pytest.skip("this CPU has no AVX2", allow_module_level=True)


def everything(core: ModuleType, mesh: Arrays, workers: int) -> list[object]:
    scene = core.Soup([mesh[0]], [mesh[1]], [core.Stars(*mesh)], None, workers)
    points = scene.sample(1000)
    centres, objective = core.fcm(points, core.fcm_seed(points, 9, 1), 2.0, 10, 0.0, workers)
    start, triangles = core.cdfc_members(scene, centres, "bisector", 0.0, 2.0, workers)
    axes = core.cdfc_axes(scene, triangles[: start[1]])
    boxes = core.cdfc_boxes(scene, triangles, axes)
    pairs, bodies, kinds, counters = core.cdfc_collide(
        scene, centres, "bisector", 0.0, 2.0, True, False, workers, None
    )
    counted = {name: n for name, n in dict(counters).items() if not name.endswith("seconds")}
    arrays = [scene.centroids, scene.radii, centres, objective, start, triangles, axes, boxes]
    return [*arrays, pairs, bodies, kinds, counted]


@pytest.mark.parametrize("seed", range(3))
def test_all_stages(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for mesh in (confetti(rng, 600), crumpled(rng, 16)):
        truth = everything(baseline, mesh, 1)
        for core, workers in ((baseline, 2), (avx2, 1), (avx2, 2)):
            for one, other in zip(truth, everything(core, mesh, workers), strict=True):
                assert np.array_equal(one, other)
