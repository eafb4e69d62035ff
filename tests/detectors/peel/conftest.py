"""The detector that the tests of `peel` run, on each device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import impinge
from impinge.detectors import Detector


@pytest.fixture
def peel(device: str) -> Callable[..., Detector]:
    """Makes the detector with some options."""

    def make(**options: Any) -> Detector:
        return impinge.detector("peel", device=device, **options)

    return make
