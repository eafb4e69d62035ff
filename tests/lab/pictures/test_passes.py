"""What the pictures of the passes show."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.lab.pictures import passes_picture
from impinge.lab.pictures.passes import Passes, look

PAIRS = {frozenset(("red", "green")), frozenset(("green", "blue"))}


@pytest.fixture(scope="module")
def seen() -> Passes:
    return look(("red", "green", "blue"), resolution=64)


def test_the_order_of_drawing_changes_pixels_but_no_pair(seen: Passes) -> None:
    other = look(("green", "red", "blue"), resolution=64)
    assert {frozenset(pair) for pair in seen.pairs} == PAIRS
    assert {frozenset(pair) for pair in other.pairs} == PAIRS
    first, second = np.array(seen.names), np.array(other.names)
    covered = seen.seen >= 0
    # what is nearest does not depend on the order, what is drawn last does
    np.testing.assert_array_equal(first[seen.seen[covered]], second[other.seen[covered]])
    painted = first[seen.painted[covered]] != second[other.painted[covered]]
    assert painted.any()
    assert set(first[seen.painted[covered]][painted]) == {"green"}
    assert "red" in first[seen.seen[covered]]


def test_every_edge_has_an_owner(seen: Passes) -> None:
    np.testing.assert_array_equal(seen.wires >= 0, seen.stages["edges"].depth > 0)
    marked = seen.stages["penetrating"].edge_id
    np.testing.assert_array_equal(marked[marked > 0], seen.wires[marked > 0] + 1)


def test_the_pass_as_printed_finds_nothing(seen: Passes) -> None:
    printed = look(seen.names, resolution=64, variant="printed")
    assert printed.pairs == ()
    assert printed.stages["penetrated"].stencil.any()
    assert not seen.stages["penetrated"].stencil.any()


def test_counts_are_shown_in_their_colours(seen: Passes) -> None:
    image = passes_picture._counts(seen, "plus")
    stencil = seen.stages["plus"].stencil
    assert stencil.max() >= 2
    for count in (0, 1, 2):
        expected = np.broadcast_to(passes_picture.COUNTS[count], image[stencil == count].shape)
        np.testing.assert_array_equal(image[stencil == count], expected)
