"""Bodies that move."""
