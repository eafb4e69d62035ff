"""The geometry of one body at the moment of a query, and the structures detectors keep for it."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from impinge._arrays import read_only

if TYPE_CHECKING:
    from collections.abc import Callable

    from impinge._types import Floats, Ints

T = TypeVar("T")


class Structures:
    """Trees and the like of one mesh or body, by key; built on first use, safe from many threads.

    Never copied nor pickled: a copy starts empty and builds again when asked.
    """

    __slots__ = ("_held", "_lock")

    def __init__(self) -> None:
        # re-entrant, since a build may call a progress callable that uses the same mesh
        self._lock = RLock()
        self._held: dict[str, tuple[Floats, Any]] = {}

    def get(
        self,
        key: str,
        vertices: Floats,
        build: Callable[[], T],
        update: Callable[[T], T] | None = None,
    ) -> T:
        """The structure `key` for exactly this array of vertices: kept, updated or built."""
        held = self._held.get(key)
        if held is not None and held[0] is vertices:
            return held[1]  # type: ignore[no-any-return]
        with self._lock:
            # taken out first: an interrupted update must not leave a half-updated structure
            held = self._held.pop(key, None)
            if held is None or (held[0] is not vertices and update is None):
                made = build()
            elif held[0] is vertices:
                made = held[1]
            else:
                made = update(held[1])  # type: ignore[misc]
            self._held[key] = (vertices, made)
        return made

    def __reduce__(self) -> tuple[type[Structures], tuple[()]]:
        return Structures, ()

    def __deepcopy__(self, memo: object) -> Structures:
        return Structures()


class Shape:
    """World geometry of one body, in arrays that nobody writes again.

    `vertices` (n, 3) float64 are in world coordinates, `faces` (m, 3) int32. `local` are the
    vertices before `pose` (4, 4) was applied (the same array when `pose` is None). `structures`
    belong to the world coordinates, `local_structures` to the local ones: all instances of one
    rigid mesh share the latter. `deformed`: the local vertices are no longer those of the mesh.
    """

    __slots__ = (
        "deformed",
        "faces",
        "local",
        "local_structures",
        "pose",
        "structures",
        "vertices",
    )

    def __init__(
        self,
        vertices: Floats,
        faces: Ints,
        structures: Structures,
        *,
        local: Floats | None = None,
        local_structures: Structures | None = None,
        pose: Floats | None = None,
        deformed: bool = False,
    ) -> None:
        self.vertices = vertices
        self.faces = faces
        self.structures = structures
        self.local = vertices if local is None else local
        self.local_structures = structures if local_structures is None else local_structures
        self.pose = pose
        self.deformed = deformed

    def __getstate__(self) -> tuple[Floats, Ints, Floats, Floats | None, bool]:
        return self.vertices, self.faces, self.local, self.pose, self.deformed

    def __setstate__(self, state: tuple[Floats, Ints, Floats, Floats | None, bool]) -> None:
        self.vertices, self.faces, self.local, self.pose, self.deformed = state
        for array in (self.vertices, self.faces, self.local, self.pose):
            if array is not None:
                read_only(array)
        self.structures = Structures()
        same = self.local is self.vertices
        self.local_structures = self.structures if same else Structures()
