"""The stages of `peel` on a GPU; what one makes stays there for the next."""
