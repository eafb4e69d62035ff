"""The report page: what clashes, what touches, pictures, the state of the meshes, the method."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import datetime
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge._text import counted
from impinge.errors import InputError
from impinge.render.drawing import Drawing
from impinge.render.page.snapshot import message, of_drawing
from impinge.render.picture.camera import up_of
from impinge.report.figures import (
    MOST_PICTURED,
    ClashPicture,
    clash_pictures,
    closeup_section,
    overview_figure,
)
from impinge.report.markup import (
    Html,
    document,
    element,
    join,
    number_text,
    picture,
    point_text,
    table,
    valued,
)
from impinge.results.clashes import Clash

if TYPE_CHECKING:
    from impinge.results.collisions import Collisions
    from impinge.results.mesh_report import MeshReport
    from impinge.scene import Scene

MOST_ROWS = 500
# a million of them would make a file of 15 MB
MOST_TRIANGLES = 400_000


def write_report(
    path: str | PathLike[str],
    scene: Scene,
    hits: Collisions,
    *,
    title: str = "Collision report",
    sources: Sequence[str | PathLike[str]] = (),
) -> None:
    """Write one self-contained HTML page about a result.

    It has a 3D view, pictures and cuts of every clash, and opens without a network.

    Parameters
    ----------
    path : str or path
        The file to write.
    scene : Scene
        The scene that was asked, as it was then.
    hits : Collisions
        The answer of `scene.collide()`.
    title : str, optional
        Title of the page.
    sources : sequence of str or path, optional
        The files that the scene came from, to be named on the page.

    See Also
    --------
    impinge.Collisions.show : Look at a result without a report.

    Examples
    --------
    >>> import impinge
    >>> from impinge.report import write_report
    >>> scene = impinge.Scene()
    >>> for z in (0, 1):
    ...     body = scene.add([(0, 0, -z), (1, 0, z), (0, 1, z)], [(0, 1, 2)])
    >>> write_report("clash.html", scene, scene.collide(), title="Two sheets")
    """
    Path(path).write_text(report_page(scene, hits, title=title, sources=sources), encoding="utf-8")


def report_page(
    scene: Scene,
    hits: Collisions,
    *,
    title: str = "Collision report",
    sources: Sequence[str | PathLike[str]] = (),
) -> str:
    """The text of the page that `write_report` writes.

    Parameters
    ----------
    scene, hits, title, sources
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
    >>> report_page(scene, scene.collide())[:15]
    '<!doctype html>'
    """
    files = [fspath(source) for source in sources]
    drawing = Drawing(hits, up_of(files))
    _check(scene, hits)
    clashes, contacts = drawing.clashes, drawing.contacts
    now = of_drawing(drawing, title=title, most=MOST_TRIANGLES)
    left_out = sum(not len(shape.faces) for shape in now.shapes)
    pictures = clash_pictures(drawing)
    return document(
        title,
        _header(title, files, clashes, contacts),
        _cards(scene, hits, clashes, contacts),
        overview_figure(drawing, left_out=left_out),
        _clash_table(clashes, pictures),
        closeup_section(drawing, pictures),
        _contact_table(contacts, len(clashes)),
        _mesh_table(scene),
        _method(hits),
        model=message(now),
    )


def _check(scene: Scene, hits: Collisions) -> None:
    names = tuple(body.name for body in scene.bodies)
    if names != tuple(hits.names):
        raise InputError(
            f"hits: the result is about {counted(len(hits.names), 'body')}, the scene has "
            f"{len(names)} or other names; give the scene that was asked"
        )


def _header(title: str, files: list[str], clashes: list[Clash], contacts: list[Clash]) -> Html:
    if clashes:
        verdict, kind = counted(len(clashes), "pair") + " of parts clash", "verdict clash"
    elif contacts:
        verdict, kind = "no clash, parts touch", "verdict touch"
    else:
        verdict, kind = "no collision", "verdict"
    when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
    about = [*files, when]
    heading = element("h1", title)
    badge = element("span", verdict, class_=kind)
    return element("header", heading, element("p", " · ".join(about)), badge)


def _cards(scene: Scene, hits: Collisions, clashes: list[Clash], contacts: list[Clash]) -> Html:
    triangles = sum(len(body.mesh.faces) for body in scene.bodies)
    cards = [
        (f"{len(scene.bodies):,}", "parts"),
        (f"{triangles:,}", "triangles"),
        (f"{len(clashes):,}", "pairs of parts that clash"),
        (f"{len(contacts):,}", "pairs that only touch"),
        (f"{len(hits):,}", "pairs of triangles"),
        (f"{hits.stats.seconds * 1e3:.3g} ms", "to find them"),
    ]
    shown = [element("div", element("b", value), element("span", name)) for value, name in cards]
    return element("div", *shown, class_="cards")


def _clash_table(clashes: list[Clash], pictures: list[ClashPicture]) -> Html:
    if not clashes:
        return Html("")
    columns = ["##", "", "part", "part", "#triangle pairs", "#curve length", "#size", "#where"]
    rows = [
        [
            _linked(number),
            picture(pictures[number - 1].thumbnail, alt="") if number <= len(pictures) else "",
            clash.a,
            clash.b,
            f"{clash.kinds['crossing']:,}",
            number_text(clash.length),
            _size(clash),
            point_text(clash.center),
        ]
        for number, clash in enumerate(clashes[:MOST_ROWS], 1)
    ]
    numbers = range(1, len(rows) + 1)
    hint = element("p", "A row leads into the view above; a heading sorts.", class_="scripted")
    shown = table(columns, rows, clashes=numbers)
    return join([element("h2", "Clashes"), hint, shown, _more(clashes)])


def _size(clash: Clash) -> Html:
    return valued(point_text(clash.bounds[1] - clash.bounds[0], by=" × "), clash.size)


def _linked(number: int) -> str:
    """The number of a clash, leading to its pictures where there are some."""
    return (
        element("a", str(number), href=f"#clash-{number}")
        if number <= MOST_PICTURED
        else str(number)
    )


def _contact_table(contacts: list[Clash], before: int) -> Html:
    if not contacts:
        return Html("")
    columns = ["##", "part", "part", "#coplanar", "#along a segment", "#in a point", "#size"]
    columns.append("#where")
    rows = [
        [
            str(number),
            contact.a,
            contact.b,
            *(f"{contact.kinds[kind]:,}" for kind in ("coplanar", "segment", "point")),
            _size(contact),
            point_text(contact.center),
        ]
        for number, contact in enumerate(contacts[:MOST_ROWS], before + 1)
    ]
    numbers = range(before + 1, before + len(rows) + 1)
    title = f"Contacts that only touch ({len(contacts):,})"
    shown = table(columns, rows, clashes=numbers)
    return element("details", element("summary", title), shown, _more(contacts))


def _mesh_table(scene: Scene) -> Html:
    columns = ["part", "#triangles", "#vertices", "#shells", "closed", "#volume", "remarks"]
    rows = []
    reports: dict[int, MeshReport] = {}
    for body in scene.bodies[:MOST_ROWS]:
        report = reports.setdefault(id(body.mesh), body.mesh.report())
        rows.append(
            [
                body.name,
                f"{report.faces:,}",
                f"{report.vertices:,}",
                f"{report.components:,}",
                "yes" if report.closed else "no",
                "" if report.volume is None else number_text(report.volume),
                ", ".join(_remarks(report)),
            ]
        )
    title = f"The meshes ({len(scene.bodies):,})"
    return element("details", element("summary", title), table(columns, rows), _more(scene.bodies))


def _remarks(report: MeshReport) -> list[str]:
    nouns = {
        "open_edges": "open edge",
        "nonmanifold_edges": "edge used more than twice",
        "flipped_edges": "edge used twice in one direction",
        "flipped_components": "shell turned inside out",
        "degenerate_faces": "degenerate face",
        "duplicate_faces": "duplicate face",
        "unused_vertices": "unused vertex",
    }
    counts = {name: int(getattr(report, name)) for name in nouns}
    return [f"{count:,} × {nouns[name]}" for name, count in counts.items() if count]


def _method(hits: Collisions) -> Html:
    import impinge

    columns = ["stage", "#time", "counters"]
    rows = [
        [
            stage.name,
            "" if stage.seconds is None else f"{stage.seconds * 1e3:.3f} ms",
            ", ".join(
                f"{name.replace('_', ' ')} {value:,}" for name, value in stage.counters.items()
            ),
        ]
        for stage in hits.stats.stages
    ]
    versions = (
        f"Impinge {impinge.__version__}, detector “{hits.method}”, core {_core.cpu}, "
        f"NumPy {np.__version__}, Python {platform.python_version()}, {platform.machine()}."
    )
    meaning = (
        "A clash is a pair of parts with triangles that cross: each has vertices strictly on both "
        "sides of the other. Touching parts share points only. Both are decided exactly for the "
        "float64 coordinates; lengths and places are rounded and in the units of the file."
    )
    return join(
        [
            element("h2", "How it was computed"),
            table(columns, rows),
            element("footer", element("p", meaning), element("p", versions)),
        ]
    )


def _more(rows: Sequence[object]) -> Html:
    left = len(rows) - MOST_ROWS
    return element("p", f"and {left:,} more") if left > 0 else Html("")
