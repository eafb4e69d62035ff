"""Pairs of bodies that overlap, as an image shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from impinge._text import counted, html_table
from impinge.results.columns import Columns

if TYPE_CHECKING:
    from impinge._types import Floats, Ints, Longs
    from impinge.results.columns import Origin


@dataclass(frozen=True, eq=False, repr=False)
class Overlaps(Columns):
    """Pairs of bodies that overlap, sorted; the answer of `Scene.overlaps`.

    All arrays are read-only; `None` means "not asked for".

    See Also
    --------
    impinge.Scene.overlaps, impinge.detectors.cinder.Cinder

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> from impinge.detectors.cinder import View
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> scene = impinge.Scene()
    >>> for step in range(2):
    ...     body = scene.add(vertices + 0.2 * step, faces)
    >>> view = View.orthographic((1, 0.3, 0.2))
    >>> found = scene.overlaps(method=impinge.detector("cinder", views=view, device="cpu"))
    >>> found.pairs.tolist()
    [[0, 1]]
    """

    pairs: Ints
    """(k, 2) int32: indices of the bodies, the lower one first."""
    pixels: Longs
    """(k,) int64: pixels that show the pair, of those that were read."""
    _origin: Origin
    warnings: tuple[str, ...] = ()
    """Why pairs may be missing or wrong: pairs that no image showed, open meshes, bodies out of
    view."""
    triangles: Ints | None = None
    """(t, 4) int32, sorted: body and face of an edge, body and face it is in. Only with
    `payload="triangles"`."""
    normals: Floats | None = None
    """(k, 3) float64: mean normal of the reference body where the other one is. Only with
    `payload="normals"`."""
    complete: bool = False
    """Whether no pair is missing: every two bodies whose boxes overlap were found."""

    exact = False
    """Bodies less than a pixel apart may be reported."""

    def _summary(self) -> str:
        some = counted(len(self), "pair") if self else "no pairs"
        warned = f", {counted(len(self.warnings), 'warning')}" if self.warnings else ""
        return f"{some} of {counted(len(self.names), 'body')}{warned}"

    def __repr__(self) -> str:
        return f"Overlaps({self._summary()})"

    def _repr_html_(self) -> str:
        rows = (
            (f"{self.names[a]} × {self.names[b]}", f"{pixels:,}")
            for (a, b), pixels in zip(self.pairs, self.pixels, strict=True)
        )
        return html_table(self._summary(), rows, head=("bodies", "pixels"), total=len(self))
