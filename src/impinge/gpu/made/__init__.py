"""Bodies whose vertices are made on the GPU and stay there: deformed, seen, and read in parts."""

from impinge.gpu.made.body import GpuBody
from impinge.gpu.made.passes import Made, make
from impinge.gpu.made.shape import MadeShape, ReadShape

__all__ = ["GpuBody", "Made", "MadeShape", "ReadShape", "make"]
