"""The report page: verdicts, pictures, the state of the meshes, the method."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from os import PathLike, fspath
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._outputs import write_text
from impinge._text import counted
from impinge.errors import InputError
from impinge.render.about import about
from impinge.render.drawing import Drawing
from impinge.render.page.snapshot import message, of_drawing
from impinge.render.picture.camera import up_of
from impinge.report.figures import closeup_section, finding_pictures, overview_figure
from impinge.report.markup import Html, document, element, join
from impinge.report.tables import findings_table, mesh_table, stage_table
from impinge.results.check import Check
from impinge.results.verdict import Verdict

if TYPE_CHECKING:
    from impinge.results.collisions import Collisions
    from impinge.scene import Scene

# a million of them would make a file of 15 MB
MOST_TRIANGLES = 400_000
MOST_WARNINGS = 100

_MEANING_OF_PARTS = (
    "Closed parts are solids. A duplicate is a part that exists twice, inside means all of one in "
    "another, a clash is an overlap deeper than the tolerance; a contact touches, overlaps no "
    "deeper, or only by its facets; near is a gap not wider than the clearance. The depth is that "
    "of the common point which is deepest in one of the two parts. How solids lie to each other "
    "is decided exactly for the float64 coordinates, depths are certain to 0.1 %; all lengths are "
    "in the units of the file."
)
_MEANING_OF_FACES = (
    "A clash is a pair of parts with triangles that cross: each has vertices strictly on both "
    "sides of the other. Touching parts share points only. Both are decided exactly for the "
    "float64 coordinates; lengths and places are rounded and in the units of the file."
)


def write_report(
    path: str | PathLike[str],
    scene: Scene,
    result: Check | Collisions,
    *,
    title: str = "Collision report",
    sources: Sequence[str | PathLike[str]] = (),
    notes: Sequence[str] = (),
    hits: Collisions | None = None,
) -> None:
    """Write one self-contained HTML page about a result.

    It has a 3D view in which only overlaps are red, a table by verdict and depth, pictures and cuts
    of every clash and gap, and opens without a network.

    Parameters
    ----------
    path : str or path
        The file to write.
    scene : Scene
        The scene that was asked, as it was then.
    result : Check or Collisions
        The answer of `scene.check()`; that of `scene.collide()` has neither depths nor gaps.
    title : str, optional
        Title of the page.
    sources : sequence of str or path, optional
        The files that the scene came from, to be named on the page.
    notes : sequence of str, optional
        More sentences on what the verdicts stand on.
    hits : Collisions, optional
        With a `Check`: the faces that meet if they were asked for too, as for self-intersections.

    See Also
    --------
    impinge.results.Check.show : Look at a result without a report.

    Examples
    --------
    >>> import impinge
    >>> from impinge.report import write_report
    >>> scene = impinge.Scene()
    >>> for z in (0, 1):
    ...     body = scene.add([(0, 0, -z), (1, 0, z), (0, 1, z)], [(0, 1, 2)])
    >>> write_report("clash.html", scene, scene.check(), title="Two sheets")
    """
    page = report_page(scene, result, title=title, sources=sources, notes=notes, hits=hits)
    write_text(path, page)


def report_page(
    scene: Scene,
    result: Check | Collisions,
    *,
    title: str = "Collision report",
    sources: Sequence[str | PathLike[str]] = (),
    notes: Sequence[str] = (),
    hits: Collisions | None = None,
) -> str:
    """The text of the page that `write_report` writes.

    Parameters
    ----------
    scene, result, title, sources, notes, hits
        As for `write_report`.

    Returns
    -------
    str
        HTML.

    See Also
    --------
    impinge.report.write_report

    Examples
    --------
    >>> import impinge
    >>> from impinge.report import report_page
    >>> scene = impinge.Scene()
    >>> for z in (0, 1):
    ...     body = scene.add([(0, 0, -z), (1, 0, z), (0, 1, z)], [(0, 1, 2)])
    >>> report_page(scene, scene.check())[:15]
    '<!doctype html>'
    """
    files = [fspath(source) for source in sources]
    drawing = Drawing(result, up_of(files), hits=hits)
    _check(scene, drawing.hits)
    now = of_drawing(drawing, title=title, most=MOST_TRIANGLES)
    left_out = sum(not len(shape.faces) for shape in now.shapes)
    pictures = finding_pictures(drawing)
    return document(
        title,
        _header(title, files, drawing),
        _cards(scene, drawing),
        _about(drawing.result, notes),
        overview_figure(drawing, pictures, left_out=left_out),
        findings_table(drawing.findings, pictures, measured=isinstance(result, Check)),
        closeup_section(drawing, pictures),
        mesh_table(scene),
        _method(drawing),
        model=message(now),
    )


def _check(scene: Scene, hits: Collisions) -> None:
    names = tuple(body.name for body in scene.bodies)
    if names != tuple(hits.names):
        raise InputError(
            f"result: it is about {counted(len(hits.names), 'body')}, the scene has "
            f"{len(names)} or other names; give the scene that was asked"
        )


def _header(title: str, files: list[str], drawing: Drawing) -> Html:
    if drawing.clashes:
        verdict, kind = counted(len(drawing.clashes), "pair") + " of parts clash", "verdict clash"
    elif drawing.near:
        verdict, kind = "no clash, parts are too near", "verdict near"
    elif drawing.contacts:
        verdict, kind = "no clash, parts touch", "verdict touch"
    else:
        verdict, kind = "no collision", "verdict"
    when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
    about = [*files, when]
    heading = element("h1", title)
    shown = element("span", verdict, class_=kind)
    return element("header", heading, element("p", " · ".join(about)), shown)


def _cards(scene: Scene, drawing: Drawing) -> Html:
    triangles = sum(len(body.mesh.faces) for body in scene.bodies)
    counts = Counter(finding.verdict for finding in drawing.findings)
    always = (Verdict.CLASH, Verdict.CONTACT)
    cards = [
        (f"{len(scene.bodies):,}", "parts"),
        (f"{triangles:,}", "triangles"),
        *(
            (f"{counts[verdict]:,}", verdict.value)
            for verdict in Verdict
            if counts[verdict] or verdict in always
        ),
        (f"{len(drawing.hits):,}", "pairs of triangles that meet"),
    ]
    shown = [element("div", element("b", value), element("span", name)) for value, name in cards]
    return element("div", *shown, class_="cards")


def _about(result: Collisions | Check, notes: Sequence[str]) -> Html:
    """What the verdicts stand on, and what a reader should know of the parts."""
    parts = [element("p", " ".join([*about(result), *notes]), class_="about")]
    warnings = result.warnings[:MOST_WARNINGS]
    if warnings:
        left = len(result.warnings) - len(warnings)
        items = [element("li", text) for text in warnings]
        items += [element("li", f"and {left:,} more")] if left else []
        title = counted(len(result.warnings), "warning")
        listed = element("ul", *items)
        parts.append(element("details", element("summary", title), listed, class_="warnings"))
    return join(parts)


def _method(drawing: Drawing) -> Html:
    import impinge

    versions = (
        f"Impinge {impinge.__version__}, detector “{drawing.hits.method}”, core {_core.cpu}, "
        f"NumPy {np.__version__}, Python {platform.python_version()}, {platform.machine()}."
    )
    meaning = _MEANING_OF_PARTS if isinstance(drawing.result, Check) else _MEANING_OF_FACES
    return join(
        [
            element("h2", "How it was computed"),
            stage_table(drawing.hits),
            element("footer", element("p", meaning), element("p", versions)),
        ]
    )
