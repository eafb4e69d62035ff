"""Recorded motion through refit: the kick, the cloth on the ball, the funnel."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import impinge
from conformance.methods import judged
from shared_data.readers import read
from support import oracle
from support.compare import answer, assert_same

SEQUENCES = {
    "kick": [f"dynamic/kick/shell{frame}.obj" for frame in range(45, 57)],
    "cloth on ball": [f"dynamic/cloth-ball/cloth_ball{frame}.ply" for frame in (92, 93)],
    "cloth in funnel": [f"dynamic/cloth-funnel/{frame}.ply" for frame in (227, 228, 227)],
    "thick cloth": [f"dynamic/thick-cloth/t{frame}.ply" for frame in (0, 1)],
}


@pytest.mark.parametrize("method", judged("pairs", "self", "deformable"))
@pytest.mark.parametrize("name", SEQUENCES)
def test_frames(shared_data: Path, name: str, method: str) -> None:
    frames = [read(shared_data / file) for file in SEQUENCES[name]]
    faces = frames[0][1]
    scene = impinge.Scene()
    body = scene.add(*frames[0], name=name)
    for number, (vertices, same_faces) in enumerate(frames):
        assert np.array_equal(faces, same_faces)
        body.vertices = vertices
        truth = oracle.self_collide((vertices, faces))
        hits = scene.collide(method=method, self_collision=True)
        assert_same(truth, answer(hits), (vertices, faces), label=f"frame {number}")
