"""Reads the messages that go to the page."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

_KINDS = {"f4": np.float32, "u4": np.uint32}


def unpacked(data: bytes) -> dict[str, Any]:
    """The header, with each array under its name."""
    (length,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + length])
    places = header.pop("arrays")
    # typed arrays of JavaScript begin at multiples of their size
    assert all(start % 4 == 0 for _, start, _ in places.values())
    arrays = {
        name: np.frombuffer(data, _KINDS[kind], count, start)
        for name, (kind, start, count) in places.items()
    }
    return {**header, **arrays}
