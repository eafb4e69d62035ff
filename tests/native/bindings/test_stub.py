"""The shipped type stub is the one the binding gives."""

import subprocess
import sys
from pathlib import Path

import impinge


def test_stub_is_fresh(tmp_path: Path) -> None:
    fresh = tmp_path / "core.pyi"
    command = ["nanobind.stubgen", "-q", "-m", "impinge._core.baseline", "-o", str(fresh)]
    subprocess.run([sys.executable, "-m", *command], check=True)
    shipped = Path(impinge.__file__).parent / "_core" / "__init__.pyi"
    assert shipped.read_text() == fresh.read_text(), "run scripts/stubs"
