"""`scripts/mutate.py` finds what can be changed, and changes nothing else."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "mutate.py"
_spec = importlib.util.spec_from_file_location("mutate", SCRIPT)
assert _spec is not None
assert _spec.loader is not None
mutate = importlib.util.module_from_spec(_spec)
sys.modules["mutate"] = mutate
_spec.loader.exec_module(mutate)


@pytest.mark.parametrize(
    ("line", "kind", "changed"),
    [
        ("  if (a < b && c) return 0;", "cpp", {"<=", "||", "1;"}),
        ("  std::vector<int> x;", "cpp", set()),
        ("  total += y;", "cpp", {"-=", ";"}),
        ("    if a == b or not c:", "py", {"!=", "and"}),
        ("    total(x)", "py", {"pass"}),
    ],
)
def test_changes_of_a_line(line: str, kind: str, changed: set[str]) -> None:
    found = list(mutate._changes(line, kind))
    assert len(found) == len(changed)
    assert line not in found
    assert all(any(part in other for other in found) for part in changed)


def test_every_room_has_sources_and_tests() -> None:
    for name, room in mutate.ROOMS.items():
        sample = mutate.chosen(room, 20, seed=3)
        assert len(sample) == 20, name
        assert sample == mutate.chosen(room, 20, seed=3)
        assert all((mutate.ROOT / test).exists() for test in room.tests)
        for mutant in sample:
            lines = (mutate.ROOT / mutant.file).read_text().split("\n")
            assert lines[mutant.line - 1] == mutant.before != mutant.after


def test_equivalent_changes_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = mutate.ROOMS["octree"]
    every = mutate.chosen(room, 10**6, seed=0)
    listed = tmp_path / "equivalent.txt"
    listed.write_text(f"{every[0].mark}  ## no one can tell\n")
    monkeypatch.setattr(mutate, "EQUIVALENT", listed)
    rest = mutate.chosen(room, 10**6, seed=0)
    assert {m.mark for m in every} - {m.mark for m in rest} == {every[0].mark}
