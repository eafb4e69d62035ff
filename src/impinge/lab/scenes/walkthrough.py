"""Three equal boxes at different depths, on which a paper shows how CInDeR works pass by pass."""

from __future__ import annotations

import numpy as np

from impinge import _surfaces as surfaces
from impinge.lab.scenes.motion import poses, spinning
from impinge.scene import Scene

DIRECTION = (0.0, 1.0, 0.0)
"""The viewer looks along y."""
UP = (0.0, 0.0, 1.0)

_PLACES = {"red": (-0.58, -0.62, 0.34), "green": (0.0, 0.0, 0.0), "blue": (0.6, 0.56, -0.38)}
_AXES = {"red": (0.5, 0.2, 1.0), "green": (1.0, -0.4, 0.9), "blue": (0.9, 0.5, -0.6)}


def three_boxes(order: tuple[str, ...] = ("red", "green", "blue")) -> Scene:
    """Bodies in the order they are drawn: the red box is the nearest, green meets both others."""
    scene = Scene()
    vertices, faces = surfaces.box((1.0, 1.0, 1.0))
    for name in order:
        axis = np.array([_AXES[name]])
        turn = spinning(axis / np.linalg.norm(axis), np.array([0.6]))
        pose = poses(turn, np.array([_PLACES[name]]))[0]
        scene.add(vertices, faces, name=name, pose=pose)
    return scene
