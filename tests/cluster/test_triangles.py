"""What is written of triangles is read again, whatever their numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from impinge.cluster.triangles import Batch, Triangles, load, write


def some(rng: np.random.Generator, count: int, number: type, highest: int) -> Triangles:
    return Triangles(
        rng.normal(size=(count, 3, 3)).astype(number),
        rng.integers(0, 3, count, dtype=np.int32),
        rng.integers(0, highest, count, dtype=np.int64),
    )


@pytest.mark.parametrize("highest", [1, 2**31 - 1, 2**40])
def test_batches_of_all_kinds(tmp_path: Path, highest: int) -> None:
    rng = np.random.default_rng(0)
    parts, batches = [], []
    for index, number in enumerate((np.float32, np.float64, np.float32)):
        path = tmp_path / f"{index}.rows"
        with path.open("wb") as file:
            for count in (5, 0, 300):
                part = some(rng, count, number, highest)
                offset = file.tell()
                runs, wide, crc = write(file, part)
                assert wide == (count > 0 and highest > 2**31)
                parts.append(part)
                single = number == np.float32
                batches.append(Batch(str(path), offset, count, runs, single, wide, crc))
    for chosen in (slice(None), slice(0, 3), slice(1, 2)):
        found = load(batches[chosen])
        expected = [np.concatenate(column) for column in zip(*parts[chosen], strict=True)]
        for column, values in zip(found, expected, strict=True):
            assert column.dtype == values.dtype
            assert np.array_equal(column, values)
