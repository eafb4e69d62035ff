"""What an image is reduced to, and what its colours are."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.cinder.scenes import many, seen
from impinge.detectors.cinder.colours import colours_of
from impinge.detectors.cinder.options import CinderOptions
from impinge.detectors.cinder.reduce import reduce

LOSSLESS = CinderOptions(reduce="lossless")


def image(size: int, pairs: dict[tuple[int, int], tuple[int, int]]) -> list[np.ndarray]:
    both = np.zeros((2, size, size), dtype=np.uint32)
    for at, pair in pairs.items():
        both[:, *at] = pair
    return list(both)


@pytest.mark.parametrize(
    ("pairs", "halvings"),
    [
        ({}, 3),
        ({(5, 2): (7, 9)}, 3),
        ({(0, 0): (7, 9), (7, 7): (7, 9)}, 3),
        # two pairs in one square of four, of sixteen, and far apart
        ({(0, 0): (7, 9), (1, 0): (7, 8)}, 0),
        ({(0, 0): (7, 9), (3, 3): (2, 9)}, 1),
        ({(0, 0): (7, 9), (7, 7): (2, 9)}, 2),
    ],
)
def test_a_lossless_image_is_halved_as_long_as_no_pair_is_lost(
    pairs: dict[tuple[int, int], tuple[int, int]], halvings: int
) -> None:
    found = reduce(*image(8, pairs), LOSSLESS)
    assert found.stages == halvings
    assert {*zip(found.edge.tolist(), found.solid.tolist(), strict=True)} == {*pairs.values()}


def test_with_normals_only_edges_of_the_reference_and_faces_of_others_have_colours() -> None:
    geometry, _, options = seen(many(4, 1), payload="normals", reference=2, resolution=64)
    colours = colours_of(geometry, options)
    assert np.array_equal(colours.edge != 0, geometry.edge_body == 2)
    assert np.array_equal(colours.face, np.where(geometry.body == 2, 0, geometry.body + 1))
