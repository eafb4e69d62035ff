"""Comparisons of pair sets that print a small reproducer when they fail."""

from __future__ import annotations

import numpy as np

from support import rational
from support.meshes import Arrays

Answer = tuple[np.ndarray, np.ndarray]  # (n, 2) sorted pairs, (n,) kinds


def answer(hits: object) -> Answer:
    """Pairs and kinds of a result."""
    return np.asarray(hits.pairs), np.asarray(hits.kinds)


def table(found: Answer) -> dict[tuple[int, int], int]:
    pairs, kinds = found
    return {(int(i), int(j)): int(k) for (i, j), k in zip(pairs, kinds, strict=True)}


def reproducer(triangle_a: np.ndarray, triangle_b: np.ndarray, *, same_body: bool) -> str:
    """Code that shows one pair alone, and what the rational oracle says about it."""
    truth = rational.self_kind if same_body else rational.kind
    name = "classify_self" if same_body else "classify"
    return (
        f"  A = np.array([{np.asarray(triangle_a).tolist()}])\n"
        f"  B = np.array([{np.asarray(triangle_b).tolist()}])\n"
        f"  _core.{name}(A, B)   # rational: {rational.KIND_NAMES[truth(triangle_a, triangle_b)]}"
    )


def difference(expected: Answer, got: Answer, a: Arrays, b: Arrays | None, label: str) -> str:
    """Text about missing, extra and differently classified pairs; empty when there are none."""
    want, have = table(expected), table(got)
    lines = []
    for title, keys in (
        ("missing", sorted(want.keys() - have.keys())),
        ("extra", sorted(have.keys() - want.keys())),
        ("other kind", sorted(k for k in want.keys() & have.keys() if want[k] != have[k])),
    ):
        if not keys:
            continue
        i, j = keys[0]
        names = rational.KIND_NAMES
        lines.append(
            f"{title}: {len(keys)} of {len(want)} pairs, first {i, j}, "
            f"expected {names[want.get((i, j), 0)]}, got {names[have.get((i, j), 0)]}"
        )
        other = a if b is None else b
        triangles = a[0][a[1][i]], other[0][other[1][j]]
        lines.append(reproducer(*triangles, same_body=b is None))
    return "\n".join([label, *lines]) if lines else ""


def assert_same(
    expected: Answer, got: Answer, a: Arrays, b: Arrays | None = None, *, label: str = ""
) -> None:
    """The same pairs with the same kinds in the same order; b is None for one mesh with itself."""
    __tracebackhide__ = True
    if np.array_equal(expected[0], got[0]) and np.array_equal(expected[1], got[1]):
        return
    raise AssertionError(difference(expected, got, a, b, label) or f"{label}: pairs are not sorted")
