"""What is in a piece: its bodies, how many triangles, and a sample of where they are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge.cluster import sealed
from impinge.cluster.triangles import boxes, is_single

if TYPE_CHECKING:
    from impinge._types import AnyArray, Floats
    from impinge.cluster.source import Piece

# of all pieces together: enough for many thousand tiles, and few enough for one machine
MOST_SAMPLES = 2_000_000
_PER_PIECE = (64, 1024)


@dataclass(frozen=True, eq=False)
class Survey:
    """names, faces: of each body of the piece. sample: (k, 6) boxes, each for `weight` triangles.

    single: float32 holds all coordinates exactly.
    """

    names: tuple[str, ...]
    faces: tuple[int, ...]
    sample: Floats
    weight: float
    single: bool
    warnings: tuple[str, ...] = ()

    @property
    def triangles(self) -> int:
        return sum(self.faces)


def sample_size(pieces: int) -> int:
    """Boxes to sample of each piece."""
    low, high = _PER_PIECE
    return min(max(MOST_SAMPLES // max(pieces, 1), low), high)


def survey(piece: Piece, number: int, size: int, path: str) -> Survey:
    """Look at all triangles of a piece once; the result is kept at `path`."""
    # chosen at random, for meshes repeat themselves; by a seed, for runs must too
    random = np.random.default_rng(number)
    names: dict[int, str] = {}
    faces: dict[int, int] = {}
    warnings: list[str] = []
    sample = np.zeros((0, 6))
    share, single = 1.0, True
    for block in piece.blocks(warnings.append):
        names[block.body] = block.name
        faces[block.body] = faces.get(block.body, 0) + len(block.corners)
        single = single and is_single(block.corners)
        # as many of this block alone as are wanted of the whole piece, and no fewer of those before
        wanted = min(share, 2 * size / max(len(block.corners), 1))
        if wanted < share:
            sample = _some(sample, wanted / share, random)
            share = wanted
        chosen = _some(block.corners, share, random)
        sample = np.concatenate([sample, np.concatenate(boxes(chosen), axis=1)])
        while len(sample) > 2 * size:
            sample = _some(sample, 0.5, random)
            share /= 2
    weight = sum(faces.values()) / max(len(sample), 1)
    found = Survey(
        tuple(names.values()), tuple(faces.values()), sample, weight, single, tuple(warnings)
    )
    save(found, Path(path))
    return found


def _some(rows: AnyArray, share: float, random: np.random.Generator) -> AnyArray:
    """Each of the rows with this chance."""
    return rows if share == 1 else rows[random.random(len(rows)) < share]


def save(found: Survey, path: Path) -> None:
    words = {"names": found.names, "warnings": found.warnings}
    file = BytesIO()
    np.savez(
        file,
        faces=np.array(found.faces, dtype=np.int64),
        sample=found.sample,
        weight=found.weight,
        single=found.single,
        words=np.frombuffer(json.dumps(words).encode(), dtype=np.uint8),
    )
    sealed.write(path, file.getvalue())


def load(path: Path) -> Survey | None:
    """What was kept; None when it cannot be believed."""
    return sealed.read(path, _parsed)


def _parsed(content: bytes) -> Survey:
    with np.load(BytesIO(content)) as kept:
        words = json.loads(kept["words"].tobytes())
        return Survey(
            tuple(words["names"]),
            tuple(kept["faces"].tolist()),
            kept["sample"],
            float(kept["weight"]),
            bool(kept["single"]),
            tuple(words["warnings"]),
        )
