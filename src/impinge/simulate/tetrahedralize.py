"""Tetrahedra inside any closed surface, by fTetWild."""

from __future__ import annotations

import numpy as np

from impinge.errors import InputError, MissingDependencyError
from impinge.mesh import Mesh
from impinge.simulate.solids import Solid


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
    >>> solid = simulate.solid_of(simulate.box().mesh, edge_length=0.5)
    >>> abs(solid.volume - 1.0) < 0.01
    True
    """
    try:
        import pytetwild
    except ImportError:
        raise MissingDependencyError("pytetwild", "tetrahedra", "solid_of") from None
    made = Mesh.of(mesh) if faces is None else Mesh(mesh, faces)
    if not made.report().closed:
        raise InputError(f"only a closed surface has an inside, {made.name!r} has open edges")
    if edge_length is not None and not edge_length > 0.0:
        raise InputError(f"edge_length must be positive, got {edge_length!r}")
    # copies, since it takes writable arrays only
    points, cells = pytetwild.tetrahedralize(
        made.vertices.copy(), made.faces.copy(), edge_length_abs=edge_length, quiet=True
    )
    if not len(cells):
        raise InputError(f"no tetrahedron fits into {made.name!r}; take a smaller edge_length")
    used, index = np.unique(cells, return_inverse=True)
    # its tetrahedra are turned the other way; Solid.of takes either
    return Solid.of(points[used], index.reshape(-1, 4), name=made.name or "solid")
