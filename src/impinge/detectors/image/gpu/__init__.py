"""What the stages of `peel` and `cinder` on a GPU share."""

from impinge.gpu.sources import add_folder

add_folder("image", __path__[0])
