"""A broad phase for libraries that have none: which boxes of moved bodies overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from impinge.lab.bench.cases import Bodies


class BroadPhase:
    """Pairs of bodies whose boxes, drawn around their turned local boxes, overlap in a frame."""

    def __init__(self, case: Bodies) -> None:
        box = np.array([[m.vertices.min(axis=0), m.vertices.max(axis=0)] for m in case.meshes])
        self._center = box.mean(axis=1)
        self._half = (box[:, 1] - box[:, 0]) / 2
        self._poses = case.poses

    def pairs(self, step: int) -> list[tuple[int, int]]:
        turn, offset = self._poses[step, :, :3, :3], self._poses[step, :, :3, 3]
        center = np.einsum("bij,bj->bi", turn, self._center) + offset
        half = np.einsum("bij,bj->bi", np.abs(turn), self._half) * (1 + 1e-9)
        apart = np.abs(center[:, None] - center) > half[:, None] + half
        return [(int(i), int(j)) for i, j in np.argwhere(np.triu(~apart.any(axis=2), 1))]
