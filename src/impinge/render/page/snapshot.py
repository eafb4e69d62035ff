"""A scene at one moment, and the message that brings a page from an older moment to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge import _core
from impinge._shape import Shape, Structures
from impinge.render.bodies import branches
from impinge.render.page.findings import ShownResult
from impinge.render.page.packing import pack

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats
    from impinge.render.bodies import ShownBodies
    from impinge.render.drawing import Drawing

_IDENTITY = np.eye(4)
_NOTHING = Shape(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32), Structures())


@dataclass(frozen=True, eq=False)
class Snapshot:
    """All that a page shows. Shapes are never written again, so that those that moved are known."""

    number: int
    bodies: ShownBodies
    shapes: tuple[Shape, ...]
    findings: ShownResult | None = None
    state: Mapping[str, Any] = field(default_factory=dict)
    stages: Sequence[tuple[str, float]] | None = None
    """Seconds of what was done for a frame of a motion; None: nothing moved by itself."""
    colours: Sequence[tuple[float, float, float]] | None = None
    """Of the bodies in this frame; None: those of the bodies."""


def of_drawing(drawing: Drawing, *, title: str, most: int = 0) -> Snapshot:
    """The bodies and what was found.

    With more triangles than `most` (0: any number) bodies are left out, those that clash last.
    """
    shapes = drawing.shapes
    found = {body for one in (*drawing.clashes, *drawing.near) for body in one.bodies}
    omitted = _omitted(shapes, found, most)
    shown = tuple(_NOTHING if body in omitted else shape for body, shape in enumerate(shapes))
    findings = ShownResult(
        drawing,
        drawing.bodies.origin,
        drawing.hits.method,
        omitted=omitted,
        focus=drawing.focus,
        solid=drawing.solid,
    )
    return Snapshot(1, drawing.bodies, shown, findings, still(title))


def _omitted(shapes: Sequence[Shape], clashing: set[int], most: int) -> frozenset[int]:
    """Bodies beyond the limit when those that clash come first, and small ones before large."""
    order = sorted(
        range(len(shapes)), key=lambda body: (body not in clashing, len(shapes[body].faces))
    )
    total = np.cumsum([len(shapes[body].faces) for body in order])
    return frozenset(body for body, sum_ in zip(order, total, strict=True) if 0 < most < sum_)


def still(title: str) -> dict[str, Any]:
    """The state of a page that has no server."""
    return {"title": title, "live": False, "movable": False, "choices": [], "player": None}


def message(now: Snapshot, before: Snapshot | None = None) -> bytes:
    """What a page that shows `before` needs to show `now`; of nothing, everything."""
    header: dict[str, Any] = {"number": now.number, "state": now.state}
    arrays: dict[str, AnyArray] = {}
    begins = before is None or _others(now, before)
    if begins:
        header["scene"], geometry = _scene(now)
        arrays.update(geometry)
    elif before is not None:
        header["changes"], moved = _changes(now, before)
        arrays.update(moved)
    if now.findings is not None and (
        begins or before is None or before.findings is not now.findings
    ):
        header["hits"], found = now.findings.message
        arrays.update(found)
    if now.colours is not None and (begins or before is None or before.colours != now.colours):
        arrays["colours"] = np.array(now.colours, dtype=np.float32)
    if now.stages is not None and (before is None or before.number != now.number):
        rows = [{"name": name, "seconds": seconds} for name, seconds in now.stages]
        header["frame"] = {"stages": rows}
    return pack(header, arrays)


def _others(now: Snapshot, before: Snapshot) -> bool:
    """Whether these are other bodies, or one that was rigid began to deform."""
    return before.bodies is not now.bodies or any(
        new.deformed != old.deformed for new, old in zip(now.shapes, before.shapes, strict=True)
    )


def _scene(now: Snapshot) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    bodies = now.bodies
    arrays: dict[str, AnyArray] = {}
    shapes: list[dict[str, bool]] = []
    known: dict[tuple[int, int], int] = {}
    entries: list[dict[str, Any]] = []
    for body, shape in enumerate(now.shapes):
        key = (id(shape.local), id(shape.faces))
        # a body that deforms has vertices of its own
        if shape.deformed or key not in known:
            known[key] = len(shapes)
            vertices, faces = _geometry(shape)
            arrays[f"vertices{len(shapes)}"] = vertices
            arrays[f"faces{len(shapes)}"] = faces
            shapes.append({"deforms": shape.deformed})
        entries.append(
            {
                "name": bodies.names[body],
                "path": branches(bodies.names[body]),
                "colour": bodies.colours[body],
                "shape": known[key],
                "pose": _pose(shape, bodies.origin),
            }
        )
    header: dict[str, Any] = {"up": bodies.up, "shapes": shapes, "bodies": entries}
    if bodies.frame is not None:
        header["frame"] = (np.asarray(bodies.frame) - bodies.origin).tolist()
    return header, arrays


def _changes(now: Snapshot, before: Snapshot) -> tuple[list[dict[str, Any]], dict[str, AnyArray]]:
    changes: list[dict[str, Any]] = []
    arrays: dict[str, AnyArray] = {}
    for body, (new, old) in enumerate(zip(now.shapes, before.shapes, strict=True)):
        if new is old:
            continue
        deforms = new.local is not old.local
        if deforms:
            arrays[f"moved{body}"] = _local(new)
        changes.append({"body": body, "deforms": deforms, "pose": _pose(new, now.bodies.origin)})
    return changes, arrays


def _geometry(shape: Shape) -> tuple[AnyArray, AnyArray]:
    """Vertices and faces; equal vertices of a rigid shape become one, for smooth shading."""
    faces = shape.faces
    if not shape.deformed and len(faces):
        faces = _core.weld(np.ascontiguousarray(shape.local))[faces]
    return _local(shape), faces


def middle_of(shape: Shape) -> Floats:
    """(3,) what local coordinates are told from: of a shape that deforms always the same."""
    if shape.deformed or not len(shape.local):
        return np.zeros(3)
    middle: Floats = (shape.local.min(axis=0) + shape.local.max(axis=0)) / 2
    return middle


def _local(shape: Shape) -> AnyArray:
    middle = middle_of(shape)
    with np.errstate(over="ignore"):
        return (shape.local - middle if middle.any() else shape.local).astype(np.float32)


def _pose(shape: Shape, origin: Floats) -> list[float]:
    """The sixteen numbers, in rows, that bring what `_local` tells to the coordinates of a page."""
    pose = np.array(_IDENTITY if shape.pose is None else shape.pose)
    pose[:3, 3] += pose[:3, :3] @ middle_of(shape) - origin
    return [float(value) for value in pose.ravel()]
