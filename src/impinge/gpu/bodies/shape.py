"""The geometry of a GPU body at the moment of a query, and what was read back of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from impinge._arrays import read_only
from impinge._shape import Shape, Structures
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Floats, Ints, Singles
    from impinge.gpu.bodies.resident import Resident


class GpuShape(Shape):
    """Vertices that exist on the GPU only: what makes them, with the numbers of this moment."""

    on_gpu = True

    __slots__ = ("closed", "name", "parameters", "resident", "time")

    def __init__(
        self,
        name: str,
        faces: Ints,
        resident: Resident,
        *,
        time: float,
        parameters: Singles,
        placement: bytes | None,
        closed: bool,
    ) -> None:
        self.name = name
        self.faces = faces
        self.resident = resident
        self.time = time
        self.parameters = parameters
        self.placement = placement
        self.closed = closed
        self.deformed = True
        self.local_structures = self.structures = Structures()

    @property
    def local(self) -> Floats:  # type: ignore[override]
        self._refuse()

    @property
    def vertices(self) -> Floats:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise not_here(self.name)


class ReadShape(Shape):
    """What came back of a GPU body: vertices are NaN, and parts -1, where nothing was read."""

    __slots__ = ("parts",)

    def __init__(self, vertices: Floats, faces: Ints, parts: Ints) -> None:
        super().__init__(vertices, faces, Structures(), deformed=True)
        self.parts = parts
        read_only(vertices)
        read_only(parts)

    def __getstate__(self) -> Any:
        return self.local, self.faces, self.parts

    def __setstate__(self, state: Any) -> None:
        self.__init__(*state)  # type: ignore[misc]


def not_here(name: str) -> InputError:
    return InputError(
        f"the vertices of body {name!r} are on the GPU; body.read_vertices() reads all of them back"
    )
