"""The stages of `cdfc` on a GPU, up to pairs that only the exact test can decide."""
