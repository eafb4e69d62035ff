"""Tetrahedra inside any closed surface, by fTetWild."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from impinge._text import one_line
from impinge.errors import InputError, MissingDependencyError
from impinge.mesh import Mesh
from impinge.simulate.solids import Solid

if TYPE_CHECKING:
    from impinge._types import Floats, Ints

_FILL = """
import numpy as np, pytetwild
with np.load("surface.npz") as given:
    surface, length = (given["vertices"], given["faces"]), float(given["length"]) or None
points, cells = pytetwild.tetrahedralize(*surface, edge_length_abs=length, quiet=True)
np.savez("tetrahedra.npz", points=points, cells=cells)
"""


def solid_of(mesh: object, faces: object = None, *, edge_length: float | None = None) -> Solid:
    """Fill a closed surface with tetrahedra, by fTetWild.

    The surface is meshed anew, within a thousandth of its size. It may intersect itself.

    Parameters
    ----------
    mesh, faces : mesh-like, or vertices (n, 3) and faces (m, 3)
        A closed surface.
    edge_length : float, optional
        About the length of the edges; None is a twentieth of the size of the surface.

    Returns
    -------
    Solid

    Raises
    ------
    MissingDependencyError
        pytetwild is not installed: it comes with ``impinge[tetrahedra]``.

    See Also
    --------
    impinge.simulate.Solid.of

    Examples
    --------
    >>> from impinge import simulate
    >>> solid = simulate.solid_of(simulate.box(cells=1).mesh)
    >>> abs(solid.volume - 1.0) < 0.01
    True
    """
    try:
        import pytetwild  # noqa: F401
    except ImportError:
        raise MissingDependencyError("pytetwild", "tetrahedra", "solid_of") from None
    made = Mesh.of(mesh) if faces is None else Mesh(mesh, faces)
    if not made.report().closed:
        raise InputError(f"only a closed surface has an inside, {made.name!r} has open edges")
    if edge_length is not None and not edge_length > 0.0:
        raise InputError(f"edge_length must be positive, got {edge_length!r}")
    points, cells = _filled(made, edge_length)
    if not len(cells):
        raise InputError(f"no tetrahedron fits into {made.name!r}; take a smaller edge_length")
    used, index = np.unique(cells, return_inverse=True)
    # its tetrahedra are turned the other way; Solid.of takes either
    return Solid.of(points[used], index.reshape(-1, 4), name=made.name or "solid")


def _filled(surface: Mesh, edge_length: float | None) -> tuple[Floats, Ints]:
    """Points (n, 3) and tetrahedra (m, 4), made in a process and a folder of their own.

    The library writes a file into the current folder, which belongs to the user.
    """
    with TemporaryDirectory(prefix="impinge-", ignore_cleanup_errors=True) as folder:
        np.savez(
            Path(folder, "surface.npz"),
            vertices=surface.vertices,
            faces=surface.faces,
            length=0.0 if edge_length is None else edge_length,
        )
        # what is found from here must be found from there
        path = os.pathsep.join(os.path.abspath(place) for place in sys.path)
        done = subprocess.run(
            [sys.executable, "-c", _FILL],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        made = Path(folder, "tetrahedra.npz")
        if done.returncode or not made.exists():
            told = done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"]
            raise InputError(f"pytetwild cannot fill {surface.name!r}: {one_line(told[-1])}")
        with np.load(made) as found:
            return found["points"], found["cells"]
