"""Pictures of what detectors do inside: the layers of `peel`, the passes of `cinder`."""
