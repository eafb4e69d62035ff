"""What detectors that look at an image of the scene share: the view, its triangles, packing."""
