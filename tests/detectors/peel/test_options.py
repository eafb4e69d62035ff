"""Options are checked when the detector is made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from impinge.detectors.peel.options import PeelOptions
from impinge.errors import InputError

PLAIN = {"conservative": False}


def test_defaults() -> None:
    options = PeelOptions()
    assert options.conservative
    assert options.reach == 0
    assert PeelOptions(conservative=False).reach == 1
    assert PeelOptions(conservative=False, dilate=0).reach == 0


@pytest.mark.parametrize(
    ("faces", "pixels"), [(0, 32), (100, 32), (1000, 64), (100_000, 512), (10**7, 1024)]
)
def test_resolution_follows_the_faces(faces: int, pixels: int) -> None:
    assert PeelOptions().resolution_for(faces) == pixels
    assert PeelOptions(resolution=256).resolution_for(faces) == 256


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"device": "gpus"}, "device must be one of 'auto', 'cpu', 'gpu', got 'gpus'"),
        ({"resolution": 100}, "resolution must be None or a power of two from 16 to 4096, got 100"),
        ({"resolution": True}, "power of two"),
        ({"resolution": 8}, "power of two"),
        ({"direction": (0, 0, 0)}, "direction must be finite and not zero"),
        ({"direction": (1, 0)}, "direction must have shape"),
        ({"direction": np.eye(3)}, "direction must have shape"),
        ({"direction": (np.nan, 0, 0)}, "direction must be finite and not zero"),
        ({"conservative": 1}, "conservative must be True or False, got 1"),
        ({"sampling": "peel"}, "sampling='peel' is for conservative=False"),
        ({"dilate": 1}, "dilate=1 is for conservative=False"),
        ({"layers": 3}, "layers=3 is for conservative=False"),
        ({"gap": 0.5}, r"gap=0.5 is for conservative=False"),
        ({"sampling": "list", **PLAIN}, "sampling must be one of .*did you mean 'lists'"),
        ({"layers": 0, **PLAIN}, "layers must be None"),
        ({"layers": 1.5, **PLAIN}, "layers must be None"),
        ({"deeper": "mark", **PLAIN}, 'deeper="mark" needs layers'),
        ({"dilate": 3, **PLAIN}, "dilate must be 0, 1 or 2 pixels, got 3"),
        ({"gap": -1, **PLAIN}, "gap must be a finite distance"),
        ({"gap": "wide", **PLAIN}, "gap must be a finite distance"),
        ({"gap": 1.0, "sampling": "dual", **PLAIN}, "closed ones only"),
        ({"precision": "fp8"}, "precision must be one of 'fp32', 'fp16'"),
        ({"packing": "scans"}, "packing must be one of 'scan', 'sweep'"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        PeelOptions(**options)
