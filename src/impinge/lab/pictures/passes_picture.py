"""Pictures of the buffers of `cinder` after each pass, and one sheet of them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge.lab.pictures.panels import EMPTY, filled, grown, legend, sheet, side_of
from impinge.lab.pictures.passes import Passes, look

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes, Floats
    from impinge.lab.pictures.panels import Panel
    from impinge.render.palette import Colour

BOXES: dict[str, Colour] = {
    "red": (0.86, 0.22, 0.20),
    "green": (0.30, 0.66, 0.32),
    "blue": (0.24, 0.45, 0.80),
}
# the counts in the stencil from 0 on, the last for all above
COUNTS: tuple[Colour, ...] = (
    (0.10, 0.11, 0.14), (0.20, 0.47, 0.72), (0.96, 0.78, 0.25), (0.90, 0.36, 0.22),
    (1.0, 1.0, 1.0),
)  # fmt: skip
_ROOM = 400
_ORDER = ("red", "green", "blue")
_TITLE = "Three boxes, pass by pass"
# figures of the paper, by the name of a panel
_TEXTS = {
    "scene": "7: the scene",
    "red-first": "8a: always, red before green",
    "green-first": "8b: always, green before red",
    "wires": "9a: wireframes",
    "depth": "9b: depth after pass 1",
    "plus": "10: stencil after pass 2",
    "minus": "11: stencil after pass 3",
    "penetrating": "12: edge ids after pass 4",
    "penetrated": "13: solid ids after pass 7",
    "result": "13: pairs of ids, result",
    "printed": "pass 7 as printed: nothing",
}


def pictures(*, resolution: int) -> tuple[dict[str, Bytes], Passes]:
    """The sheet, called "passes", and each of its panels; and what it shows."""
    seen = look(_ORDER, resolution=resolution)
    other = look(("green", "red", "blue"), resolution=resolution)
    printed = look(_ORDER, resolution=resolution, variant="printed")
    images = {
        "scene": _shaded(seen, seen.seen),
        "red-first": _shaded(seen, seen.painted),
        "green-first": _shaded(other, other.painted),
        "wires": _coloured(seen, seen.wires),
        "depth": _depth(seen),
        "plus": _counts(seen, "plus"),
        "minus": _counts(seen, "minus"),
        "penetrating": _coloured(seen, _bodies(seen.stages["penetrating"].edge_id)),
        "penetrated": _coloured(seen, _bodies(seen.stages["penetrated"].solid_id)),
        "result": _both(seen),
        "printed": _both(printed),
    }
    panels: list[Panel] = [(_TEXTS[name], grown(image, _ROOM)) for name, image in images.items()]
    panels.append(("", _legend(seen, other, printed)))
    result = {"passes": sheet(panels, _TITLE, side_of(resolution, _ROOM))}
    for name, image in images.items():
        result[name] = np.round(255 * grown(image, _ROOM)).astype(np.uint8)
    return result, seen


def _shaded(seen: Passes, owner: AnyArray) -> Floats:
    image = _coloured(seen, owner, empty=EMPTY)
    rows, columns = np.nonzero(owner >= 0)
    light = seen.light[owner[rows, columns], rows, columns]
    image[rows, columns] *= (0.35 + 0.65 * light)[:, None]
    return image


def _coloured(seen: Passes, owner: AnyArray, *, empty: Colour = COUNTS[0]) -> Floats:
    """Each pixel in the colour of its box; -1 is none."""
    palette = np.array([*(BOXES[name] for name in seen.names), empty])
    return palette[owner]


def _bodies(ids: AnyArray) -> AnyArray:
    return ids.astype(np.int64) - 1


def _depth(seen: Passes) -> Floats:
    """Black at the near plane, where there is no edge, and white at the far plane."""
    depth = seen.stages["edges"].depth
    drawn = depth > 0
    low, high = depth[drawn].min(), depth[drawn].max()
    grey = np.where(drawn, 0.25 + 0.75 * (depth - low) / (high - low), 0.0)
    return np.repeat(grey[..., None], 3, axis=2)


def _counts(seen: Passes, stage: str) -> Floats:
    return np.array(COUNTS)[np.minimum(seen.stages[stage].stencil, len(COUNTS) - 1)]


def _both(seen: Passes) -> Floats:
    """Pixels with a pair, in the mean colour of its boxes."""
    result = seen.stages["result"]
    edges, solids = _bodies(result.edge_id), _bodies(result.solid_id)
    pair = (edges >= 0) & (solids >= 0)
    image = filled(edges.shape, COUNTS[0])
    mixed = (_coloured(seen, edges) + _coloured(seen, solids)) / 2
    image[pair] = mixed[pair]
    return image


def _legend(seen: Passes, other: Passes, printed: Passes) -> Floats:
    side = side_of(len(seen.seen), _ROOM)
    entries = [(COUNTS[k], f"count {k}") for k in range(1, len(COUNTS) - 1)]
    mixed = [
        (_mean(BOXES[a], BOXES[b]), f"{a} and {b}: {_pixels(seen, a, b):,} pixels")
        for a, b in seen.pairs
    ]
    stencil = int(np.count_nonzero(seen.stages["penetrated"].stencil))
    left = int(np.count_nonzero(printed.stages["penetrated"].stencil))
    facts = [
        f"pairs: {len(seen.pairs)}",
        f"green drawn first: {len(other.pairs)}",
        f"as printed: {len(printed.pairs)}",
        "stencil that is left:",
        f"{stencil} pixels, printed {left}",
    ]
    return legend((side, side), [*entries, *mixed], facts)


def _pixels(seen: Passes, a: str, b: str) -> int:
    ids = [seen.names.index(name) + 1 for name in (a, b)]
    result = seen.stages["result"]
    pairs = np.sort(np.stack([result.edge_id, result.solid_id]), axis=0)
    return int(np.count_nonzero((pairs[0] == min(ids)) & (pairs[1] == max(ids))))


def _mean(a: Colour, b: Colour) -> Colour:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2
