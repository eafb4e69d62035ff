"""The pictures of a report: the whole scene, and each finding from near."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.render import palette
from impinge.render.drawing import Drawing
from impinge.render.picture.camera import UP_AXES, Camera, check_up
from impinge.render.picture.renderer import render
from impinge.render.picture.section import Section, best_section, gap_section
from impinge.render.picture.surface import DrawnMesh, Lines, Surface

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes, Floats
    from impinge.render.finding import Finding
    from impinge.results.check import Check
    from impinge.results.collisions import Collisions

# of a dimension line: half a bar at its ends, and how far it goes on beyond them [pixels]
_BAR, _BEYOND = 5.0, 16.0
# the height of a cut along a gap, in widths of the gap
_GAP_ROOM = 7.0


class View(NamedTuple):
    """A picture, (height, width, 3) uint8, and the camera that took it."""

    image: Bytes
    camera: Camera


def picture_of(result: Collisions | Check, *, size: tuple[int, int], up: str) -> Bytes:
    """(height, width, 3) uint8 picture of a result."""
    check_up(up)
    return overview(Drawing(result, up), size=size).image


def overview(drawing: Drawing, *, size: tuple[int, int] = (1200, 900)) -> View:
    """The bodies; only what overlaps is red, what does not clash is a ghost."""
    framed = [drawing.meshes[body].corners.reshape(-1, 3) for body in drawing.focus]
    camera = Camera.fit(np.concatenate([np.zeros((0, 3)), *framed]), size=size, up=drawing.up)
    surfaces: list[Surface] = []
    lines: list[Lines] = []
    involved = {body for one in drawing.clashes for body in one.bodies}
    for body, shape in enumerate(drawing.meshes):
        crossing = drawing.crossing_faces[body]
        if body in drawing.solid:
            _add_solid(surfaces, lines, shape, drawing.colours[body], crossing)
        else:
            _add_ghost(surfaces, lines, shape, crossing, 0.07 if body in involved else 0.05)
    for finding in drawing.clashes:
        _add_marks(surfaces, lines, drawing, finding)
    if not drawing.clashes and not drawing.near:
        rows = np.concatenate([np.zeros(0, dtype=int), *[one.rows for one in drawing.contacts]])
        lines.append(Lines(drawing.hits.segments[rows], palette.TOUCH, width=2.0, through=True))
    lines += [dimension_line(one.gap, camera) for one in drawing.near if one.gap is not None]
    return View(render(surfaces, lines, camera), camera)


def closeup(drawing: Drawing, finding: Finding, *, size: tuple[int, int] = (560, 420)) -> View:
    """Two bodies near their overlap or their gap; the larger one is a ghost."""
    if finding.gap is not None:
        return _around_gap(drawing, finding, finding.gap, size)
    place = drawing.place(finding)
    points = _grown(place, share=0.5, least=0.012 * drawing.span)
    camera = _widest(points, place, size, drawing.up)
    small, large = sorted(finding.bodies, key=drawing.extent)
    surfaces: list[Surface] = []
    lines: list[Lines] = []
    masks = [_only(drawing, finding, body) for body in (small, large)]
    _add_solid(surfaces, lines, drawing.meshes[small], drawing.colours[small], masks[0])
    if large != small:
        shape = drawing.meshes[large]
        surfaces.append(shape.surface(drawing.colours[large], opacity=0.2, only=~masks[1]))
        surfaces.append(shape.surface(palette.CLASH, opacity=0.25, only=masks[1], marked=True))
        lines.append(Lines(shape.edges, palette.edge(drawing.colours[large]), opacity=0.45))
    _add_marks(surfaces, lines, drawing, finding)
    return View(render(surfaces, lines, camera), camera)


def _around_gap(drawing: Drawing, finding: Finding, gap: Floats, size: tuple[int, int]) -> View:
    """Both bodies seen through, since a gap is often inside of one."""
    camera = _widest(_grown(gap, share=1.5, least=0.06 * drawing.span), gap, size, drawing.up)
    surfaces: list[Surface] = []
    lines: list[Lines] = []
    for body in finding.bodies:
        shape, colour = drawing.meshes[body], drawing.colours[body]
        surfaces.append(shape.surface(colour, opacity=0.25))
        lines.append(Lines(shape.edges, palette.edge(colour), opacity=0.45))
    lines.append(dimension_line(gap, camera))
    return View(render(surfaces, lines, camera), camera)


def gap_cut(
    drawing: Drawing, finding: Finding, *, size: tuple[int, int] = (560, 420)
) -> View | None:
    """A cut along the gap of two closed bodies, with its dimension line in true length."""
    gap = finding.gap
    if gap is None or finding.row is None or finding.row.surface:
        return None
    axes = _across(gap[1] - gap[0], drawing.up)
    wide = _GAP_ROOM * max(float(np.linalg.norm(gap[1] - gap[0])), 1e-6 * drawing.diagonal)
    camera = Camera(axes, gap.mean(axis=0), min(size) / wide, size)
    a, b = finding.bodies
    shapes = drawing.meshes[a], drawing.meshes[b]
    colours = drawing.colours[a], drawing.colours[b]
    return View(gap_section(shapes, colours, camera, dimension_line(gap, camera)), camera)


def _across(gap: Floats, up: str) -> Floats:
    """(3, 3) axes of a camera that looks along the axis of the model most square to a gap."""
    unit = gap / (np.linalg.norm(gap) or 1.0)
    toward = np.eye(3)[int(np.argmin(np.abs(unit)))]
    toward = toward - (toward @ unit) * unit
    toward /= np.linalg.norm(toward)
    vertical = np.asarray(UP_AXES[up])
    if abs(vertical @ toward) > 0.9:
        vertical = np.array([1.0, 0.0, 0.0])
    right = np.cross(vertical, toward)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(toward, right), toward])


def _only(drawing: Drawing, finding: Finding, body: int) -> AnyArray:
    """(faces,) those that cross, where no more than that is known of these two bodies."""
    mask = np.zeros(len(drawing.shapes[body].faces), dtype=bool)
    if finding.clashes and drawing.pieces(finding) is None:
        for one, faces in zip(finding.bodies, drawing.faces(finding).T, strict=True):
            if one == body:
                mask[faces] = True
    return mask


def section(
    drawing: Drawing, finding: Finding, *, size: tuple[int, int] = (560, 420)
) -> Section | None:
    """A cut through two closed clashing bodies where it shows their overlap best."""
    a, b = finding.bodies
    first, second = drawing.meshes[a], drawing.meshes[b]
    solids = first.closed and second.closed if finding.row is None else not finding.row.surface
    if a == b or not solids:
        return None
    place = drawing.place(finding)
    points = _grown(place, share=0.3, least=0.012 * drawing.span)
    colours = drawing.colours[a], drawing.colours[b]
    return best_section((first, second), colours, points, place, size=size, up=drawing.up)


def dimension_line(gap: Floats, camera: Camera) -> Lines:
    """Between two points (2, 3): a bar at both ends, and tails that show a short one too."""
    flat = (gap[1] - gap[0]) @ camera.axes[:2].T
    length = float(np.linalg.norm(flat))
    along = flat / length if length * camera.scale > 1e-3 else np.array([1.0, 0.0])
    forth, aside = (v @ camera.axes[:2] / camera.scale for v in (along, along[::-1] * (-1.0, 1.0)))
    bars = [[end - _BAR * aside, end + _BAR * aside] for end in gap]
    tails = [[gap[0] - _BEYOND * forth, gap[0]], [gap[1], gap[1] + _BEYOND * forth]]
    segments = np.array([[gap[0], gap[1]], *bars, *tails])
    return Lines(segments, palette.NEAR, width=2.0, through=True)


def _add_marks(
    surfaces: list[Surface], lines: list[Lines], drawing: Drawing, finding: Finding
) -> None:
    """The overlap red, seen through all that hides it, and the curve in which surfaces cross."""
    pieces = drawing.pieces(finding)
    if pieces is not None:
        surfaces.append(Surface.flat(pieces.corners, palette.CLASH, through=True))
    lines.append(Lines(drawing.curve(finding), palette.CURVE, width=2.4, through=True))


def _add_solid(
    surfaces: list[Surface],
    lines: list[Lines],
    shape: DrawnMesh,
    colour: palette.Colour,
    clashing: AnyArray,
) -> None:
    surfaces.append(shape.surface(colour, only=~clashing))
    surfaces.append(shape.surface(palette.CLASH, only=clashing, marked=True))
    lines.append(Lines(shape.edges, palette.edge(colour)))


def _add_ghost(
    surfaces: list[Surface],
    lines: list[Lines],
    shape: DrawnMesh,
    clashing: AnyArray,
    opacity: float,
) -> None:
    surfaces.append(shape.surface(palette.GHOST, opacity=opacity, only=~clashing))
    surfaces.append(shape.surface(palette.CLASH, opacity=0.25, only=clashing, marked=True))
    lines.append(Lines(shape.edges, palette.GHOST_EDGE, opacity=0.22))


def _grown(points: Floats, *, share: float, least: float) -> Floats:
    """(8, 3) corners of the box of points, larger by a share of its diagonal."""
    low, high = points.min(axis=0), points.max(axis=0)
    by = max(share * float(np.linalg.norm(high - low)), least)
    ends = np.stack([low - by, high + by])
    return np.stack(np.meshgrid(*ends.T, indexing="ij"), axis=-1).reshape(-1, 3)


def _widest(box: Floats, place: Floats, size: tuple[int, int], up: str) -> Camera:
    """Of a few good directions, the one in which what is to be seen is spread most."""
    best, spread = None, -1.0
    # in sizes of the box, so that areas neither overflow nor vanish
    extent = float(np.ptp(box, axis=0).max()) or 1.0
    least = np.eye(2) * 1e-4**2
    for azimuth in (35.0, -35.0, 145.0, -145.0):
        camera = Camera.fit(box, size=size, azimuth=azimuth, elevation=28.0, up=up, margin=0.0)
        flat = camera.project(place)[:, :2] / camera.scale / extent
        area = float(np.linalg.det(np.cov(flat.T) + least))
        # the first direction unless another is clearly better: pictures of one scene look alike
        if area > spread * 1.25:
            best, spread = camera, area
    assert best is not None
    return best
