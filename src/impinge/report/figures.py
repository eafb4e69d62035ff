"""The pictures of the page with their captions and pins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge._text import counted
from impinge.render.about import number_text
from impinge.render.picture.png import encode
from impinge.render.picture.views import View, closeup, gap_cut, overview, section
from impinge.report.markup import Html, element, join, picture, point_text, swatch
from impinge.report.tables import badge
from impinge.results.verdict import Verdict

if TYPE_CHECKING:
    from impinge._types import Bytes, Floats
    from impinge.render.drawing import Drawing
    from impinge.render.finding import Finding
    from impinge.render.picture.camera import Camera

# findings with pictures of their own, two each
MOST_PICTURED = 20
MOST_THUMBNAILS = 100
_THUMBNAIL = (140, 105)


class FindingPicture(NamedTuple):
    """A finding from near, as a PNG file; only the first ones have a large view too."""

    thumbnail: bytes
    large: View | None


def finding_pictures(drawing: Drawing) -> dict[int, FindingPicture]:
    """Pictures of the first clashes and gaps, by their numbers."""
    result = {}
    for place, finding in enumerate([*drawing.clashes, *drawing.near][:MOST_THUMBNAILS]):
        if place < MOST_PICTURED:
            view = closeup(drawing, finding)
            made = FindingPicture(encode(_quarter(view.image)), view)
        else:
            made = FindingPicture(encode(closeup(drawing, finding, size=_THUMBNAIL).image), None)
        result[finding.number] = made
    return result


def _quarter(image: Bytes) -> Bytes:
    height, width, _ = image.shape
    tiles = image.reshape(height // 4, 4, width // 4, 4, 3)
    return np.asarray(tiles.mean(axis=(1, 3)) + 0.5).astype(np.uint8)


def overview_figure(
    drawing: Drawing, pictures: dict[int, FindingPicture], *, left_out: int = 0
) -> Html:
    """The whole scene, with a numbered pin for each finding that is shown from near.

    Where scripts run, a view to turn takes the place of the picture; `left_out` is how many parts
    are missing there.
    """
    view = overview(drawing)
    pins = _pins(drawing, view.camera, pictures)
    shown = picture(encode(view.image), alt="The scene")
    stage = element("div", shown, *pins, class_="stage poster")
    turn = " Drag to turn, scroll to zoom, press a number to fly there."
    if left_out:
        turn += f" {counted(left_out, 'part')} with many triangles can not be turned, only seen"
        turn += " in print."
    hint = element("span", turn, class_="scripted")
    host = element("div", stage, id="scene", class_="view")
    return element("figure", host, element("figcaption", _caption(drawing), hint))


def _caption(drawing: Drawing) -> str:
    if not drawing.clashes and not drawing.near:
        return "All parts; where they touch is drawn in orange."
    red = (
        "what overlaps red"
        if any(drawing.pieces(one) is not None for one in drawing.clashes)
        else "the triangles that cross red"
    )
    told = f"Parts that clash are coloured, {red}, the curves in which surfaces cross dark"
    if drawing.near:
        told = f"{told}, gaps blue" if drawing.clashes else "Parts with a gap are coloured"
    return f"{told}; all other parts, and those that would hide something, are transparent."


def _pins(drawing: Drawing, camera: Camera, pictures: dict[int, FindingPicture]) -> list[Html]:
    """Numbers over the picture, moved apart where findings lie behind each other."""
    width, height = camera.size
    step = 0.024 * width
    placed: list[Floats] = []
    large = {number for number, shown in pictures.items() if shown.large is not None}
    findings = [one for one in drawing.findings if one.number in large]
    for finding in findings:
        place = drawing.place(finding).mean(axis=0)
        spot = camera.project(place)[:2] - np.array([0.0, 0.035 * height])
        while any(np.linalg.norm(spot - other) < step for other in placed):
            spot[0] += step
        placed.append(np.clip(spot, 14.0, (width - 14.0, height - 14.0)))
    return [
        element(
            "a",
            str(finding.number),
            class_="pin" if finding.clashes else "pin near",
            href=f"#finding-{finding.number}",
            title=finding.title,
            style=_at(spot, camera),
        )
        for finding, spot in zip(findings, placed, strict=True)
    ]


def _at(spot: Floats, camera: Camera) -> str:
    """A place in a picture, whatever size it is shown in."""
    x, y = (100 * spot / np.asarray(camera.size)).tolist()
    return f"left:{x:.2f}%;top:{y:.2f}%"


def closeup_section(drawing: Drawing, pictures: dict[int, FindingPicture]) -> Html:
    """An article with pictures for each of the first clashes and gaps."""
    articles = []
    for finding in (*drawing.clashes, *drawing.near):
        shown = pictures.get(finding.number)
        if shown is not None and shown.large is not None:
            articles.append(_article(drawing, finding, shown.large))
    if not articles:
        return Html("")
    left = len(drawing.clashes) + len(drawing.near) - len(articles)
    rest = [element("p", f"and {left:,} more, without pictures")] if left else []
    return join([element("h2", "Each from near"), *articles, *rest])


def _article(drawing: Drawing, finding: Finding, view: View) -> Html:
    first, second = (
        swatch(drawing.colours[body], name)
        for body, name in zip(finding.bodies, finding.names, strict=True)
    )
    figures = _gap_figures if finding.gap is not None else _clash_figures
    return element(
        "article",
        element("h3", f"{finding.number}  ", first, " × ", second, " ", badge(finding.verdict)),
        element("div", *figures(drawing, finding, view), class_="pair"),
        element("p", _facts(finding)),
        id=f"finding-{finding.number}",
    )


def _clash_figures(drawing: Drawing, finding: Finding, view: View) -> list[Html]:
    overlaps = drawing.pieces(finding) is not None
    what = "The overlap, red" if overlaps else "The triangles that cross, red"
    figures = [_figure(view.image, f"{what}; the crossing curve, dark")]
    cut = section(drawing, finding)
    if cut is not None:
        place = 0.0 if abs(cut.position) < 1e-9 * drawing.diagonal else cut.position
        text = f"Cut at {cut.axis} = {number_text(place)}; the overlap is red"
        figures.append(_figure(cut.image, text))
    return figures


def _gap_figures(drawing: Drawing, finding: Finding, view: View) -> list[Html]:
    cut = gap_cut(drawing, finding)
    views = [(view, "Where they are closest")]
    if cut is not None:
        views.append((cut, "Cut along the gap, which is in true length"))
    assert finding.gap is not None
    width = number_text(finding.distance or 0.0)
    return [
        _figure(shown.image, text, _gap_label(finding.gap, width, shown.camera))
        for shown, text in views
    ]


def _gap_label(gap: Floats, width: str, camera: Camera) -> Html:
    """The width of a gap, beyond the right end of its dimension line."""
    ends = camera.project(gap)[:, :2]
    spot = ends[np.argmax(ends[:, 0])] + np.array([0.04 * camera.size[0], 0.0])
    return element("span", width, class_="width", style=_at(spot, camera))


def _facts(finding: Finding) -> str:
    told = []
    row, faces = finding.row, finding.faces
    if row is not None and row.surface:
        told.append("One of the parts is open: it has no inside, so there is no depth.")
    elif finding.depth:
        told.append(f"They overlap {number_text(finding.depth)} deep")
        if finding.volume is not None:
            told[-1] += f", by a volume of {number_text(finding.volume)}"
        told[-1] += "."
    if finding.verdict == Verdict.NEAR and finding.distance is not None:
        told.append(f"They are {number_text(finding.distance)} apart.")
    if faces is not None and faces.crosses:
        pairs = counted(faces.kinds["crossing"], "pair")
        told.append(f"{pairs} of triangles cross along {number_text(faces.length)} of curve.")
    where = f"around ({point_text(finding.center)})"
    if finding.gap is None:
        extent = point_text(finding.bounds[1] - finding.bounds[0], by=" × ")
        where = f"in a box of {extent} {where}"
    return " ".join([*told, f"All of it is {where}."])


def _figure(image: Bytes, caption: str, *over: Html) -> Html:
    shown = picture(encode(image), alt=caption)
    stage = element("div", shown, *over, class_="stage")
    return element("figure", stage, element("figcaption", caption))
