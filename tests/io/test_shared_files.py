"""Every real mesh of the shared data: as many triangles as known, or an error that says why."""

from __future__ import annotations

import csv

import pytest

from impinge.errors import MeshFileError
from impinge.io import EXTENSIONS, read

REFUSED = {
    "nasty/empty.stl": "contains no triangles",
    "nasty/inf_nan.obj": "line 1: a coordinate is not a finite number",
    "nasty/BoxWithInfinites.glb": "a coordinate is not a finite number",
}


def test_every_mesh(shared_data):
    with (shared_data / "MANIFEST.csv").open(newline="") as manifest:
        rows = [row for row in csv.DictReader(manifest) if row["triangles"]]
    checked = 0
    for row in rows:
        path = shared_data / row["path"]
        if path.suffix.lower() not in EXTENSIONS or not path.exists():
            continue
        checked += 1
        if row["path"] in REFUSED:
            with pytest.raises(MeshFileError, match=REFUSED[row["path"]]):
                read(path)
        else:
            assert (row["path"], read(path).triangles) == (row["path"], int(row["triangles"]))
    assert checked > 50


def test_the_assembly_has_its_bodies(shared_data):
    assert len(read(shared_data / "assembly" / "counterXP.3MF").parts) == 6
