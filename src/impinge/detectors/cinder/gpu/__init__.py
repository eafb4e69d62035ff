"""The passes of `cinder` with the depth and stencil tests of a GPU."""
