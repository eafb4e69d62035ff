"""Which detectors the suite runs, by what they claim to be able to do."""

from __future__ import annotations

from families import cases
from families.registry import Family
from impinge import detectors

ORACLE = "brute"
DEFAULT = "bvh"


def able(*capabilities: str) -> list[str]:
    """Names of the registered detectors with all these capabilities, open meshes among them."""
    needs = {"pairs", "open", *capabilities}
    return [
        name for name in detectors.names() if needs <= set(detectors.detector(name).capabilities)
    ]


def judged(*capabilities: str) -> list[str]:
    """The same without the oracle, for comparisons with it."""
    return [name for name in able(*capabilities) if name != ORACLE]


def sized(*capabilities: str) -> list[tuple[str, str]]:
    """(method, size): small cases for all, big ones for those that need not wait for the oracle."""
    small = [(name, "small") for name in able(*capabilities)]
    return small + [(name, "big") for name in judged(*capabilities)]


def spread(
    registry: dict[str, Family], methods: list[str], *, small: int, big: int
) -> list[tuple[str, str, str, int]]:
    """(method, size, family, seed): so many seeds for the default, a quarter for the others.

    All methods of a case follow one another, so that the oracle is asked once.
    """
    return [
        (method, size, name, seed)
        for size, seeds in (("small", small), ("big", big))
        for name, seed in cases(registry, seeds)
        for method in methods
        if method == DEFAULT or seed < max(1, seeds // 4)
    ]
