"""Impacts beside IPC Toolkit: answers are checked first, and what is wrong is counted."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from impinge.errors import InputError
from impinge.lab.bench import impacts


class Peer:
    """As much of ipctk as is asked: it finds every query to meet, and stops at once."""

    first = 0.0

    class TightInclusionCCD:
        def point_triangle_ccd(self, *points: Any) -> tuple[bool, float]:
            assert len(points) == 8
            return True, 0.0

    class Candidates:
        def build(self, mesh: Any, start: Any, end: Any) -> None:
            assert start.shape == end.shape

        def __len__(self) -> int:
            return 7

        def compute_collision_free_stepsize(self, *_: Any) -> float:
            return Peer.first

    CollisionMesh = SimpleNamespace

    @staticmethod
    def edges(faces: Any) -> Any:
        return faces[:, :2]


@pytest.fixture(autouse=True)
def peer(monkeypatch: pytest.MonkeyPatch) -> type[Peer]:
    monkeypatch.setattr(Peer, "CollisionMesh", lambda *_: None)
    monkeypatch.setattr(impacts, "_peer", lambda: Peer)
    return Peer


def published(folder: Path) -> Path:
    """One query that meets, one that does not, as fractions."""
    face = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]
    rows = []
    for low, truth in ((-1, 1), (1, 0)):
        points = [(1, 1, 2), *face, (1, 1, low), *face]
        rows += [",".join(f"{2 * x},2" for x in point) + f",{truth}" for point in points]
    there = folder / "some" / "vertex-face"
    there.mkdir(parents=True)
    (there / "data.csv").write_text("\n".join(rows) + "\n")
    return folder


def test_queries_and_a_frame(tmp_path: Path) -> None:
    queries, frames = impacts.compare(published(tmp_path), quick=True)
    (row,) = queries
    assert (row.name, row.count) == ("some, vertex-face", 2)
    assert (row.missed, row.false, row.peer_missed, row.peer_false) == (0, 0, 0, 1)
    (frame,) = frames
    assert 0 < frame.first < 1
    assert frame.impacts > 100
    assert frame.peer_candidates == 7
    text = impacts.tables(queries, frames)
    assert "some, vertex-face" in text
    assert "folded cloth, 3,200 faces" in text


def test_alone_without_the_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impacts, "_peer", lambda: None)
    queries, (frame,) = impacts.compare(None, quick=True)
    assert queries == []
    assert frame.factor is None
    assert "folded cloth" in impacts.tables(queries, [frame])


def test_a_peer_that_goes_too_far_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Peer, "first", 1.0)
    with pytest.raises(InputError, match="ipctk goes on until"):
        impacts.compare(None, quick=True)


def test_own_answers_are_checked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impacts.impinge, "collision_free_step", lambda *_, **__: np.float64(0.9))
    with pytest.raises(InputError, match="is later than"):
        impacts.compare(None, quick=True)
