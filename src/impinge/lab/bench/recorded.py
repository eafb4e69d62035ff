"""Recorded frames of cloths, from a folder of the Scalable-CCD data set."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from impinge.lab.bench.cases import Deforming

_RECORDED = {
    "ball": ("cloth-ball/cloth_ball92.ply", "cloth-ball/cloth_ball93.ply"),
    "funnel": ("cloth-funnel/227.ply", "cloth-funnel/228.ply"),
}


def recorded_files(data: str | Path | None) -> dict[str, list[Path]]:
    """The files of each, when all are there."""
    if data is None:
        return {}
    roots = (Path(data), Path(data) / "dynamic")
    found = {}
    for name, files in _RECORDED.items():
        for root in roots:
            paths = [root / file for file in files]
            if all(path.is_file() for path in paths):
                found[name] = paths
    return found


def recorded(data: str | Path | None) -> dict[str, Deforming]:
    """The frames themselves, ball and funnel."""
    return {name: read_frames(files) for name, files in recorded_files(data).items()}


def read_frames(files: list[Path]) -> Deforming:
    import impinge

    meshes = [impinge.load_mesh(path) for path in files]
    frames = np.array([mesh.vertices for mesh in meshes])
    return Deforming(np.array(meshes[0].faces), frames)
