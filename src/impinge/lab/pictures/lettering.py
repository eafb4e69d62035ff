"""Lines of text in pictures, for where there is no page around; drawn by Pillow in its own font."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import MissingDependencyError

try:
    from PIL import Image, ImageDraw, ImageFont
except ModuleNotFoundError:
    raise MissingDependencyError("Pillow", "view", "a picture with text in it") from None

if TYPE_CHECKING:
    from impinge._types import Bytes
    from impinge.render.palette import Colour

SIZE = 17


def label(image: Bytes, text: str, x: int, y: int, *, colour: Colour, size: int = SIZE) -> None:
    """Write one line into an (height, width, 3) picture, its upper left corner at x, y.

    What does not fit is cut off; `size` is that of the font, in pixels.
    """
    room = image[y : y + 2 * size, x:]
    if not room.size:
        return
    picture = Image.fromarray(np.ascontiguousarray(room))
    ink = tuple(round(255 * part) for part in colour)
    # a second line would run into what is below
    ImageDraw.Draw(picture).text((0, 0), " ".join(text.split()), fill=ink, font=_font(size))
    room[:] = np.asarray(picture)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
