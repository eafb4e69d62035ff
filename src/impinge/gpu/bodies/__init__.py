"""Bodies whose vertices are made on the GPU and stay there: deformed, seen, and read in parts."""

from impinge.gpu.bodies.body import GpuBody
from impinge.gpu.bodies.passes import GpuVertices, make
from impinge.gpu.bodies.shape import GpuShape, ReadShape
from impinge.gpu.sources import add_folder

__all__ = ["GpuBody", "GpuShape", "GpuVertices", "ReadShape", "make"]

add_folder("bodies", __path__[0])
