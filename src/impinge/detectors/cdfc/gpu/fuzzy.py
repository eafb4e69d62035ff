"""Fuzzy C-means; one pass over the points and one over the centres for each move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats
    from impinge.detectors.cdfc.options import CdfcOptions
    from impinge.gpu import Buffer, Session


def fcm(
    gpu: Session, points: Floats, start: Floats, options: CdfcOptions, tolerance: float
) -> tuple[Floats, Floats]:
    """Moved centres (c, 3) and the objective before each move.

    Only the sums of each centre are read back; the moves are so small a part that they are made
    here.
    """
    given = gpu.upload(padded(points))
    fuzzy = gpu.uniform(
        len(points),
        len(start),
        bits_of(1 / (options.fuzziness - 1)),
        bits_of(options.fuzziness),
    )
    centres, objective = start.astype(np.float32).astype(np.float64), []
    nearest, moments = gpu.zeros(8 * len(points)), gpu.zeros(32 * len(start))
    for _ in range(options.iterations):
        near = gpu.upload(padded(centres))
        shared: dict[str, Any] = {"points": given, "centres": near, "fuzzy": fuzzy}
        gpu.compute("cdfc/nearest", len(points), **shared, nearest=nearest)
        gpu.compute(
            "cdfc/move",
            len(start),
            groups=(len(start), 1),
            **shared,
            nearest=nearest,
            moments=moments,
        )
        sums = _read_sums(gpu, moments)
        objective.append(sums[:, 4].sum())
        with np.errstate(divide="ignore", invalid="ignore"):
            move = sums[:, :3] / sums[:, 3:4]
        # centres that nothing belongs to stay
        move[~np.isfinite(move).all(axis=1)] = 0
        centres = np.clip((centres + move).astype(np.float32), -1, 1).astype(np.float64)
        if np.linalg.norm(move, axis=1).max() <= tolerance:
            break
    return centres, np.array(objective)


def _read_sums(gpu: Session, moments: Buffer) -> Floats:
    return gpu.read(moments, np.float32).reshape(-1, 8).astype(np.float64)


def padded(rows: AnyArray, last: AnyArray | float = 0.0) -> AnyArray:
    """(n, 3) as (n, 4) float32, as shaders want them."""
    wide = np.zeros((len(rows), 4), dtype=np.float32)
    wide[:, :3], wide[:, 3] = rows, last
    return wide


def bits_of(value: float) -> int:
    """A float32 among the whole numbers of a uniform."""
    return int(np.float32(value).view(np.int32))
