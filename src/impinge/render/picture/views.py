"""The pictures of a report: the whole scene, and each clash from near."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.render import palette
from impinge.render.drawing import Drawing
from impinge.render.picture.camera import Camera, check_up
from impinge.render.picture.renderer import render
from impinge.render.picture.section import Section, best_section
from impinge.render.picture.surface import DrawnMesh, Lines, Surface

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes, Floats
    from impinge.results.clashes import Clash
    from impinge.results.collisions import Collisions

# a part larger than this share of the scene would hide the clashes: it is drawn as a ghost
_LARGE = 0.45


def picture_of(hits: Collisions, *, size: tuple[int, int], up: str) -> Bytes:
    """(height, width, 3) uint8 picture of a result."""
    check_up(up)
    return overview(Drawing(hits, up), size=size)[0]


def overview(drawing: Drawing, *, size: tuple[int, int] = (1200, 900)) -> tuple[Bytes, Camera]:
    """All bodies; what clashes is solid and red, what does not is a ghost."""
    points = np.concatenate([np.zeros((0, 3)), *[s.corners.reshape(-1, 3) for s in drawing.meshes]])
    camera = Camera.fit(points, size=size, up=drawing.up)
    surfaces: list[Surface] = []
    lines: list[Lines] = []
    shown = _shown(drawing)
    for body, shape in enumerate(drawing.meshes):
        if body in shown:
            _add_solid(surfaces, lines, shape, drawing.colours[body], drawing.clashing[body])
        else:
            involved = bool(drawing.clashing[body].any())
            _add_ghost(surfaces, lines, shape, drawing.clashing[body], 0.07 if involved else 0.05)
    lines.append(
        Lines(drawing.hits.segments[drawing.crossing], palette.CURVE, width=2.4, through=True)
    )
    if not drawing.crossing.any():
        lines.append(Lines(drawing.hits.segments, palette.TOUCH, width=2.0, through=True))
    return render(surfaces, lines, camera), camera


def _shown(drawing: Drawing) -> set[int]:
    """Bodies that are solid: those that clash, unless they would hide clashes of smaller ones."""
    clashing = {body for body, faces in enumerate(drawing.clashing) if faces.any()}
    small = {body for body in clashing if drawing.extent(body) <= _LARGE * drawing.diagonal}
    return small or clashing or set(range(len(drawing.meshes)))


def closeup(drawing: Drawing, clash: Clash, *, size: tuple[int, int] = (560, 420)) -> Bytes:
    """Two clashing bodies near their curves of intersection; the larger one is a ghost."""
    curve = drawing.curve(clash)
    points = _grown(curve.reshape(-1, 3), share=0.5, least=0.012 * drawing.diagonal)
    camera = _widest(points, curve.reshape(-1, 3), size, drawing.up)
    small, large = sorted(clash.bodies, key=drawing.extent)
    surfaces: list[Surface] = []
    lines: list[Lines] = []
    _add_solid(
        surfaces, lines, drawing.meshes[small], drawing.colours[small], drawing.clashing[small]
    )
    if large != small:
        shape = drawing.meshes[large]
        clashing = drawing.clashing[large]
        surfaces.append(shape.surface(drawing.colours[large], opacity=0.2, only=~clashing))
        surfaces.append(shape.surface(palette.CLASH, opacity=0.25, only=clashing, marked=True))
        lines.append(Lines(shape.edges, palette.edge(drawing.colours[large]), opacity=0.45))
    lines.append(Lines(curve, palette.CURVE, width=2.6, through=True))
    return render(surfaces, lines, camera)


def section(
    drawing: Drawing, clash: Clash, *, size: tuple[int, int] = (560, 420)
) -> Section | None:
    """A cut through two closed clashing bodies where it shows their overlap best."""
    a, b = clash.bodies
    first, second = drawing.meshes[a], drawing.meshes[b]
    if a == b or not (first.closed and second.closed):
        return None
    curve = drawing.curve(clash).reshape(-1, 3)
    points = _grown(curve, share=0.3, least=0.012 * drawing.diagonal)
    colours = drawing.colours[a], drawing.colours[b]
    return best_section((first, second), colours, points, curve, size=size, up=drawing.up)


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


def _widest(box: Floats, curve: Floats, size: tuple[int, int], up: str) -> Camera:
    """Of a few good directions, the one in which the curve is spread most."""
    best, spread = None, -1.0
    for azimuth in (35.0, -35.0, 145.0, -145.0):
        camera = Camera.fit(box, size=size, azimuth=azimuth, elevation=28.0, up=up, margin=0.0)
        flat = camera.project(curve)[:, :2] / camera.scale
        area = float(np.linalg.det(np.cov(flat.T) + np.eye(2) * 1e-12))
        # the first direction unless another is clearly better: pictures of one scene look alike
        if area > spread * 1.25:
            best, spread = camera, area
    assert best is not None
    return best
