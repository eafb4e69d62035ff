"""The benchmark of motions: its truth, and what it says of those who are wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from impinge.lab.bench import motion


def test_poses_lead_from_start_to_goal() -> None:
    for case in motion.cases(10):
        ends = case.poses(np.array([0.0, 1.0]))
        assert ends == pytest.approx(np.stack([case.start, case.goal]), abs=1e-12)
        times = np.linspace(0, 1, 20)
        assert case.poses(times) == pytest.approx(case.motion().at(times), abs=1e-12)


def test_impinge_is_never_wrong() -> None:
    rows = motion.compare(40, 500, seed=3)
    own = next(row for row in rows if row.library == "impinge" and row.kind == "all")
    assert (own.motions, own.missed, own.late, own.early, own.phantom) == (40, 0, 0, 0, 0)
    assert {row.kind for row in rows} == {"all", *motion.KINDS}


def test_who_is_wrong_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {
        "never": lambda _: math.inf,
        "late": lambda case: min(1.0, motion.truth(case, 500) + 0.01),
        "at once": lambda _: 0.0,
    }
    monkeypatch.setattr(motion, "contenders", lambda: wrong)
    rows = {row.library: row for row in motion.compare(20, 500, seed=1) if row.kind == "all"}
    hits = rows["never"].missed
    assert hits > 5
    assert rows["late"].late >= hits // 2
    assert rows["at once"].early > 5


def test_free_motions_are_tried() -> None:
    row = motion.free(400, 300, seed=2)
    assert row.wrong == 0
    assert row.free + row.blocked + row.uncertain == row.motions == 400
    assert row.free > 20
    assert row.blocked > 20


def test_a_motion_wrongly_called_free_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    import impinge

    class Blind(impinge.Scene):
        def free(self, motions, **_):  # type: ignore[no-untyped-def, override]
            found = super().free(motions, tolerance=0.0)
            verdicts = np.zeros_like(found.verdicts)
            return type(found)(verdicts, found.times, found.bodies, found.pairs, found.names)

    monkeypatch.setattr(motion.impinge, "Scene", Blind)
    assert motion.free(200, 100).wrong > 20
