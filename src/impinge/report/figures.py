"""The pictures of the page with their captions and pins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge._text import counted
from impinge.render.picture.png import encode
from impinge.render.picture.views import closeup, overview, section
from impinge.report.markup import Html, element, join, number_text, picture, point_text, swatch

if TYPE_CHECKING:
    from impinge._types import Bytes, Floats
    from impinge.render.drawing import Drawing
    from impinge.render.picture.camera import Camera
    from impinge.results.clashes import Clash

# clashes with pictures of their own, two each
MOST_PICTURED = 20
MOST_THUMBNAILS = 100
_THUMBNAIL = (140, 105)


class ClashPicture(NamedTuple):
    """A clash from near, as PNG files; only the first ones have a large picture too."""

    thumbnail: bytes
    large: bytes | None


def clash_pictures(drawing: Drawing) -> list[ClashPicture]:
    """Pictures of the first clashes."""
    result = []
    for number, clash in enumerate(drawing.clashes[:MOST_THUMBNAILS]):
        if number < MOST_PICTURED:
            image = closeup(drawing, clash)
            result.append(ClashPicture(encode(_quarter(image)), encode(image)))
        else:
            result.append(ClashPicture(encode(closeup(drawing, clash, size=_THUMBNAIL)), None))
    return result


def _quarter(image: Bytes) -> Bytes:
    height, width, _ = image.shape
    tiles = image.reshape(height // 4, 4, width // 4, 4, 3)
    return np.asarray(tiles.mean(axis=(1, 3)) + 0.5).astype(np.uint8)


def overview_figure(drawing: Drawing, *, left_out: int = 0) -> Html:
    """The whole scene, with a numbered pin for each clash that is shown from near.

    Where scripts run, a view to turn takes the place of the picture; `left_out` is how many parts
    are missing there.
    """
    image, camera = overview(drawing)
    pins = _pins(drawing, camera)
    stage = element("div", picture(encode(image), alt="The scene"), *pins, class_="stage poster")
    caption = (
        "Parts that clash are coloured, the clashing triangles red, the curves in which surfaces "
        "cross dark; all other parts, and those that would hide a clash, are transparent."
        if drawing.clashes
        else "All parts; where they touch is drawn in orange."
    )
    turn = " Drag to turn, scroll to zoom, press a number to fly to its clash."
    if left_out:
        turn += f" {counted(left_out, 'part')} with many triangles can not be turned, only seen"
        turn += " in print."
    hint = element("span", turn, class_="scripted")
    view = element("div", stage, id="scene", class_="view")
    return element("figure", view, element("figcaption", caption, hint))


def _pins(drawing: Drawing, camera: Camera) -> list[Html]:
    """Numbers over the picture, moved apart where clashes lie behind each other."""
    width, height = camera.size
    step = 0.024 * width
    placed: list[Floats] = []
    clashes = drawing.clashes[:MOST_PICTURED]
    for clash in clashes:
        curve = drawing.curve(clash).reshape(-1, 3)
        spot = camera.project(curve.mean(axis=0))[:2] - np.array([0.0, 0.035 * height])
        while any(np.linalg.norm(spot - other) < step for other in placed):
            spot[0] += step
        placed.append(np.clip(spot, 14.0, (width - 14.0, height - 14.0)))
    return [
        element(
            "a",
            str(number),
            class_="pin",
            href=f"#clash-{number}",
            title=f"{clash.a} × {clash.b}",
            style=f"left:{100 * x / width:.2f}%;top:{100 * y / height:.2f}%",
        )
        for number, (clash, (x, y)) in enumerate(zip(clashes, placed, strict=True), 1)
    ]


def closeup_section(drawing: Drawing, pictures: Sequence[ClashPicture]) -> Html:
    """An article with pictures for each of the first clashes."""
    articles = []
    for number, (clash, shown) in enumerate(zip(drawing.clashes, pictures, strict=False), 1):
        if shown.large is None:
            break
        figures = [_figure(shown.large, "The crossing curve, dark")]
        cut = section(drawing, clash)
        if cut is not None:
            place = 0.0 if abs(cut.position) < 1e-9 * drawing.diagonal else cut.position
            text = f"Cut at {cut.axis} = {number_text(place)}; the overlap is red"
            figures.append(_figure(encode(cut.image), text))
        articles.append(_article(drawing, number, clash, figures))
    if not articles:
        return Html("")
    left = len(drawing.clashes) - len(articles)
    rest = [element("p", f"and {left:,} more, without pictures")] if left else []
    return join([element("h2", "Each clash from near"), *articles, *rest])


def _article(drawing: Drawing, number: int, clash: Clash, figures: list[Html]) -> Html:
    first, second = (
        swatch(drawing.colours[body], name)
        for body, name in zip(clash.bodies, (clash.a, clash.b), strict=True)
    )
    extent = point_text(clash.bounds[1] - clash.bounds[0], by=" × ")
    facts = (
        f"{counted(clash.kinds['crossing'], 'pair')} of triangles cross along "
        f"{number_text(clash.length)} units of curve, in a box of {extent} "
        f"around ({point_text(clash.center)})."
    )
    return element(
        "article",
        element("h3", f"{number}  ", first, " × ", second),
        element("div", *figures, class_="pair"),
        element("p", facts),
        id=f"clash-{number}",
    )


def _figure(png: bytes, caption: str) -> Html:
    return element("figure", picture(png, alt=caption), element("figcaption", caption))
