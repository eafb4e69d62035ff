"""Short labels in pictures: small letters five pixels wide, for where there is no page around."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes
    from impinge.render.palette import Colour

# five columns of eight pixels each, the lowest bit on top
_GLYPHS = {
    " ": "0000000000", "!": "00005f0000", "#": "147f147f14", "%": "2313086462", "'": "0008070300",
    "(": "001c224100", ")": "0041221c00", "*": "2a1c7f1c2a", "+": "08083e0808", ",": "0080703000",
    "-": "0808080808", ".": "0000606000", "/": "2010080402", "0": "3e5149453e", "1": "00427f4000",
    "2": "7249494946", "3": "2141494d33", "4": "1814127f10", "5": "2745454539", "6": "3c4a494931",
    "7": "4121110907", "8": "3649494936", "9": "464949291e", ":": "0000140000", "<": "0008142241",
    "=": "1414141414", ">": "0041221408", "_": "4040404040", "a": "2054547840", "b": "7f28444438",
    "c": "3844444428", "d": "384444287f", "e": "3854545418", "f": "00087e0902", "g": "18a4a49c78",
    "h": "7f08040478", "i": "00447d4000", "j": "2040403d00", "k": "7f10284400", "l": "00417f4000",
    "m": "7c04780478", "n": "7c08040478", "o": "3844444438", "p": "fc18242418", "q": "18242418fc",
    "r": "7c08040408", "s": "4854545424", "t": "04043f4424", "u": "3c4040207c", "v": "1c2040201c",
    "w": "3c4030403c", "x": "4428102844", "y": "4c9090907c", "z": "4464544c44",
}  # fmt: skip
_WIDTH, _HEIGHT = 6, 8
_UNKNOWN = "3e2222223e"


def label(image: Bytes, text: str, x: int, y: int, *, colour: Colour, scale: int = 2) -> None:
    """Write the text into an (height, width, 3) picture, its upper left corner at x, y.

    What does not fit is cut off; capitals become small, and an unknown character is a box.
    """
    ink = np.kron(_bits(text), np.ones((scale, scale), dtype=bool))
    room = image[y : y + ink.shape[0], x : x + ink.shape[1]]
    room[ink[: room.shape[0], : room.shape[1]]] = np.round(np.array(colour) * 255).astype(np.uint8)


def width_of(text: str, *, scale: int = 2) -> int:
    """Pixels that the text takes from left to right."""
    return len(text) * _WIDTH * scale


def _bits(text: str) -> AnyArray:
    columns = np.zeros((len(text), _WIDTH), dtype=np.uint8)
    for index, letter in enumerate(text.lower()):
        glyph = bytes.fromhex(_GLYPHS.get(letter, _UNKNOWN))
        columns[index, :5] = np.frombuffer(glyph, dtype=np.uint8)
    return np.asarray((columns.reshape(1, -1) >> np.arange(_HEIGHT)[:, None]) & 1 == 1)
