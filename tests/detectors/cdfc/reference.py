"""The stages of `cdfc` written down plainly in NumPy, to compare with."""

from __future__ import annotations

import numpy as np


def memberships(points: np.ndarray, centres: np.ndarray, m: float) -> np.ndarray:
    """(n, c) of fuzzy C-means; a point on centres is shared by them alone."""
    d = np.linalg.norm(points[:, None] - centres[None], axis=2)
    on = d == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        u = 1 / ((d[:, :, None] / d[:, None, :]) ** (2 / (m - 1))).sum(axis=2)
    shared = on.any(axis=1)
    u[shared] = on[shared] / on[shared].sum(axis=1, keepdims=True)
    return u


def fcm_step(points: np.ndarray, centres: np.ndarray, m: float) -> tuple[np.ndarray, float]:
    """The moved centres, and J before the move."""
    weight = memberships(points, centres, m) ** m
    d = np.linalg.norm(points[:, None] - centres[None], axis=2)
    return (weight.T @ points) / weight.sum(axis=0)[:, None], float((weight * d**2).sum())


def bisector(points: np.ndarray, radii: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """(n, c) how far a point is beyond the farthest plane to another centre, less its radius."""
    squared = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
    between = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        beyond = (squared[:, :, None] - squared[:, None, :]) / (2 * between[None])
    beyond[:, between == 0] = -np.inf
    return beyond.max(axis=2) - radii[:, None]


def generous(points: np.ndarray, radii: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """(n, c) by how much farther a centre is than the nearest, less two radii."""
    d = np.linalg.norm(points[:, None] - centres[None], axis=2)
    return d - d.min(axis=1, keepdims=True) - 2 * radii[:, None]


def axes(points: np.ndarray) -> np.ndarray:
    """(3, 3) eigenvectors of the covariance, by falling eigenvalue; right-handed."""
    _, vectors = np.linalg.eigh(np.cov(points.T))
    first, second = vectors[:, 2], vectors[:, 1]
    first = first * np.sign(first[np.abs(first).argmax()])
    second = second * np.sign(second[np.abs(second).argmax()])
    return np.stack([first, second, np.cross(first, second)])


def overlaps(boxes: np.ndarray, axes_used: int = 3) -> set[tuple[int, int]]:
    """Rows i < j of boxes (n, 2, 3) that overlap along the first so many axes."""
    low, high = boxes[:, 0, :axes_used], boxes[:, 1, :axes_used]
    both = (low[:, None] <= high[None]).all(axis=2) & (low[None] <= high[:, None]).all(axis=2)
    return {(int(i), int(j)) for i, j in np.argwhere(np.triu(both, 1))}
