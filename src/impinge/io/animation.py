"""Animated glTF: where the parts of a file are at any time."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import MeshFileError
from impinge.io.checks import Findings
from impinge.io.gltf import opened
from impinge.io.gltf_accessors import Accessors
from impinge.io.gltf_channels import Channel, channels_of
from impinge.io.gltf_document import Document
from impinge.io.gltf_node import local_placement
from impinge.io.gltf_scene import scene_parts
from impinge.io.model import Model
from impinge.io.read import file_bytes, guarded, with_triangles

if TYPE_CHECKING:
    from impinge._types import Floats

EXTENSIONS = (".glb", ".gltf")
_MOST_STEPS = 100_000
_LEAST_PARTS = 4


@dataclass(frozen=True, eq=False)
class Span:
    """A part of an animation in which nothing jumps."""

    times: Floats
    """(k,) seconds, rising; one alone is an instant."""
    poses: dict[int, Floats]
    """(k, 4, 4) of each part that is moved, by its number in the model."""


@dataclass(frozen=True, eq=False)
class Animation:
    """The animation of a file; parts that it does not move are where the model has them."""

    name: str
    model: Model
    spans: tuple[Span, ...]


def read_animation(
    path: str | os.PathLike[str], *, steps: float = 60.0, lenient: bool = False
) -> Animation:
    """The first animation of a glTF file, with a pose of each moved part for each step.

    Between steps of a second, and keys, parts are taken to move as a `Motion` does; a node whose
    keys are joined linearly, in a parent at rest, does exactly that.
    """
    path = Path(path)
    if path.suffix.lower() not in EXTENSIONS:
        raise MeshFileError(path, "", "has no animation; only glTF files (.glb, .gltf) have")
    data = file_bytes(path)
    findings = Findings(path, lenient=lenient, size=len(data))
    return guarded(findings, _animation, data, findings, steps)


def _animation(data: bytes, findings: Findings, steps: float) -> Animation:
    document, buffers = opened(data, findings)
    chains: list[list[int]] = []
    parts = scene_parts(document, buffers, chains)
    filled = [chain for chain, part in zip(chains, parts, strict=True) if len(part.mesh.faces)]
    full = with_triangles(parts, findings)
    name, spans = _spans(document, Accessors(document, buffers), filled, steps)
    return Animation(name, Model(findings.path, full, tuple(findings.warnings)), spans)


def _spans(
    document: Document, accessors: Accessors, parts: list[list[int]], steps: float
) -> tuple[str, tuple[Span, ...]]:
    findings = document.findings
    animations = document.items(document.root, "animations", "animations")
    if not animations:
        document.fail("there is none", "animations")
    if len(animations) > 1:
        findings.note(f"the first of {len(animations)} animations was taken")
    entry = document.entry("animations", 0, "animations")
    place = "animations[0]"
    channels = channels_of(document, accessors, entry, place)
    every = [one for of_node in channels.values() for one in of_node.values()]
    if not every:
        document.fail("moves no node", place)
    begin, end = min(one.times[0] for one in every), max(one.times[-1] for one in every)
    if (end - begin) * steps > _MOST_STEPS:
        document.fail(f"takes {end - begin:g} seconds, more than {_MOST_STEPS} steps", place)
    moved = {i: chain for i, chain in enumerate(parts) if channels.keys() & set(chain)}
    spans = []
    for low, high in _pieces(every, float(begin), float(end)):
        times = _times(every, low, high, steps)
        findings.spend(128 * len(times) * max(len(moved), 1), "poses", place=place)
        poses = {i: _poses(document, chain, channels, times) for i, chain in moved.items()}
        spans.append(Span(times, poses))
    return document.name(entry), tuple(spans)


def _pieces(channels: list[Channel], begin: float, end: float) -> list[tuple[float, float]]:
    """From jump to jump; the last one is an instant if something jumps at the end."""
    jumps = {float(t) for one in channels if one.jumps for t in one.times[1:]}
    cuts = sorted({begin, end, *jumps})
    pieces = list(pairwise(cuts))
    if end in jumps or not pieces:
        pieces.append((end, end))
    return pieces


def _times(channels: list[Channel], low: float, high: float, steps: float) -> Floats:
    if low == high:
        return np.array([low])
    keys = np.concatenate([one.times for one in channels])
    cuts = np.unique(np.concatenate([[low, high], keys[(keys > low) & (keys < high)]]))
    # half a turn from key to key has no shortest way, but its parts have
    grids = [
        np.linspace(start, stop, max(_LEAST_PARTS, int(np.ceil((stop - start) * steps))) + 1)
        for start, stop in pairwise(cuts)
    ]
    return np.unique(np.concatenate(grids))


def _poses(
    document: Document, chain: list[int], channels: dict[int, dict[str, Channel]], times: Floats
) -> Floats:
    """(k, 4, 4) in the world of a mesh below these nodes, from the root down."""
    world = np.broadcast_to(np.eye(4), (len(times), 4, 4))
    for index in chain:
        node = document.entry("nodes", index, "nodes")
        if index in channels:
            world = world @ _local(document, node, index, channels[index], times)
            continue
        own = local_placement(document, node, f"nodes[{index}]")
        if own is not None:
            world = world @ own.pose
    if not np.isfinite(world).all():
        document.fail("its world pose is not finite on the way", f"nodes[{chain[-1]}]")
    return np.ascontiguousarray(world)


def _local(
    document: Document,
    node: dict[str, object],
    index: int,
    moved: dict[str, Channel],
    times: Floats,
) -> Floats:
    place = f"nodes[{index}]"
    rest = {"translation": [0.0] * 3, "rotation": [0.0, 0.0, 0.0, 1.0], "scale": [1.0] * 3}
    values = {}
    for key, default in rest.items():
        if key not in moved:
            still = document.floats(node, key, place, default)
            values[key] = np.broadcast_to(still, (len(times), len(default)))
            continue
        # where it jumps a piece begins with the value after it, and ends with that before
        value = moved[key].at(times, before=True).copy()
        value[0] = moved[key].at(times[:1], before=False)[0]
        values[key] = value
    local = np.zeros((len(times), 4, 4))
    local[:, :3, :3] = _matrices(values["rotation"]) * values["scale"][:, None, :]
    local[:, :3, 3] = values["translation"]
    local[:, 3, 3] = 1.0
    return local


def _matrices(quaternions: Floats) -> Floats:
    """(k, 3, 3) of quaternions x, y, z, w."""
    x, y, z, w = (quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
