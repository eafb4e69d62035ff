"""The oracle is the exact test on every pair, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from impinge import _core

Arrays = tuple[np.ndarray, np.ndarray]
CROSSING = 1


def soup(rng: np.random.Generator, n: int, *, grid: bool) -> Arrays:
    """n triangles on a coarse grid (much touching) or anywhere."""
    v = rng.integers(0, 5, (3 * n, 3)) if grid else rng.normal(size=(3 * n, 3))
    faces = rng.permutation(3 * n).reshape(n, 3)
    return v.astype(float), faces.astype(np.int32)


def every_pair(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    i, j = np.divmod(np.arange(len(a) * len(b)), len(b))
    return i, j


@pytest.mark.parametrize("grid", [True, False])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("touching", [True, False])
def test_two_meshes(grid: bool, workers: int, touching: bool) -> None:
    rng = np.random.default_rng(5)
    (v, f), (w, g) = soup(rng, 90, grid=grid), soup(rng, 70, grid=grid)
    i, j = every_pair(f, g)
    truth = _core.classify(v[f[i]], w[g[j]])
    keep = truth > 0 if touching else truth == CROSSING
    pairs, kinds = _core.brute_pairs(v, f, w, g, touching, workers, None)
    assert pairs.dtype == np.int32
    assert np.array_equal(pairs, np.stack([i, j], axis=1)[keep])
    assert np.array_equal(kinds, truth[keep])


@pytest.mark.parametrize("grid", [True, False])
@pytest.mark.parametrize("duplicates", [True, False])
@pytest.mark.parametrize("touching", [True, False])
def test_one_mesh(grid: bool, duplicates: bool, touching: bool) -> None:
    rng = np.random.default_rng(6)
    v, f = soup(rng, 100, grid=grid)
    f = np.concatenate([f, f[:9, [1, 2, 0]]])
    i, j = every_pair(f, f)
    i, j = i[i < j], j[i < j]
    truth = _core.classify_self(v[f[i]], v[f[j]], duplicates)
    keep = truth > 0 if touching else truth == CROSSING
    pairs, kinds = _core.brute_self_pairs(v, f, touching, duplicates, 2, None)
    assert np.array_equal(pairs, np.stack([i, j], axis=1)[keep])
    assert np.array_equal(kinds, truth[keep])


def test_empty_meshes() -> None:
    rng = np.random.default_rng(7)
    v, f = soup(rng, 5, grid=True)
    none_v, none_f = np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32)
    for args in ((v, f, none_v, none_f), (none_v, none_f, v, f), (none_v, none_f, none_v, none_f)):
        pairs, kinds = _core.brute_pairs(*args)
        assert pairs.shape == (0, 2)
        assert kinds.shape == (0,)
    assert _core.brute_self_pairs(none_v, none_f)[0].shape == (0, 2)


def test_tick_reports_and_cancels() -> None:
    v = np.tile(np.random.default_rng(8).normal(size=(3, 3)), (3000, 1))
    v += np.linspace(0, 1e-3, len(v))[:, None]
    f = np.arange(len(v), dtype=np.int32).reshape(-1, 3)
    seen: list[float] = []
    _core.brute_self_pairs(v, f, workers=1, tick=lambda x: seen.append(x) or True)
    assert seen == sorted(seen)
    assert all(0 < x <= 1 for x in seen)
    with pytest.raises(_core.Cancelled):
        _core.brute_self_pairs(v, f, workers=1, tick=lambda _: False)

    def broken(_: float) -> bool:
        raise KeyError("from the callback")

    with pytest.raises(KeyError, match="from the callback"):
        _core.brute_self_pairs(v, f, workers=1, tick=broken)


def test_bad_index() -> None:
    v, f = np.zeros((3, 3)), np.array([[0, 1, 2], [0, 1, 3]], dtype=np.int32)
    with pytest.raises(
        ValueError, match=r"faces_b\[1\] = .* has an index that is not one of 3 vertices"
    ):
        _core.brute_pairs(v, f[:1], v, f)
