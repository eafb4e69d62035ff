"""Random calls of the native module, for every function and method that its stub names."""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from values import Draw

from impinge import _core

# what a call may raise when its arguments are wrong
REFUSALS: tuple[type[BaseException], ...] = (
    TypeError,
    ValueError,
    IndexError,
    _core.Cancelled,
    _core.TooManyPairs,
)

Call = tuple[str, Callable[[], Any]]
Parameters = list[tuple[str, str]]

_WORDS = {
    "kernel": ("exact", "moller", "unit_closed", "unit_open", "no"),
    "traversal": ("list", "classic", "no"),
    "order": ("siblings", "single", "classic", "no"),
    "rule": ("bisector", "generous", "absolute", "no"),
    "variant": ("corrected", "original", "printed", "no"),
}
_NUMBERS = {
    "k": (6, 14, 18, 24, 26, 7),
    "resolution": (16, 32, 64, 15, 0),
    "mode": (0, 1, 2, 3, -1),
    "workers": (0, 1, 1, 2, 3, -1, 300),
    "count": (1, 2, 5, 0),
    "iterations": (1, 3, 20, 0, -1),
    "cells": (0, 10, 300),
    "fuzziness": (2.0, 1.5, 1.0, 0.0),
    "tolerance": (1e-3, 1e-6, 1.0, 0.0, -1.0),
    "separation": (0.0, 0.1, -1.0),
    "accuracy": (1e-2, 1e-3, 0.0, -1.0),
    "limit": (1e100, 0.0, 0.1),
    "reach": (1.0, 0.0),
    "bodies": (1, 2, 5, 0),
    "root": (0, -1, 1),
}


class Functions:
    """What the stub tells: the parameters of functions, constructors and methods."""

    def __init__(self) -> None:
        self.of: dict[str, Parameters] = {}
        stub = Path(_core.__file__).with_suffix(".pyi").read_text()
        for node in ast.parse(stub).body:
            if isinstance(node, ast.FunctionDef):
                self.of[node.name] = _parameters(node)
            elif isinstance(node, ast.ClassDef):
                for method in node.body:
                    if isinstance(method, ast.FunctionDef):
                        self.of[f"{node.name}.{method.name}"] = _parameters(method)
        self.constructors = {
            name.partition(".")[0]: parameters
            for name, parameters in self.of.items()
            if name.endswith(".__init__")
        }


def _parameters(node: ast.FunctionDef) -> Parameters:
    return [
        (each.arg, ast.unparse(each.annotation) if each.annotation else "self")
        for each in node.args.args
    ]


FUNCTIONS = Functions()
NAMES = sorted(
    name for name in FUNCTIONS.of if not name.startswith("Counts.") and name != "bvh_invest"
)


class Arguments:
    """Arguments that suit each other: the same meshes are behind all of them."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.meshes = [draw.mesh() for _ in range(draw.whole(1, 3))]
        self.rows = draw.whole(0, 6)
        self.count = draw.one_of(_NUMBERS["count"])
        self.moved: int | None = None
        self.steps, self.motions = draw.whole(1, 3), draw.chance(0.5)
        self.made = 0

    def of(self, parameters: Parameters) -> list[Any]:
        return [self.value(name, kind) for name, kind in parameters]

    def value(self, name: str, kind: str) -> Any:
        draw = self.draw
        if kind.endswith(" | None") and not kind.startswith("object"):
            return None if draw.chance(0.4) else self.value(name, kind.removesuffix(" | None"))
        if kind.startswith("Sequence["):
            return self.sequence(name, kind.removeprefix("Sequence[").removesuffix("]"))
        if kind.startswith("Annotated"):
            return self.array(name, kind)
        if kind in FUNCTIONS.constructors:
            return self.instance(kind)
        return self.plain(name, kind)

    def plain(self, name: str, kind: str) -> Any:
        """What is no array and no object of ours."""
        choices: dict[str, Callable[[], Any]] = {
            "bytes": lambda: struct.pack("16d", *self.draw.poses(1).ravel()),
            "object | None": lambda: self.draw.one_of((None, None, _go_on, _stop)),
            "int": lambda: (
                self.count
                if name == "count"
                else self.draw.one_of(_NUMBERS.get(name, (0, 1, 2, 5)))
            ),
            "float": lambda: self.draw.one_of(_NUMBERS.get(name, (0.0, 0.3, 1.0))),
            "str": lambda: self.draw.one_of(_WORDS.get(name, ("x",))),
            "bool": lambda: self.draw.chance(0.5),
        }
        return choices.get(kind, self.draw.anything)()

    def sequence(self, name: str, kind: str) -> list[Any]:
        found = []
        for at in range(len(self.meshes)):
            self.made = at
            found.append(self.value(name, kind))
        return found

    def instance(self, kind: str) -> Any:
        """One of a class; whoever cannot be made is refused here."""
        if kind == "Seen":
            return _core.Seen(*self.seen())
        if kind == "Pyramid":
            return _core.merge(self.draw.rng.integers(0, 2, (16, 16), dtype=np.uint8))
        instance = getattr(_core, kind)(*self.of(FUNCTIONS.constructors[kind][1:]))
        self.made = (self.made + 1) % len(self.meshes)
        return instance

    def seen(self) -> tuple[Any, ...]:
        vertices, faces = self.meshes[0]
        snapped = self.draw.rng.integers(0, 256 * 16 + 1, vertices.shape, dtype=np.int32)
        body = np.zeros(len(faces), dtype=np.int32)
        return snapped, faces, body, np.array([True]), np.array([self.draw.chance(0.5)]), 16

    def array(self, name: str, kind: str) -> np.ndarray:
        draw, at = self.draw, self.made
        part = 0 if name.startswith("vertices") else 1 if name.startswith("faces") else None
        if part is not None:
            at = at if "_" not in name else name.endswith("_b") % len(self.meshes)
            return self.meshes[at][part]
        moving = self.moving(name, kind, at)
        if moving is not None:
            return moving
        shape = [
            self.rows if part == "None" else int(part)
            for part in kind.partition("shape=(")[2].partition(")")[0].replace(" ", "").split(",")
            if part
        ]
        if name in ("poses", "pose") and shape[-2:] == [4, 4]:
            poses = draw.poses(1 if name == "pose" else self.rows)
            return poses if len(shape) == 3 else poses[0]
        dtype = np.dtype(kind.partition("numpy.")[2].partition("]")[0].rstrip("_"))
        if dtype.kind == "f":
            return draw.rng.uniform(-1, 1, shape).astype(dtype)
        most = draw.one_of((1, 2, max(len(self.meshes[at][1]), 1)))
        return draw.rng.integers(0, most, shape).astype(dtype)

    def moving(self, name: str, kind: str, at: int) -> np.ndarray | None:
        """Bodies that move, which, and how; None for whatever else."""
        vertices = self.meshes[at][0]
        choices: dict[str, Callable[[], np.ndarray]] = {
            "starts": lambda: vertices,
            "ends": lambda: self.draw.moved(vertices),
            "moved": self.some_bodies,
            "self_bodies": self.some_bodies,
            "body_pairs": self.some_pairs,
        }
        if name.startswith("segments"):
            return self.draw.motion(self.steps)._segments
        if name.startswith("ends") and "int32" in kind:
            # one motion, or one for each step
            return np.arange(1 if self.motions else self.steps, self.steps + 1, dtype=np.int32)
        if name == "poses" and self.moved is not None:
            return self.draw.poses(self.moved * self.count)
        found = choices[name]() if name in choices else None
        if name == "moved" and found is not None:
            self.moved = len(found)
        return found

    def some_bodies(self) -> np.ndarray:
        return np.flatnonzero(self.draw.rng.random(len(self.meshes)) < 0.6).astype(np.int32)

    def some_pairs(self) -> np.ndarray:
        """Pairs of bodies, the lower first."""
        pairs = np.argwhere(~np.tri(len(self.meshes), dtype=bool)).astype(np.int32)
        return pairs[self.draw.rng.random(len(pairs)) < 0.6]


def _go_on(done: float) -> bool:
    return done >= 0


def _stop(done: float) -> bool:
    return done < 0


def call(draw: Draw) -> Call:
    """A random call: its name, and what makes it."""
    name = draw.one_of(NAMES)
    parameters = FUNCTIONS.of[name]
    arguments = Arguments(draw)
    values = arguments.of(parameters[1:] if "." in name else parameters)
    kind = draw.rng.random()
    if values and kind > 0.5:
        at = draw.whole(0, len(values) - 1)
        values[at] = draw.spoilt(values[at])
    if kind > 0.85:
        values = [draw.anything() if draw.chance(0.4) else value for value in values]
    return name, _maker(name, arguments, values)


def _maker(name: str, arguments: Arguments, values: list[Any]) -> Callable[[], Any]:
    owner, _, method = name.partition(".")
    if not method:
        return lambda: getattr(_core, name)(*values)
    if method == "__init__":
        return lambda: getattr(_core, owner)(*values)
    instance = arguments.instance(owner)
    return lambda: _ask(instance, method, values)


def _ask(instance: Any, method: str, values: list[Any]) -> Any:
    found = getattr(instance, method)
    return found(*values) if callable(found) else found
