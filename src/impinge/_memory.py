"""Memory of this process as the system sees it."""

from __future__ import annotations

import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


def resident() -> int:
    """Bytes in use now; where only the peak is known, that."""
    return _status("VmRSS") or _highest()


def reset_peak() -> None:
    """Forgets the peak so far, where the system can."""
    try:
        _CLEAR.write_text("5")
    except OSError:
        return


def peak_since(before: int) -> int:
    """The most bytes in use since `reset_peak`."""
    return max(_status("VmHWM") or _highest(), before)


def _status(field: str) -> int:
    try:
        for line in _STATUS.read_text().splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def _highest() -> int:
    try:
        import resource
    except ModuleNotFoundError:
        return 0
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return highest if sys.platform == "darwin" else highest * 1024
