from __future__ import annotations

import subprocess
import sys

import pytest

import impinge

# what a fresh interpreter has beside NumPy, the core and ourselves after the import
HEAVY = (
    "trimesh", "scipy", "click", "rich", "json", "importlib.metadata", "difflib", "html", "PIL",
)  # fmt: skip


def fresh(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def test_the_import_is_light() -> None:
    code = (
        "import sys, numpy; before = set(sys.modules); import impinge; "
        "print(*sorted(set(sys.modules) - before))"
    )
    loaded = fresh(code).split()
    assert not [name for name in loaded if name.split(".")[0] in HEAVY or name in HEAVY]
    assert not [name for name in loaded if name.startswith(("impinge.io", "impinge.cli"))]
    later = ("cluster", "gpu", "lab", "render", "report", "respond", "robots", "simulate", "view")
    assert not [name for name in loaded if name.startswith(tuple(f"impinge.{x}" for x in later))]


def test_the_import_is_quick() -> None:
    """Compared with NumPy's own import in the same process: no machine is too slow for that."""
    code = (
        "from time import process_time as now; start = now(); import numpy; middle = now(); "
        "import impinge; print((now() - middle) / (middle - start))"
    )
    assert min(float(fresh(code)) for _ in range(3)) < 1.0


def test_every_public_name_is_there() -> None:
    for name in impinge.__all__:
        assert getattr(impinge, name) is not None
        assert name in dir(impinge)


def test_import_of_all_names_needs_numpy_alone() -> None:
    blocked = "click", "rich", "scipy", "wgpu", "pyarrow", "distributed", "matplotlib", "PIL"
    code = f"import sys; sys.modules.update(dict.fromkeys({blocked})); from impinge import *; "
    assert fresh(code + "print(collide.__name__, Scene.__name__)") == "collide Scene"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'impinge' has no attribute 'colide'"):
        impinge.colide  # noqa: B018


def test_the_version_is_text() -> None:
    assert isinstance(impinge.__version__, str)
    assert impinge.__version__[0].isdigit()
