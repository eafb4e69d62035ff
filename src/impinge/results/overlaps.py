"""Pairs of bodies that overlap, as an image shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from impinge._text import counted, html_table
from impinge.results.columns import Columns

if TYPE_CHECKING:
    from impinge._types import Floats, Ints, Longs
    from impinge.results.columns import Origin


@dataclass(frozen=True, eq=False, repr=False)
class Overlaps(Columns):
    """Pairs of bodies, sorted. All arrays are read-only; `None` means "not asked for"."""

    pairs: Ints
    """(k, 2) int32: indices of the bodies, the lower one first."""
    pixels: Longs
    """(k,) int64: pixels that show the pair, of those that were read."""
    warnings: tuple[str, ...]
    """What may have made the result wrong: open meshes, bodies out of view."""
    _origin: Origin
    triangles: Ints | None = None
    """(t, 4) int32, sorted: body and face of an edge, body and face it is in. Only with
    `payload="triangles"`."""
    normals: Floats | None = None
    """(k, 3): mean normal of the reference body where the other one is. Only with
    `payload="normals"`."""

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and words."""
        return {**super().to_dict(), "warnings": list(self.warnings)}

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
