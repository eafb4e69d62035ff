"""The tutorials and the first page print what they show."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

pytest.importorskip("trimesh")
pytest.importorskip("click")
DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [
    "getting-started.md",
    "cookbook.md",
    "robots.md",
    *sorted(f"tutorials/{p.name}" for p in DOCS.glob("tutorials/*.md")),
]


@pytest.mark.parametrize("page", PAGES)
def test_what_is_shown_is_printed(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    import tutorial_pages

    same = doctest.OutputChecker()
    shown = 0
    for claim in tutorial_pages.run(page, tmp_path):
        expected, printed = _stripped(claim.expected), _stripped(claim.printed)
        assert same.check_output(expected, printed, doctest.ELLIPSIS), (
            f"{page}, line {claim.line}: the page shows\n{expected}\nprinted is\n{printed}"
        )
        shown += bool(claim.expected)
    assert shown >= 4


def _stripped(text: str) -> str:
    """Without blanks at the ends of lines, which nobody sees."""
    return "".join(line.rstrip() + "\n" for line in text.splitlines())
