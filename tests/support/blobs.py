"""Bumpy closed bodies."""

from __future__ import annotations

import numpy as np

from support.meshes import Arrays


def bumpy(seed: int, *, frequency: int = 12) -> Arrays:
    from impinge._surfaces import blob

    return blob(frequency, seed=seed)


def turned(mesh: Arrays, rng: np.random.Generator, shift: object = (0, 0, 0)) -> Arrays:
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    rotation *= np.sign(np.linalg.det(rotation))
    return mesh[0] @ rotation.T + np.asarray(shift), mesh[1]
