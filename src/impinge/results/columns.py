"""What the answers have in common: arrays that nobody writes again, and where they came from."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from impinge import _core
from impinge._arrays import read_only
from impinge.results.stats import Stats

if TYPE_CHECKING:
    from impinge._shape import Shape
    from impinge._types import AnyArray, Counters, Floats, Ints
    from impinge.mesh import Mesh
    from impinge.scene import Scene


class Origin(NamedTuple):
    """What a result remembers of its query."""

    method: str
    counters: Counters
    shapes: tuple[Shape, ...]
    """The geometry as it was; bodies that move later get new arrays."""
    meshes: tuple[Mesh, ...] = ()
    scene: Scene | None = None
    names: tuple[str, ...] | None = None
    poses: Floats | None = None
    """(m, 4, 4) of one body that moves, (m, k, 4, 4) of several; their shapes are at rest."""
    moved: Ints | None = None
    """(k,) the bodies that move."""
    margin: float | None = None


class Frozen:
    """Base of a frozen dataclass: its arrays are read-only, in copies and pickles too."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __post_init__(self) -> None:
        _core.freeze_arrays(self.__dict__)

    def _set(self, fields: dict[str, Any]) -> None:
        """All fields at once: one by one, as a frozen dataclass does, takes as long as a query."""
        self.__dict__.update(fields)
        self.__post_init__()

    def __getstate__(self) -> dict[str, Any]:
        # what was computed lazily is computed again when asked
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._set(state)


class Answer(Frozen):
    """Base of what questions are answered with: it says how far it can be trusted."""

    # in the frozen classes below, some are fields
    warnings: tuple[str, ...] = ()
    """Why something may be missing or doubtful."""
    complete: bool = True
    """Whether nothing that was asked for is missing; `warnings` have the reason where it may."""
    exact: bool = True
    """Whether all that is there is right to the last bit: nothing is rounded or only seen."""

    def _promise(self) -> dict[str, Any]:
        known = {"complete": self.complete, "exact": self.exact}
        return {**known, "warnings": list(self.warnings)}


class Columns(Answer):
    """Base of a result whose first field is a column and one is `_origin`.

    `None` means "not asked for", an empty array "none found".
    """

    _origin: Origin

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
        """Names of the bodies; indices of bodies refer to them."""
        return self._origin.names or ()

    def __len__(self) -> int:
        return len(getattr(self, next(iter(self.__dataclass_fields__))))

    def __bool__(self) -> bool:
        return len(self) > 0

    def to_dict(self) -> dict[str, Any]:
        """The result as plain numbers, lists and strings."""
        return {
            "method": self.method,
            "count": len(self),
            "names": list(self.names),
            **{name: array.tolist() for name, array in self._arrays().items()},
            **self._promise(),
            "stats": self.stats.to_dict(),
        }

    def _arrays(self) -> dict[str, AnyArray]:
        """Those that were asked for."""
        columns = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: each for name, each in columns.items() if isinstance(each, np.ndarray)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for array in (self._origin.poses, self._origin.moved):
            if array is not None:
                read_only(array)
