"""What is said about two parts of an assembly."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """What two parts of an assembly are to each other; those that are nothing of it are apart.

    The first that holds is given. A *core* is what is deeper than the tolerance in a part.

    See Also
    --------
    impinge.Scene.check

    Examples
    --------
    >>> import impinge
    >>> impinge.results.Verdict("clash")
    <Verdict.CLASH: 'clash'>
    >>> impinge.results.Verdict.CLASH == "clash"
    True
    """

    DUPLICATE = "duplicate"
    """Surfaces within the tolerance of each other, with a common core: one part exists twice."""
    INSIDE = "inside"
    """All of one part is in the other, within the tolerance, and its core too."""
    CLASH = "clash"
    """They overlap, deeper than the tolerance; of surfaces, faces cross."""
    CONTACT = "contact"
    """They touch, overlap no deeper than the tolerance or by their facets only, or have a gap that
    is not wider than the tolerance."""
    NEAR = "near"
    """The gap is not wider than the clearance."""


CLASHES = (Verdict.DUPLICATE, Verdict.INSIDE, Verdict.CLASH)
"""The verdicts on parts that cannot both be built."""
