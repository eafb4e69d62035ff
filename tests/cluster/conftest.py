from __future__ import annotations

import pytest

from impinge.cluster import plan


@pytest.fixture
def reckless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cuts tiles also where it hardly pays: many ghosts, many borders."""
    monkeypatch.setattr(plan, "_MOST_GHOSTS", 1.99)
    monkeypatch.setattr(plan, "_LEAST_PROGRESS", 0.99)
    monkeypatch.setattr(plan, "_FEWEST_BOXES", 3)
