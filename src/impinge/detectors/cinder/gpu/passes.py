"""The seven passes, with the depth and stencil tests of the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.detectors.cinder.gpu.states import pixel_of, reversed_count, states_of
from impinge.gpu import Draw, Target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from impinge._types import Words
    from impinge.detectors.cinder.geometry import Geometry
    from impinge.detectors.cinder.gpu.canvas import Canvas
    from impinge.detectors.cinder.gpu.scene import GpuScene
    from impinge.detectors.cinder.options import CinderOptions
    from impinge.gpu import Session, State


class _Brush(NamedTuple):
    shader: str
    bound: Mapping[str, Any]


def hidden_of(geometry: Geometry, *, prevent: bool) -> tuple[Words, Words]:
    """Bodies whose edges do not count for the faces of a body, and where those of each begin."""
    pairs = np.concatenate([geometry.known, geometry.known[:, ::-1]])
    if prevent:
        alone = np.arange(geometry.bodies, dtype=np.int32)
        pairs = np.concatenate([pairs, np.stack([alone, alone], axis=1)])
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    starts = np.searchsorted(pairs[:, 0], np.arange(geometry.bodies + 1))
    return starts.astype(np.uint32), np.ascontiguousarray(pairs[:, 1]).astype(np.uint32)


class Passes:
    """Draws a scene into a canvas."""

    def __init__(
        self,
        gpu: Session,
        scene: GpuScene,
        canvas: Canvas,
        geometry: Geometry,
        options: CinderOptions,
    ) -> None:
        self._gpu = gpu
        self._scene = scene
        self._canvas = canvas
        self._states = states_of(options)
        self._constants = {"SOLID_BITS": pixel_of(options).solid_bits}
        self._fill = _Brush("cinder/fill", scene.faces)
        prevent = options.self_interference == "prevent"
        if len(geometry.known):
            starts, hidden = hidden_of(geometry, prevent=prevent)
            lists = {"starts": gpu.upload(starts), "hidden": gpu.upload(hidden)}
            bound = {**scene.faces, "owners": canvas.owners, **lists}
            self._fill = _Brush("cinder/fill_unknown", bound)
        elif prevent:
            self._fill = _Brush("cinder/fill_others", {**scene.faces, "owners": canvas.owners})

    def edges(self) -> None:
        """Pass 1, after all is cleared: depth and body of the last edge at each pixel."""
        gpu, canvas = self._gpu, self._canvas
        bound = {**self._scene.lines, "labels": self._scene.owners}
        draw = Draw("cinder/line", 6 * self._scene.edges, self._states.edges, bound)
        gpu.draw([draw], [Target(canvas.owners, 0.0)], depth=Target(canvas.both, 0.0, 0))
        gpu.draw([], [Target(canvas.image, 0.0)])

    def plus(self) -> None:
        """Pass 2: front faces before the edge."""
        self._draw([self._all(self._states.plus)], stencil_clear=0)

    def minus(self) -> None:
        """Pass 3: less the back faces before it."""
        self._draw([self._all(self._states.minus)])

    def plus_and_minus(self) -> None:
        """Passes 2 and 3, layer by layer of bodies, as in the first description."""
        steps = (self._states.plus, self._states.minus)
        self._draw(
            [self._faces(step, *layer) for layer in self._scene.layers for step in steps],
            stencil_clear=0,
        )

    def more_backs(self) -> None:
        """Passes 2 and 3 the other way round: the stencil is not zero where backs prevail."""
        steps = reversed_count(self._states)
        self._draw([self._all(step) for step in steps], stencil_clear=0)

    def penetrating(self) -> bool:
        """Pass 4: numbers of the edges that are inside of something; False if there are none."""
        scene, state = self._scene, self._states.penetrating
        draw = Draw("cinder/line", 6 * scene.edges, state, scene.lines, 0, self._constants, True)
        return self._draw([draw])

    def solids(self) -> None:
        """Passes 5 to 7, layer by layer of bodies: what the edges are inside of."""
        steps = (self._states.plus, self._states.minus, self._states.solid)
        self._draw(
            [self._faces(step, *layer) for layer in self._scene.layers for step in steps],
            stencil_clear=0,
        )

    def _all(self, state: State) -> Draw:
        return self._faces(state, 0, self._scene.triangles)

    def _faces(self, state: State, first: int, count: int) -> Draw:
        shader, bound = self._fill
        return Draw(shader, 3 * count, state, bound, 3 * first, self._constants)

    def _draw(self, draws: Sequence[Draw], *, stencil_clear: int | None = None) -> bool:
        """Whether any fragment of the watched draws was kept."""
        depth = Target(self._canvas.both, None, stencil_clear)
        passed = self._gpu.draw(draws, [Target(self._canvas.image)], depth=depth)
        return passed is not None and bool(self._gpu.read(passed, np.uint64).any())
