"""The passes of `cinder` with the depth and stencil tests of a GPU."""

from impinge.gpu.sources import add_folder

add_folder("cinder", __path__[0])
