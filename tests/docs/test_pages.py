"""Links of the pages lead somewhere, and the glossary has one meaning for a word."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])
SCRIPTS = sorted(path.stem for path in DOCS.glob("make_*.py"))
WAY = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for path, section in WAY.findall(text):
        target = page.parent / path if path else page
        assert target.exists(), f"{path} is not there"
        if section:
            assert section in _sections(target), f"{path} has no section {section}"


def test_a_word_of_the_glossary_is_there_once() -> None:
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| \*\*(.+?)\*\* \|", text, re.MULTILINE)
    words = [word for cell in cells for word in cell.split(", ")]
    assert len(words) > 80
    assert sorted(words) == sorted(set(words))


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_of_pictures_import_what_there_is(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "make_screenshots":
        pytest.importorskip("playwright")
    monkeypatch.syspath_prepend(str(DOCS))
    assert callable(importlib.import_module(name).main)


def _sections(page: Path) -> set[str]:
    """The anchors of headings, as repositories and Sphinx make them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
