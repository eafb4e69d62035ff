"""Bodies whose vertices are made on the GPU and stay there: deformed, seen, and read in parts."""

from impinge.gpu.bodies.body import GpuBody
from impinge.gpu.bodies.passes import Made, make
from impinge.gpu.bodies.shape import MadeShape, ReadShape
from impinge.gpu.sources import add_folder

__all__ = ["GpuBody", "Made", "MadeShape", "ReadShape", "make"]

add_folder("bodies", __path__[0])
