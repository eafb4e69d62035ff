"""URDF documents for tests."""

from __future__ import annotations

import numpy as np

BOX = '<geometry><box size="0.2 0.2 0.2"/></geometry>'


def link(name: str, *shapes: str) -> str:
    """A link with the given geometry elements, as many collisions."""
    return (
        f'<link name="{name}">'
        + "".join(f"<collision>{shape}</collision>" for shape in shapes)
        + "</link>"
    )


def joint(
    name: str,
    parent: str,
    child: str,
    kind: str = "revolute",
    *,
    xyz: object = (0, 0, 1),
    rpy: object = (0, 0, 0),
    axis: object = (0, 0, 1),
    more: str = "",
) -> str:
    """A joint; with limits of a turn unless `more` has other ones."""
    limit = '<limit lower="-3" upper="3" effort="1" velocity="1"/>'
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{_text(xyz)}" rpy="{_text(rpy)}"/><axis xyz="{_text(axis)}"/>'
        f"{limit if '<limit' not in more else ''}{more}</joint>"
    )


def robot(*parts: str, name: str = "tested") -> str:
    return f'<?xml version="1.0"?>\n<robot name="{name}">\n' + "\n".join(parts) + "\n</robot>\n"


def chain(kinds: list[str], rng: np.random.Generator, *, boxed: bool = True) -> str:
    """A random tree of boxes: every kind of joint in a random place under a random axis."""
    parts = [link("link-0", *_shapes(rng, boxed))]
    for index, kind in enumerate(kinds):
        parent = int(rng.integers(max(0, index - 1), index + 1))
        mimic = ""
        movable = [i for i in range(index) if kinds[i] != "fixed"]
        if movable and kind != "fixed" and rng.random() < 0.2:
            leader = movable[int(rng.integers(len(movable)))]
            factor, offset = rng.normal(size=2)
            mimic = f'<mimic joint="joint-{leader}" multiplier="{factor}" offset="{offset}"/>'
        axis = np.roll((0, 0, 1), rng.integers(3)) * rng.choice((-1, 1))
        if rng.random() < 0.5:
            axis = rng.normal(size=3)
        parts.append(link(f"link-{index + 1}", *_shapes(rng, boxed)))
        parts.append(
            joint(
                f"joint-{index}",
                f"link-{parent}",
                f"link-{index + 1}",
                kind,
                xyz=rng.normal(scale=0.4, size=3),
                rpy=rng.uniform(-3, 3, 3) * (rng.random() < 0.7),
                axis=axis,
                more=mimic,
            )
        )
    return robot(*parts)


def _shapes(rng: np.random.Generator, boxed: bool) -> list[str]:
    if not boxed:
        return []
    place = (
        f'<origin xyz="{_text(rng.normal(scale=0.1, size=3))}" rpy="{_text(rng.normal(size=3))}"/>'
    )
    size = _text(rng.uniform(0.05, 0.3, 3))
    return [f'{place}<geometry><box size="{size}"/></geometry>']


def _text(values: object) -> str:
    return " ".join(repr(float(x)) for x in values)
