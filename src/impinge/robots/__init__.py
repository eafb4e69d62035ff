"""Robots from URDF files: where their links are, whether they collide, and what is on the way."""

from impinge.robots.robot import Robot

__all__ = ["Robot"]
