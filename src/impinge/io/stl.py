"""STL, binary and text: triangles as three corners each, welded by equal coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from impinge import _core
from impinge.io.checks import Findings, count, usable_vertices, vertex_defect
from impinge.io.model import Part, identity
from impinge.io.precision import FLOAT32, Numbers, numbers_of
from impinge.io.ragged import doubles
from impinge.io.stl_text import read_solids
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Bytes, Floats, Singles

HEADER_BYTES = 84
RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_CORNERS = slice(12, 48)


def read_parts(data: bytes, findings: Findings, split: bool) -> list[Part]:
    """The solids of a text file, or the one solid of a binary file."""
    stem = findings.stem
    if _is_binary(data):
        corners = _binary_corners(data, findings)
        return [_part(corners, FLOAT32, findings, stem, _byte_place)]
    solids = read_solids(data, findings)
    joined = np.concatenate([solid.corners for solid in solids])
    numbers = numbers_of(joined)
    if not split or len(solids) == 1:
        return [_part(joined, numbers, findings, stem, "facet {}".format)]
    return [
        _part(solid.corners, numbers, findings, solid.name or f"{stem}-{i + 1}", solid.place)
        for i, solid in enumerate(solids)
    ]


def _is_binary(data: bytes) -> bool:
    # The size decides first: many binary files start with the word "solid" too.
    if whole_records(data, len(data)) is not None:
        return True
    starts_as_text = data[:512].lstrip()[:5].lower() == b"solid"
    return not starts_as_text or b"\0" in data[:4096]


def _declared(data: bytes) -> int:
    return int.from_bytes(data[80:84], "little")


def _binary_corners(data: bytes, findings: Findings) -> Floats:
    """(3 n, 3) corners of a binary file."""
    if len(data) < HEADER_BYTES:
        findings.fail(
            f"is not an STL file: {count(len(data), 'byte')}, without the word 'solid' of a text "
            f"file and shorter than the {HEADER_BYTES}-byte header of a binary one"
        )
    declared = _declared(data)
    delivered, rest = divmod(len(data) - HEADER_BYTES, RECORD.itemsize)
    triangles = declared
    if declared != delivered or rest:
        # A stream's writer may leave the count open; whole records are then the better guess.
        triangles = delivered if not rest else min(declared, delivered)
        needed = HEADER_BYTES + declared * RECORD.itemsize
        state = "truncated or not an STL file" if needed > len(data) else "wrong count"
        findings.problem(
            f"declares {count(declared, 'triangle')} ({needed:,} bytes) but the file has "
            f"{len(data):,} bytes, room for {delivered:,} ({state})",
            f"read {count(triangles, 'triangle')}",
            place="byte 80",
        )
    records = np.frombuffer(data, np.uint8, triangles * RECORD.itemsize, HEADER_BYTES)
    return doubles(record_corners(records)).reshape(-1, 3)


def record_corners(records: Bytes) -> Singles:
    """(n, 3, 3) corners of the bytes of whole records."""
    # byte by byte: numbers that lie between the places of numbers are many times slower to copy
    rows = records.reshape(-1, RECORD.itemsize)[:, _CORNERS]
    return np.ascontiguousarray(rows).view("<f4").reshape(-1, 3, 3).astype(np.float32, copy=False)


def whole_records(header: bytes, size: int) -> int | None:
    """Triangles of a binary file that is exactly as long as its header says, else None."""
    if len(header) < HEADER_BYTES or size != HEADER_BYTES + RECORD.itemsize * _declared(header):
        return None
    return _declared(header)


def refuse_unusable(corners: Singles, findings: Findings, first: int) -> None:
    """An error if one of the (3 n, 3) corners of triangles from number `first` on is unusable."""
    # no finite one of these numbers is too large
    if not (np.isfinite(corners.min()) and np.isfinite(corners.max())):
        _usable(doubles(corners), findings, lambda triangle: _byte_place(first + triangle))


def _byte_place(triangle: int) -> str:
    return f"byte {HEADER_BYTES + RECORD.itemsize * triangle}: triangle {triangle}"


def _part(
    corners: Floats, numbers: Numbers, findings: Findings, name: str, place: Callable[[int], str]
) -> Part:
    """Checks the (3 n, 3) corners and welds them; faces stay in the file's order."""
    corners = _usable(corners, findings, place)
    vertices, faces = _core.weld_triangles(corners.reshape(-1, 3, 3))
    mesh = Mesh(vertices, faces, name=name, precision=numbers.precision(vertices))
    return Part(name, mesh, identity(), numbers.told(vertices))


def _usable(corners: Floats, findings: Findings, place: Callable[[int], str]) -> Floats:
    """The corners of triangles with finite coordinates; others are an error unless lenient."""
    usable = usable_vertices(corners)
    if usable is None:
        return corners
    kept = usable.reshape(-1, 3).all(axis=1)
    first = int(np.argmin(usable))
    xyz = ", ".join(f"{x:g}" for x in corners[first])
    findings.problem(
        f"{vertex_defect(corners[first])} ({xyz})",
        f"dropped {count(int((~kept).sum()), 'triangle')}",
        place=place(first // 3),
    )
    return corners.reshape(-1, 3, 3)[kept].reshape(-1, 3)
