"""Messages to the page: a JSON header, then the arrays that it names."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from impinge._types import AnyArray

_KINDS = {"f": ("f4", np.float32), "u": ("u4", np.uint32)}


def pack(header: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> bytes:
    """The bytes of a message; floats become float32, and integers, which must not be negative,
    uint32.
    """
    places: dict[str, tuple[str, int, int]] = {}
    blocks: list[AnyArray] = []
    size = 0
    for name, array in arrays.items():
        kind, dtype = _KINDS["f" if array.dtype.kind == "f" else "u"]
        # what float32 cannot hold, no page can show
        with np.errstate(over="ignore"):
            blocks.append(np.ascontiguousarray(array, dtype=dtype).reshape(-1))
        places[name] = (kind, size, blocks[-1].size)
        size += blocks[-1].nbytes
    # the places are known when the header is, and its length depends on them: leave room for both
    room = len(_text(header, places, 0)) + 16 * len(places) + 16
    start = -(-room // 4) * 4
    text = _text(header, places, start + 4)
    head = struct.pack("<I", start) + text + b" " * (start - len(text))
    return b"".join([head, *(block.data.cast("B") for block in blocks if block.size)])


def _text(header: Mapping[str, Any], places: Mapping[str, tuple[str, int, int]], at: int) -> bytes:
    arrays = {name: (kind, at + start, count) for name, (kind, start, count) in places.items()}
    return json.dumps({**header, "arrays": arrays}, allow_nan=False).encode("utf-8")
