"""The geometry of one body at the moment of a query, and the structures detectors keep for it."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from impinge import _core
from impinge._arrays import read_only

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Floats, Ints

T = TypeVar("T")

_new = object.__new__

IDENTITY = np.eye(4).tobytes()


def pose_of(placement: bytes | None) -> Floats | None:
    """The pose (4, 4), read-only, whose float64 numbers these bytes are."""
    return None if placement is None else np.frombuffer(placement).reshape(4, 4)


class Structures:
    """Trees and the like of one mesh or body, by key; built on first use, safe from many threads.

    Never copied nor pickled: a copy starts empty and builds again when asked.
    """

    __slots__ = ("_lock", "held")

    def __init__(self) -> None:
        # re-entrant, since a build may call a progress callable that uses the same mesh
        self._lock = RLock()
        self.held: dict[str, tuple[Floats, Any]] = {}
        """With the vertices they are of."""

    def kept(self, key: str, vertices: Floats) -> Any:
        """The structure if it is there and up to date, else None."""
        held = self.held.get(key)
        return held[1] if held is not None and held[0] is vertices else None

    def holds(self, key: str) -> bool:
        """Whether there is such a structure, up to date or not."""
        return key in self.held

    def get(
        self,
        key: str,
        vertices: Floats,
        build: Callable[[], T],
        update: Callable[[T], T] | None = None,
    ) -> T:
        """The structure `key` for exactly this array of vertices: kept, updated or built."""
        with self._lock:
            # what is up to date stays where others look for it without the lock
            held = self.held.get(key)
            if held is not None and held[0] is vertices:
                return held[1]  # type: ignore[no-any-return]
            # taken out first: an interrupted update must not leave a half-updated structure
            self.held.pop(key, None)
            made = build() if held is None or update is None else update(held[1])
            self.held[key] = (vertices, made)
        return made

    def __reduce__(self) -> tuple[type[Structures], tuple[()]]:
        return Structures, ()

    def __deepcopy__(self, memo: object) -> Structures:
        return Structures()


class Shape:
    """Geometry of one body, in arrays that nobody writes again.

    `local` (n, 3) float64 are the vertices before the pose is applied, `faces` (m, 3) int32.
    `placement` are the bytes of the pose, which cost less than an array and cannot be written.
    `local_structures` belong to the local coordinates: all instances of one rigid mesh share
    them. `structures` belong to the world coordinates, `vertices`. Without a pose (None) both are
    the same. `deformed`: the local vertices are no longer those of the mesh.
    """

    on_gpu = False
    """Whether the vertices are made on the GPU, and not here."""

    __slots__ = (
        "_world",
        "deformed",
        "faces",
        "local",
        "local_structures",
        "placement",
        "structures",
    )

    def __init__(
        self,
        local: Floats,
        faces: Ints,
        local_structures: Structures,
        placement: bytes | None = None,
        structures: Structures | None = None,
        *,
        deformed: bool = False,
    ) -> None:
        self.local = local
        self.faces = faces
        self.local_structures = local_structures
        self.placement = placement
        self.structures = local_structures if structures is None else structures
        self.deformed = deformed
        self._world = local if placement is None else None

    def moved(self, placement: bytes | None, structures: Structures) -> Shape:
        """This shape, which has no pose, at a placement; a new one, since results keep theirs."""
        if placement is None:
            return self
        # not by the constructor, which takes longer than all else of a pose
        shape = _new(Shape)
        shape.local, shape.faces, shape.deformed = self.local, self.faces, self.deformed
        shape.local_structures, shape.structures = self.local_structures, structures
        shape.placement, shape._world = placement, None
        return shape

    @property
    def pose(self) -> Floats | None:
        """(4, 4) float64, read-only; None is no movement at all."""
        return pose_of(self.placement)

    @property
    def vertices(self) -> Floats:
        """(n, 3) float64 in world coordinates, computed when first asked."""
        world = self._world
        if world is None:
            # without a pose the world coordinates are there from the start
            pose = self.pose
            assert pose is not None
            world = _core.transform(self.local, pose)
            read_only(world)
            self._world = world
        return world

    def __getstate__(self) -> tuple[Floats, Ints, bytes | None, bool]:
        return self.local, self.faces, self.placement, self.deformed

    def __setstate__(self, state: tuple[Floats, Ints, bytes | None, bool]) -> None:
        local, faces, placement, deformed = state
        read_only(local)
        read_only(faces)
        structures = None if placement is None else Structures()
        self.__init__(  # type: ignore[misc]
            local, faces, Structures(), placement, structures, deformed=deformed
        )
