"""What results have in common that are columns of equal length."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from impinge._arrays import read_only
from impinge._stats import Stats

if TYPE_CHECKING:
    from impinge._types import AnyArray
    from impinge.result import Origin


class Columns:
    """Base of a frozen dataclass whose first field is a column and one is `_origin`.

    All arrays are read-only; `None` means "not asked for".
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]
    _origin: Origin

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
        """Names of the bodies."""
        return self._origin.names or ()

    def __len__(self) -> int:
        return len(next(iter(self._arrays().values())))

    def __bool__(self) -> bool:
        return len(self) > 0

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and words."""
        return {
            "method": self.method,
            "count": len(self),
            "names": list(self.names),
            **{name: array.tolist() for name, array in self._arrays().items()},
            "stats": self.stats.to_dict(),
        }

    def _arrays(self) -> dict[str, AnyArray]:
        """Those that were asked for."""
        columns = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: each for name, each in columns.items() if isinstance(each, np.ndarray)}

    def __getstate__(self) -> dict[str, Any]:
        # what was computed lazily is computed again when asked
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()
