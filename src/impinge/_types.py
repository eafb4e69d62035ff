"""Names of the array types; imported for type checking only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from _typeshed import SupportsKeysAndGetItem
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]
Words: TypeAlias = NDArray[np.uint32]
Signs: TypeAlias = NDArray[np.int8]
Bools: TypeAlias = NDArray[np.bool_]
AnyArray: TypeAlias = NDArray[Any]

Progress: TypeAlias = Callable[[float], object]
Counters: TypeAlias = SupportsKeysAndGetItem[str, float]
