"""Scenes that run: which there are, how they go on, and how they are watched or recorded."""
