"""Where the scripts of the pictures write to: docs/pictures, or the folder that is given."""

import argparse
from pathlib import Path


def output_folder(description: str) -> Path:
    arguments = argparse.ArgumentParser(description=description)
    default = Path(__file__).resolve().parent / "pictures"
    arguments.add_argument("folder", nargs="?", type=Path, default=default)
    folder: Path = arguments.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    return folder
