"""Which detectors the suite runs, by what they claim to be able to do."""

from __future__ import annotations

from impinge import detectors

ORACLE = "brute"


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
