"""Options and views are checked when they are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from impinge.detectors.cinder import View
from impinge.detectors.cinder.options import CinderOptions
from impinge.errors import InputError


def test_defaults() -> None:
    options = CinderOptions()
    assert (options.resolution, options.variant, options.self_interference) == (
        1024,
        "corrected",
        "prevent",
    )
    assert len(options.all_views) == 1
    views = [View.orthographic((1, 0, 0)), View.orthographic((0, 1, 0))]
    assert CinderOptions(views=views).all_views == tuple(views)
    assert CinderOptions(views=views[0]).all_views == (views[0],)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"device": "tpu"}, "device must be one of 'auto', 'cpu', 'gpu', got 'tpu'"),
        ({"resolution": 100}, "resolution must be a power of two from 16 to 4096, got 100"),
        ({"resolution": None}, "power of two"),
        ({"resolution": 8192}, "power of two"),
        ({"variant": "corected"}, "variant must be one of .*did you mean 'corrected'"),
        ({"self_interference": "ignore"}, "self_interference must be one of"),
        ({"ids": "8bit"}, "ids must be one of '32bit', '16bit'"),
        ({"payload": "colours"}, "payload must be one of"),
        ({"reduce": "mips"}, "reduce must be one of"),
        ({"offset": -1.0, "self_interference": "offset"}, "offset must be a finite distance"),
        ({"offset": 0.1}, 'offset=0.1 is for self_interference="offset"'),
        ({"self_interference": "offset"}, "needs offset, the distance to move edges"),
        ({"stages": 2}, 'stages=2 is for reduce="stages"'),
        ({"reduce": "stages"}, 'reduce="stages" needs stages from 1 to 10'),
        ({"reduce": "stages", "stages": 11}, "from 1 to 10, .* got 11"),
        ({"reduce": "stages", "stages": 1.5}, "stages must be an integer of at least 0"),
        ({"reference": 1}, 'reference=1 is for payload="normals"'),
        ({"reference": -1, "payload": "normals"}, "reference must be an integer of at least 0"),
        ({"judge": 1}, "judge must be True or False, got 1"),
        ({"views": []}, "views is empty"),
        ({"views": (1, 0, 0)}, "views must be None, a View or a sequence of them"),
        ({"views": "front"}, "views must be None, a View or a sequence of them"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        CinderOptions(**options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: View.orthographic((0, 0, 0)), "direction must be finite and not zero"),
        (lambda: View.orthographic((1, 0)), "direction must have shape"),
        (lambda: View.orthographic((1, 0, 0), up=(0, np.inf, 0)), "up must be finite"),
        (lambda: View.orthographic(box=((1, 0, 0), (0, 1, 1))), r"box must be \(2, 3\)"),
        (lambda: View.orthographic(box=(0, 1, 2)), r"box must be \(2, 3\)"),
        (lambda: View.perspective((1, 2), (0, 0, 0)), "eye must have shape"),
        (lambda: View.perspective((0, 0, np.nan), (0, 0, 0)), "eye.* is not finite"),
        (lambda: View.perspective((1, 2, 3), (1, 2, 3)), "eye and target must be different"),
        (lambda: View.perspective((1, 2, 3), (0, 0, 0), fov=180), "fov must be between 0 and 180"),
        (lambda: View.perspective((1, 2, 3), (0, 0, 0), fov="wide"), "fov must be between"),
        (lambda: View.perspective((1, 2, 3), (0, 0, 0), near=0), "near must be a positive"),
        (lambda: View.perspective((1, 2, 3), (0, 0, 0), near=2, far=1), "near must be less than"),
    ],
)
def test_wrong_views_are_named(make: Callable[[], View], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()
