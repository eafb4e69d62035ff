"""SRDF: which pairs of links are not checked, groups of joints, and named configurations."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from impinge.robots.document import Element, read_document

if TYPE_CHECKING:
    from pathlib import Path

    from impinge.robots.urdf import Description, Joint


@dataclass(eq=False)
class Semantics:
    """What the file adds to a robot.

    What it says about links, joints and groups that do not exist is left out, with a warning: one
    SRDF often serves several variants of a robot.
    """

    disabled: set[frozenset[str]] = field(default_factory=set)
    enabled: set[frozenset[str]] = field(default_factory=set)
    alone: set[str] = field(default_factory=set)
    """Links that are only checked against what is enabled."""
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of joints, in the order of the URDF."""
    states: dict[str, dict[str, float]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def read_srdf(path: Path, robot: Description) -> Semantics:
    """What the file says about a robot."""
    document = read_document(path)
    made = Semantics(warnings=document.findings.warnings)
    for tag, pairs in (
        ("disable_collisions", made.disabled),
        ("enable_collisions", made.enabled),
    ):
        for element in document.all(tag):
            ends = [*_known([element], ("link1", "link2"), robot.links, "link")]
            if len(ends) == 2:
                pairs.add(frozenset(ends))
    alone = document.all("disable_default_collisions")
    made.alone.update(_known(alone, ("link",), robot.links, "link"))
    made.groups = _groups(document, robot)
    for element in document.all("group_state"):
        values = made.states.setdefault(element.name(), {})
        for joint in element.all("joint"):
            for name in _known([joint], ("name",), robot.joints, "joint"):
                values[name] = joint.number("value")
    return made


def _known(
    elements: Iterable[Element], attributes: tuple[str, ...], names: Container[str], what: str
) -> Iterator[str]:
    """The names that the elements have as attributes; of those that do not exist, a warning."""
    for element in elements:
        for attribute in attributes:
            name = element.name(attribute)
            if name in names:
                yield name
            else:
                element.findings.note(
                    f"line {element.line}: there is no {what} {name!r}; left out <{element.tag}>"
                )


def _groups(document: Element, robot: Description) -> dict[str, tuple[str, ...]]:
    elements: dict[str, Element] = {}
    for element in document.all("group"):
        name = element.name()
        if name in elements:
            element.fail(f"a second group is called {name!r}")
        elements[name] = element
    above = {joint.child: joint for joint in robot.joints.values()}
    own: dict[str, set[str]] = {}
    inner: dict[str, list[str]] = {}
    for name, element in elements.items():
        joints = own[name] = set(_known(element.all("joint"), ("name",), robot.joints, "joint"))
        links = _known(element.all("link"), ("name",), robot.links, "link")
        joints.update(above[link].name for link in links if link in above)
        for chain in element.all("chain"):
            ends = [*_known([chain], ("base_link", "tip_link"), robot.links, "link")]
            if len(ends) == 2:
                joints.update(_chain(chain, ends[0], ends[1], above))
        inner[name] = [*_known(element.all("group"), ("name",), elements, "group")]
    wanted = {name: _with_inner(name, own, inner) for name in elements}
    return {
        name: tuple(joint for joint in robot.joints if joint in joints)
        for name, joints in wanted.items()
    }


def _chain(element: Element, base: str, tip: str, above: dict[str, Joint]) -> Iterator[str]:
    """The joints from a link up to one above it."""
    link = tip
    while link != base:
        if link not in above:
            element.fail(f"the chain does not lead up from {tip!r} to {base!r}")
        yield above[link].name
        link = above[link].parent


def _with_inner(name: str, own: dict[str, set[str]], inner: dict[str, list[str]]) -> set[str]:
    """The joints of a group and of all groups in it, each looked at once, circles too."""
    seen, waiting = {name}, [name]
    joints: set[str] = set()
    while waiting:
        group = waiting.pop()
        joints |= own[group]
        fresh = [each for each in inner[group] if each not in seen]
        seen.update(fresh)
        waiting.extend(fresh)
    return joints
