"""The collision chip of Zachmann and Knittel (2003) in software: what it finds, and how fast.

A functional emulation in single precision, driven by the trees of `dop`, with its cycles counted,
and the closed formula for its time.
"""

from impinge.lab.chip.controller import Chip, Run
from impinge.lab.chip.timing import CYCLE_NS, cycles_of_list, time

__all__ = ["CYCLE_NS", "Chip", "Run", "cycles_of_list", "time"]
