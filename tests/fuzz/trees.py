"""Mutations of XML and of JSON, in terms of their tags and entries."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

from fuzz import mutate
from fuzz.layers import Mutator

INTEGERS = (*range(8), 12, 2**31, 2**53, 2**63, -1)
_TAG = re.compile(rb"<[^<>]*>")
_VALUE = re.compile(rb"=\s*\"([^\"]*)\"")


def xml(words: Sequence[bytes]) -> Mutator:
    """For tags with attributes, with pieces of the format."""

    def change(data: bytes, rng: Random) -> bytes:
        chosen = rng.randrange(8)
        if chosen < 3:
            found = _VALUE.search(data, rng.randrange(len(data) + 1))
            if found:
                old = found[1]
                new = mutate.number(old, rng) if rng.random() < 0.7 else rng.choice(words)
                return mutate.replaced(data, *found.span(1), new)
        elif chosen < 6:
            return _tags(data, rng, words)
        return mutate.text(words)(data, rng)

    return change


def _tags(data: bytes, rng: Random, words: Sequence[bytes]) -> bytes:
    """Tags, or all between two of them, left out, doubled, moved or put in."""
    found = [match.span() for match in _TAG.finditer(data)]
    if not found:
        return data
    first = rng.randrange(len(found))
    last = min(first + rng.choice((0, 0, 0, 1, 3, 8)), len(found) - 1)
    start, end = found[first][0], found[last][1]
    to = rng.choice(found)[0]
    chosen = rng.randrange(4)
    if chosen == 0:
        return mutate.replaced(data, start, end, b"")
    if chosen == 1:
        return mutate.replaced(data, end, end, data[start:end])
    if chosen == 2:
        return mutate.replaced(data, to, to, data[start:end])
    return mutate.replaced(data, to, to, rng.choice(words))


def json_of(keys: Sequence[str], values: Sequence[Any]) -> Mutator:
    """For a JSON document, with keys and values of the format."""

    def change(data: bytes, rng: Random) -> bytes:
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            return mutate.raw(data, rng)
        owners = [one for one in _containers(document) if one]
        if not owners or rng.random() < 0.05:
            return mutate.raw(data, rng)
        try:
            _change(rng.choice(owners), owners, rng, keys, values)
            return json.dumps(document).encode()
        # deep nests, and numbers of thousands of digits
        except (ValueError, RecursionError):
            return data

    return change


def _containers(value: Any) -> list[Any]:
    found, stack = [], [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict | list):
            found.append(one)
            stack += one.values() if isinstance(one, dict) else one
    return found


def _change(
    owner: Any, owners: list[Any], rng: Random, keys: Sequence[str], values: Sequence[Any]
) -> None:
    """One entry of an array or object becomes another, goes, or is joined by one more."""
    place = rng.choice(list(owner) if isinstance(owner, dict) else range(len(owner)))
    old = owner[place]
    chosen = rng.randrange(6)
    if chosen == 0:
        del owner[place]
    elif chosen < 3:
        new = rng.choice(values) if chosen == 1 else _copy(rng.choice((old, rng.choice(owners))))
        if isinstance(owner, list):
            owner.append(new)
        else:
            owner[rng.choice(keys)] = new
    elif isinstance(old, int) and chosen == 3:
        owner[place] = old + rng.choice((-4, -1, 1, 1, 2, 4))
    elif isinstance(old, int) and chosen == 4:
        owner[place] = rng.choice(INTEGERS)
    else:
        owner[place] = rng.choice(values)


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))
