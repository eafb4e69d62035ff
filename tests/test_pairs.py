from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from impinge._pairs import distinct_pairs, pair_keys, pairs_of_keys

IDS = st.integers(0, 2**31 - 1)
PAIRS = st.lists(st.tuples(IDS, IDS), max_size=20)


@given(PAIRS)
def test_a_key_stands_for_one_pair_in_either_order(pairs: list[tuple[int, int]]) -> None:
    rows = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    keys = pair_keys(rows)
    assert keys.dtype == np.int64
    np.testing.assert_array_equal(keys, pair_keys(rows[:, ::-1]))
    np.testing.assert_array_equal(pairs_of_keys(keys), np.sort(rows, axis=1))
    assert pairs_of_keys(keys).dtype == np.int32


@given(PAIRS)
def test_ordered_keys_sort_as_the_pairs_do(pairs: list[tuple[int, int]]) -> None:
    rows = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    keys = pair_keys(rows, ordered=True)
    assert [pairs[i] for i in np.argsort(keys, kind="stable")] == sorted(pairs)
    np.testing.assert_array_equal(pairs_of_keys(keys), rows)


@given(st.one_of(PAIRS, st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=5)))
def test_distinct_pairs_are_sorted_and_stand_for_all(pairs: list[tuple[int, int]]) -> None:
    rows = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    found, which = distinct_pairs(rows)
    assert (found.dtype, which.dtype) == (np.int32, np.int64)
    assert [*map(tuple, found.tolist())] == sorted({(min(pair), max(pair)) for pair in pairs})
    np.testing.assert_array_equal(found[which], np.sort(rows, axis=1))
