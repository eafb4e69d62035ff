"""Which detectors the suite runs, by what they claim to be able to do."""

from __future__ import annotations

import impinge

ORACLE = "brute"


def able(*capabilities: str) -> list[str]:
    """Names of the registered detectors with all these capabilities."""
    return [
        name
        for name in impinge.detectors.names()
        if all(getattr(impinge.detectors.detector(name).capabilities, c) for c in capabilities)
    ]


def judged(*capabilities: str) -> list[str]:
    """The same without the oracle, for comparisons with it."""
    return [name for name in able(*capabilities) if name != ORACLE]
