"""The pictures of a report: the whole scene, and each clash from near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from impinge.render import palette
from impinge.render.picture.camera import Camera
from impinge.render.picture.renderer import render
from impinge.render.picture.section import Section, best_section
from impinge.render.picture.surface import Lines, Shape, Surface, shape_of
from impinge.results.collisions import Kind

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes, Floats
    from impinge.results.collisions import Collisions

# a part larger than this share of the scene would hide the clashes: it is drawn as a ghost
_LARGE = 0.45


@dataclass(frozen=True)
class Model:
    """A scene made ready for drawing, with the faces and curves that clash."""

    shapes: tuple[Shape, ...]
    colours: tuple[palette.Colour, ...]
    clashing: tuple[AnyArray, ...]
    """Per body, (faces,) bool: the face crosses another."""
    segments: Floats
    crossing: AnyArray
    bodies: AnyArray
    bounds: Floats
    up: str

    @staticmethod
    def of(hits: Collisions, *, up: str) -> Model:
        """The geometry as it was when the result was found."""
        shapes = tuple(shape_of(shape.vertices, shape.faces) for shape in hits._origin.shapes)
        crossing = hits.kinds == Kind.CROSSING
        clashing = tuple(np.zeros(len(shape.corners), dtype=bool) for shape in shapes)
        for side in range(2):
            body, face = hits.bodies[crossing, side], hits.pairs[crossing, side]
            for index in np.unique(body):
                clashing[index][face[body == index]] = True
        pairs = np.unique(hits.bodies[crossing], axis=0).tolist()
        colours = tuple(palette.assign(len(shapes), [(a, b) for a, b in pairs]))
        points = [shape.corners.reshape(-1, 3) for shape in shapes if len(shape.corners)]
        ends = np.concatenate([np.zeros((0, 3)), *[[p.min(axis=0), p.max(axis=0)] for p in points]])
        bounds = np.stack([ends.min(axis=0), ends.max(axis=0)]) if len(ends) else np.zeros((2, 3))
        segments, bodies = hits.segments, hits.bodies
        return Model(shapes, colours, clashing, segments, crossing, bodies, bounds, up)

    @property
    def diagonal(self) -> float:
        return float(np.linalg.norm(self.bounds[1] - self.bounds[0]))

    def extent(self, body: int) -> float:
        """The diagonal of the box of one body."""
        corners = self.shapes[body].corners.reshape(-1, 3)
        return float(np.linalg.norm(np.ptp(corners, axis=0))) if len(corners) else 0.0

    def curve(self, a: int, b: int) -> Floats:
        """(k, 2, 3) segments in which two bodies cross."""
        rows = self.crossing & (self.bodies[:, 0] == a) & (self.bodies[:, 1] == b)
        return np.asarray(self.segments[rows])


def overview(model: Model, *, size: tuple[int, int] = (1200, 900)) -> tuple[Bytes, Camera]:
    """All bodies; what clashes is solid and red, what does not is a ghost."""
    points = np.concatenate([np.zeros((0, 3)), *[s.corners.reshape(-1, 3) for s in model.shapes]])
    camera = Camera.fit(points, size=size, up=model.up)
    surfaces: list[Surface] = []
    lines: list[Lines] = []
    shown = _shown(model)
    for body, shape in enumerate(model.shapes):
        if body in shown:
            _add_solid(surfaces, lines, shape, model.colours[body], model.clashing[body])
        else:
            involved = bool(model.clashing[body].any())
            _add_ghost(surfaces, lines, shape, model.clashing[body], 0.07 if involved else 0.05)
    lines.append(Lines(model.segments[model.crossing], palette.CURVE, width=2.4, through=True))
    if not model.crossing.any():
        lines.append(Lines(model.segments, palette.TOUCH, width=2.0, through=True))
    return render(surfaces, lines, camera), camera


def _shown(model: Model) -> set[int]:
    """Bodies that are solid: those that clash, unless they would hide clashes of smaller ones."""
    clashing = {body for body, faces in enumerate(model.clashing) if faces.any()}
    small = {body for body in clashing if model.extent(body) <= _LARGE * model.diagonal}
    return small or clashing or set(range(len(model.shapes)))


def closeup(model: Model, a: int, b: int, *, size: tuple[int, int] = (560, 420)) -> Bytes:
    """Two clashing bodies near their curves of intersection; the larger one is a ghost."""
    curve = model.curve(a, b)
    points = _grown(curve.reshape(-1, 3), share=0.5, least=0.012 * model.diagonal)
    camera = _widest(points, curve.reshape(-1, 3), size, model.up)
    small, large = sorted((a, b), key=model.extent)
    surfaces: list[Surface] = []
    lines: list[Lines] = []
    _add_solid(surfaces, lines, model.shapes[small], model.colours[small], model.clashing[small])
    if large != small:
        shape = model.shapes[large]
        clashing = model.clashing[large]
        surfaces.append(shape.surface(model.colours[large], opacity=0.2, only=~clashing))
        surfaces.append(shape.surface(palette.CLASH, opacity=0.25, only=clashing, marked=True))
        lines.append(Lines(shape.edges, palette.edge(model.colours[large]), opacity=0.45))
    lines.append(Lines(curve, palette.CURVE, width=2.6, through=True))
    return render(surfaces, lines, camera)


def section(model: Model, a: int, b: int, *, size: tuple[int, int] = (560, 420)) -> Section | None:
    """A cut through two closed clashing bodies where it shows their overlap best."""
    first, second = model.shapes[a], model.shapes[b]
    if a == b or not (first.closed and second.closed):
        return None
    curve = model.curve(a, b).reshape(-1, 3)
    points = _grown(curve, share=0.3, least=0.012 * model.diagonal)
    colours = model.colours[a], model.colours[b]
    return best_section((first, second), colours, points, curve, size=size, up=model.up)


def _add_solid(
    surfaces: list[Surface],
    lines: list[Lines],
    shape: Shape,
    colour: palette.Colour,
    clashing: AnyArray,
) -> None:
    surfaces.append(shape.surface(colour, only=~clashing))
    surfaces.append(shape.surface(palette.CLASH, only=clashing, marked=True))
    lines.append(Lines(shape.edges, palette.edge(colour)))


def _add_ghost(
    surfaces: list[Surface], lines: list[Lines], shape: Shape, clashing: AnyArray, opacity: float
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
