"""The stages of `cdfc` on a GPU, up to pairs that only the exact test can decide."""

from impinge.gpu.sources import add_folder

add_folder("cdfc", __path__[0])
