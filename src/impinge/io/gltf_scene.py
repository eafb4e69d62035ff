"""The scene graph of a glTF document: every mesh instance with its world pose."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from impinge.io.budget import PART_BYTES
from impinge.io.checks import count
from impinge.io.gltf_accessors import Accessors
from impinge.io.gltf_document import Buffers, Document, Object
from impinge.io.gltf_meshes import Meshes
from impinge.io.gltf_node import local_placement
from impinge.io.model import Part
from impinge.io.precision import Placement, placed


def scene_parts(
    document: Document, buffers: Buffers, chains: list[list[int]] | None = None
) -> list[Part]:
    """Parts in the order of the scene graph; instances of a mesh share it.

    To `chains` the nodes are added that each part is below, from the root down to its own.
    """
    meshes = Meshes(document, Accessors(document, buffers))
    parts = []
    seen = bytearray(len(document.items(document.root, "nodes", "nodes")))
    stack = [(iter(_roots(document)), Placement())]
    chain: list[int] = []
    while stack:
        siblings, parent = stack[-1]
        index = next(siblings, None)
        del chain[len(stack) - 1 :]
        if index is None:
            stack.pop()
            continue
        chain.append(index)
        place = f"nodes[{index}]"
        node = document.entry("nodes", index, "scenes")
        if seen[index]:
            document.fail("is reached twice; the scene graph is not a tree", place)
        seen[index] = True
        own = local_placement(document, node, place)
        world = parent if own is None else parent @ own
        if own is not None and not np.isfinite(world.pose).all():
            document.fail("its world pose is not finite", place)
        mesh_index = document.index(node, "mesh", place)
        if mesh_index is not None:
            document.findings.spend(PART_BYTES, "one more part", place=place)
            mesh, numbers = meshes.get(mesh_index, place)
            _warn_of_deformation(document, node, place)
            name = document.name(node) or meshes.name(mesh_index) or f"node-{index}"
            if chains is not None:
                chains.append(chain.copy())
            parts.append((Part(name, mesh, world.pose.copy(), numbers), world.errors))
        children = document.indices(node, "children", place)
        if children:
            stack.append((iter(children), world))
    meshes.report_left_out()
    _warn_of_unplaced(document, seen)
    return placed(parts)


def _roots(document: Document) -> Iterable[int]:
    scenes = document.items(document.root, "scenes", "scenes")
    if scenes:
        chosen = document.integer(document.root, "scene", "scene", 0)
        scene = document.entry("scenes", chosen, "scene")
        return document.indices(scene, "nodes", f"scenes[{chosen}]")
    nodes = document.items(document.root, "nodes", "nodes")
    children: set[int] = set()
    for i in range(len(nodes)):
        node = document.entry("nodes", i, "nodes")
        children.update(document.indices(node, "children", f"nodes[{i}]"))
    return (i for i in range(len(nodes)) if i not in children)


def _warn_of_deformation(document: Document, node: Object, place: str) -> None:
    if "skin" in node:
        document.findings.note(f"{place}: skinned mesh taken in its bind pose")
    if any(document.items(node, "weights", place)):
        document.findings.note(f"{place}: morph target weights not applied")
    if "EXT_mesh_gpu_instancing" in document.mapping(node, "extensions", place):
        document.findings.problem(
            "needs the extension EXT_mesh_gpu_instancing, which is not supported",
            "took the mesh once instead of its instances",
            place=place,
        )


def _warn_of_unplaced(document: Document, seen: bytearray) -> None:
    nodes = document.items(document.root, "nodes", "nodes")
    unplaced = sum(
        1
        for i, node in enumerate(nodes)
        if not seen[i] and isinstance(node, dict) and "mesh" in node
    )
    if unplaced:
        document.findings.note(
            f"{count(unplaced, 'mesh node')} outside of the default scene left out"
        )
