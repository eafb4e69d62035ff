"""The channels of a glTF animation: what moves a node, and its value at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.io.gltf_accessors import Accessors
from impinge.io.gltf_document import Document, Object

if TYPE_CHECKING:
    from impinge._types import Floats, Longs

_KINDS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}
_INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")


class Channel(NamedTuple):
    """Keys of one property of a node."""

    path: str
    interpolation: str
    times: Floats
    """(k,), rising."""
    values: Floats
    """(k, width); of a cubic spline (k, 3, width): tangent in, value, tangent out."""

    @property
    def jumps(self) -> bool:
        return self.interpolation == "STEP"

    def at(self, times: Floats, *, before: bool) -> Floats:
        """(n, width) at times (n,); where it jumps the value before or after that."""
        keys = self.times
        if len(keys) == 1:
            first = self.values[:, 1] if self.values.ndim == 3 else self.values
            return np.broadcast_to(first[0], (len(times), first.shape[1]))
        at = np.searchsorted(keys, times, side="left" if before else "right") - 1
        last = len(keys) - 1 if self.jumps else len(keys) - 2
        at = np.clip(at, 0, last)
        if self.jumps:
            return self.values[at]
        step: Floats = keys[at + 1] - keys[at]
        share = np.clip((times - keys[at]) / step, 0.0, 1.0)[:, None]
        if self.interpolation == "CUBICSPLINE":
            return self._spline(at, share, step[:, None])
        if self.path == "rotation":
            return _slerp(self.values[at], self.values[at + 1], share)
        return self.values[at] * (1 - share) + self.values[at + 1] * share

    def _spline(self, at: Longs, s: Floats, step: Floats) -> Floats:
        """As appendix C of the specification has it."""
        here, there = self.values[at], self.values[at + 1]
        value: Floats = (
            (2 * s**3 - 3 * s**2 + 1) * here[:, 1]
            + step * (s**3 - 2 * s**2 + s) * here[:, 2]
            + (3 * s**2 - 2 * s**3) * there[:, 1]
            + step * (s**3 - s**2) * there[:, 0]
        )
        if self.path == "rotation":
            value = value / np.linalg.norm(value, axis=1, keepdims=True)
        return value


def _slerp(start: Floats, goal: Floats, share: Floats) -> Floats:
    """Between unit quaternions (n, 4), the shorter way round."""
    cosine = np.einsum("nk,nk->n", start, goal)[:, None]
    goal = np.where(cosine < 0, -goal, goal)
    chord = np.linalg.norm(goal - start, axis=1, keepdims=True)
    angle = 2 * np.arcsin(np.clip(chord / 2, 0.0, 1.0))
    sine = np.sin(angle)
    near = sine < 1e-9
    safe = np.where(near, 1.0, sine)
    low = np.where(near, 1 - share, np.sin((1 - share) * angle) / safe)
    high = np.where(near, share, np.sin(share * angle) / safe)
    value: Floats = low * start + high * goal
    value /= np.linalg.norm(value, axis=1, keepdims=True)
    return value


def channels_of(
    document: Document, accessors: Accessors, animation: Object, place: str
) -> dict[int, dict[str, Channel]]:
    """By node and property."""
    found: dict[int, dict[str, Channel]] = {}
    samplers = document.items(animation, "samplers", place)
    for number, entry in enumerate(document.items(animation, "channels", place)):
        where = f"{place}.channels[{number}]"
        if not isinstance(entry, dict):
            document.fail("is not an object", where)
        target = document.mapping(entry, "target", where)
        path = target.get("path")
        if "node" not in target or path in ("weights", "pointer"):
            document.findings.note(f"{where}: what it moves is no node, and left out")
            continue
        if path not in _KINDS:
            document.fail(f"has an unknown path {str(path)[:40]!r}", where)
        node = document.integer(target, "node", where)
        if "matrix" in document.entry("nodes", node, where):
            document.fail(f"moves nodes[{node}], which has a matrix", where)
        index = document.integer(entry, "sampler", where)
        if index >= len(samplers) or not isinstance(samplers[index], dict):
            document.fail(f"refers to samplers[{index}], which is none", where)
        if path in found.setdefault(node, {}):
            document.fail(f"moves the {path} of nodes[{node}] a second time", where)
        sampler = samplers[index]
        found[node][path] = _channel(
            document, accessors, sampler, path, f"{place}.samplers[{index}]"
        )
    return {node: channels for node, channels in found.items() if channels}


def _channel(
    document: Document, accessors: Accessors, sampler: Object, path: str, place: str
) -> Channel:
    interpolation = sampler.get("interpolation", "LINEAR")
    if interpolation not in _INTERPOLATIONS:
        document.fail(f"has an unknown interpolation {str(interpolation)[:40]!r}", place)
    times = accessors.numbers(document.integer(sampler, "input", place), "SCALAR", place)[0]
    times = times.reshape(-1)
    values = accessors.numbers(document.integer(sampler, "output", place), _KINDS[path], place)[0]
    rows = 3 if interpolation == "CUBICSPLINE" else 1
    if not len(times) or len(values) != rows * len(times):
        document.fail(f"has {len(times)} times and {len(values)} values", place)
    if not (np.isfinite(times).all() and times[0] >= 0 and (np.diff(times) > 0).all()):
        document.fail("its times are not rising from 0 on", place)
    if not np.isfinite(values).all():
        document.fail("has a value that is not finite", place)
    if interpolation == "CUBICSPLINE":
        values = values.reshape(len(times), 3, -1)
    if path == "rotation":
        keys = values[:, 1] if interpolation == "CUBICSPLINE" else values
        norms = np.linalg.norm(keys, axis=1, keepdims=True)
        if not ((norms > 0.7) & (norms < 1.4)).all():
            document.fail("holds a rotation that is not a unit quaternion", place)
        if interpolation != "CUBICSPLINE":
            values = values / norms
    return Channel(path, interpolation, times, values)
