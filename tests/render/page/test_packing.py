"""Messages are what the page expects: a header, then arrays at places that fit their numbers."""

from __future__ import annotations

import numpy as np
import pytest

from impinge.render.page.packing import pack
from support.view_messages import unpacked


@pytest.mark.parametrize("name", ["a", "ab", "Ä × ß", "x" * 1000])
def test_what_goes_in_comes_out(name: str) -> None:
    points = np.arange(12, dtype=np.float64).reshape(4, 3)
    faces = np.arange(6, dtype=np.int32)[::-1]
    got = unpacked(pack({"name": name}, {"points": points, "faces": faces, "none": points[:0]}))
    assert got["name"] == name
    assert got["points"].tolist() == points.ravel().tolist()
    assert got["faces"].tolist() == [5, 4, 3, 2, 1, 0]
    assert len(got["none"]) == 0


def test_no_number_that_javascript_does_not_know() -> None:
    with pytest.raises(ValueError, match="JSON"):
        pack({"value": float("nan")}, {})
