"""Every file with one thing wrong is refused, with a place or a cause."""

from __future__ import annotations

import pytest

from impinge.errors import MeshFileError
from impinge.io import read
from support.damaged_files import DAMAGED, FACES, WHOLE


@pytest.mark.parametrize("name", WHOLE)
def test_the_undamaged_file_is_read(name, tmp_path):
    (tmp_path / name).write_bytes(WHOLE[name])
    assert read(tmp_path / name).triangles == len(FACES)


@pytest.mark.parametrize(
    ("name", "what"), [(name, what) for name, files in DAMAGED.items() for what in files]
)
def test_the_damaged_one_is_refused(name, what, tmp_path):
    assert DAMAGED[name][what] != WHOLE[name]
    (tmp_path / name).write_bytes(DAMAGED[name][what])
    with pytest.raises(MeshFileError, match=name):
        read(tmp_path / name)
