"""The passes of `cinder` as slow NumPy, one drawing after the other: the truth for CPU and GPU.

Everything after snapping is integer arithmetic: x and y in 1/256 pixel, depth in 23 bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from detectors.peel.reference import Setup, centres, fragment_depths
from impinge.detectors.cinder.buffers import Stage
from impinge.detectors.cinder.colours import Colours
from impinge.detectors.cinder.geometry import Geometry

Fragments = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Scene:
    """What is drawn."""

    snapped: np.ndarray
    faces: np.ndarray
    body: np.ndarray
    edges: np.ndarray
    edge_body: np.ndarray
    edge_colour: np.ndarray
    face_colour: np.ndarray
    bodies: int
    resolution: int


def scene_of(geometry: Geometry, colours: Colours, resolution: int) -> Scene:
    return Scene(
        geometry.snapped,
        geometry.faces,
        geometry.body,
        geometry.edges,
        geometry.edge_body,
        colours.edge,
        colours.face,
        geometry.bodies,
        resolution,
    )


def line(a: np.ndarray, b: np.ndarray, resolution: int) -> Fragments:
    """Pixels (x, y) of an edge and its depth there: one in each column, or in each row."""
    (x0, y0, z0), (x1, y1, z1) = sorted([tuple(map(int, a)), tuple(map(int, b))])
    steep = abs(y1 - y0) > abs(x1 - x0)
    if steep:
        x0, y0, x1, y1 = y0, x0, y1, x1
        if x0 > x1:
            x0, y0, z0, x1, y1, z1 = x1, y1, z1, x0, y0, z0
    pixels = []
    for column in range(x0 // 256, x1 // 256 + 1):
        # before the first and after the last middle of a column, the ends
        away = min(max(256 * column + 128, x0), x1) - x0
        length = max(x1 - x0, 1)
        minor = y0 + (y1 - y0) * away // length
        pixels.append((column, minor // 256, z0 + (z1 - z0) * away // length))
    x, y, z = np.array(pixels, dtype=np.int64).T
    if steep:
        x, y = y, x
    inside = (x >= 0) & (x < resolution) & (y >= 0) & (y < resolution)
    return x[inside], y[inside], z[inside]


class Machine:
    """The buffers, and the drawings that change them; a drawing of a face is in no order."""

    def __init__(self, scene: Scene, variant: str, self_interference: str) -> None:
        size = (scene.resolution, scene.resolution)
        self.scene, self.variant = scene, variant
        # only the listing as printed has to stop where the hardware does
        self.full = 255 if variant == "printed" else 2**31
        self.prevent = self_interference == "prevent"
        self.depth = np.zeros(size, dtype=np.int64)
        self.owner = np.zeros(size, dtype=np.int64)
        self.stencil = np.zeros(size, dtype=np.int64)
        self.edge_id = np.zeros(size, dtype=np.int64)
        self.solid_id = np.zeros(size, dtype=np.int64)
        self.solid_body = np.zeros(size, dtype=np.int64)
        self.signed = np.zeros(size, dtype=np.int64)
        self.lines = [line(*scene.snapped[edge], scene.resolution) for edge in scene.edges]
        self.fills: list[tuple[bool, Fragments]] = []
        for face in scene.faces:
            setup = Setup(scene.snapped[face])
            x, y = centres(setup, scene.resolution)
            self.fills.append((setup.back, (x, y, fragment_depths(setup, x, y))))

    def stage(self) -> Stage:
        return Stage(
            self.depth.astype(np.int32),
            np.minimum(self.stencil, 255).astype(np.uint8),
            self.edge_id.astype(np.uint32),
            self.solid_id.astype(np.uint32),
        )

    def edges(self) -> None:
        for (x, y, z), body in zip(self.lines, self.scene.edge_body, strict=True):
            self.depth[y, x] = z
            self.owner[y, x] = body + 1

    def count(self, body: int, *, back: bool) -> None:
        """Passes 2 and 5 with fronts, 3 and 6 with backs."""
        for _, x, y in self._passing(body, back=back, or_equal=back and self.variant != "original"):
            step = -1 if back else 1
            self.stencil[y, x] = np.clip(self.stencil[y, x] + step, 0, self.full)
            self.signed[y, x] += step

    def penetrating(self) -> None:
        mask = 127 if self.variant == "printed" else -1
        for (x, y, z), colour in zip(self.lines, self.scene.edge_colour, strict=True):
            hit = (self.stencil[y, x] & mask) != 0
            if self.variant == "original":
                hit &= self.depth[y, x] == z
            at = y[hit], x[hit]
            self.edge_id[at] = colour
            if self.variant == "original":
                self.stencil[at] = 0

    def penetrated(self, body: int) -> None:
        printed = self.variant == "printed"
        for face, x, y in self._passing(body, back=printed, or_equal=printed):
            hit = self.stencil[y, x] != 0
            at = y[hit], x[hit]
            self.solid_id[at] = self.scene.face_colour[face]
            self.solid_body[at] = body + 1
            self.stencil[at] = self.stencil[at] - 1 if printed else 0

    def blank(self) -> int:
        """Leave pairs of different bodies only; how many pixels were a body within itself."""
        both = (self.edge_id != 0) & (self.solid_id != 0)
        own = both & (self.owner == self.solid_body)
        self.edge_id[~both | own] = 0
        self.solid_id[~both | own] = 0
        return int(own.sum())

    def _passing(
        self, body: int, *, back: bool, or_equal: bool
    ) -> list[tuple[int, np.ndarray, np.ndarray]]:
        result = []
        for face in np.flatnonzero(self.scene.body == body):
            facing, (x, y, z) = self.fills[face]
            if facing != back:
                continue
            edge = self.depth[y, x]
            passes = z <= edge if or_equal else z < edge
            if self.prevent:
                passes &= self.owner[y, x] != body + 1
            result.append((int(face), x[passes], y[passes]))
        return result


def passes(
    scene: Scene, variant: str = "corrected", self_interference: str = "prevent"
) -> tuple[dict[str, Stage], dict[str, int]]:
    """The buffers after each pass, and the counters."""
    machine = Machine(scene, variant, self_interference)
    bodies = range(scene.bodies)
    stages = {}
    machine.edges()
    stages["edges"] = machine.stage()
    if variant == "original":
        for body in bodies:
            machine.count(body, back=False)
            machine.count(body, back=True)
    else:
        for body in bodies:
            machine.count(body, back=False)
        stages["plus"] = machine.stage()
        for body in bodies:
            machine.count(body, back=True)
    stages["minus"] = machine.stage()
    negative = int((machine.signed < 0).sum())
    machine.penetrating()
    stages["penetrating"] = machine.stage()
    penetrating = int((machine.edge_id != 0).sum())
    machine.stencil[:] = 0
    for body in bodies:
        machine.count(body, back=False)
        machine.count(body, back=True)
        machine.penetrated(body)
    stages["penetrated"] = machine.stage()
    self_pixels = machine.blank()
    stages["result"] = machine.stage()
    counters = {
        "edge_pixels": int((machine.depth != 0).sum()),
        "line_fragments": sum(len(x) for x, _, _ in machine.lines),
        "fill_fragments": sum(len(x) for _, (x, _, _) in machine.fills),
        "pixels_penetrating": penetrating,
        "negative_pixels": negative,
        "self_pixels": self_pixels,
    }
    return stages, counters
