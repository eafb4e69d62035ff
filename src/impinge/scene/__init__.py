"""Bodies that are checked against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge.body import bodies_of
from impinge.scene.impacts import ImpactQuestions
from impinge.scene.motions import MotionQuestions
from impinge.scene.solids import SolidQuestions
from impinge.scene.surfaces import SurfaceQuestions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path

    from impinge.mesh import Mesh


class Scene(SurfaceQuestions, SolidQuestions, MotionQuestions, ImpactQuestions):
    """A set of bodies that are checked against each other.

    A body is found by its name, its index or itself: `scene["lid"]`, `scene[0]`. Iterating gives
    the bodies in the order in which they were added. One thread at a time asks a scene; bodies that
    are moved meanwhile, by other threads or the progress callable, count from the next query on.

    See Also
    --------
    impinge.load_scene : The parts of an assembly file as a scene.

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> scene = impinge.Scene()
    >>> anvil = scene.add(vertices, faces, name="anvil")
    >>> hammer = scene.add(vertices + 0.2, faces, name="hammer")
    >>> for pair in scene.collide().body_pairs:
    ...     print(pair.name_a, pair.name_b, pair.count)
    anvil hammer 3

    A body moves by its pose or deforms by its vertices; the scene is then asked again:

    >>> hammer.vertices = vertices + 0.5
    >>> len(scene.collide())
    0
    """

    @classmethod
    def _of_meshes(cls, meshes: Sequence[Mesh]) -> Scene:
        scene = cls()
        for body in bodies_of(meshes):
            scene.add(body)
        return scene

    def show(self, *, up: str = "z", path: str | PathLike[str] | None = None) -> Path | None:
        """Look at the bodies as they are now: in the browser, or in a notebook below the cell.

        Parameters
        ----------
        up, path
            As for `Collisions.show`.

        Returns
        -------
        pathlib.Path or None
            The page that was written; None in a notebook.
        """
        from impinge.view.show import show

        return show(self, up=up, path=path)
