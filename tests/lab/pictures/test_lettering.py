"""Letters in pictures."""

from __future__ import annotations

import numpy as np

from impinge.lab.pictures.lettering import label, width_of

BLACK = (0.0, 0.0, 0.0)


def written(text: str, *, scale: int = 1) -> np.ndarray:
    image = np.full((10 * scale, width_of(text, scale=scale), 3), 255, dtype=np.uint8)
    label(image, text, 0, 0, colour=BLACK, scale=scale)
    return image[..., 0] == 0


def test_a_letter_is_what_it_should_be() -> None:
    rows = ["".join(".#"[int(dot)] for dot in row) for row in written("t")[:8]]
    assert rows == ["..#...", "..#...", "#####.", "..#...", "..#...", "..#.#.", "...#..", "......"]


def test_letters_are_different_and_capitals_are_small() -> None:
    text = "abcdefghijklmnopqrstuvwxyz0123456789"
    shapes = {written(letter).tobytes() for letter in text}
    assert len(shapes) == len(text)
    np.testing.assert_array_equal(written("Layer"), written("layer"))
    assert written("é").any()


def test_scaled_and_cut_off_at_the_border() -> None:
    small, large = written("on"), written("on", scale=2)
    np.testing.assert_array_equal(np.kron(small, np.ones((2, 2), dtype=bool)), large)
    image = np.full((5, 7, 3), 255, dtype=np.uint8)
    label(image, "long text", 2, 1, colour=(1.0, 0.0, 0.0))
    assert (image[..., 0] == 255).all()
    assert (image[..., 1] == 0).any()
