"""Cuts space into tiles of about equal work."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from impinge.cluster import sealed

if TYPE_CHECKING:
    from impinge._types import Floats, Ints, Longs

# a cut must pay: both sides together hold at most this much of what was there ...
_MOST_GHOSTS = 1.5
# ... and the fuller one at most this much
_LEAST_PROGRESS = 0.85
# so much is a good cut, and no other one is looked for
_FEW_GHOSTS = 1.05
# below so many boxes a sample says nothing about where to cut
_FEWEST_BOXES = 16


@dataclass(frozen=True, eq=False)
class TilePlan:
    """A k-d tree. Node i sends what is below value[i] on axis[i] left, the rest right.

    children: (m, 2) nodes, or -1 - tile. Tiles are half-open, [low, high), and fill all space, so
    that every point is in exactly one of them. regions: (t, 2, 3) their corners, some infinite.
    """

    axis: Ints
    value: Floats
    children: Ints
    regions: Floats
    root: int = -1

    @property
    def tiles(self) -> int:
        return len(self.regions)

    @property
    def mark(self) -> int:
        """A number that another plan hardly has: what was made by this one is known by it."""
        crc = self.root & 0xFFFFFFFF
        for array in (self.axis, self.value, self.children, self.regions):
            crc = crc32(array.tobytes(), crc)
        return crc

    def tile_at(self, points: Floats) -> Longs:
        """The tile (n,) that holds each of the points (n, 3)."""
        node = np.full(len(points), self.root, dtype=np.int64)
        while (inner := np.flatnonzero(node >= 0)).size:
            at = node[inner]
            right = points[inner, self.axis[at]] >= self.value[at]
            node[inner] = self.children[at, right.astype(np.int64)]
        return -1 - node


class Sample:
    """Boxes (k, 6) that stand for `weights` (k,) triangles each."""

    def __init__(self, boxes: Floats, weights: Floats) -> None:
        self.low, self.high, self.weights = boxes[:, :3], boxes[:, 3:], weights

    def cut(self, rows: Longs) -> tuple[int, float, Longs, Longs] | None:
        """Axis, value, and the rows of both sides; None when no cut pays."""
        low, high, weights = self.low[rows], self.high[rows], self.weights[rows]
        middles = low + (high - low) / 2
        total = weights.sum()
        best, fewest = None, _MOST_GHOSTS * total
        # the longest side first: when few boxes lie across the cut, there is no better one
        for axis in np.argsort(-np.ptp(middles, axis=0), kind="stable").tolist():
            value = _middle(middles[:, axis], weights)
            left, right = low[:, axis] < value, high[:, axis] >= value
            sides = weights[left].sum(), weights[right].sum()
            if max(sides) <= _LEAST_PROGRESS * total and sum(sides) < fewest:
                best, fewest = (axis, value, rows[left], rows[right]), sum(sides)
                if fewest < _FEW_GHOSTS * total:
                    break
        return best


def _middle(values: Floats, weights: Floats) -> float:
    """The weighted median."""
    order = np.argsort(values)
    passed = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(passed, passed[-1] / 2)]])


def whole_space() -> TilePlan:
    """One tile."""
    none = np.zeros(0)
    region = np.array([[[-np.inf] * 3, [np.inf] * 3]])
    return TilePlan(none.astype(np.int32), none, np.zeros((0, 2), np.int32), region)


def refine(
    plan: TilePlan, samples: dict[int, Sample], most: float
) -> tuple[TilePlan, dict[int, int]]:
    """Cut tiles until the sample tells at most `most` triangles for each, or no cut pays.

    One of the tiles that a tile is cut into keeps its number. The second result has the node
    under which these are, for each tile that was cut.
    """
    axis, value = plan.axis.tolist(), plan.value.tolist()
    children: list[list[int]] = plan.children.tolist()
    regions = list(plan.regions)
    parents = {-1 - child: (i, side) for i, row in enumerate(children)
               for side, child in enumerate(row) if child < 0}  # fmt: skip
    root = plan.root
    cut_at: dict[int, int] = {}
    for tile, sample in samples.items():
        todo = [(tile, np.arange(len(sample.weights)))]
        while todo:
            here, rows = todo.pop()
            if sample.weights[rows].sum() <= most or len(rows) < _FEWEST_BOXES:
                continue
            cut = sample.cut(rows)
            if cut is None:
                continue
            node, new = len(axis), len(regions)
            axis.append(cut[0])
            value.append(cut[1])
            children.append([-1 - here, -1 - new])
            right = regions[here].copy()
            right[0, cut[0]] = cut[1]
            regions[here] = regions[here].copy()
            regions[here][1, cut[0]] = cut[1]
            regions.append(right)
            if here in parents:
                parent, side = parents[here]
                children[parent][side] = node
            else:
                root = node
            parents[here], parents[new] = (node, 0), (node, 1)
            cut_at.setdefault(tile, node)
            todo += [(here, cut[2]), (new, cut[3])]
    refined = TilePlan(
        np.array(axis, dtype=np.int32),
        np.array(value, dtype=np.float64),
        np.array(children, dtype=np.int32).reshape(-1, 2),
        np.array(regions),
        root,
    )
    return refined, cut_at


def save(plan: TilePlan, cut_at: dict[int, int], path: Path, *, parent: int) -> None:
    """Keep a plan, with the tiles of the parent that were cut to make it and the nodes where."""
    file = BytesIO()
    np.savez(
        file, axis=plan.axis, value=plan.value, children=plan.children,
        regions=plan.regions, root=plan.root, parent=parent,
        cut_at=np.array(list(cut_at.items()), dtype=np.int64).reshape(-1, 2),
    )  # fmt: skip
    sealed.write(path, file.getvalue(), sync=True)


def load(path: Path, *, parent: int | None = None) -> tuple[TilePlan, dict[int, int]] | None:
    """The plan that was kept; None when it cannot be believed, or is of another parent."""

    def parsed(content: bytes) -> tuple[TilePlan, dict[int, int]] | None:
        with np.load(BytesIO(content)) as kept:
            if parent not in (None, int(kept["parent"])):
                return None
            names = ("axis", "value", "children", "regions")
            arrays = {name: kept[name] for name in names}
            return TilePlan(**arrays, root=int(kept["root"])), dict(kept["cut_at"].tolist())

    return sealed.read(path, parsed)
