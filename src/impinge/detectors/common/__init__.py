"""What several detectors need."""
