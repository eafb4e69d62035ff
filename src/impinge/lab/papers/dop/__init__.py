"""Zachmann and Knittel 2003: DOP trees in hardware."""
