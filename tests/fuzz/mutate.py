"""Mutations of bytes, of binary records and of text; each makes one change to what it is given."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from random import Random

from fuzz.layers import Mutator

NUMBERS = (
    b"0|1|2|3|4|-1|-3|-0|7|100|127|128|255|256|65535|65536|2147483647|2147483648|-2147483648|"
    b"4294967295|9007199254740993|9223372036854775807|9223372036854775808|18446744073709551616|"
    b"11111111111111111111111111111111111111111111111111|"
    b"0.5|-2.25|1e0|3.0|1e2|+3|03|.5|5.|1e100|1.1e100|1e308|1e400|-1e400|1e-320|1e|e1|nan|-nan|"
    b"inf|-inf|infinity|nan(1)|0x10|1_0|1,5|1-2|1.2.3|--1|1d5|\xd9\xa3|\xc2\xa01|-|+|."
).split(b"|")
NUMBERS.append(b"9" * 400)
_ODD = (
    b" |\t|\n|\r|\v|\f|\\|\\\n|#|\0|\x85|\xef\xbb\xbf|\x1c|/|//|\x1b[0m|\xff|\xed\xa0\x80"
).split(b"|")
_TOKEN = re.compile(rb"[^\s\"'<>=]+")
_DIGITS = re.compile(rb"[+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?", re.IGNORECASE)
_INTEGER = re.compile(rb"-?[0-9]{1,30}")


def replaced(data: bytes, start: int, end: int, new: bytes) -> bytes:
    return data[:start] + new + data[end:]


def span(size: int, rng: Random) -> tuple[int, int]:
    """Start and end of a stretch, mostly a short one."""
    start = rng.randrange(size + 1)
    length = rng.choice((1, 1, 2, 4, 8, rng.randrange(1, 65), size))
    return start, min(size, start + length)


def raw(data: bytes, rng: Random) -> bytes:
    """Bytes changed, left out, doubled, moved or put in, as if there were no format."""
    start, end = span(len(data), rng)
    width = rng.choice((1, 2, 4, 8))
    chosen = rng.randrange(6)
    if chosen == 0:
        end, new = start + 1, bytes([rng.randrange(256)])
    elif chosen == 1:
        new = b""
    elif chosen == 2:
        end, new = start, data[start:end]
    elif chosen == 3:
        end, new = start, rng.randbytes(width)
    elif chosen == 4:
        at = rng.randrange(len(data) + 1)
        start, end, new = at, at, data[start:end][:1000]
    else:
        end, new = start + width, integer(data[start : start + width], rng, width)
    return replaced(data, start, end, new)


def integer(old: bytes, rng: Random, width: int) -> bytes:
    """An integer of that many bytes, near the old one or at an end of a range."""
    bits = 8 * width
    ends = (0, 1, 3, 2**bits - 1, 2 ** (bits - 1), 2 ** (bits - 1) - 1, 2 ** (bits // 2))
    flip = -1 if rng.random() < 0.2 else 1
    near = int.from_bytes(old[::flip], "little") + rng.choice((-2, -1, 1, 2))
    value = near if rng.random() < 0.3 else rng.choice(ends)
    return (value % 2**bits).to_bytes(width, "little")[::flip]


def real(rng: Random) -> bytes:
    """A float of four or eight bytes that is special, or not at all."""
    values = (0.0, -0.0, 1.0, 0.1, 1e-40, 1e30, 1e100, 2e100, float("inf"), float("nan"))
    kind = rng.choice(("<f", "<f", "<d", ">f", ">d"))
    value = rng.choice((*values, rng.uniform(-10, 10)))
    return struct.pack(kind, value if kind[1] == "d" or abs(value) < 3e38 else float("inf"))


def records(size: int) -> Mutator:
    """For binary rows of that many bytes."""

    def mutate(data: bytes, rng: Random) -> bytes:
        rows = len(data) // size
        chosen = rng.randrange(5)
        if chosen == 0 or not rows:
            return raw(data, rng)
        at = size * rng.randrange(rows)
        if chosen == 1:
            return replaced(data, at, at + size, b"")
        if chosen == 2:
            return replaced(data, at, at, data[at : at + size * rng.choice((1, 1, 3))])
        value = real(rng) if chosen == 3 else integer(data[at : at + 4], rng, 4)
        at = min(at + rng.randrange(size), max(len(data) - len(value), 0))
        return replaced(data, at, at + len(value), value)

    return mutate


def number(old: bytes, rng: Random) -> bytes:
    """Another number in place of the one that is written there."""
    if rng.random() < 0.5 and _INTEGER.fullmatch(old):
        return b"%d" % (int(old) + rng.choice((-2, -1, 1, 1, 2)))
    return rng.choice(NUMBERS)


def text(words: Sequence[bytes]) -> Mutator:
    """For lines of words and numbers, with words of the format."""

    def mutate(data: bytes, rng: Random) -> bytes:
        return rng.choice(_OF_TEXT)(data, rng, words)

    return mutate


def _other_number(data: bytes, rng: Random, words: Sequence[bytes]) -> bytes:
    found = _DIGITS.search(data, rng.randrange(len(data) + 1))
    return replaced(data, *found.span(), number(found[0], rng)) if found else data


def _other_word(data: bytes, rng: Random, words: Sequence[bytes]) -> bytes:
    found = _TOKEN.search(data, rng.randrange(len(data) + 1))
    return replaced(data, *found.span(), rng.choice(words)) if found else data


def _word_more(data: bytes, rng: Random, words: Sequence[bytes]) -> bytes:
    found = _TOKEN.search(data, rng.randrange(len(data) + 1))
    at = found.start() if found else len(data)
    more = rng.choice((rng.choice(words), rng.choice(NUMBERS)))
    return replaced(data, at, at, more + rng.choice((b" ", b" ", b"\n", b"")))


def _word_less(data: bytes, rng: Random, words: Sequence[bytes]) -> bytes:
    found = _TOKEN.search(data, rng.randrange(len(data) + 1))
    return replaced(data, *found.span(), b"") if found else data


def _lines(data: bytes, rng: Random, words: Sequence[bytes]) -> bytes:
    """Lines left out, doubled, moved, joined or swapped."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    some = lines[at : at + rng.choice((1, 1, 1, 2, 7, 30))]
    chosen = rng.randrange(5)
    if chosen == 0:
        del lines[at : at + len(some)]
    elif chosen == 1:
        lines[at:at] = some * rng.choice((1, 1, 1, 20))
    elif chosen == 2:
        del lines[at : at + len(some)]
        to = rng.randrange(len(lines) + 1)
        lines[to:to] = some
    elif chosen == 3:
        lines[at : at + 2] = [rng.choice((b" ", b"", b"\\")).join(lines[at : at + 2])]
    else:
        to = rng.randrange(len(lines))
        lines[at], lines[to] = lines[to], lines[at]
    return b"\n".join(lines)


def _spaces(data: bytes, rng: Random, words: Sequence[bytes]) -> bytes:
    chosen = rng.randrange(4)
    if chosen == 0:
        return data.replace(b"\n", rng.choice((b"\r", b"\r\n", b"\n\n", b" \n", b"\\\n")))
    at = rng.randrange(len(data) + 1)
    if chosen == 1:
        at = data.find(b"\n", at)
        return replaced(data, at, at + 1, rng.choice((b"\r", b"\r\n", b" ", b"\\\n", b"\0")))
    return replaced(data, at, at, rng.choice(_ODD))


def _bytes(data: bytes, rng: Random, words: Sequence[bytes]) -> bytes:
    return raw(data, rng)


_OF_TEXT = (
    *(_other_number, _other_number, _other_number, _other_word, _word_more, _word_less),
    *(_lines, _lines, _spaces, _bytes),
)


def places(data: bytes, mark: bytes) -> list[int]:
    """Where the mark begins."""
    return [match.start() for match in re.finditer(re.escape(mark), data)]
