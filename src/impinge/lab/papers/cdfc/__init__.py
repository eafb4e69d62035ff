"""Mainzer and Zachmann 2013: fuzzy clusters of deforming bodies."""
