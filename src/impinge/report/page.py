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
from impinge.contacts.clashes import Clash, clashes_of
from impinge.errors import InputError
from impinge.report.figures import MOST_PICTURED, closeup_section, overview_figure
from impinge.report.markup import Html, document, element, join, number_text, point_text, table
from impinge.report.views import Model

if TYPE_CHECKING:
    from impinge._mesh_report import MeshReport
    from impinge.result import Collisions
    from impinge.scene import Scene

MOST_ROWS = 500
# formats in which y is up; in all others z is
_Y_UP = (".glb", ".gltf")


def write_report(
    path: str | PathLike[str],
    scene: Scene,
    hits: Collisions,
    *,
    title: str = "Collision report",
    sources: Sequence[str | PathLike[str]] = (),
) -> None:
    """Write one self-contained HTML file about `hits`, the answer of `scene.collide()`.

    `scene` must still be as it was when it was asked. `sources` are the files it came from.
    """
    Path(path).write_text(report_page(scene, hits, title=title, sources=sources), encoding="utf-8")


def report_page(
    scene: Scene,
    hits: Collisions,
    *,
    title: str = "Collision report",
    sources: Sequence[str | PathLike[str]] = (),
) -> str:
    """The text of that file."""
    _check(scene, hits)
    files = [fspath(source) for source in sources]
    y_up = any(Path(file).suffix.lower() in _Y_UP for file in files)
    model = Model.of(scene, hits, up="y" if y_up else "z")
    found = clashes_of(hits)
    clashes = [clash for clash in found if clash.crosses]
    contacts = [clash for clash in found if not clash.crosses]
    return document(
        title,
        _header(title, files, clashes, contacts),
        _cards(scene, hits, clashes, contacts),
        overview_figure(model, clashes, hits.names),
        _clash_table(clashes),
        closeup_section(model, clashes, hits.names),
        _contact_table(contacts),
        _mesh_table(scene),
        _method(hits),
    )


def _check(scene: Scene, hits: Collisions) -> None:
    if hits.pose is not None:
        raise InputError(
            "hits: a report shows one pose, this result has many; "
            "set the pose of the body and ask scene.collide()"
        )
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


def _clash_table(clashes: list[Clash]) -> Html:
    if not clashes:
        return Html("")
    columns = ["#", "part", "part", "#triangle pairs", "#curve length", "#size", "#where"]
    rows = [
        [
            _linked(number),
            clash.a,
            clash.b,
            f"{clash.kinds['crossing']:,}",
            number_text(clash.length),
            point_text(clash.bounds[1] - clash.bounds[0], by=" × "),
            point_text(clash.center),
        ]
        for number, clash in enumerate(clashes[:MOST_ROWS], 1)
    ]
    return join([element("h2", "Clashes"), table(columns, rows), _more(clashes)])


def _linked(number: int) -> str:
    """The number of a clash, leading to its pictures where there are some."""
    return (
        element("a", str(number), href=f"#clash-{number}")
        if number <= MOST_PICTURED
        else str(number)
    )


def _contact_table(contacts: list[Clash]) -> Html:
    if not contacts:
        return Html("")
    columns = ["part", "part", "#coplanar", "#along a segment", "#in a point", "#size", "#where"]
    rows = [
        [
            contact.a,
            contact.b,
            *(f"{contact.kinds[kind]:,}" for kind in ("coplanar", "segment", "point")),
            point_text(contact.bounds[1] - contact.bounds[0], by=" × "),
            point_text(contact.center),
        ]
        for contact in contacts[:MOST_ROWS]
    ]
    title = f"Contacts that only touch ({len(contacts):,})"
    return element("details", element("summary", title), table(columns, rows), _more(contacts))


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
