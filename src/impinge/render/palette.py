"""The colours of the pictures and of the page, in 0..1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Colour = tuple[float, float, float]

CLASH: Colour = (0.86, 0.13, 0.18)
CURVE: Colour = (0.24, 0.0, 0.05)
TOUCH: Colour = (0.90, 0.52, 0.05)
NEAR: Colour = (0.09, 0.36, 0.80)
GHOST: Colour = (0.66, 0.73, 0.80)
GHOST_EDGE: Colour = (0.28, 0.34, 0.41)
# neighbours in a clash get different ones
BODIES: tuple[Colour, ...] = (
    (0.45, 0.62, 0.78),
    (0.93, 0.76, 0.42),
    (0.56, 0.74, 0.58),
    (0.70, 0.62, 0.80),
    (0.80, 0.81, 0.83),
    (0.47, 0.70, 0.72),
)


def edge(colour: Colour) -> Colour:
    """A darker tone for the lines on a surface."""
    red, green, blue = (0.45 * part for part in colour)
    return red, green, blue


def assign(
    count: int, pairs: Iterable[tuple[int, int]], *, wanted: Sequence[int] | None = None
) -> list[Colour]:
    """A colour for each of `count` bodies, different for the two of each pair where possible.

    `wanted` are the numbers of the colours that bodies get if no other body stands against it.
    """
    first = [0] * count if wanted is None else wanted
    partners: list[set[int]] = [set() for _ in range(count)]
    for a, b in pairs:
        if a != b:
            partners[a].add(b)
            partners[b].add(a)
    chosen: dict[int, int] = {}
    total = len(BODIES)
    for body in sorted(range(count), key=lambda body: (-len(partners[body]), body)):
        taken = {chosen[other] for other in partners[body] if other in chosen}
        free = ((first[body] + n) % total for n in range(total))
        chosen[body] = next((n for n in free if n not in taken), body % total)
    return [BODIES[chosen[body]] for body in range(count)]
