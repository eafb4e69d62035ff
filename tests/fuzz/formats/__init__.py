"""The formats: how each is mutated, and who counts its triangles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fuzz import mutate
from fuzz.formats import gltf, obj, off, ply, stl, threemf
from fuzz.layers import Layer, Layers

CORPUS = Path(__file__).parents[1] / "corpus"


@dataclass(frozen=True)
class Format:
    """count raises an exception of any kind where the triangles of a file are not certain."""

    name: str
    extension: Callable[[bytes], str]
    count: Callable[[bytes], int]
    structure: Callable[[bytes], Layers]

    def seeds(self) -> dict[str, bytes]:
        """The files of the corpus by name."""
        files = sorted((CORPUS / self.name).iterdir())
        return {file.name: file.read_bytes() for file in files}

    def layers(self, data: bytes) -> list[Layer]:
        """Those that can be told, and the whole file as plain bytes."""
        whole = Layer(data, mutate.raw, bytes)
        try:
            return [*self.structure(data), whole]
        except Exception:
            return [whole]

    def mutated(self, data: bytes, rng: Random) -> bytes:
        """The file with one to five changes."""
        for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
            layers = self.layers(data)
            (layer,) = rng.choices(layers, [one.weight for one in layers])
            data = layer.rebuilt(layer.mutate(layer.content, rng))
        return data


_MODULES = {"stl": stl, "ply": ply, "obj": obj, "off": off, "gltf": gltf, "3mf": threemf}
FORMATS = {
    name: Format(name, module.extension, module.count, module.layers)
    for name, module in _MODULES.items()
}
