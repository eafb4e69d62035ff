"""The native core, in the build that suits this CPU.

`IMPINGE_CPU=baseline` in the environment keeps to the build for any CPU.
"""

import os as _os

from . import baseline as _baseline


def _choose() -> object:
    """Return the fastest module this CPU can run."""
    if _os.environ.get("IMPINGE_CPU") != "baseline" and _baseline.cpu_has_avx2():
        try:
            from . import avx2
        except ImportError:
            return _baseline
        return avx2
    return _baseline


_chosen = _choose()
globals().update({name: value for name, value in vars(_chosen).items() if name[:1] != "_"})
