"""Parts of an answer under their newest names, and a digest of each: equal for equal bits."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import numpy as np

# the newest name, and those it had before
EARLIER = {
    "ContactPoints": ("PointContacts",),
    "collides": ("touches",),
    "contact_points": ("find_contacts", "contacts"),
    "inside": ("contained",),
    "impinge.lab.bench": ("impinge.bench",),
}
_NEWEST = {old: new for new, earlier in EARLIER.items() for old in earlier}
_OLD_NAME = re.compile(rf"\b({'|'.join(_NEWEST)})\b")
# what follows from the fields of an answer
_DERIVED = ("bodies", "counts", "names", "body_pairs")


def named(holder: object, name: str) -> Any:
    """An attribute by its newest name, whatever this build calls it."""
    return getattr(holder, next(one for one in (name, *EARLIER[name]) if hasattr(holder, one)))


def package(name: str, module: str) -> Any:
    """A module of a package by its newest name."""
    for one in (name, *EARLIER[name]):
        try:
            return import_module(f"{one}.{module}")
        except ModuleNotFoundError as error:
            if error.name is None or not one.startswith(error.name):
                raise
    raise ModuleNotFoundError(f"there is no {name}.{module}")


def tried(ask: Callable[..., Any], *operands: Any, **options: Any) -> Any:
    """The answer, or the error that was raised instead of it."""
    try:
        return ask(*operands, **options)
    except Exception as error:
        return error


def parts(answer: Any) -> dict[str, str]:
    """A digest of each part of an answer but its statistics; the text of an error."""
    if isinstance(answer, Exception):
        text = f"{type(answer).__name__}: {answer}"
        return {"error": _OLD_NAME.sub(lambda found: _NEWEST[found[0]], text)}
    if not is_dataclass(answer):
        return {"value": digest(answer)}
    found: dict[str, str] = {}
    for name in (*_public(answer), *_DERIVED):
        if hasattr(answer, name):
            value, newest = getattr(answer, name), _NEWEST.get(name, name)
            # an answer within it may have new parts too
            inner = parts(value) if is_dataclass(value) else {"": digest(value)}
            found |= {f"{newest} {part}".strip(): own for part, own in inner.items()}
    return found


def first_parts(hits: Any) -> dict[str, str]:
    """The same for mode="first", where any pair will do."""
    return {"bodies": digest(np.unique(hits.bodies, axis=0)), "pose": digest(hits.pose)}


def digest(*values: object) -> str:
    """Of arrays, bit by bit, and of anything made of them."""
    sha = hashlib.sha256()
    for value in values:
        _add(sha, value)
    return sha.hexdigest()[:16]


def _add(sha: Any, value: object) -> None:
    if isinstance(value, np.ndarray):
        sha.update(f"{value.dtype.str}{value.shape}".encode() + value.tobytes())
    elif is_dataclass(value):
        _add(sha, [getattr(value, name) for name in _public(value)])
    elif isinstance(value, Iterable) and not isinstance(value, str):
        members = [*value]
        for one in (*members, len(members)):
            _add(sha, one)
    else:
        sha.update(f"{value!r};".encode())


def _public(value: Any) -> list[str]:
    return [field.name for field in fields(value) if field.name[0] != "_"]
