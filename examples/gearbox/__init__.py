"""The pieces of `make_gearbox.py`: planar polygons, solids from loops, gear teeth, parts, GLB."""
