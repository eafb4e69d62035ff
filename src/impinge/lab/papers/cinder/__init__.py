"""Malmsten and Klasén 2005: overlapping bodies in the depth and stencil buffers."""
