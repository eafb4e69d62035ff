"""The experiments of the papers, measured again beside the printed numbers."""
