"""Makes the pictures of the page on solids: parts cut open, what they have in common is red.

    python docs/make_solids_pictures.py [FOLDER]

Each picture is drawn only if the package says of its parts what the page says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from output_folder import output_folder

import impinge
from impinge.render import palette
from impinge.render.picture.camera import Camera
from impinge.render.picture.png import encode
from impinge.render.picture.renderer import render
from impinge.render.picture.surface import Lines, Surface, drawn_mesh

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

PANEL = (330, 250)
BLUE, AMBER = palette.BODIES[:2]
FAR = 50.0


class View(NamedTuple):
    """What is kept of the parts, and from where it is seen."""

    low: tuple[float, float, float]
    high: tuple[float, float, float]
    elevation: float


# no cut goes through a vertex
FRONT = View((-FAR, 0.017, -FAR), (FAR, FAR, FAR), 14.0)
ABOVE = View((-FAR, -FAR, -FAR), (FAR, FAR, 0.017), 66.0)


def main() -> None:
    folder = output_folder("Make the pictures of the page on solids.")
    made = {**verdicts(), **depths()}
    for name, image in made.items():
        (folder / f"{name}.png").write_bytes(encode(image))
        print(folder / f"{name}.png")


def verdicts() -> dict[str, Image]:
    """One picture for each verdict."""
    block = box((-3, -2, -2), (3, 2, 0))
    bracket = prism(square(2.4, 12), square(1.3, 12), -1.5, 1.5)
    ring = prism(circle(2.2, 8), circle(1.6, 8), -0.4, 0.4)
    cases = {
        "duplicate": (bracket, bracket),
        "inside": (box((-3, -2, -2), (3, 2, 2)), prism(circle(0.9, 24), None, -1.2, 1.2)),
        "clash": (block, prism(circle(1.1, 24), None, -1.1, 2.0)),
        "contact": (block, prism(circle(1.1, 24), None, 0.0, 2.4)),
        "facets": (ring, prism(circle(1.6, 9), None, -0.6, 0.6)),
        "near": (block, prism(circle(1.1, 24), None, 0.5, 2.4)),
    }
    images = {}
    for name, (a, b) in cases.items():
        scene = impinge.Scene()
        scene.add(a, name="a")
        scene.add(b, name="b")
        row = scene.check(clearance=1.0, facets=True)[0]
        assert name in (row.verdict.value, row.reason), name
        # in the middle, of places that are equally close
        gap = np.array([[(0, 0, 0), (0, 0, row.distance)]]) if row.distance else None
        images[f"verdict-{name}"] = drawn(a, b, gap, ABOVE if name == "facets" else FRONT)
    return images


def depths() -> dict[str, Image]:
    """From the deepest common point to the boundary that is so far away."""
    cases = {
        "wire": (box((-3, -2, -5), (3, 2, 0)), prism(circle(0.2, 12), None, -1.8, 2.0), 1.8),
        "flush": (box((-3, -2, -2), (3, 2, 0)), box((-2.2, -1.4, -0.35), (2.2, 1.4, 2)), 0.35),
        "core": (box((-2.4, -1.6, -1.6), (2.4, 1.6, 1.6)),) * 2 + (1.6,),
    }
    images = {}
    for name, (a, b, depth) in cases.items():
        found = impinge.penetration(a, b)
        assert abs(found.depth - depth) < 1e-3 * depth
        assert found.point is not None
        # in the middle, of points that are equally deep
        middle = {"wire": (0, 0, -1.8), "flush": (0.8, 0, -0.35), "core": (0, 0, 0)}[name]
        wall = {"wire": (0, 0, 0), "flush": (0.8, 0, 0), "core": (0, 0, 1.6)}[name]
        images[f"depth-{name}"] = drawn(a, b, np.array([[middle, wall]], dtype=float), FRONT)
    return images


def drawn(a: impinge.Mesh, b: impinge.Mesh, marked: Floats | None, view: View) -> Image:
    """Two parts cut open, the overlap red, and some segments (n, 2, 3)."""
    points = np.concatenate([a.vertices, b.vertices])
    camera = Camera.fit(
        points, size=PANEL, azimuth=28.0, elevation=view.elevation, up="z", margin=0.08
    )
    kept = box(view.low, view.high)
    surfaces: list[Surface] = []
    lines: list[Lines] = []
    common = impinge.overlap(a, b)
    shown = [(a, BLUE, 0.0), (b, AMBER, 0.002)]
    if len(common):
        shown.append((common, palette.CLASH, 0.02))
    for part, colour, lift in shown:
        half = impinge.overlap(part, kept)
        # a little nearer to the eye than the cuts it is part of
        shape = drawn_mesh(half.vertices + lift * camera.axes[2], half.faces)
        surfaces.append(shape.surface(colour))
        lines.append(Lines(shape.edges, palette.edge(colour), width=1.3))
    if marked is not None:
        lifted = marked + 0.04 * camera.axes[2]
        lines.append(Lines(ruler(lifted, camera), palette.CURVE, width=2.6, through=True))
    return render(surfaces, lines, camera)


def ruler(segments: Floats, camera: Camera) -> Floats:
    """Segments (n, 2, 3) with a short bar at each end, as on a technical drawing."""
    bars = []
    for start, end in segments:
        across = np.cross(end - start, camera.axes[2])
        across *= 6.0 / camera.scale / np.linalg.norm(across)
        bars += [(start, end), (start - across, start + across), (end - across, end + across)]
    return np.array(bars)


def box(low: tuple[float, ...], high: tuple[float, ...]) -> impinge.Mesh:
    (x, y, z), (u, v, w) = low, high
    return prism(np.array([(x, y), (u, y), (u, v), (x, v)]), None, z, w)


def circle(radius: float, count: int) -> Floats:
    turn = 2 * np.pi * (np.arange(count) + 0.5) / count
    return radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)


def square(half: float, count: int) -> Floats:
    """As many points as a circle has, on the sides of a square."""
    around = circle(1.0, count)
    return half * around / np.abs(around).max(axis=1, keepdims=True)


def prism(outline: Floats, hole: Floats | None, low: float, high: float) -> impinge.Mesh:
    """A polygon (n, 2) seen from above counter-clockwise, pushed up; with a hole of n points."""
    n = len(outline)
    inner = np.zeros((1, 2)) + outline.mean(axis=0) if hole is None else hole
    plan = np.concatenate([outline, inner])
    vertices = np.concatenate([np.insert(plan, 2, z, axis=1) for z in (low, high)])
    here, after, up = np.arange(n), (np.arange(n) + 1) % n, len(plan)
    outside = quads(here, after, after + up, here + up)
    if hole is None:
        lid = np.stack([here + up, after + up, np.full(n, n + up)], axis=1)
        faces = [*outside, lid, (lid - up)[:, ::-1]]
    else:
        lids = quads(here + up, after + up, after + n + up, here + n + up)
        bottom = [(each - up)[:, ::-1] for each in lids]
        faces = [
            *outside,
            *lids,
            *bottom,
            *quads(after + n, here + n, here + n + up, after + n + up),
        ]
    return impinge.Mesh(vertices, np.concatenate(faces))


def quads(
    a: NDArray[np.int64], b: NDArray[np.int64], c: NDArray[np.int64], d: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    return [np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]


if __name__ == "__main__":
    main()
