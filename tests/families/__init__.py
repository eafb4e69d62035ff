"""Scene families of the conformance suite, by name: `PAIRS`, `SELVES`, `SCENES`, and so on.

A family is a generator (rng, size) -> meshes, with one size small enough for the rational oracle
and one that makes trees worth their name. `cases` names every (family, seed) for parametrisation.
"""

from families import adversarial, aligned, pairs, scenes, selves
from families.registry import ALIGNED, PAIRS, SCENES, SELVES, SEQUENCES, Family, cases

__all__ = [
    "ALIGNED",
    "PAIRS",
    "SCENES",
    "SELVES",
    "SEQUENCES",
    "Family",
    "adversarial",
    "aligned",
    "cases",
    "pairs",
    "scenes",
    "selves",
]
