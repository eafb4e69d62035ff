"""The tables of the page: what was found, the state of the meshes, what the query did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from impinge.render.about import number_text
from impinge.report.markup import Html, element, join, picture, point_text, table, valued
from impinge.results.verdict import Verdict

if TYPE_CHECKING:
    from impinge.render.finding import Finding
    from impinge.report.figures import FindingPicture
    from impinge.results.collisions import Collisions
    from impinge.results.mesh_report import MeshReport
    from impinge.scene import Scene

MOST_ROWS = 500


def findings_table(
    findings: Sequence[Finding], pictures: dict[int, FindingPicture], *, measured: bool
) -> Html:
    """All that was found, clashes first; where nothing was measured, the faces that meet."""
    if not findings:
        return Html("")
    by_faces = ["#curve length", "#size"]
    measures = ["#depth", "#volume", "#distance", "reason"] if measured else by_faces
    columns = ["##", "", "verdict", "part", "part", *measures, "#triangle pairs", "#where"]
    shown = findings[:MOST_ROWS]
    rows = [_row(finding, pictures.get(finding.number), measured) for finding in shown]
    hint = element("p", "A row leads into the view above; a heading sorts.", class_="scripted")
    numbers = [finding.number for finding in shown]
    return join(
        [
            element("h2", "What was found"),
            hint,
            table(columns, rows, findings=numbers),
            more(findings),
        ]
    )


def _row(finding: Finding, shown: FindingPicture | None, measured: bool) -> list[str]:
    number = str(finding.number)
    linked = shown is not None and shown.large is not None
    return [
        element("a", number, href=f"#finding-{number}") if linked else number,
        "" if shown is None else picture(shown.thumbnail, alt=""),
        badge(finding.verdict),
        finding.names[0],
        "(itself)" if finding.bodies[0] == finding.bodies[1] else finding.names[1],
        *(_measures(finding) if measured else _by_faces(finding)),
        "" if finding.faces is None else f"{finding.faces.pairs:,}",
        point_text(finding.center),
    ]


def _measures(finding: Finding) -> list[str]:
    row = finding.row
    if row is None:
        return [""] * 4
    if row.distance > 0:
        return ["", "", _measure(row.distance), row.reason or ""]
    depth = "unknown" if row.depth is None else _measure(row.depth)
    why = "open part" if row.surface else row.reason or ""
    return [depth, "" if row.volume is None else _measure(row.volume), "", why]


def _by_faces(finding: Finding) -> list[str]:
    size = finding.bounds[1] - finding.bounds[0]
    faces = finding.faces
    length = number_text(faces.length) if faces is not None and faces.crosses else ""
    return [length, valued(point_text(size, by=" × "), float((size @ size) ** 0.5))]


def badge(verdict: Verdict) -> Html:
    return element("span", verdict.value, class_=f"tag {verdict.value}")


def _measure(value: float) -> Html:
    return valued(number_text(value), value)


def mesh_table(scene: Scene) -> Html:
    """The state of each mesh."""
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
    return element("details", element("summary", title), table(columns, rows), more(scene.bodies))


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


def stage_table(hits: Collisions) -> Html:
    """Times and counters of the query for faces that meet."""
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
    return table(columns, rows)


def more(rows: Sequence[object]) -> Html:
    """How many there are beyond those that a table has."""
    left = len(rows) - MOST_ROWS
    return element("p", f"and {left:,} more") if left > 0 else Html("")
