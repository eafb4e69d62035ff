"""The rows of PLY elements: numbers of text lines or of binary records."""

from __future__ import annotations

import struct
from array import array
from typing import TYPE_CHECKING, NoReturn, Protocol

import numpy as np

from impinge.io.checks import Findings, count
from impinge.io.ply_header import Element
from impinge.io.ragged import doubles, spans, whole_numbers
from impinge.io.text import Lines

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bools, Floats, Longs


class Rows(Protocol):
    """Reads one element after the other; `ended` once a truncated file has run out."""

    ended: bool

    def scalars(self, element: Element, names: tuple[str, ...]) -> Floats:
        """(n, k) the named scalar properties of every row."""

    def lists(self, element: Element, name: str) -> tuple[Longs, Longs]:
        """All items of the named list property, and how many (n,) each row has."""

    def skip(self, element: Element) -> None:
        """Goes past an element nobody asked for."""

    def expect_end(self) -> None:
        """Complains about anything behind the last declared row."""


class TextRows:
    """One line for each row."""

    def __init__(self, text: bytes, first_line: int, findings: Findings) -> None:
        self._lines = Lines.of(text, first_number=first_line)
        self._next = 0
        self._findings = findings
        self.ended = False

    def scalars(self, element: Element, names: tuple[str, ...]) -> Floats:
        _, columns = self._columns(element, names)
        return np.stack([columns[name][0] for name in names], axis=1)

    def lists(self, element: Element, name: str) -> tuple[Longs, Longs]:
        values, columns = self._columns(element, (name,))
        lengths, first = columns[name]
        sizes = lengths.astype(np.int64)
        items, whole = whole_numbers(values[spans(first, sizes)])
        if not whole.all():
            row = int(np.searchsorted(np.cumsum(sizes), np.argmin(whole), side="right"))
            self._findings.fail(f"an item of {name} is not an integer", place=self._place(row))
        return items, sizes

    def skip(self, element: Element) -> None:
        self._rows(element)

    def expect_end(self) -> None:
        left = len(self._lines) - self._next
        if left:
            self._findings.problem(
                f"{count(left, 'line')} more than the header declares",
                "ignored them",
                place=f"line {self._lines.number[self._next]}",
            )

    def _rows(self, element: Element) -> Lines:
        rows = self._lines[self._next : self._next + element.count]
        self._taken = rows
        self._next += len(rows)
        if len(rows) < element.count:
            self._truncated(element, len(rows))
        return rows

    def _truncated(self, element: Element, rows: int) -> None:
        self.ended = True
        self._findings.problem(
            f"the header declares {count(element.count, 'row')} of element {element.name}, "
            f"the file ends after {rows:,} (truncated?)",
            f"dropped {count(element.count - rows, 'row')} of {element.name}",
        )

    def _columns(
        self, element: Element, names: tuple[str, ...]
    ) -> tuple[Floats, dict[str, tuple[Floats, Longs]]]:
        """The numbers of all rows; each named value (or list length), and what follows it."""
        rows = self._rows(element)
        try:
            return _columns_of(element, names, rows)
        except _BadRowError as bad:
            cut_off = self._next == len(self._lines) and bad.row == len(rows) - 1
            if not (cut_off and self._findings.lenient):
                self._fail(bad)
            if not self.ended:
                self._truncated(element, bad.row)
        self._taken = rows[:-1]
        try:
            return _columns_of(element, names, self._taken)
        except _BadRowError as bad:
            self._fail(bad)

    def _fail(self, bad: _BadRowError) -> NoReturn:
        self._findings.fail(bad.cause, place=self._place(bad.row))

    def _place(self, row: int) -> str:
        return f"line {self._taken.number[row]}"


class _BadRowError(Exception):
    def __init__(self, row: int, cause: str) -> None:
        super().__init__(row, cause)
        self.row = row
        self.cause = cause


def _columns_of(
    element: Element, names: tuple[str, ...], rows: Lines
) -> tuple[Floats, dict[str, tuple[Floats, Longs]]]:
    values = rows.numbers()
    if values is None:
        row, token = rows.first_not_numeric()
        raise _BadRowError(row, f"{token!r} is not a number")
    at = rows.row_starts()
    ends = at + rows.tokens
    padded = np.append(values, np.nan)
    columns = {}
    for p in element.properties:
        _check_rows(at < ends, rows, "too few numbers")
        value = padded[at]
        at = at + 1
        if p.name in names:
            columns[p.name] = (value, at)
        if p.length_kind:
            _check_rows((value >= 0) & (value == np.floor(value)), rows, "a bad list length")
            _check_rows(value <= ends - at, rows, "too few numbers")
            at = at + value.astype(np.int64)
    _check_rows(at == ends, rows, "too many numbers")
    return values, columns


def _check_rows(good: Bools, rows: Lines, cause: str) -> None:
    if not good.all():
        row = int(np.argmin(good))
        raise _BadRowError(row, f"{cause} in {rows.text(row)[:60]!r}")


class BinaryRows:
    """Records of fixed size, or of varying size when lists differ in length."""

    def __init__(self, data: bytes, offset: int, order: str, findings: Findings) -> None:
        self._data = data
        self._at = offset
        self._order = order
        self._findings = findings
        self.ended = False

    def scalars(self, element: Element, names: tuple[str, ...]) -> Floats:
        records = self._uniform(element)
        if records is None:
            self._findings.fail("lists in the vertex element are not supported", place="header")
        columns = [doubles(records[str(self._slot(element, n))]) for n in names]
        return np.stack(columns, axis=1)

    def lists(self, element: Element, name: str) -> tuple[Longs, Longs]:
        slot = self._slot(element, name)
        records = self._uniform(element)
        if records is not None:
            items = records[str(slot)].astype(np.int64)
            return items.reshape(-1), np.full(len(items), items.shape[1], dtype=np.int64)
        starts, sizes = self._walk(element, slot)
        kind = np.dtype(self._order + element.properties[slot].kind)
        places = spans(starts, sizes * kind.itemsize)
        raw = np.frombuffer(self._data, np.uint8)[places]
        return raw.view(kind).astype(np.int64), sizes

    def skip(self, element: Element) -> None:
        if self._uniform(element) is None:
            self._walk(element, 0)

    def expect_end(self) -> None:
        left = len(self._data[self._at :].rstrip())
        if left:
            self._findings.problem(
                f"{count(left, 'byte')} more than the header declares",
                "ignored them",
                place=f"byte {self._at}",
            )

    def _slot(self, element: Element, name: str) -> int:
        return [p.name for p in element.properties].index(name)

    def _uniform(self, element: Element) -> AnyArray | None:
        """Records (n,) whose lists are all as long as in the first row; None when they are not."""
        lengths = self._first_lengths(element)
        if lengths is None:
            return None
        if not element.properties:
            return np.zeros(0)
        fields: list[tuple[str, str] | tuple[str, str, tuple[int]]] = []
        for slot, p in enumerate(element.properties):
            if p.length_kind:
                fields.append((f"length {slot}", self._order + p.length_kind))
                fields.append((str(slot), self._order + p.kind, (lengths[slot],)))
            else:
                fields.append((str(slot), self._order + p.kind))
        record = np.dtype(fields)
        rows = element.count
        if self._at + rows * record.itemsize > len(self._data):
            if lengths:
                return None
            rows = (len(self._data) - self._at) // record.itemsize
            self._truncated(element, rows)
        records = np.frombuffer(self._data, record, rows, self._at)
        for slot, length in lengths.items():
            if (records[f"length {slot}"] != length).any():
                return None
        self._at += rows * record.itemsize
        return records

    def _first_lengths(self, element: Element) -> dict[int, int] | None:
        """List lengths by property of the first row; None when that row is not whole."""
        lengths, at = {}, self._at
        for slot, p in enumerate(element.properties):
            if p.length_kind:
                kind = np.dtype(self._order + p.length_kind)
                if not element.count or at + kind.itemsize > len(self._data):
                    return None
                length = int(np.frombuffer(self._data, kind, 1, at)[0])
                if length < 0:
                    return None
                lengths[slot] = length
                at += kind.itemsize + length * np.dtype(p.kind).itemsize
            else:
                at += np.dtype(p.kind).itemsize
        # A corrupt length must not become the size of an array.
        return lengths if at <= len(self._data) or not lengths else None

    def _walk(self, element: Element, wanted: int) -> tuple[Longs, Longs]:
        """Byte offset and length of the wanted list in every row, found one row after the other.

        Where a record starts is known only from the lengths before it, so this loop is sequential.
        """
        steps = []
        for slot, p in enumerate(element.properties):
            size = np.dtype(p.kind).itemsize
            length = struct.Struct((self._order or "=") + _STRUCT[p.length_kind or "u1"])
            steps.append((slot == wanted, bool(p.length_kind), length, size))
        starts, sizes = array("q"), array("q")
        data, end = self._data, len(self._data)
        at = self._at
        for row in range(element.count):
            begin = at
            for is_wanted, is_list, length, size in steps:
                items = 1
                if is_list:
                    if at + length.size > end:
                        return self._stop(element, row, begin, starts, sizes)
                    items = length.unpack_from(data, at)[0]
                    at += length.size
                    if items < 0:
                        self._findings.fail(
                            f"element {element.name} {row} has a list of length {items}",
                            place=f"byte {at - length.size}",
                        )
                if at + items * size > end:
                    return self._stop(element, row, begin, starts, sizes)
                if is_wanted:
                    starts.append(at)
                    sizes.append(items)
                at += items * size
        self._at = at
        return np.frombuffer(starts, np.int64), np.frombuffer(sizes, np.int64)

    def _stop(
        self, element: Element, row: int, begin: int, starts: array[int], sizes: array[int]
    ) -> tuple[Longs, Longs]:
        self._at = begin
        self._truncated(element, row)
        return np.frombuffer(starts, np.int64)[:row], np.frombuffer(sizes, np.int64)[:row]

    def _truncated(self, element: Element, rows: int) -> None:
        self.ended = True
        self._findings.problem(
            f"the header declares {count(element.count, 'row')} of element {element.name}, "
            f"the file ends after {rows:,} (truncated?)",
            f"dropped {count(element.count - rows, 'row')} of {element.name}",
            place=f"byte {len(self._data)}",
        )


_STRUCT = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I"}
