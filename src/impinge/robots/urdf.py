"""URDF: links with their collision geometry, and the joints between them, checked once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.errors import nearest, word_list
from impinge.robots.document import Element, read_document

if TYPE_CHECKING:
    from pathlib import Path

    from impinge._types import Floats
    from impinge.io.checks import Findings

ROTATING = ("revolute", "continuous")
MOVABLE = (*ROTATING, "prismatic")
_REFUSED = ("floating", "planar")
_KINDS = (*MOVABLE, "fixed")
# what is kept for pairs of links, and for all joints above each, grows with the square
_MOST_LINKS = 1000
SHAPES = ("mesh", "box", "cylinder", "sphere", "capsule")


@dataclass(frozen=True, eq=False)
class Shape:
    """The geometry of a <collision>: what it is, how large, and where in its link."""

    kind: str
    sizes: tuple[float, ...]
    """box: x, y, z. cylinder, capsule: radius, length. sphere: radius. mesh: scale along x, y, z.
    """
    origin: Floats
    """(4, 4): from the shape to the link."""
    element: Element
    file: str = ""
    """As it stands in the document, of a mesh."""


@dataclass(frozen=True, eq=False)
class Link:
    name: str
    element: Element
    shapes: tuple[Shape, ...]


class Mimic(NamedTuple):
    """The joint follows another: multiplier times its value, plus offset."""

    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True, eq=False)
class Joint:
    """How a link moves in its parent link."""

    name: str
    kind: str
    parent: str
    child: str
    origin: Floats
    """(4, 4): from the joint, at value 0, to the parent link."""
    axis: Floats
    """(3,): unit vector in the joint."""
    lower: float
    upper: float
    mimic: Mimic | None
    element: Element


@dataclass(eq=False)
class Description:
    """A tree of links and joints, in the order of the file."""

    name: str
    root: str
    findings: Findings
    links: dict[str, Link] = field(default_factory=dict)
    joints: dict[str, Joint] = field(default_factory=dict)


def read_urdf(path: Path) -> Description:
    """What the file holds, if that is a tree of links."""
    robot = read_document(path)
    made = Description(robot.attributes.get("name", "").strip()[:255], "", robot.findings)
    for element in robot.all("link"):
        link = _link(element)
        if link.name in made.links:
            element.fail(f"a second link is called {link.name!r}")
        made.links[link.name] = link
    if not 0 < len(made.links) <= _MOST_LINKS:
        robot.fail(f"a robot must have 1 to {_MOST_LINKS:,} links, this has {len(made.links):,}")
    for element in robot.all("joint"):
        joint = _joint(element, made.links)
        if joint.name in made.joints:
            element.fail(f"a second joint is called {joint.name!r}")
        made.joints[joint.name] = joint
    made.root = _checked_tree(robot, made)
    _check_mimics(made.joints)
    return made


def _link(element: Element) -> Link:
    shapes = tuple(_shape(collision) for collision in element.all("collision"))
    return Link(element.name(), element, shapes)


def _shape(collision: Element) -> Shape:
    geometry = collision.one("geometry")
    if geometry is None:
        collision.fail("<collision> has no <geometry>")
    if len(geometry.children) != 1:
        geometry.fail(f"<geometry> must hold one shape, got {len(geometry.children)}")
    shape = geometry.children[0]
    origin = _pose(collision)
    if shape.tag == "mesh":
        scale = shape.numbers("scale", 3, (1.0, 1.0, 1.0))
        if not scale.all():
            shape.fail("a scale of 0 leaves nothing of the mesh")
        return Shape("mesh", tuple(scale), origin, shape, shape.text("filename"))
    if shape.tag == "box":
        sizes = shape.numbers("size", 3)
        if not (sizes > 0.0).all():
            shape.fail("all sizes of a box must be above 0")
        return Shape("box", tuple(sizes), origin, shape)
    if shape.tag in ("cylinder", "capsule"):
        return Shape(shape.tag, (shape.length("radius"), shape.length("length")), origin, shape)
    if shape.tag == "sphere":
        return Shape("sphere", (shape.length("radius"),), origin, shape)
    shape.fail(f"the shape <{shape.tag[:60]}> is not known; known are {', '.join(SHAPES)}")


def _joint(element: Element, links: dict[str, Link]) -> Joint:
    name, kind = element.name(), element.text("type")
    if kind in _REFUSED:
        element.fail(
            f"joint {name!r} is {kind}, which has no single value; make it fixed and place the "
            "robot with base="
        )
    if kind not in _KINDS:
        element.fail(
            f"joint {name!r} has the type {kind[:60]!r}; known are {', '.join(_KINDS)}"
            + nearest(kind, _KINDS)
        )
    ends = [_end(element, tag, links) for tag in ("parent", "child")]
    axis = np.eye(3)[0] if kind == "fixed" else _axis(element)
    lower, upper = _limits(element, name, kind)
    return Joint(
        name, kind, ends[0], ends[1], _pose(element), axis, lower, upper, _mimic(element), element
    )


def _end(joint: Element, tag: str, links: dict[str, Link]) -> str:
    end = joint.one(tag)
    if end is None:
        joint.fail(f"<joint> has no <{tag}>")
    name = end.name("link")
    if name not in links:
        end.fail(f"there is no link {name!r}{nearest(name, links)}")
    return name


def _axis(joint: Element) -> Floats:
    element = joint.one("axis")
    if element is None:
        return np.array((1.0, 0.0, 0.0))
    axis = element.numbers("xyz", 3, (1.0, 0.0, 0.0))
    largest = float(np.abs(axis).max())
    if largest == 0.0:
        element.fail("an axis of (0, 0, 0) has no direction")
    # by its largest first: squares of small numbers vanish
    unit: Floats = axis / largest
    unit /= np.sqrt(unit @ unit)
    return unit


def _limits(joint: Element, name: str, kind: str) -> tuple[float, float]:
    limit = joint.one("limit")
    if kind in ("continuous", "fixed"):
        return -np.inf, np.inf
    if limit is None:
        joint.fail(f"joint {name!r} is {kind} and has no <limit>")
    lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
    if lower > upper:
        limit.fail(f"joint {name!r} has the limits {lower:g} to {upper:g}, the lower one above")
    return lower, upper


def _mimic(joint: Element) -> Mimic | None:
    element = joint.one("mimic")
    if element is None:
        return None
    return Mimic(
        element.name("joint"), element.number("multiplier", 1.0), element.number("offset", 0.0)
    )


def _pose(element: Element) -> Floats:
    """(4, 4) of the <origin> of an element: turned about the fixed axes x, y, z in this order."""
    pose = np.eye(4)
    origin = element.one("origin")
    if origin is not None:
        roll, pitch, yaw = origin.numbers("rpy", 3, (0.0, 0.0, 0.0))
        (sx, sy, sz), (cx, cy, cz) = np.sin((roll, pitch, yaw)), np.cos((roll, pitch, yaw))
        pose[:3, :3] = (
            (cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx),
            (sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx),
            (-sy, cy * sx, cy * cx),
        )
        pose[:3, 3] = origin.numbers("xyz", 3, (0.0, 0.0, 0.0))
    return pose


def _checked_tree(robot: Element, made: Description) -> str:
    """The one link that all others hang on."""
    above: dict[str, Joint] = {}
    for joint in made.joints.values():
        other = above.setdefault(joint.child, joint)
        if other is not joint:
            joint.element.fail(
                f"link {joint.child!r} is the child of two joints, {other.name!r} and "
                f"{joint.name!r}; loops are not supported"
            )
    roots = [name for name in made.links if name not in above]
    if len(roots) > 1:
        more = f" and {len(roots) - 5} more" if len(roots) > 5 else ""
        robot.fail(
            f"the links are not one tree: no joint leads to {word_list(roots[:5])}{more}; only one "
            "link may have no parent"
        )
    below: dict[str, list[str]] = {}
    for joint in made.joints.values():
        below.setdefault(joint.parent, []).append(joint.child)
    reached, waiting = set(roots), list(roots)
    while waiting:
        children = below.get(waiting.pop(), [])
        reached.update(children)
        waiting.extend(children)
    for name in made.links:
        if name not in reached:
            above[name].element.fail(f"the joints above link {name!r} form a circle")
    return roots[0]


def _check_mimics(joints: dict[str, Joint]) -> None:
    for joint in joints.values():
        seen = {joint.name}
        follower = joint
        while follower.mimic is not None and follower.kind != "fixed":
            target = follower.mimic.joint
            if target not in joints:
                follower.element.fail(
                    f"joint {follower.name!r} mimics {target!r}, which does not exist"
                    + nearest(target, joints)
                )
            if target in seen:
                joint.element.fail(f"joint {joint.name!r} mimics itself in a circle")
            seen.add(target)
            follower = joints[target]
            if follower.kind == "fixed":
                joint.element.fail(f"joint {joint.name!r} mimics {target!r}, which is fixed")
