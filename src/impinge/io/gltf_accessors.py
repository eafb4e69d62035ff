"""glTF accessors as arrays, with every range checked before a byte is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.io.gltf_document import Buffers, Document, Object
from impinge.io.precision import FLOAT32, Numbers, steps
from impinge.io.ragged import doubles

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats, Longs

_COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class Accessors:
    """Decodes positions and indices of one document."""

    def __init__(self, document: Document, buffers: Buffers) -> None:
        self._document = document
        self._buffers = buffers

    def positions(self, index: int, user: str) -> tuple[Floats, Numbers]:
        """(n, 3) float64, and how they are stored."""
        return self.numbers(index, "VEC3", user)

    def numbers(self, index: int, kind: str, user: str) -> tuple[Floats, Numbers]:
        """(n, width) float64 of a kind such as "VEC3", and how they are stored."""
        values = self._values(index, kind, user)
        if values.dtype.kind == "f":
            return doubles(values), FLOAT32
        accessor = self._document.entry("accessors", index, user)
        if accessor.get("normalized") is not True:
            return doubles(values), steps(values, 1.0)
        # Quantised positions: the signed minimum has no counterpart and is clamped.
        most = float(np.iinfo(values.dtype).max)
        return np.maximum(doubles(values) / most, -1.0), steps(values, 1.0 / most)

    def indices(self, index: int, user: str) -> Longs:
        """(n,) int64."""
        values = self._values(index, "SCALAR", user)
        if values.dtype.kind != "u":
            self._document.fail("is used as indices but is not unsigned", f"accessors[{index}]")
        return values.reshape(-1).astype(np.int64)

    def _values(self, index: int, kind: str, user: str) -> AnyArray:
        """(n, width) in the stored type."""
        document, place = self._document, f"accessors[{index}]"
        accessor = document.entry("accessors", index, user)
        if accessor.get("type") != kind:
            document.fail(f"is of type {accessor.get('type')!r}, expected {kind!r}", place)
        dtype = self._dtype(accessor, place)
        rows = document.integer(accessor, "count", place)
        shape = rows, _WIDTHS[kind]
        # Values need not be stored, and those that are can be used any number of times.
        document.findings.spend(8 * rows * _WIDTHS[kind], f"{rows:,} values", place=place)
        if "bufferView" in accessor:
            values = self._stored(accessor, dtype, shape, place)
        else:
            values = np.zeros(shape, dtype)
        if "sparse" in accessor:
            values = self._replaced(values, accessor, place)
        return values

    def _dtype(self, owner: Object, place: str) -> np.dtype[np.generic]:
        component = owner.get("componentType")
        if not isinstance(component, int) or component not in _COMPONENTS:
            self._document.fail(f"has an unknown componentType {component!r}", place)
        return np.dtype(_COMPONENTS[component])

    def _stored(
        self, owner: Object, dtype: np.dtype[np.generic], shape: tuple[int, int], place: str
    ) -> AnyArray:
        """The values that an owner's bufferView and byteOffset point at."""
        rows, width = shape
        document = self._document
        view_index = document.integer(owner, "bufferView", place)
        offset = document.integer(owner, "byteOffset", place, 0)
        view_place = f"bufferViews[{view_index}]"
        view = document.entry("bufferViews", view_index, place)
        if "EXT_meshopt_compression" in document.mapping(view, "extensions", view_place):
            document.fail("needs the extension EXT_meshopt_compression", view_place)
        data = self._buffers.get(document.integer(view, "buffer", view_place), view_place)
        start = document.integer(view, "byteOffset", view_place, 0)
        length = document.integer(view, "byteLength", view_place)
        if start + length > len(data):
            document.fail(
                f"ends at byte {start + length:,} of a buffer of {len(data):,} bytes", view_place
            )
        size = dtype.itemsize * width
        stride = document.integer(view, "byteStride", view_place, size) or size
        needed = offset + stride * (rows - 1) + size if rows else 0
        if needed > length:
            document.fail(f"needs {needed:,} bytes but {view_place} has {length:,}", place)
        if stride < size:
            document.fail(f"byteStride {stride} is less than an element ({size})", view_place)
        if not rows:
            return np.zeros(shape, dtype)
        strides = (stride, dtype.itemsize)
        return np.ndarray(shape, dtype, data, start + offset, strides).copy()

    def _replaced(self, values: AnyArray, accessor: Object, place: str) -> AnyArray:
        """Applies the sparse substitution of an accessor."""
        document = self._document
        place = f"{place}.sparse"
        sparse = document.mapping(accessor, "sparse", place)
        rows = document.integer(sparse, "count", place)
        document.findings.spend(8 * rows * values.shape[1], f"{rows:,} values", place=place)
        where, what = (document.mapping(sparse, key, place) for key in ("indices", "values"))
        at = self._stored(where, self._dtype(where, place), (rows, 1), place).reshape(-1)
        if at.dtype.kind != "u" or (rows and int(at.max()) >= len(values)):
            document.fail("replaces a value that does not exist", place)
        values[at] = self._stored(what, values.dtype, (rows, values.shape[1]), place)
        return values
