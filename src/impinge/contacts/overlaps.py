"""Pairs of bodies that overlap, as an image shows them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from impinge._arrays import read_only
from impinge._stats import Stats
from impinge._text import counted, html_table

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats, Ints, Longs
    from impinge.result import Origin


@dataclass(frozen=True, eq=False, repr=False)
class Overlaps:
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

    def __post_init__(self) -> None:
        for array in self._arrays().values():
            read_only(array)

    @property
    def method(self) -> str:
        """Name of the detector."""
        return self._origin.method

    @cached_property
    def stats(self) -> Stats:
        """Times and counters of the stages."""
        return Stats.of(self._origin.counters)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies; `pairs` indexes them."""
        return self._origin.names or ()

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.pairs)

    def __bool__(self) -> bool:
        return len(self) > 0

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and words."""
        return {
            "method": self.method,
            "count": len(self),
            "names": list(self.names),
            **{name: array.tolist() for name, array in self._arrays().items()},
            "warnings": list(self.warnings),
            "stats": self.stats.to_dict(),
        }

    def _arrays(self) -> dict[str, AnyArray]:
        """Those that were asked for."""
        names = ("pairs", "pixels", "triangles", "normals")
        columns = {name: getattr(self, name) for name in names}
        return {name: column for name, column in columns.items() if column is not None}

    def __getstate__(self) -> dict[str, Any]:
        # what was computed lazily is computed again when asked
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def _summary(self) -> str:
        some = counted(len(self), "pair") if self else "no pairs"
        warned = f", {counted(len(self.warnings), 'warning')}" if self.warnings else ""
        return f"{some} of {counted(len(self.names), 'body')}{warned}"

    def __repr__(self) -> str:
        return f"Overlaps({self._summary()})"

    def _repr_html_(self) -> str:
        shown = 20
        rows = [
            (f"{self.names[a]} × {self.names[b]}", f"{pixels:,}")
            for (a, b), pixels in zip(
                self.pairs[:shown].tolist(), self.pixels[:shown].tolist(), strict=True
            )
        ]
        if len(self) > shown:
            rows.append((f"and {len(self) - shown:,} more", ""))
        return html_table(self._summary(), rows, head=("bodies", "pixels"))
