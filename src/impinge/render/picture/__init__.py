"""Pictures without a browser: camera, rasteriser, shading, cuts."""
