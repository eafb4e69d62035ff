"""What was to be written, by other means than the writers have."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np

_LEFT_OVER = re.compile(r"\.impinge-[0-9a-f]{16}\.partial")
# pages and worlds tell times: what they begin and end with
_ENDS = {".html": (b"<!doctype html>", b"</html>")}


def make_parts(folder: Path) -> None:
    """Three spheres as binary STL files, each of which runs into the others."""
    from impinge._surfaces import sphere

    folder.mkdir(parents=True)
    points, faces = sphere(4)
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    for number, name in enumerate(("a", "b", "c")):
        records = np.zeros(len(faces), record)
        records["corners"] = (points + np.array([0.7, 0.1, 0.02]) * number)[faces]
        head = len(faces).to_bytes(4, "little").rjust(84, b"\0")
        (folder / f"{name}.stl").write_bytes(head + records.tobytes())


def truth(folder: Path) -> np.ndarray:
    """(n, 5) body, face, body, face, kind of all pairs, sorted: of one scene in memory."""
    import impinge

    hits = impinge.load_scene(*sorted(folder.glob("*.stl"))).collide()
    columns = (hits.bodies[:, 0], hits.pairs[:, 0], hits.bodies[:, 1], hits.pairs[:, 1], hits.kinds)
    whole = np.stack(columns, axis=1).astype(np.int64)
    return whole[np.lexsort(whole[:, 3::-1].T)]


def left_over(file: Path) -> bool:
    return _LEFT_OVER.fullmatch(file.name) is not None


def differs(file: Path, known: list[bytes]) -> bool:
    """Whether a file is none of those that are known, nor one that only tells another time."""
    content = file.read_bytes()
    if content in known:
        return False
    if file.suffix == ".npz":
        try:
            with np.load(io.BytesIO(content)) as arrays:
                return len(dict(arrays)) == 0
        except Exception:
            return True
    begin, end = _ENDS.get(file.suffix, (b"", b""))
    return not begin or not content.startswith(begin) or not content.rstrip().endswith(end)
