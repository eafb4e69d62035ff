"""A cloth sinks onto a ball: the scene is asked in every frame, its tree is refitted.

python examples/deforming_cloth.py
"""

import numpy as np
from numpy.typing import NDArray
from shapes import ball, sheet

import impinge

FRAMES = 8


def drape(flat: NDArray[np.float64], height: float) -> NDArray[np.float64]:
    """The cloth at a height: it rests on the ball with small waves, outside it hangs in folds."""
    x, y, _ = flat.T
    distance, angle = np.hypot(x, y), np.arctan2(y, x)
    waves = 0.004 * np.sin(20.0 * x) * np.sin(20.0 * y)
    on_ball = np.sqrt(np.maximum(1.0 - distance**2, 0.0)) + waves
    hanging = height - 0.35 * distance**2 + 0.08 * distance**2 * np.cos(9.0 * angle)
    return np.stack([x, y, np.maximum(hanging, on_ball)], axis=1)


def main() -> None:
    scene = impinge.Scene()
    flat, faces = sheet(3.2, cells=100)
    scene.add(*ball(), name="ball")
    cloth = scene.add(flat, faces, name="cloth")
    for frame, height in enumerate(np.linspace(1.1, 0.4, FRAMES)):
        cloth.vertices = drape(flat, float(height))
        hits = scene.collide(self_collision=True)
        pairs = {(row.name_a, row.name_b): row.count for row in hits.body_pairs}
        meeting, folded = pairs.get(("ball", "cloth"), 0), pairs.get(("cloth", "cloth"), 0)
        ms = hits.stats.seconds * 1e3
        print(f"frame {frame}: {meeting:5d} with the ball, {folded} in itself, {ms:.1f} ms")


if __name__ == "__main__":
    main()
