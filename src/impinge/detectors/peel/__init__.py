"""Rays through the scene find where surfaces may meet; an exact test decides.

Georgii, Krüger and Westermann, "Interactive collision detection for deformable and GPU objects"
(2007): sample, merge, separate, pack, test.
"""
