"""Georgii, Krüger and Westermann 2007: layers of an image of the scene."""
