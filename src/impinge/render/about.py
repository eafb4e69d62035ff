"""What verdicts stand on, in sentences for people: the same in a report and in the viewer."""

from __future__ import annotations

import numpy as np

from impinge.results.check import Check
from impinge.results.collisions import Collisions


def number_text(value: float) -> str:
    """Four digits, or all of a large whole number."""
    return f"{value + 0.0:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def about(result: Collisions | Check) -> list[str]:
    """Which tolerance, which clearance, and whether facets are told apart."""
    if not isinstance(result, Check):
        return ["Parts whose faces cross clash; no depth was measured."]
    told = [_tolerance(result)]
    if result.facets:
        told.append("Overlaps by facets of round surfaces alone are contacts.")
    if result.clearance is not None:
        told.append(f"Gaps up to {number_text(result.clearance)} are near.")
    return told


def _tolerance(check: Check) -> str:
    if check.tolerance is not None:
        exact = " (exact for the numbers as they are)" if check.tolerance == 0 else ", as asked"
        return f"Tolerance: {number_text(check.tolerance)}{exact}."
    source = "what the numbers of both parts of a pair may be off"
    if not len(check):
        return f"Tolerance: {source}."
    least, most = float(np.min(check.tolerances)), float(np.max(check.tolerances))
    if most == 0:
        return "Tolerance: 0; the numbers of these parts are taken as exact."
    between = f"{least:.2g} to {most:.2g}" if least < most else f"{most:.2g}"
    return f"Tolerance: {between}, {source}."
