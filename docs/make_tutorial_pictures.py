"""Makes the pictures of the tutorials, of what their own snippets compute.

python docs/make_tutorial_pictures.py [FOLDER]
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import tutorial_pages
from numpy.typing import NDArray
from output_folder import output_folder

import impinge
from impinge.render import palette
from impinge.render.picture.camera import Camera
from impinge.render.picture.png import encode
from impinge.render.picture.renderer import render
from impinge.render.picture.surface import Lines, drawn_mesh
from impinge.respond import penalty_forces

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

SIZE = (820, 510)
FREE, BLOCKED = palette.BODIES[0], palette.CLASH
POSES_SHOWN = 60


def main() -> None:
    folder = output_folder("Make the pictures of the tutorials.")
    for name, image in pictures():
        (folder / f"tutorial-{name}.png").write_bytes(encode(image))
        print(folder / f"tutorial-{name}.png")


def pictures() -> Iterator[tuple[str, Image]]:
    notebook = computed("notebook.md")
    yield "ring", notebook["hits"].to_image(size=SIZE)
    yield "eight", notebook["crossings"].to_image(size=SIZE)
    robot = computed("robot.md")
    yield "poses", poses(robot)
    yield "arm", arm(robot["hits"])
    cloth = computed("cloth.md")
    yield "rolled", cloth["hits"].to_image(size=SIZE)
    yield "draped", draped(cloth)


def computed(page: str) -> dict[str, Any]:
    """The names that a page defines."""
    names: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        for _ in tutorial_pages.run(f"tutorials/{page}", Path(folder), names):
            pass
    return names


def poses(names: dict[str, Any]) -> Image:
    """The shelf, and the gripper in the first poses: free or blocked."""
    shelf, gripper = names["shelf"], names["gripper"]
    meshes = [drawn_mesh(shelf.vertices, shelf.faces)]
    colours = [palette.BODIES[4]]
    for pose, blocked in zip(names["poses"], names["blocked"][:POSES_SHOWN], strict=False):
        points = gripper.vertices @ pose[:3, :3].T + pose[:3, 3]
        meshes.append(drawn_mesh(points, gripper.faces))
        colours.append(BLOCKED if blocked else FREE)
    corners = np.concatenate([mesh.corners.reshape(-1, 3) for mesh in meshes])
    camera = Camera.fit(corners, size=SIZE, azimuth=25.0, elevation=22.0, up="z")
    drawn = list(zip(meshes, colours, strict=True))
    surfaces = [mesh.surface(colour) for mesh, colour in drawn]
    lines = [Lines(mesh.edges, palette.edge(colour)) for mesh, colour in drawn]
    return render(surfaces, lines, camera)


def arm(hits: impinge.Collisions) -> Image:
    """The robot where it hits the shelf; the floor is left out."""
    surfaces, lines, corners = [], [], []
    crossing = hits._crossing_faces()
    for body, shape in enumerate(hits._origin.shapes):
        if hits.names[body] == "floor":
            continue
        mesh, colour = drawn_mesh(shape.vertices, shape.faces), palette.BODIES[body]
        surfaces += [
            mesh.surface(colour, only=~crossing[body]),
            mesh.surface(BLOCKED, only=crossing[body], marked=True),
        ]
        lines.append(Lines(mesh.edges, palette.edge(colour)))
        corners.append(mesh.corners.reshape(-1, 3))
    lines.append(Lines(hits.segments, palette.CURVE, width=2.4, through=True))
    camera = Camera.fit(np.concatenate(corners), size=SIZE, azimuth=-60.0, elevation=18.0, up="z")
    return render(surfaces, lines, camera)


def draped(names: dict[str, Any]) -> Image:
    """The cloth on the ball, and the forces on its vertices."""
    cloth, contacts = names["cloth"], names["contacts"]
    force = penalty_forces(contacts, stiffness=20.0).bodies[0]
    points = cloth.world_vertices
    held = np.flatnonzero(np.linalg.norm(force, axis=1) > 1e-4)
    longest = float(np.linalg.norm(force[held], axis=1).max())
    arrows = np.stack([points[held], points[held] + force[held] * (0.35 / longest)], axis=1)
    mesh = drawn_mesh(points, cloth.faces)
    camera = Camera.fit(
        np.concatenate([points, arrows.reshape(-1, 3)]), size=SIZE, elevation=20.0, up="z"
    )
    lines = [
        Lines(mesh.edges, palette.edge(FREE)),
        Lines(arrows, palette.TOUCH, width=1.8),
    ]
    return render([mesh.surface(FREE)], lines, camera)


if __name__ == "__main__":
    main()
