"""A scene of any size in many files: a lattice of bumpy spheres that run into their neighbours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge._surfaces import sphere
from impinge.io.stl import HEADER_BYTES, RECORD

if TYPE_CHECKING:
    from impinge._types import Floats

# twice the radius is 2: neighbours overlap in lenses
_SPACING = 1.9
_FREQUENCY = 64
_SMALL_FREQUENCY = 16


def write_scene(folder: Path, triangles: int) -> int:
    """Write binary STL files with at least so many triangles; how many there are."""
    frequency = _FREQUENCY if triangles > 10**6 else _SMALL_FREQUENCY
    points, faces = sphere(frequency)
    bodies = -(-triangles // len(faces))
    side = int(np.ceil(bodies ** (1 / 3)))
    folder.mkdir(parents=True, exist_ok=True)
    records = np.zeros(len(faces), RECORD)
    for body in range(bodies):
        place = np.array([body % side, body // side % side, body // side**2]) * _SPACING
        records["corners"] = (_bumpy(points, body) + place).astype(np.float32)[faces]
        header = len(faces).to_bytes(4, "little").rjust(HEADER_BYTES, b"\0")
        (folder / f"body-{body:06d}.stl").write_bytes(header + records.tobytes())
    return bodies * len(faces)


def _bumpy(points: Floats, seed: int) -> Floats:
    random = np.random.default_rng(seed)
    waves, phases = random.normal(size=(4, 3)) * 7, random.uniform(0, 2 * np.pi, 4)
    moved: Floats = points * (1 + 0.02 * np.sin(points @ waves.T + phases).sum(axis=1))[:, None]
    return moved
