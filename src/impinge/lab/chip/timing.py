"""Cycles: the paper's closed formula, and the access rules it is made of.

A cycle is half a memory cycle of DDR-SDRAM with 2-2-2 access, 266 MHz.
"""

from __future__ import annotations

CYCLE_NS = 3.76
"""Nanoseconds of a cycle."""

RANDOM_READ = 16
"""Until a pair of nodes is there, 256 bytes, when nothing was read just before."""
NEXT_READ = 10
"""For every further pair: 8 transfers of 256 bits, and 2 cycles to change the bank."""
NEXT_NODE = 4
"""From one node of a pair to the other in the registers of the comparators."""
FIRST_PARAMETER = 10
"""Until the first d of a node is in its register; the others follow, one in each cycle."""
HALF_OF_THE_PARAMETERS = 12
"""Then the lines can be evaluated one after the other, and the rest comes in time."""
LINES = 24
PIPELINE = 6
"""Stages of the DOTADD unit."""


def time(aligned: float, tumbled: float) -> float:
    """Microseconds of a query by the closed formula (5) of the paper.

    There are tumbled / 2 lists, and in a list aligned / (2 tumbled) pairs: four comparisons to two
    tumbled and two aligned nodes.

    Parameters
    ----------
    aligned : float
        Aligned nodes visited, each as often as it is compared with a tumbled node.
    tumbled : float
        Tumbled nodes visited, once each.

    Returns
    -------
    float

    See Also
    --------
    impinge.lab.chip.cycles_of_list

    Examples
    --------
    >>> from impinge.lab import chip
    >>> round(chip.time(12_474, 240), 1)
    153.4
    """
    if not tumbled:
        return 0.0
    lists = tumbled / 2
    return 1e-3 * CYCLE_NS * lists * cycles_of_list(aligned / (2 * tumbled))


def cycles_of_list(pairs: float) -> float:
    """T_L of the paper: cycles of a list, on average.

    Parameters
    ----------
    pairs : float
        Aligned pairs in the list.

    Returns
    -------
    float

    See Also
    --------
    impinge.lab.chip.time

    Examples
    --------
    >>> from impinge.lab import chip
    >>> chip.cycles_of_list(26)
    340
    """
    return 100 + (pairs - 2) * 10


def transformed(nodes: int) -> int:
    """The cycle in which one or two tumbled nodes are transformed: 52 or 88.

    The second enters the registers after the last read for the first one.
    """
    last_read = FIRST_PARAMETER
    for _ in range(nodes):
        last_read += HALF_OF_THE_PARAMETERS + LINES
    return last_read + PIPELINE


def counted(pairs: int, tumbled: int) -> int:
    """Cycles of one list, by the access rules: `pairs` are read, and so many tumbled nodes.

    The first two aligned pairs have been fetched when the transforms are done, each node is
    compared four cycles after the one before; all further pairs are waited for. A tumbled leaf
    whose transform is still in its bank needs no read of its own (0): then the pairs are.
    """
    if not pairs:
        return 0
    if not tumbled:
        return RANDOM_READ + (pairs - 1) * NEXT_READ
    fetched = min(pairs, 2)
    return transformed(tumbled) + (2 * fetched - 1) * NEXT_NODE + (pairs - fetched) * NEXT_READ
