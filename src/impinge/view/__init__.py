"""Scenes and results to look at: a page in the browser, live or as a file, and in notebooks."""
