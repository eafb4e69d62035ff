"""All stages of `peel` as slow NumPy, straight from their definitions: the truth for CPU and GPU.

Everything after snapping is integer arithmetic: x and y in 1/256 pixel, depth in 23 bits.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

SUB = 256
STEEP = 1 << 29
SLACK = 4
Triple = np.ndarray


@dataclass(frozen=True)
class Rules:
    """How the fragments of a pixel are judged."""

    sampling: str = "lists"
    layers: int | None = None
    deeper: str = "ignore"
    ties: str = "collide"
    gap: int = 1


@dataclass
class Setup:
    """One triangle: its corners, its facing and its depth plane."""

    corners: Triple
    area: int = field(init=False)
    steep: bool = field(init=False)
    low: int = field(init=False)
    high: int = field(init=False)

    def __post_init__(self) -> None:
        (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = (tuple(map(int, row)) for row in self.corners)
        dx1, dy1, dz1, dx2, dy2, dz2 = x1 - x0, y1 - y0, z1 - z0, x2 - x0, y2 - y0, z2 - z0
        self.area = dx1 * dy2 - dx2 * dy1
        self.low, self.high = min(z0, z1, z2), max(z0, z1, z2)
        self.pixel = x0 >> 8, y0 >> 8
        self.gradient, self.depth, self.steep = (0, 0), 0, True
        if self.area:
            nx, ny = dz1 * dy2 - dz2 * dy1, dx1 * dz2 - dx2 * dz1
            rx, ry = self.pixel
            away = nx * (SUB * rx + 128 - x0) + ny * (SUB * ry + 128 - y0)
            self.gradient = truncated(nx << 15, self.area), truncated(ny << 15, self.area)
            self.depth = (z0 << 7) + truncated(away << 7, self.area)
            self.steep = sum(map(abs, self.gradient)) >= STEEP

    @property
    def back(self) -> bool:
        return self.area > 0

    def plane(self, px: np.ndarray, py: np.ndarray) -> np.ndarray:
        """Depth with 7 fractional bits at the middles of pixels, as a signed 32-bit number."""
        columns, rows = px - self.pixel[0], py - self.pixel[1]
        gx, gy = (wrapped(value) for value in self.gradient)
        value = wrapped(self.depth) + gx * columns.astype(np.int64) + gy * rows.astype(np.int64)
        return ((value + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)


def truncated(a: int, b: int) -> int:
    """a / b towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def wrapped(value: int) -> int:
    """The low 32 bits as a signed number."""
    return ((value + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)


def setups(snapped: np.ndarray, faces: np.ndarray) -> list[Setup]:
    return [Setup(snapped[face]) for face in faces]


def _pixels(corners: Triple, resolution: int, margin: int) -> tuple[np.ndarray, np.ndarray]:
    """All pixels (x, y) of the box of a triangle grown by `margin` subpixels."""
    low = np.clip((corners[:, :2].min(axis=0) - margin) >> 8, 0, resolution - 1)
    high = np.clip((corners[:, :2].max(axis=0) + margin) >> 8, 0, resolution - 1)
    py, px = np.mgrid[low[1] : high[1] + 1, low[0] : high[0] + 1]
    return px.ravel().astype(np.int64), py.ravel().astype(np.int64)


def _edges(setup: Setup) -> list[tuple[int, int, int, int]]:
    """(x, y, a, b) of the edges: a (px - x) + b (py - y) is positive inside."""
    order = (0, 1, 2) if setup.area > 0 else (0, 2, 1)
    rows = [tuple(map(int, setup.corners[i][:2])) for i in order]
    result = []
    for (x, y), (u, v) in zip(rows, rows[1:] + rows[:1], strict=True):
        result.append((x, y, y - v, u - x))
    return result


def centres(setup: Setup, resolution: int) -> tuple[np.ndarray, np.ndarray]:
    """Pixels whose middle is inside, by the top-left rule; y points down."""
    px, py = _pixels(setup.corners, resolution, 0)
    if not setup.area:
        return px[:0], py[:0]
    inside = np.ones(len(px), dtype=bool)
    for x, y, a, b in _edges(setup):
        value = a * (SUB * px + 128 - x) + b * (SUB * py + 128 - y)
        # inside is to the right of a left edge, and below a top edge
        owned = a > 0 or (a == 0 and b > 0)
        inside &= (value > 0) | ((value == 0) & owned)
    return px[inside], py[inside]


def covered(setup: Setup, resolution: int) -> tuple[np.ndarray, np.ndarray]:
    """Pixels whose square, grown by a subpixel, meets the closed triangle."""
    px, py = _pixels(setup.corners, resolution, 1)
    # a triangle that ends a subpixel before the border of a pixel meets the grown square
    low, high = setup.corners[:, :2].min(axis=0), setup.corners[:, :2].max(axis=0)
    inside = (SUB * px - 1 <= high[0]) & (low[0] <= SUB * px + SUB + 1)
    inside &= (SUB * py - 1 <= high[1]) & (low[1] <= SUB * py + SUB + 1)
    for x, y, a, b in _edges(setup):
        value = a * (SUB * px + 128 - x) + b * (SUB * py + 128 - y)
        reach = 129 * (abs(a) + abs(b))
        inside &= value + reach >= 0
        if not setup.area:
            inside &= value - reach <= 0
    return px[inside], py[inside]


def fragment_depths(setup: Setup, px: np.ndarray, py: np.ndarray) -> np.ndarray:
    return np.clip(setup.plane(px, py), setup.low << 7, setup.high << 7) >> 7


def fragment_intervals(setup: Setup, px: np.ndarray, py: np.ndarray) -> tuple[np.ndarray, ...]:
    """Lowest and highest depth a triangle can have over the squares of pixels."""
    if setup.steep:
        low = np.full(len(px), setup.low - SLACK)
        return low, np.full(len(px), setup.high + SLACK)
    slope = sum(map(abs, setup.gradient))
    away = np.abs(px - setup.pixel[0]) + np.abs(py - setup.pixel[1])
    half = (slope >> 1) + (slope >> 8) + 4 + away
    middle = setup.plane(px, py)
    low = np.maximum((middle - half) >> 7, setup.low) - SLACK
    high = np.minimum(((middle + half) >> 7) + 1, setup.high) + SLACK
    return low, high


@dataclass(frozen=True)
class Scene:
    """What is sampled."""

    snapped: np.ndarray
    """(n, 3) integers."""
    faces: np.ndarray
    body: np.ndarray
    """(m,) body of each face."""
    closed: np.ndarray
    """Per body."""
    alone: np.ndarray
    """Per body: whether it may collide with itself."""
    resolution: int


def fragments(scene: Scene, ties: str = "collide") -> list[list[list[tuple[int, int]]]]:
    """(key, face) of every fragment, in order, by row and column."""
    size = scene.resolution
    result: list[list[list[tuple[int, int]]]] = [[[] for _ in range(size)] for _ in range(size)]
    for face, setup in enumerate(setups(scene.snapped, scene.faces)):
        px, py = centres(setup, size)
        later = setup.back if ties == "collide" else not setup.back
        keys = 2 * fragment_depths(setup, px, py) + later
        for x, y, key in zip(px.tolist(), py.tolist(), keys.tolist(), strict=True):
            result[y][x].append((key, face))
    for row in result:
        for pixel in row:
            pixel.sort()
    return result


def plain_mask(scene: Scene, rules: Rules) -> np.ndarray:
    """(W, W) rays that are on, before dilation."""
    size = scene.resolution
    all_setups = setups(scene.snapped, scene.faces)
    judge = _judge_dual if rules.sampling == "dual" else _judge
    mask = np.zeros((size, size), dtype=np.uint8)
    for y, row in enumerate(fragments(scene, rules.ties)):
        for x, pixel in enumerate(row):
            mask[y, x] = judge(scene, rules, all_setups, pixel)
    return mask


def _judge(
    scene: Scene, rules: Rules, all_setups: list[Setup], pixel: list[tuple[int, int]]
) -> bool:
    budget = len(pixel) if rules.layers is None else rules.layers
    expects_back = False
    before: tuple[int, int] | None = None
    for key, face in pixel[:budget]:
        closed = scene.closed[scene.body[face]]
        if before is not None:
            both_closed = closed and scene.closed[scene.body[before[1]]]
            if not both_closed and _near(before, (key, face), all_setups, rules.gap):
                return True
        if closed:
            if all_setups[face].back != expects_back:
                return True
            expects_back = not expects_back
        before = key, face
    return rules.deeper == "mark" and len(pixel) > budget


def _near(
    first: tuple[int, int], second: tuple[int, int], all_setups: list[Setup], gap: int
) -> bool:
    p, q = all_setups[first[1]], all_setups[second[1]]
    if p.steep or q.steep:
        return p.low - gap <= q.high and q.low - gap <= p.high
    bend = sum(abs(a - b) for a, b in zip(p.gradient, q.gradient, strict=True))
    return ((second[0] >> 1) - (first[0] >> 1)) << 7 <= (gap << 7) + (bend >> 1)


def _judge_dual(
    scene: Scene, rules: Rules, all_setups: list[Setup], pixel: list[tuple[int, int]]
) -> bool:
    # facing is part of the key, so one fragment stands for all of the same key
    distinct = [all_setups[face].back for _, face in sorted(dict(reversed(pixel)).items())]
    passes = (len(pixel) + 1) // 2 if rules.layers is None else (rules.layers + 1) // 2
    streams = (distinct[:passes], distinct[::-1][:passes])
    for first, stream in enumerate(streams):
        if any(back != ((index + first) % 2 == 1) for index, back in enumerate(stream)):
            return True
    if len(distinct) <= 2 * passes:
        return len(distinct) < len(pixel)
    return rules.deeper == "mark"


def conservative_mask(scene: Scene) -> np.ndarray:
    """(W, W) pixels where two triangles that may collide have overlapping depths."""
    size = scene.resolution
    held: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for face, setup in enumerate(setups(scene.snapped, scene.faces)):
        px, py = covered(setup, size)
        low, high = fragment_intervals(setup, px, py)
        for x, y, near, far in zip(*(a.tolist() for a in (px, py, low, high)), strict=True):
            held.setdefault((y, x), []).append((near, far, face))
    mask = np.zeros((size, size), dtype=np.uint8)
    for where, pixel in held.items():
        mask[where] = any(
            p[0] <= q[1] and q[0] <= p[1] and may_collide(scene, p[2], q[2])
            for index, p in enumerate(pixel)
            for q in pixel[:index]
        )
    return mask


def may_collide(scene: Scene, first: int, second: int) -> bool:
    a, b = scene.body[first], scene.body[second]
    if a != b:
        return True
    return bool(scene.alone[a]) and not set(scene.faces[first]) & set(scene.faces[second])


def dilated(mask: np.ndarray, reach: int) -> np.ndarray:
    size = len(mask)
    wide = np.pad(mask, reach)
    steps = range(2 * reach + 1)
    shifted = [wide[y : y + size, x : x + size] for y in steps for x in steps]
    return np.max(shifted, axis=0)


def pyramid(mask: np.ndarray) -> list[np.ndarray]:
    """Boxes (x<, y<, x>, y>) in subpixels, level by level up to a single one."""
    size = len(mask)
    y, x = np.mgrid[:size, :size]
    whole = SUB * size
    on = np.stack([SUB * x, SUB * y, SUB * (x + 1), SUB * (y + 1)], axis=2)
    levels = [np.where(mask[..., None] != 0, on, (whole, whole, 0, 0)).astype(np.int32)]
    while len(levels[-1]) > 1:
        last = levels[-1]
        four = np.stack([last[i::2, j::2] for i in (0, 1) for j in (0, 1)])
        low, high = four[..., :2].min(axis=0), four[..., 2:].max(axis=0)
        levels.append(np.concatenate([low, high], axis=2))
    return levels


def outward(box: np.ndarray, precision: str) -> np.ndarray:
    """A box as half floats hold it: 11 significant bits, rounded outward."""
    if precision == "fp32":
        return box
    result = []
    for index, value in enumerate(map(int, box)):
        drop = max(0, value.bit_length() - 11)
        up = (1 << drop) - 1 if index >= 2 else 0
        result.append((value + up) >> drop << drop)
    return np.array(result)


def separated(scene: Scene, levels: list[np.ndarray], precision: str = "fp32") -> np.ndarray:
    """(m, 4) the part of each triangle's box that holds rays; zero where there is none."""
    whole = SUB * scene.resolution
    result = np.zeros((len(scene.faces), 4), dtype=np.int32)
    for face, corners in enumerate(scene.snapped[scene.faces][..., :2]):
        low = np.clip(corners.min(axis=0) - 1, 0, whole - 1)
        high = np.clip(corners.max(axis=0) + 1, 1, whole)
        extent, level = int((high - low).max()), 0
        while SUB << level < extent:
            level += 1
        if level > 0 and (_texels(low, high, level - 1, whole)[1] <= 1).all():
            level -= 1
        level = min(level, len(levels) - 1)
        first, steps = _texels(low, high, level, whole)
        boxes = [
            outward(levels[level][first[1] + j, first[0] + i], precision)
            for j in range(steps[1] + 1)
            for i in range(steps[0] + 1)
        ]
        lows = np.min([box[:2] for box in boxes], axis=0)
        highs = np.max([box[2:] for box in boxes], axis=0)
        if (lows >= highs).any():
            continue
        own = outward(np.concatenate([low, high]), precision)
        lows, highs = np.maximum(lows, own[:2]), np.minimum(highs, own[2:])
        if (lows > highs).any():
            continue
        highs = np.where(lows == highs, highs + 1, highs)
        result[face] = outward(np.concatenate([lows, highs]), precision)
    return result


def _texels(low: np.ndarray, high: np.ndarray, level: int, whole: int) -> tuple[np.ndarray, ...]:
    first = low >> (8 + level)
    return first, (np.minimum(high, whole - 1) >> (8 + level)) - first


def packed(sparse: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Triangles whose box is not empty, and these boxes."""
    ids = np.flatnonzero(sparse.any(axis=1)).astype(np.int32)
    return ids, sparse[ids]
