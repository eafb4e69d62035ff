"""The plan of native/: no include goes up, and few ask the exact test."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
findings = runpy.run_path(str(ROOT / "scripts" / "rooms.py"))["findings"]


def test_the_plan_holds() -> None:
    assert findings(ROOT / "native") == []


@pytest.mark.parametrize(
    ("file", "line", "why"),
    [
        ("base/buffer.hpp", '#include "geometry/vec.hpp"', "geometry is not below base"),
        ("mesh/weld.cpp", '#include "pairs/judge.hpp"', "pairs is not below mesh"),
        ("bvh/tree/tree.hpp", '#include "bvh/self/sheets.hpp"', "bvh/self is not below bvh/tree"),
        ("dop/job.hpp", '#include "bvh/tree/tree.hpp"', "bvh/tree is not below dop"),
        ("brute/brute.cpp", '#include "pairs/float_filter.hpp"', "brute may only include"),
        ("cdfc/axes.cpp", '#include "geometry/triangles.hpp"', "which only"),
        ("geometry/clip.cpp", '#include "hull.hpp"', "which is no file"),
        ("dop/tree.hpp", "namespace impinge::bvh {", "is in namespace impinge::bvh"),
        ("somewhere/new.hpp", "", "the plan has no room 'somewhere'"),
    ],
)
def test_what_breaks_it_is_found(tmp_path: Path, file: str, line: str, why: str) -> None:
    native = tmp_path / "native"
    shutil.copytree(ROOT / "native", native)
    changed = native / file
    changed.parent.mkdir(exist_ok=True)
    before = changed.read_text() if changed.exists() else ""
    changed.write_text(f"{line}\n{before}")
    (found,) = findings(native)
    assert found.startswith(f"{file}: ")
    assert why in found
