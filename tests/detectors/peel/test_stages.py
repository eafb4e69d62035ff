"""The native stages against the slow reference, pixel by pixel and box by box."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.peel import reference
from detectors.peel.reference import Rules
from detectors.peel.scenes import native, random_scene
from impinge import _core
from impinge.detectors.peel.sample import dilated

SEEDS = range(30)


@pytest.mark.parametrize("resolution", [16, 32])
@pytest.mark.parametrize("seed", SEEDS)
def test_rays(seed: int, resolution: int) -> None:
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, resolution, int(rng.integers(1, 25)))
    for _ in range(4):
        layers = rng.choice([None, 1, 3, 4, 100])
        rules = Rules(
            sampling=str(rng.choice(["lists", "dual"])),
            layers=layers,
            deeper="ignore" if layers is None else str(rng.choice(["ignore", "mark"])),
            ties=str(rng.choice(["collide", "separate"])),
            gap=int(rng.choice([1, 7, 1000])),
        )
        expected = reference.plain_mask(scene, rules)
        pixels = [p for row in reference.fragments(scene) for p in row]
        odd = sum(sum(scene.closed[scene.body[face]] for _, face in p) % 2 for p in pixels)
        for workers in (1, 2):
            mask, counters = _core.sample_rays(
                native(scene),
                layers,
                rules.deeper == "mark",
                rules.sampling == "dual",
                rules.ties == "collide",
                rules.gap,
                workers,
            )
            assert np.array_equal(mask, expected), rules
            assert counters == {
                "rays": expected.sum(),
                "fragments": sum(map(len, pixels)),
                "layers": max(map(len, pixels)),
                "odd_pixels": odd,
            }


@pytest.mark.parametrize("resolution", [16, 64])
@pytest.mark.parametrize("seed", SEEDS)
def test_squares(seed: int, resolution: int) -> None:
    rng = np.random.default_rng([seed, 1])
    scene = random_scene(rng, resolution, int(rng.integers(1, 20)))
    expected = reference.conservative_mask(scene)
    spread = [
        len(reference.covered(setup, resolution)[0])
        for setup in reference.setups(scene.snapped, scene.faces)
    ]
    for workers in (1, 2):
        mask, counters = _core.sample_squares(native(scene), workers)
        assert np.array_equal(mask, expected)
        assert counters["rays"] == expected.sum()
        assert counters["fragments"] == sum(spread)


@pytest.mark.parametrize("density", [0.0, 0.01, 0.2, 1.0])
@pytest.mark.parametrize("resolution", [16, 64])
@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_pyramid_and_separation(precision: str, resolution: int, density: float) -> None:
    rng = np.random.default_rng([resolution, int(100 * density)])
    for _ in range(5):
        scene = random_scene(rng, resolution, 30)
        mask = (rng.random((resolution, resolution)) < density).astype(np.uint8)
        levels = reference.pyramid(mask)
        pyramid = _core.merge(mask, precision == "fp16")
        assert len(pyramid) == len(levels)
        assert all(np.array_equal(pyramid[i], level) for i, level in enumerate(levels))
        expected = reference.separated(scene, levels, precision)
        for workers in (1, 2):
            assert np.array_equal(_core.separate(native(scene), pyramid, workers), expected)


def test_no_such_level() -> None:
    pyramid = _core.merge(np.zeros((16, 16), dtype=np.uint8))
    with pytest.raises(IndexError):
        pyramid[5]
    assert len(list(pyramid)) == 5


@pytest.mark.parametrize("reach", [0, 1, 2])
def test_dilation(reach: int) -> None:
    mask = (np.random.default_rng(reach).random((64, 64)) < 0.02).astype(np.uint8)
    assert np.array_equal(dilated(mask, reach), reference.dilated(mask, reach))


def test_wrong_arrays_are_refused() -> None:
    good = random_scene(np.random.default_rng(0), 16, 5)
    arrays = [good.snapped, good.faces, good.body, good.closed, good.alone, 16]
    wrong = {
        0: good.snapped + 5000,
        1: good.faces + 100,
        2: good.body - 1,
        3: good.closed[:1],
        4: good.alone[:2],
        5: 100,
    }
    for at, value in wrong.items():
        with pytest.raises(ValueError, match="must"):
            _core.Seen(*(value if i == at else array for i, array in enumerate(arrays)))
