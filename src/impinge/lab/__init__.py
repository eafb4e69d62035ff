"""The laboratory: benchmarks, the papers' experiments, their scenes and demos, the chip."""
