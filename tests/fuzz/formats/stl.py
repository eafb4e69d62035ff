"""STL: text of solids with facets, or 50 bytes for each triangle behind a header of 84."""

from __future__ import annotations

import re
from random import Random

from fuzz import mutate
from fuzz.counting import numbers, require
from fuzz.layers import Layer, Layers

HEADER, RECORD = 84, 50
_SOLID = re.compile(rb"\s*(end)?solid\b")
WORDS = (
    b"solid|endsolid|facet|normal|outer|loop|vertex|endloop|endfacet|solid s\n|endsolid s\n|"
    b"\nsolid a\nendsolid a\n|"
    b"facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n"
).split(b"|")


def extension(data: bytes) -> str:
    return ".stl"


def count(data: bytes) -> int:
    declared = int.from_bytes(data[80:HEADER], "little")
    if len(data) >= HEADER and len(data) == HEADER + RECORD * declared:
        return declared
    return _facets(data)


def _facets(data: bytes) -> int:
    """Lines open and close solids; what stands between them is read word by word."""
    facets, inside = 0, False
    words: list[bytes] = []
    for line in data.lower().splitlines():
        opening = _SOLID.match(line)
        if opening and not opening[1]:
            require(not inside, "a solid within a solid")
            inside = True
        elif opening:
            require(inside, "an end without a solid")
            facets += _whole_facets(words)
            inside, words = False, []
        else:
            require(inside or not line.split(), "text outside of a solid")
            words += line.split()
    require(not inside, "a solid that does not end")
    return facets


def _whole_facets(words: list[bytes]) -> int:
    step = 21
    require(len(words) % step == 0, "a facet is incomplete")
    for at in range(0, len(words), step):
        facet = words[at : at + step]
        keywords = facet[:2] + facet[5:8] + facet[11:12] + facet[15:16] + facet[19:]
        wanted = b"facet normal outer loop vertex vertex vertex endloop endfacet"
        require(keywords == wanted.split(), "a facet of other words")
        numbers(facet[8:11] + facet[12:15] + facet[16:19])
    return len(words) // step


def layers(data: bytes) -> Layers:
    if data[:5].lower() == b"solid" and b"\0" not in data[:HEADER]:
        yield Layer(data, mutate.text(WORDS), bytes, weight=4)
        return
    head, records = data[:80], data[HEADER:]

    def rebuilt(changed: bytes) -> bytes:
        return head + (len(changed) // RECORD).to_bytes(4, "little") + changed

    yield Layer(records, mutate.records(RECORD), rebuilt, weight=3)
    yield Layer(data[:HEADER], _header, lambda changed: changed + records)


def _header(header: bytes, rng: Random) -> bytes:
    chosen = rng.randrange(3)
    if chosen == 0:
        return (b"solid " + header)[:HEADER]
    if chosen == 1:
        return header[:80] + mutate.integer(header[80:], rng, 4)
    return mutate.raw(header, rng)
