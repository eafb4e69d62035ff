"""The picture of a DOP tree: the DOPs of some levels around a mesh, as solids."""

import numpy as np
from numpy.typing import NDArray

from impinge import _core
from impinge.lab.pictures.lettering import label
from impinge.lab.scenes.knot import knot
from impinge.render import palette
from impinge.render.picture.camera import Camera
from impinge.render.picture.renderer import render
from impinge.render.picture.surface import Lines, Surface, drawn_mesh

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

LEVELS = (0, 2, 4, 7, 9)
PANEL = (400, 340)


def levels() -> Image:
    """The mesh, and then the DOPs of some levels, side by side."""
    scene, _ = knot(240, 24, thickness=0.42)
    vertices, faces = scene[0].vertices, scene[0].faces
    tree = _core.DopTree(vertices, faces, 24)
    camera = Camera.fit(vertices, size=PANEL, azimuth=20.0, elevation=48.0, up="z", margin=0.14)
    mesh = drawn_mesh(vertices, faces)
    panels = [render([mesh.surface(palette.BODIES[4])], [], camera)]
    label(panels[0], f"{len(faces):,} triangles", 12, 12, colour=palette.GHOST_EDGE)
    for level in LEVELS:
        nodes = nodes_at(tree, level)
        image = render(*drawn(tree, nodes), camera)
        many = "1 DOP" if level == 0 else f"{len(nodes)} DOPs"
        label(image, f"level {level}: {many}", 12, 12, colour=palette.GHOST_EDGE)
        panels.append(image)
    rows = [np.concatenate(panels[k : k + 3], axis=1) for k in (0, 3)]
    return np.concatenate(rows)


def nodes_at(tree: _core.DopTree, level: int) -> list[int]:
    """The nodes of a level, from left to right."""
    nodes = [1]
    for _ in range(level):
        nodes = [2 * tree.links[node] + side for node in nodes for side in (0, 1)]
    return nodes


def drawn(tree: _core.DopTree, nodes: list[int]) -> tuple[list[Surface], list[Lines]]:
    """Solids of the nodes and their edges; what is near in the tree is alike in colour."""
    directions = _core.dop_directions(tree.k).astype(np.float64)
    *centre, scale = tree.frame
    surfaces, lines = [], []
    for place, node in enumerate(nodes):
        outlines = [outline / scale + centre for outline in polytope(directions, tree.dops[node])]
        colour = hue(place / len(nodes))
        corners = np.concatenate([outline[fan(len(outline))] for outline in outlines])
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        colours = np.broadcast_to(np.array(colour), normals.shape)
        surfaces.append(
            Surface(corners, np.repeat(normals[:, None], 3, axis=1), colours, closed=True)
        )
        edges = [np.stack([outline, np.roll(outline, -1, axis=0)], 1) for outline in outlines]
        lines.append(Lines(np.concatenate(edges), palette.edge(colour), width=0.8))
    return surfaces, lines


def polytope(directions: Floats, dop: NDArray[np.float32]) -> list[Floats]:
    """The faces of a DOP, (n, 3) each, seen from outside against the clock."""
    outlines = []
    for i, normal in enumerate(directions):
        side = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
        up = np.cross(normal, side)
        # much larger than the frame, in which all coordinates are within one
        square = np.array([[-8, -8], [8, -8], [8, 8], [-8, 8]]) @ np.stack([side, up])
        outline = normal * dop[i] / (normal @ normal) + square
        for j, other in enumerate(directions):
            if j != i and len(outline):
                outline = below(outline, outline @ other - dop[j])
        if len(outline) > 2:
            outlines.append(outline)
    return outlines


def below(outline: Floats, height: Floats) -> Floats:
    """The part of a convex outline where the heights of its points are not above zero."""
    after, next_height = np.roll(outline, -1, axis=0), np.roll(height, -1)
    points = []
    for p, q, h, g in zip(outline, after, height, next_height, strict=True):
        if h <= 0:
            points.append(p)
        if (h < 0 < g) or (g < 0 < h):
            points.append(p + (q - p) * (h / (h - g)))
    return np.array(points).reshape(-1, 3)


def fan(count: int) -> NDArray[np.int32]:
    return np.array([[0, k, k + 1] for k in range(1, count - 1)], dtype=np.int32)


def hue(share: float) -> palette.Colour:
    """A soft colour from around the wheel."""
    turn = 2 * np.pi * (share + np.array([0.0, 1 / 3, 2 / 3]))
    red, green, blue = 0.68 + 0.2 * np.cos(turn)
    return red, green, blue
