"""The stages of `peel` on a GPU; what one makes stays there for the next."""

from impinge.gpu.sources import add_folder

add_folder("peel", __path__[0])
