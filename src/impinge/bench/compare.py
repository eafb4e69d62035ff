"""Whether the answers of the contenders are right: missing and extra rows against the reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from impinge.bench.cases import Bodies, Case, Deforming, Posed
from impinge.errors import ImpingeError

if TYPE_CHECKING:
    from impinge._types import AnyArray, Ints, Longs

# peers that work in float32 are not wrong by rounding alone
_TOLERANCE = 1e-4
# meshes up to this size are checked by brute force as a whole, larger ones in part
_ALL = 10_000
_SAMPLE = 1500


class WrongReferenceError(ImpingeError):
    """The reference itself is wrong: `bvh` and `brute` disagree."""


@dataclass(frozen=True)
class Verdict:
    """How an answer, or several of them, compares with the reference."""

    expected: int = 0
    """Rows, or numbers, of the reference."""
    missing: int = 0
    """Rows of the reference that were not found."""
    extra: int = 0
    """Rows that are not in the reference."""
    off: int = 0
    """Numbers that differ by more than rounding."""
    steps: int = 0
    """Steps of the workload that were compared."""

    @property
    def correct(self) -> bool:
        return not (self.missing or self.extra or self.off)

    def __add__(self, other: Verdict) -> Verdict:
        return Verdict(
            self.expected + other.expected,
            self.missing + other.missing,
            self.extra + other.extra,
            self.off + other.off,
            self.steps + other.steps,
        )

    def __str__(self) -> str:
        if not self.steps:
            return "not checked"
        counts = {"missing": self.missing, "extra": self.extra, "off": self.off}
        wrong = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        return wrong or "correct"


def compare(answer: AnyArray, reference: AnyArray) -> Verdict:
    """Rows of integers are compared as sets, numbers one by one."""
    if np.issubdtype(reference.dtype, np.floating):
        return _compare_numbers(np.asarray(answer, dtype=float), reference)
    found, wanted = _unique(answer), _unique(reference)
    if found.shape[1:] != wanted.shape[1:] and len(found):
        raise ValueError(f"rows of {found.shape[1]} cannot be compared with {wanted.shape[1]}")
    both = _common(found, wanted)
    return Verdict(len(wanted), len(wanted) - both, len(found) - both, 0, 1)


def _compare_numbers(answer: AnyArray, reference: AnyArray) -> Verdict:
    if answer.shape != reference.shape:
        raise ValueError(f"{answer.shape} numbers cannot be compared with {reference.shape}")
    hit, wanted = np.isfinite(answer), np.isfinite(reference)
    both = hit & wanted
    gap = np.abs(answer[both] - reference[both])
    off = gap > _TOLERANCE * (1 + np.abs(reference[both]))
    return Verdict(
        len(reference),
        int(np.count_nonzero(wanted & ~hit)),
        int(np.count_nonzero(hit & ~wanted)),
        int(np.count_nonzero(off)),
        1,
    )


def _unique(rows: AnyArray) -> Longs:
    rows = np.asarray(rows)
    return np.unique(rows.astype(np.int64), axis=0) if len(rows) else rows.astype(np.int64)


def _common(found: Longs, wanted: Longs) -> int:
    if not len(found) or not len(wanted):
        return 0
    _, counts = np.unique(np.concatenate([found, wanted]), axis=0, return_counts=True)
    return int(np.count_nonzero(counts == 2))


def verify_reference(task: str, case: Case, step: int, reference: AnyArray) -> int:
    """Asks `brute` about all faces of small meshes, and about those that collide of large ones.

    Returns the number of pairs on which both agree; raises when they do not.
    """
    part = _part(task, case, step, reference)
    if part is None:
        return 0
    found, wanted = part
    verdict = compare(found, wanted)
    if not verdict.correct:
        raise WrongReferenceError(f"{task}, step {step}: bvh is not what brute finds: {verdict}")
    return verdict.expected


def _part(task: str, case: Case, step: int, reference: AnyArray) -> Any:
    """Rows of bvh and of brute within a sample of the faces; None where it does not apply."""
    if isinstance(case, Posed) and task in ("pair", "pair_batch", "one_shot"):
        rows = reference if task != "pair_batch" else reference[reference[:, 0] == step, 1:]
        return _between(case.a, case.b, case.poses[step], rows)
    if isinstance(case, Bodies):
        if not len(reference):
            return None
        i, j = reference[len(reference) // 2, :2]
        rows = reference[(reference[:, 0] == i) & (reference[:, 1] == j), 2:]
        poses = case.poses[step]
        return _between(case.meshes[i], case.meshes[j], poses[j], rows, poses[i])
    if isinstance(case, Deforming) and task == "itself":
        return _within(case, step, reference)
    return None


def _between(a: Any, b: Any, pose: Any, rows: AnyArray, pose_a: Any = None) -> Any:
    import impinge

    chosen_a, chosen_b = _sample(rows[:, 0], len(a.faces)), _sample(rows[:, 1], len(b.faces))
    scene = impinge.Scene()
    scene.add(a.vertices, a.faces[chosen_a], pose=pose_a)
    scene.add(b.vertices, b.faces[chosen_b], pose=pose)
    pairs = scene.collide(method="brute").pairs
    brute = np.column_stack([chosen_a[pairs[:, 0]], chosen_b[pairs[:, 1]]])
    inside = np.isin(rows[:, 0], chosen_a) & np.isin(rows[:, 1], chosen_b)
    return rows[inside], brute


def _within(case: Deforming, step: int, rows: AnyArray) -> Any:
    import impinge

    chosen = _sample(rows.ravel(), len(case.faces))
    pairs = impinge.self_collide((case.frames[step], case.faces[chosen]), method="brute").pairs
    inside = np.isin(rows, chosen).all(axis=1)
    return rows[inside], np.sort(chosen[pairs], axis=1).reshape(-1, 2)


def _sample(colliding: AnyArray, count: int) -> Ints:
    """All of few faces; of many, those that collide, the faces next to them, and some others."""
    if count <= _ALL:
        return np.arange(count, dtype=np.int32)
    # the first ones rather than a random choice, so that pairs stay together
    hit = np.unique(colliding)[:_SAMPLE]
    near = (hit[:, None] + np.arange(-2, 3)).ravel()
    others = np.random.default_rng(1).choice(count, _SAMPLE, replace=False)
    chosen = np.union1d(near[(near >= 0) & (near < count)], others)
    return chosen.astype(np.int32)
