"""Makes the shipped assembly: a two-stage gearbox with known clashes, contacts and clean pairs.

    python examples/make_gearbox.py [FOLDER]

writes gearbox.glb and gearbox.json (what each pair of parts must be) into FOLDER, by default the
data folder of the package. Only NumPy is needed.
"""

import argparse
import json
from pathlib import Path

from gearbox import assembly, truth
from gearbox.glb import glb

DATA = Path(__file__).resolve().parent.parent / "src" / "impinge" / "data"


def main() -> None:
    arguments = argparse.ArgumentParser(description="Make the gearbox assembly.")
    arguments.add_argument("folder", nargs="?", type=Path, default=DATA)
    folder = arguments.parse_args().folder
    meshes = {name: solid.mesh() for name, solid in assembly.meshes().items()}
    parts = assembly.parts()
    document = {
        "file": "gearbox.glb",
        "unit": "mm",
        "parts": {part.name: len(meshes[part.mesh][1]) for part in parts},
        "clash": _pairs(truth.clashes()),
        "touch": _pairs(truth.collides()),
        "clean": _pairs(truth.near_misses()),
        "otherwise": "clean",
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gearbox.glb").write_bytes(glb(meshes, parts))
    (folder / "gearbox.json").write_text(json.dumps(document, indent=1) + "\n")
    triangles = sum(document["parts"].values())
    print(f"{len(parts)} parts, {triangles} triangles in {folder / 'gearbox.glb'}")


def _pairs(pairs: truth.Pairs) -> list[dict[str, str]]:
    return [{"a": a, "b": b, "why": why} for a, b, why in pairs]


if __name__ == "__main__":
    main()
