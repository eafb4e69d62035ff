"""The tutorials print what they show, and their pictures and links are there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

pytest.importorskip("trimesh")
pytest.importorskip("click")
DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(path.name for path in (DOCS / "tutorials").glob("*.md"))
WAY = re.compile(r"\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)")


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
    assert shown >= 6


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (DOCS / "tutorials" / page).read_text(encoding="utf-8")
    ways = WAY.findall(text)
    assert ways
    for path, section in ways:
        target = DOCS / "tutorials" / path
        assert target.is_file(), path
        if section:
            assert section in _sections(target.read_text(encoding="utf-8")), f"{path}#{section}"


def _stripped(text: str) -> str:
    """Without blanks at the ends of lines, which nobody sees."""
    return "".join(line.rstrip() + "\n" for line in text.splitlines())


def _sections(text: str) -> set[str]:
    """The anchors of headings, as repositories and Sphinx make them."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
