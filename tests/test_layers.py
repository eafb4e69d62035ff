"""The rooms of the package import only rooms below them; pyproject.toml has the order."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import impinge

pytest.importorskip("importlinter")
ROOT = Path(__file__).parents[1]


def lint(package: Path) -> tuple[bool, str]:
    """Whether the contracts hold for a package `impinge` in a folder, and what was printed."""
    code = (
        f"import sys; sys.path.insert(0, {str(package.parent)!r}); "
        "from importlinter.cli import lint_imports; "
        f"sys.exit(lint_imports(config_filename={str(ROOT / 'pyproject.toml')!r}, no_cache=True))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
        env={"PYTHONIOENCODING": "utf-8", "PATH": ""},
    )
    return done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the package, to plant something in."""
    package = tmp_path_factory.mktemp("layers") / "impinge"
    shutil.copytree(
        Path(impinge.__file__).parent,
        package,
        ignore=lambda folder, names: [
            name for name in names if not ((Path(folder) / name).is_dir() or name.endswith(".py"))
        ],
    )
    return package


def test_every_room_imports_only_rooms_below() -> None:
    held, text = lint(Path(impinge.__file__).parent)
    assert held, text
    assert "2 kept, 0 broken" in text


@pytest.mark.parametrize(
    ("module", "line", "message"),
    [
        ("results/overlaps.py", "from impinge.queries import path", "impinge.results is not all"),
        ("detectors/once.py", "def up():\n    import impinge.scene", "impinge.detectors is not"),
        ("detectors/peel/cpu.py", "import impinge.detectors.cdfc.stages", "impinge.detectors.peel"),
        ("attic.py", "", "attic"),
    ],
    ids=["up", "up in a function", "paper to paper", "a room without a place"],
)
def test_what_breaks_the_order_is_found(copied: Path, module: str, line: str, message: str) -> None:
    planted = copied / module
    before = planted.read_text(encoding="utf-8") if planted.exists() else None
    planted.write_text(f"{before or ''}\n{line}\n", encoding="utf-8")
    try:
        held, text = lint(copied)
    finally:
        if before is None:
            planted.unlink()
        else:
            planted.write_text(before, encoding="utf-8")
    assert not held
    assert message in text
