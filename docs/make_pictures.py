"""Makes the pictures of the README and of the documentation.

    python docs/make_pictures.py [FOLDER]

All of them come from the package itself: its assembly, its answers, its renderer.
"""

import numpy as np
from dop_levels import levels
from numpy.typing import NDArray
from output_folder import output_folder

import impinge
from impinge import data
from impinge.lab import scenes
from impinge.lab.demos import animation
from impinge.lab.demos.registry import find
from impinge.lab.pictures import passes_picture
from impinge.lab.pictures.layers import look
from impinge.lab.pictures.layers_picture import picture
from impinge.render import palette
from impinge.render.drawing import Drawing
from impinge.render.picture.camera import Camera
from impinge.render.picture.png import encode
from impinge.render.picture.renderer import render
from impinge.render.picture.surface import Lines, Surface, drawn_mesh
from impinge.render.picture.views import closeup, overview, section

Points = list[tuple[float, float, float]]
Image = NDArray[np.uint8]

PANEL = (330, 250)
BLUE, AMBER = palette.BODIES[:2]
GROUND: Points = [(-1.0, -0.9, 0.0), (1.3, -0.6, 0.0), (-0.2, 1.2, 0.0)]

# how two triangles of different bodies can meet
KINDS: dict[str, tuple[Points, impinge.Kind]] = {
    "crossing": ([(-0.5, 0.2, -0.6), (0.7, -0.1, -0.5), (0.1, 0.0, 1.1)], impinge.Kind.CROSSING),
    "point": ([(0.0, 0.0, 0.0), (0.7, -0.3, 1.0), (-0.4, 0.5, 1.0)], impinge.Kind.POINT),
    "segment": ([(-0.5, -0.3, 0.0), (0.5, 0.1, 0.0), (-0.1, 0.3, 1.0)], impinge.Kind.SEGMENT),
    "coplanar": ([(-0.4, -0.2, 0.0), (1.6, -0.1, 0.0), (1.0, 1.2, 0.0)], impinge.Kind.COPLANAR),
}

# how two triangles of one body that share vertices can meet: points, faces, whether reported
CORNER: Points = [(-1.0, -0.9, 0.0), (1.0, -0.9, 0.0), (0.0, 1.0, 0.0)]
NEIGHBOURS: dict[str, tuple[Points, list[list[int]], bool]] = {
    "one-shared-clean": (
        [*CORNER, (-0.9, 1.2, 1.0), (0.9, 1.4, 0.7)],
        [[0, 1, 2], [2, 3, 4]],
        False,
    ),
    "one-shared-through": (
        [*CORNER, (-0.7, -0.5, 0.8), (0.5, -0.7, -0.8)],
        [[0, 1, 2], [2, 3, 4]],
        True,
    ),
    "two-shared-clean": ([*CORNER, (1.5, 0.9, 0.9)], [[0, 1, 2], [2, 1, 3]], False),
    "two-shared-fold": ([*CORNER, (-0.7, 0.5, 0.0)], [[0, 1, 2], [1, 2, 3]], True),
}


def main() -> None:
    folder = output_folder("Make the pictures of the documentation.")
    made = {
        **gearbox(),
        **kinds(),
        **neighbours(),
        **layers(),
        **passes(),
        **demos(),
        "dop-levels": levels(),
    }
    for name, image in made.items():
        (folder / f"{name}.png").write_bytes(encode(image))
        print(folder / f"{name}.png")


def gearbox() -> dict[str, Image]:
    """The assembly with its clashes, and one clash from near and cut open."""
    scene = impinge.load_scene(data.path("gearbox.glb"))
    drawing = Drawing(scene.check(tolerance="precision", facets=True), up="y")
    found = {finding.names: finding for finding in drawing.clashes}
    gears, shaft = found["idler-pinion", "output-gear"], found["cover", "idler-shaft"]
    cut, poke = section(drawing, gears), section(drawing, shaft)
    assert cut is not None
    assert poke is not None
    return {
        "gearbox": overview(drawing, size=(1200, 820)).image,
        "gears-near": closeup(drawing, gears).image,
        "gears-cut": cut.image,
        "shaft-cut": poke.image,
    }


def kinds() -> dict[str, Image]:
    """One picture for each kind of meeting."""
    images = {}
    for name, (points, kind) in KINDS.items():
        hits = impinge.collide((GROUND, [[0, 1, 2]]), (points, [[0, 1, 2]]))
        assert hits.kinds.tolist() == [kind], name
        images[f"kind-{name}"] = _panel(np.array([GROUND, points]), hits)
    return images


def neighbours() -> dict[str, Image]:
    """One picture for each case of shared vertices."""
    images = {}
    for name, (points, faces, reported) in NEIGHBOURS.items():
        hits = impinge.self_collide((points, faces))
        assert bool(hits) == reported, name
        images[f"shared-{name}"] = _panel(np.array(points)[faces], hits)
    return images


def layers() -> dict[str, Image]:
    """What `peel` sees of a pile."""
    run = scenes.make("rigid-bunnies")
    run.advance(1.0)
    seen = look(run.scene, resolution=256)
    facts = (
        f"{run.faces:,} triangles, {len(seen.ids):,} candidates",
        f"{seen.depth} layers, {seen.resolution} x {seen.resolution} rays",
    )
    return {"layers": picture(seen, title=run.title, facts=facts)}


def passes() -> dict[str, Image]:
    """What `cinder` draws of three boxes, pass by pass."""
    images, _ = passes_picture.pictures(resolution=128)
    return {"passes": images["passes"]}


def demos() -> dict[str, Image]:
    """One frame of each demo of `cinder`, side by side."""
    frames = {"stairs": 170, "snow": 110, "bounce": 45}
    images = []
    for name, number in frames.items():
        demo = find(name)
        act = demo.make(demo.values)
        for _ in range(number):
            moment = act.step(demo.method, demo.values)
        seen = [animation.recorded(act.bodies, colours=moment.colours)]
        view = animation.Viewpoint(demo.azimuth)
        images += animation.pictures(seen, size=(440, 400), view=view)
    return {"demos": np.concatenate(images, axis=1)}


def _panel(triangles: NDArray[np.float64], hits: impinge.Collisions) -> Image:
    """Two triangles (2, 3, 3), and red what the result says about them."""
    camera = Camera.fit(
        triangles.reshape(-1, 3), size=PANEL, azimuth=24.0, elevation=32.0, up="z", margin=0.09
    )
    faces = np.array([[0, 1, 2]], dtype=np.int32)
    surfaces: list[Surface] = []
    lines: list[Lines] = []
    for points, colour in zip(triangles, (BLUE, AMBER), strict=True):
        shape = drawn_mesh(points, faces)
        surfaces.append(shape.surface(colour))
        lines.append(Lines(shape.edges, palette.edge(colour), width=1.6))
    for segment, kind, outline in zip(hits.segments, hits.kinds, hits.polygons, strict=True):
        if kind == impinge.Kind.COPLANAR:
            # a little nearer to the eye than the two triangles it is part of
            fan = [[0, k, k + 1] for k in range(1, len(outline) - 1)]
            lifted = outline + 0.01 * camera.axes[2]
            surfaces.append(
                drawn_mesh(lifted, np.array(fan, dtype=np.int32)).surface(palette.CLASH)
            )
        elif kind == impinge.Kind.POINT:
            lines.append(Lines(_star(segment[0], camera), palette.CLASH, width=4.0, through=True))
        else:
            lines.append(Lines(segment[None], palette.CLASH, width=5.0, through=True))
    return render(surfaces, lines, camera)


def _star(point: NDArray[np.float64], camera: Camera) -> NDArray[np.float64]:
    """(8, 2, 3) short lines through a point, enough for a round dot."""
    turn = np.arange(8)[:, None] * (np.pi / 8.0)
    reach = (np.cos(turn) * camera.axes[0] + np.sin(turn) * camera.axes[1]) * 5.0 / camera.scale
    return np.stack([point - reach, point + reach], axis=1)


if __name__ == "__main__":
    main()
