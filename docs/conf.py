"""The site: pages of this folder, and one page for every public name. Built by scripts/docs."""

from __future__ import annotations

import re
import runpy
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.ext.napoleon import Config, NumpyDocstring

import impinge

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
surface = runpy.run_path(str(HERE.parent / "scripts" / "public_names.py"))
PUBLIC: dict[str, Any] = surface["public"]()
CLASSES = {name.rpartition(".")[2]: name for name in PUBLIC if isinstance(PUBLIC[name], type)}
CLASS = re.compile(rf"(?<![\w`.])({'|'.join(CLASSES)})(?![\w`.])")
SHAPE = re.compile(r"^(\([^)]*\)(?: (?:bool|float|int|uint)\d*)?)[:,]? ")
SECTIONS = Config(napoleon_use_param=False, napoleon_use_rtype=False)

project = "Impinge"
project_copyright = "the Impinge contributors, MIT licence"
version = release = impinge.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
]
templates_path = ["_templates"]
exclude_patterns = ["_*"]

# links to headings of other pages are those of repository browsers
myst_heading_anchors = 4
# `name` in a docstring is a link where there is such a name, else code
default_role = "py:obj"
highlight_language = "none"
# dashes only: "auto" in a docstring is to be copied as it is
smartquotes_action = "D"

autosummary_generate = True
autosummary_context = {
    "members": {
        name: [member for member in surface["members"](value) if not member.startswith("_")]
        for name, value in PUBLIC.items()
        if isinstance(value, type)
    }
}
autodoc_member_order = "bysource"
# types are told where parameters are; `object` says nothing of what is taken
autodoc_typehints = "none"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "Impinge"
html_static_path = ["_static"]
html_css_files = ["impinge.css"]
pygments_dark_style = "github-dark"
html_show_sourcelink = False
html_copy_source = False


def contents(source: str) -> str:
    """The tables of contents for the side bar: the sections of index.md with the pages they name.

    Pages that it does not name are added to the last section but one, tutorials to the first.
    """
    sections = {
        part.split("\n", 1)[0].strip(): re.findall(r"\]\(([\w/-]+)\.md\)", part)
        for part in re.split(r"^## ", source, flags=re.MULTILINE)[1:]
    }
    sections = {title: list(dict.fromkeys(pages)) for title, pages in sections.items() if pages}
    named = {page for pages in sections.values() for page in pages} | {"index"}
    first, *_, explanation, _ = sections
    for path in sorted(HERE.glob("**/*.md")):
        page = path.relative_to(HERE).with_suffix("").as_posix()
        if page not in named and not page.startswith("reference/"):
            sections[first if page.startswith("tutorials/") else explanation].append(page)
    return "".join(
        "\n```{{toctree}}\n:hidden:\n:caption: {}\n\n{}\n```\n".format(title, "\n".join(pages))
        for title, pages in sections.items()
    )


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """The front page is plain Markdown, which repository browsers show too."""
    if page == "index":
        source[0] += contents(source[0])


def signature_of(app: Sphinx, what: str, name: str, value: Any, *more: Any) -> Any:
    """Parameters and defaults, and what is given if that has a page."""
    _, signature, _ = more
    if what in ("class", "exception"):
        return (surface["constructor_of"](value), None) if signature else None
    if what in ("function", "method"):
        given = getattr(value, "__annotations__", {}).get("return", "")
        return surface["signature_of"](value), CLASSES.get(given)
    return None


def sections_of(app: Sphinx, what: str, name: str, value: Any, *more: Any) -> None:
    """From numpydoc to reStructuredText; public classes are links in the types of parameters."""
    options, lines = more
    if what in ("attribute", "property"):
        # no sections; it may begin with a shape, and napoleon would take a colon for a type
        lines[0] = SHAPE.sub(r"``\1`` – ", lines[0])
        return
    section = ""
    for number, (line, after) in enumerate(pairwise(lines)):
        if re.fullmatch("-+", after):
            section = line
        elif section in ("Parameters", "Returns", "Yields") and line[:1].strip():
            names, colon, kind = line.rpartition(" : ")
            if colon or section != "Parameters":
                lines[number] = names + colon + CLASS.sub(link, kind)
    lines[:] = NumpyDocstring(lines, SECTIONS, app, what, name, value, options).lines()


def link(word: re.Match[str]) -> str:
    return f":py:class:`~{CLASSES[word[1]]}`"


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_contents)
    app.connect("autodoc-process-signature", signature_of)
    app.connect("autodoc-process-docstring", sections_of)
