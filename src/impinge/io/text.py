"""Splits text files into lines and numbers without a Python loop over the lines."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", np.float64, np.int64)

_LONE_RETURN = re.compile(rb"\r(?!\n)")
_WORD = re.compile(rb"\S+")
_LONE_SIGN = re.compile(rb"[+-](?![0-9])")
# Tokens that are tried at once on the way to a bad one.
_BLOCK = 4096
_BLOCK_BYTES = 1 << 20

_IS_SPACE = np.zeros(256, dtype=bool)
_IS_SPACE[list(b" \t\n\r\v\f")] = True


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a text that hold at least one token.

    data: (b,) uint8 text. number: (n,) 1-based line number. start, end: (n,) bytes from the first
    token to the line's end. tokens: (n,) how many tokens the line has.
    """

    data: NDArray[np.uint8]
    number: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    tokens: NDArray[np.int64]

    @classmethod
    def of(cls, raw: bytes, *, first_number: int = 1) -> Lines:
        """Splits `raw`, whose first line has the given number in its file."""
        text = unix_newlines(raw)
        columns: tuple[list[NDArray[np.int64]], ...] = ([], [], [], [])
        start, number = 0, first_number
        # What is made for each byte lives for one block only.
        for end in block_ends(text):
            block = np.frombuffer(text, np.uint8, end - start, start)
            lines, found = _lines_of(block, start, number)
            for column, part in zip(columns, found, strict=True):
                column.append(part)
            start, number = end, number + lines
        joined = []
        for column in columns:
            joined.append(np.concatenate([np.zeros(0, np.int64), *column]))
            column.clear()
        return cls(np.frombuffer(text, np.uint8), *joined)

    def __len__(self) -> int:
        return len(self.number)

    def __getitem__(self, which: slice | NDArray[np.bool_] | NDArray[np.int64]) -> Lines:
        return Lines(
            self.data, self.number[which], self.start[which], self.end[which], self.tokens[which]
        )

    def text(self, line: int) -> str:
        """The line's text from its first token on."""
        return self.raw(line).decode("utf-8", "replace").strip()

    def raw(self, line: int) -> bytes:
        """The line's bytes from its first token on."""
        return self.data[self.start[line] : self.end[line]].tobytes()

    def joined(self) -> bytes:
        """The bytes of all lines, one after the other."""
        if not len(self):
            return b""
        low, high = int(self.start[0]), int(self.end[-1])
        kept = np.zeros(high - low + 1, dtype=np.int8)
        # Ones open a line and close it at its newline, so the running sum marks kept bytes.
        kept[self.start - low] += 1
        kept[np.minimum(self.end + 1, high + 1)[:-1] - low] -= 1
        chosen = np.cumsum(kept, dtype=np.int8)[: high - low].view(np.bool_)
        return self.data[low:high][chosen].tobytes()

    def numbers(self) -> NDArray[np.float64] | None:
        """Every token as float64, or None when one is not a number."""
        return numbers(self.joined(), int(self.tokens.sum()))

    def first_not_numeric(self) -> tuple[int, str]:
        """Line and token of the first token that is no number (for the error message)."""
        return self.first_refused(numbers)

    def first_refused(self, parse: Callable[[bytes, int], object]) -> tuple[int, str]:
        """Line and token of the first token of which `parse(token, 1)` is None.

        `parse` takes many tokens, and how many, as well; so a long way to the bad one is quick.
        """
        low, high = 0, len(self)
        while high - low > 1:
            middle = (low + high) // 2
            half = self[low:middle]
            if parse(half.joined(), int(half.tokens.sum())) is None:
                high = middle
            else:
                low = middle
        words = _WORD.finditer(self.raw(low))
        while tokens := [word[0] for word in islice(words, _BLOCK)]:
            if parse(b" ".join(tokens), len(tokens)) is None:
                token = next(token for token in tokens if parse(token, 1) is None)
                return low, token[:40].decode("utf-8", "replace")
        raise ValueError("no token is refused")

    def row_starts(self) -> NDArray[np.int64]:
        """(n,) index of each line's first token in `numbers()`."""
        return np.cumsum(self.tokens) - self.tokens


def substituted(
    pattern: re.Pattern[bytes], by: bytes | Callable[[re.Match[bytes]], bytes], text: bytes
) -> bytes:
    """`pattern.sub(by, text)` for a pattern that ends with its line."""
    # Block by block: what is made for a match is much more than its text.
    start, blocks = 0, []
    for end in block_ends(text):
        blocks.append(pattern.sub(by, text[start:end]))
        start = end
    return b"".join(blocks)


def block_ends(text: bytes) -> Iterator[int]:
    """Where blocks of whole lines end; one at least."""
    end = 0
    while end + _BLOCK_BYTES < len(text):
        cut = text.rfind(b"\n", end, end + _BLOCK_BYTES)
        if cut < 0:
            cut = text.find(b"\n", end + _BLOCK_BYTES)
        if cut < 0:
            break
        end = cut + 1
        yield end
    yield len(text)


def _lines_of(
    block: NDArray[np.uint8], offset: int, number: int
) -> tuple[int, tuple[NDArray[np.int64], ...]]:
    """How many lines a block has, and number, start, end and tokens of those that hold any."""
    space = _IS_SPACE[block]
    begins = ~space
    begins[1:] &= space[:-1]
    newline = np.flatnonzero(block == ord("\n"))
    line_end = np.append(newline, len(block))
    token = np.flatnonzero(begins)
    before = np.searchsorted(token, line_end)
    tokens = np.diff(before, prepend=0)
    filled = np.flatnonzero(tokens)
    tokens = tokens[filled]
    first = token[before[filled] - tokens]
    return len(newline), (filled + number, first + offset, line_end[filled] + offset, tokens)


def unix_newlines(raw: bytes) -> bytes:
    """The text with line ends that are a return alone replaced; where there is none, as it is."""
    if b"\r" not in raw or not _LONE_RETURN.search(raw):
        return raw
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def numbers(raw: bytes, expected: int) -> NDArray[np.float64] | None:
    """The `expected` whitespace-separated tokens as float64, or None when one is not a number."""
    return _parsed(raw, expected, np.float64)


def integers(raw: bytes, expected: int) -> NDArray[np.int64] | None:
    """The same as int64, several times faster; numbers too large stop at the ends of the range."""
    return _parsed(raw, expected, np.int64)


def listed(values: list[str], kind: type[Number]) -> NDArray[Number] | None:
    """Texts of one number each as an array, or None when one is something else."""
    # NumPy takes a blank at the very beginning for a number, and one at the very end for none.
    if values and not (values[0].strip() and values[-1].strip()):
        return None
    return _parsed(",".join(values).encode("utf-8", "replace"), len(values), kind, " , ")


def _parsed(
    raw: bytes, expected: int, kind: type[Number], separator: str = " "
) -> NDArray[Number] | None:
    if not expected:
        return np.zeros(0, kind)
    # NumPy takes a lone sign for zero, and "- 1" for one whole number.
    if kind is np.int64 and (b"-" in raw or b"+" in raw) and _LONE_SIGN.search(raw):
        return None
    try:
        if _NUMPY_RAISES:
            found = np.fromstring(raw, dtype=kind, sep=separator)
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("error", DeprecationWarning)
                found = np.fromstring(raw, dtype=kind, sep=separator)
    except (ValueError, DeprecationWarning):
        return None
    # "1-2" is one token but two numbers to NumPy.
    return found if len(found) == expected else None


def _numpy_raises() -> bool:
    """Whether NumPy raises at a token that is no number; older ones only warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            np.fromstring(b"x", dtype=np.float64, sep=" ")
        except DeprecationWarning:
            return False
        except ValueError:
            return True
    return False


_NUMPY_RAISES = _numpy_raises()
