"""The slow truth itself, held to what is plain by hand."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.peel.reference import (
    SUB,
    Rules,
    Scene,
    centres,
    conservative_mask,
    covered,
    fragment_depths,
    fragment_intervals,
    fragments,
    outward,
    packed,
    plain_mask,
    pyramid,
    separated,
    setups,
)

SIZE = 16
BOX_FACES = np.array(
    [
        *[(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4)],
        *[(2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)],
    ]
)


def box(low: tuple[float, ...], high: tuple[float, ...]) -> np.ndarray:
    """Corners of a box given in pixels and depths, x fastest."""
    low_, high_ = np.array(low), np.array(high)
    bits = np.array([(i & 1, i >> 1 & 1, i >> 2) for i in range(8)])
    corners = np.where(bits, high_, low_) * (SUB, SUB, 1)
    return corners.astype(np.int64)


def deepened(corners: np.ndarray, depth: int) -> np.ndarray:
    return corners + np.array([0, 0, depth])


def scene(*bodies: np.ndarray, closed: bool = True, alone: bool = False) -> Scene:
    count = len(bodies)
    return Scene(
        np.concatenate(bodies),
        np.concatenate([BOX_FACES + 8 * index for index in range(count)]),
        np.repeat(np.arange(count), len(BOX_FACES)),
        np.full(count, closed),
        np.full(count, alone),
        SIZE,
    )


NEAR = box((2.25, 2.25, 100), (8.25, 8.25, 900))


def test_a_box_is_entered_at_a_front_and_left_at_a_back() -> None:
    for row in fragments(scene(NEAR)):
        for pixel in row:
            assert [key & 1 for key, _ in pixel] in ([], [0, 1])
            assert [key >> 1 for key, _ in pixel] in ([], [100, 900])


def test_triangles_with_a_common_edge_share_no_pixel() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        ring = rng.integers(0, SUB * SIZE, (7, 3))
        middle = np.array([[SUB * SIZE // 2, SUB * SIZE // 2, 5]])
        angle = np.arctan2(*(ring - middle)[:, 1::-1].T)
        corners = np.concatenate([middle, ring[np.argsort(angle)]])
        fan = [(0, 1 + i, 1 + (i + 1) % 7) for i in range(7)]
        hits = np.zeros((SIZE, SIZE), dtype=int)
        turned = 0
        for setup in setups(corners, np.array(fan)):
            px, py = centres(setup, SIZE)
            hits[py, px] += 1
            turned += setup.area < 0
        if not turned:
            assert hits.max() <= 1


@pytest.mark.parametrize(("ties", "rays"), [("collide", 36), ("separate", 0)])
def test_stacked_boxes_touch_as_asked(ties: str, rays: int) -> None:
    above = box((2.25, 2.25, 900), (8.25, 8.25, 1200))
    assert plain_mask(scene(NEAR, above), Rules(ties=ties)).sum() == rays


@pytest.mark.parametrize("sampling", ["lists", "dual"])
def test_boxes_of_equal_height_are_found(sampling: str) -> None:
    other = box((5.25, 5.25, 100), (12.25, 12.25, 900))
    mask = plain_mask(scene(NEAR, other), Rules(sampling=sampling))
    assert mask.sum() == 9
    assert mask[5:8, 5:8].all()


def test_deeper_layers_are_ignored_or_marked() -> None:
    deep = scene(NEAR, box((2.25, 2.25, 1000), (8.25, 8.25, 2000)), deepened(NEAR, 1500))
    assert plain_mask(deep, Rules()).sum() == 36
    assert plain_mask(deep, Rules(layers=3)).sum() == 0
    assert plain_mask(deep, Rules(layers=3, deeper="mark")).sum() == 36


def test_intervals_hold_every_depth_of_the_triangle() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        spread = rng.choice([3, 300, SUB * SIZE])
        corners = rng.integers(0, SUB * SIZE, 3) * (1, 1, 1000) + rng.integers(0, spread, (3, 3))
        corners[:, :2] = np.clip(corners[:, :2], SUB, SUB * (SIZE - 1))
        (setup,) = setups(corners, np.array([[0, 1, 2]]))
        px, py = covered(setup, SIZE)
        low, high = fragment_intervals(setup, px, py)
        at = {(x, y): i for i, (x, y) in enumerate(zip(px.tolist(), py.tolist(), strict=True))}
        for weights in rng.dirichlet((0.5, 0.5, 0.5), 40):
            # off by what snapping may move a point
            point = weights @ corners + rng.uniform(-0.6, 0.6, 3)
            index = at[int(point[0] // SUB), int(point[1] // SUB)]
            assert low[index] <= point[2] <= high[index]
        inside_x, inside_y = centres(setup, SIZE)
        depths = fragment_depths(setup, inside_x, inside_y)
        for x, y, depth in zip(inside_x.tolist(), inside_y.tolist(), depths.tolist(), strict=True):
            assert low[at[x, y]] <= depth <= high[at[x, y]]


def test_neighbours_alone_switch_nothing_on() -> None:
    assert conservative_mask(scene(NEAR)).sum() == 0
    assert conservative_mask(scene(NEAR, deepened(NEAR, 400))).sum() > 0


def test_boxes_are_found_through_the_pyramid() -> None:
    mask = np.zeros((SIZE, SIZE), dtype=np.uint8)
    mask[5, 6] = 1
    levels = pyramid(mask)
    assert [len(level) for level in levels] == [16, 8, 4, 2, 1]
    assert levels[-1].ravel().tolist() == [6 * SUB, 5 * SUB, 7 * SUB, 6 * SUB]
    for precision in ("fp32", "fp16"):
        ids, boxes = packed(separated(scene(NEAR), levels, precision))
        assert len(ids) == len(boxes) > 0
        assert (boxes == levels[-1].ravel()).all(axis=1).any()


def test_half_floats_are_rounded_outward() -> None:
    values = np.array([2049, 4099, 2049, 4099])
    assert outward(values, "fp16").tolist() == [2048, 4096, 2050, 4100]
    assert np.float16(2050 / SUB) * SUB == 2050
