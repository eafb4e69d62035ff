"""Panels put together on one sheet, in rows, with a line of text over each; and a legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from impinge.lab.pictures.lettering import label

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes
    from impinge.render.palette import Colour

PAPER: Colour = (1.0, 1.0, 1.0)
EMPTY: Colour = (0.955, 0.962, 0.97)
INK: Colour = (0.18, 0.22, 0.27)

_COLUMNS = 4
ROOM = 320
GAP, _HEAD, _TITLE = 14, 26, 24

Panel = tuple[str, "AnyArray"]
"""A line of text, and colours (height, width, 3) in 0..1."""


def side_of(resolution: int, room: int = ROOM) -> int:
    """Pixels on a side of a panel that shows an image of so many."""
    return resolution * max(1, room // resolution)


def grown(image: AnyArray, room: int = ROOM) -> AnyArray:
    """A square image with its pixels made so large that it fills a panel."""
    scale = side_of(len(image), room) // len(image)
    return np.asarray(image.repeat(scale, axis=0).repeat(scale, axis=1))


def filled(shape: tuple[int, ...], colour: Colour) -> AnyArray:
    """All pixels of one colour."""
    return np.broadcast_to(np.array(colour), (*shape, 3)).copy()


def sheet(panels: Sequence[Panel], title: str, side: int) -> Bytes:
    """(height, width, 3) uint8: four panels in a row."""
    rows = -(-len(panels) // _COLUMNS)
    width = GAP + _COLUMNS * (side + GAP)
    top = _TITLE + 2 * GAP
    height = top + rows * (side + _HEAD + GAP)
    result = np.full((height, width, 3), 255, dtype=np.uint8)
    label(result, title, GAP, GAP // 2, colour=INK, size=_TITLE)
    for index, (text, image) in enumerate(panels):
        row, column = divmod(index, _COLUMNS)
        x = GAP + column * (side + GAP)
        y = top + row * (side + _HEAD + GAP)
        label(result, text, x, y, colour=INK)
        y += _HEAD
        result[y : y + image.shape[0], x : x + image.shape[1]] = np.round(image * 255)
    return result


def legend(
    size: tuple[int, int], entries: Iterable[tuple[Colour, str]], facts: Iterable[str]
) -> AnyArray:
    """A panel of this height and width: what the colours mean, and some lines of text."""
    panel = np.full((*size, 3), 255, dtype=np.uint8)
    y = 4
    for colour, text in entries:
        panel[y : y + 16, 4:28] = np.round(np.array(colour) * 255)
        # in the middle of its colour
        label(panel, text, 38, y - 3, colour=INK)
        y += 24
    y += 8
    for fact in facts:
        label(panel, fact, 4, y, colour=INK)
        y += 24
    return panel / 255.0
