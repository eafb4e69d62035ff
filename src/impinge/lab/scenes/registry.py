"""The scenes by name, each in full size and small."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from impinge import _surfaces as surfaces
from impinge._options import choice
from impinge.errors import InputError, nearest, word_list
from impinge.lab.scenes import models
from impinge.lab.scenes.creatures import creatures
from impinge.lab.scenes.drape import drape
from impinge.lab.scenes.knot import knot
from impinge.lab.scenes.pile import pile
from impinge.lab.scenes.pressed import pressed
from impinge.lab.scenes.run import PaperRow, SceneRun
from impinge.mesh import Mesh
from impinge.scene import Scene

if TYPE_CHECKING:
    from impinge._types import Floats, Ints

_SIZES = {"full": False, "small": True}
Data = str | os.PathLike[str] | None
GpuVertices = tuple[Scene, Callable[[float], None], str]


@dataclass(frozen=True)
class Kind:
    """A scene that can be made."""

    title: str
    make: Callable[[bool, Data], GpuVertices]
    paper: PaperRow
    self_collision: bool
    frames: int = 12


def names() -> tuple[str, ...]:
    """Names of all scenes, in the order of the paper's table.

    Returns
    -------
    tuple of str

    See Also
    --------
    impinge.lab.scenes.make

    Examples
    --------
    >>> from impinge.lab import scenes
    >>> scenes.names()[:2]
    ('deformable-bunnies', 'deformable-horses')
    """
    return tuple(_KINDS)


def make(name: str, *, size: str = "full", data: Data = None) -> SceneRun:
    """A new scene of a paper, at time 0.

    Parameters
    ----------
    name : str
        One of `names`.
    size : {"full", "small"}
        "small" has a fraction of the triangles, for tests.
    data : str or path, optional
        A folder in which a real bunny, horse or dragon is looked for; one that is found takes the
        place of the generated body, with the triangles it has.

    Returns
    -------
    SceneRun

    See Also
    --------
    impinge.lab.scenes.names

    Examples
    --------
    >>> from impinge.lab import scenes
    >>> run = scenes.make("cloth", size="small")
    >>> run
    SceneRun('cloth', 2 bodies, 1,232 faces, 24 frames)
    >>> run.advance(0.5)
    >>> len(run.scene.collide(self_collision=run.self_collision)) > 0
    True
    """
    small = choice("size", size, _SIZES)
    chosen = kind(name)
    scene, move, note = chosen.make(small, data)
    title = f"{chosen.title}{note}"
    return SceneRun(name, title, scene, chosen.self_collision, chosen.frames, chosen.paper, move)


def kind(name: str) -> Kind:
    """What is known of a scene before it is made."""
    try:
        return _KINDS[name]
    except (KeyError, TypeError):
        hint = nearest(name, _KINDS) if isinstance(name, str) else ""
        raise InputError(
            f"scene {name!r} is unknown; choose one of {word_list(_KINDS)}{hint}"
        ) from None


def _bunnies(small: bool, data: Data) -> GpuVertices:
    return _two("bunny", 6 if small else 17, 0.03, seed=21, data=data)


def _horses(small: bool, data: Data) -> GpuVertices:
    return _two("horse", 10 if small else 28, 0.32, seed=31, data=data)


def _two(name: str, frequency: int, depth: float, *, seed: int, data: Data) -> GpuVertices:
    real, note = _real(name, 20 * frequency**2, data)
    first = real or surfaces.blob(frequency, seed=seed)
    second = real or surfaces.blob(frequency, seed=seed + 1)
    return *pressed(first, second, depth=depth, seed=seed), note


def _creatures(small: bool, _: Data) -> GpuVertices:
    crowd = creatures(2, 2, detail=9) if small else creatures(8, 6, detail=24)
    scene = Scene()
    owner = crowd.owner[crowd.part]
    # vertices of a body follow each other, and so do its faces
    starts = [*(owner.searchsorted(range(crowd.bodies + 1)).tolist())]
    face_owner = owner[crowd.faces[:, 0]]
    cuts = face_owner.searchsorted(range(crowd.bodies + 1)).tolist()
    bodies = []
    for body in range(crowd.bodies):
        faces = crowd.faces[cuts[body] : cuts[body + 1]] - starts[body]
        kind = "creature" if body < crowd.creatures else "shuttle"
        number = body + 1 - (crowd.creatures if kind == "shuttle" else 0)
        rest = crowd.rest[starts[body] : starts[body + 1]]
        bodies.append(scene.add(rest, faces, name=f"{kind}-{number}"))

    def move(t: float) -> None:
        vertices = crowd.at(t)
        for index, body in enumerate(bodies):
            body.vertices = vertices[starts[index] : starts[index + 1]]

    move(0.0)
    return scene, move, ""


def _pile(small: bool, data: Data) -> GpuVertices:
    real, note = _real("bunny", 8333, data)
    count, frequency, columns = (12, 8, 2) if small else (60, 20, 4)
    kinds = [real] if real else [surfaces.blob(frequency, seed=41 + k) for k in range(6)]
    meshes = [Mesh(*arrays) for arrays in kinds]
    scene, move = pile(meshes, count=count, columns=columns, steps=150, seed=41)
    return scene, move, note


def _dragon(small: bool, data: Data) -> GpuVertices:
    real, note = _real("dragon", 800_000, data)
    if real:
        return *pressed(real, real, depth=0.1, seed=51), note
    along, around = (300, 20) if small else (3200, 125)
    return *knot(along, around, thickness=0.835), ""


def _cloth(small: bool, _: Data) -> GpuVertices:
    return *drape(16 if small else 32, 6 if small else 12), ""


def _real(name: str, faces: int, data: Data) -> tuple[tuple[Floats, Ints] | None, str]:
    found = models.find(data, name, faces)
    if found is None:
        return None, ""
    vertices, triangles, file = found
    return (vertices, triangles), f" ({file}, {len(triangles):,} triangles)"


_KINDS = {
    "deformable-bunnies": Kind(
        "two soft bunnies, pressed together", _bunnies,
        PaperRow(12_000, 200, 400, 200, 400, 100, 3, 1, 1, 5), True,
    ),
    "deformable-horses": Kind(
        "two soft horses, pressed deep into each other", _horses,
        PaperRow(32_000, 21_000, 13_000, 4_300, 9_000, 3_700, 5, 4, 24, 33), True,
    ),
    "creatures": Kind(
        "creatures with tentacles, and shuttles between them", _creatures,
        PaperRow(320_000, 300, 1_000, 400, 1_500, 200, 17, 6, 1, 24), True,
    ),
    "rigid-bunnies": Kind(
        "rigid bunnies falling into a box", _pile,
        PaperRow(500_000, 2_800, 12_000, 4_400, 7_700, 1_500, 56, 18, 21, 95), False,
    ),
    # its times are printed out of order; only their sum is certain
    "dragon": Kind(
        "one long body, knotted", _dragon,
        PaperRow(800_000, 7_500, 54_000, 7_700, 6_600, 1_500, None, None, None, 224), True,
    ),
    # not in the table: the text tells the most tests, the most pairs and the longest step
    "cloth": Kind(
        "a cloth falling on a sphere", _cloth,
        PaperRow(2_000, None, None, None, 2_000, 300, None, None, None, 12), True, 24,
    ),
}  # fmt: skip
