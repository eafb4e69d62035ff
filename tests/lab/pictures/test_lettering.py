"""Text in pictures."""

from __future__ import annotations

import sys
from importlib import reload

import numpy as np
import pytest

from impinge.errors import MissingDependencyError
from impinge.lab.pictures import lettering
from impinge.lab.pictures.lettering import label

BLACK = (0.0, 0.0, 0.0)


def written(text: str, *, size: int = 20) -> np.ndarray:
    """How dark each pixel is, 0..255."""
    image = np.full((2 * size, 20 * size, 3), 255, dtype=np.uint8)
    label(image, text, 2, 1, colour=BLACK, size=size)
    return 255 - image[..., 0].astype(int)


def test_letters_differ_and_have_soft_edges() -> None:
    text = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNOPQRSTUVWXYZ0123456789%,:()<>+-"
    assert len({written(letter).tobytes() for letter in text}) == len(text)
    ink = written("Layer 3")
    assert ink.max() == 255
    assert ((ink > 40) & (ink < 215)).any()


def test_the_place_and_the_size() -> None:
    rows, columns = np.nonzero(written("H", size=40))
    # a capital is about seven tenths of the size of its font
    assert 24 <= np.ptp(rows) <= 34
    assert columns.min() >= 2
    wide, narrow = (np.nonzero(written("mmm", size=size))[1].max() for size in (40, 20))
    assert 1.8 < (wide - 2) / (narrow - 2) < 2.2


def test_ink_of_any_colour_on_any_ground() -> None:
    image = np.full((40, 60, 3), (10, 200, 30), dtype=np.uint8)
    label(image, "I", 4, 4, colour=(1.0, 0.0, 0.5), size=24)
    assert [255, 0, 128] in image.reshape(-1, 3).tolist()
    assert image[0, 0].tolist() == image[-1, -1].tolist() == [10, 200, 30]
    # between ground and ink, nothing else
    assert image[..., 1].max() == 200


def test_what_does_not_fit_is_cut_off() -> None:
    image = np.full((9, 30, 3), 255, dtype=np.uint8)
    label(image, "a long text", 2, 1, colour=(1.0, 0.0, 0.0))
    assert (image[..., 0] == 255).all()
    assert (image[..., 1] < 255).any()
    before = image.copy()
    label(image, "beyond", 40, 1, colour=BLACK)
    label(image, "below", 1, 40, colour=BLACK)
    label(image, "", 1, 1, colour=BLACK)
    assert np.array_equal(image, before)


def test_one_line_only() -> None:
    assert np.array_equal(written("one\ntwo\tthree"), written("one two three"))


def test_letters_of_other_scripts_leave_a_mark() -> None:
    assert written("é").any()
    assert written("歯").any()


def test_without_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingDependencyError, match=r"needs Pillow: pip install "):
        reload(lettering)
