"""Scene families of the conformance suite, by name: `PAIRS`, `SELVES`, `SCENES` and `SEQUENCES`.

A family is a generator (rng, size) -> meshes, with one size small enough for the rational oracle
and one that makes trees worth their name. `cases` names every (family, seed) for parametrisation.
"""

from families import adversarial, pairs, scenes, selves
from families.registry import PAIRS, SCENES, SELVES, SEQUENCES, Family, cases

__all__ = [
    "PAIRS",
    "SCENES",
    "SELVES",
    "SEQUENCES",
    "Family",
    "adversarial",
    "cases",
    "pairs",
    "scenes",
    "selves",
]
