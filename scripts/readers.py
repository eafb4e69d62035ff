"""What other readers of mesh files make of damaged ones: the table of docs/dependencies.md.

    python scripts/readers.py [--details]

Asks those of the readers below that are installed, each in a process of its own, since some take
the interpreter down. `--details` also tells what each made of every file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Timer
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.damaged_files import DAMAGED, FACES, WHOLE

REFUSED, NOTHING, DELIVERED, DIED = "refused", "nothing", "delivered", "died"
SECONDS = 60


def by_impinge(path: str) -> int:
    from impinge.io import read

    return read(path).triangles


def by_trimesh(path: str) -> int:
    import trimesh

    # points alone have no faces
    shapes = trimesh.load_scene(path).geometry.values()
    return sum(len(getattr(shape, "faces", ())) for shape in shapes)


def by_meshio(path: str) -> int:
    import meshio

    return sum(len(block.data) for block in meshio.read(path).cells)


def by_open3d(path: str) -> int:
    import open3d

    return len(open3d.io.read_triangle_mesh(path).triangles)


def by_pyvista(path: str) -> int:
    import pyvista
    from vtkmodules.util.numpy_support import vtk_to_numpy

    found = pyvista.read(path)
    blocks = found.recursive_iterator() if isinstance(found, pyvista.MultiBlock) else [found]
    # cells without corners stand for what could not be read
    offsets = [vtk_to_numpy(block.GetPolys().GetOffsetsArray()) for block in blocks]
    return sum(int((offset[1:] - offset[:-1] >= 3).sum()) for offset in offsets)


def by_numpy_stl(path: str) -> int:
    from stl import mesh

    return len(mesh.Mesh.from_file(path))


def by_plyfile(path: str) -> int:
    from plyfile import PlyData

    return len(PlyData.read(path)["face"])


def by_pygltflib(path: str) -> int:
    """Primitives: it reads the document, and leaves what buffers hold to the caller."""
    from pygltflib import GLTF2

    document = GLTF2().load(path)
    return sum(len(mesh.primitives) for mesh in document.meshes)


def by_lib3mf(path: str) -> int:
    import lib3mf

    model = lib3mf.get_wrapper().CreateModel()
    model.QueryReader("3mf").ReadFromFile(path)
    meshes, count = model.GetMeshObjects(), 0
    while meshes.MoveNext():
        count += meshes.GetCurrentMeshObject().GetTriangleCount()
    return count


# by the name of the package: what reads, and which files
READERS: dict[str, tuple[Callable[[str], int], str]] = {
    "impinge": (by_impinge, "stl obj ply off glb gltf 3mf"),
    "trimesh": (by_trimesh, "stl obj ply off glb gltf 3mf"),
    "meshio": (by_meshio, "stl obj ply off"),
    "open3d": (by_open3d, "stl obj ply off glb gltf"),
    "pyvista": (by_pyvista, "stl obj ply glb gltf"),
    "numpy-stl": (by_numpy_stl, "stl"),
    "plyfile": (by_plyfile, "ply"),
    "pygltflib": (by_pygltflib, "glb gltf"),
    "lib3mf": (by_lib3mf, "3mf"),
}


def work(package: str) -> None:
    """Read the paths that come in, one a line, and answer each with a line."""
    read, _ = READERS[package]
    answers = sys.stdout
    # what the libraries print goes elsewhere
    sys.stdout = sys.stderr
    for line in sys.stdin:
        try:
            count = read(line.strip())
        except (Exception, SystemExit) as error:
            answer = {"outcome": REFUSED, "why": f"{type(error).__name__}: {error}"[:160]}
        else:
            answer = {"outcome": DELIVERED if count else NOTHING, "why": f"{count} found"}
        answers.write("=" + json.dumps(answer) + "\n")
        answers.flush()


class Reader:
    """One reader in a process, which is started again when it dies."""

    def __init__(self, package: str) -> None:
        self._command = [sys.executable, __file__, "--work", package]
        self._process: subprocess.Popen[str] | None = None

    def read(self, path: Path) -> dict[str, str]:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        timer = Timer(SECONDS, process.kill)
        timer.start()
        try:
            process.stdin.write(f"{path}\n")
            process.stdin.flush()
            # lines of libraries that write past Python are left out
            for line in process.stdout:
                if line.startswith("="):
                    answer: dict[str, str] = json.loads(line[1:])
                    return answer
        finally:
            timer.cancel()
        self._process = None
        return {"outcome": DIED, "why": f"exit code {process.wait()}"}

    def close(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait()


def ask(package: str, folder: Path) -> dict[str, dict[str, dict[str, str]]]:
    """By the name of the file and by what is wrong with it ("" for nothing)."""
    reader, formats = Reader(package), READERS[package][1].split()
    found: dict[str, dict[str, dict[str, str]]] = {}
    for name, damaged in DAMAGED.items():
        path = folder / name
        if path.suffix[1:] not in formats:
            continue
        found[name] = {}
        for what, data in {"": WHOLE[name], **damaged}.items():
            path.write_bytes(data)
            found[name][what] = reader.read(path)
    reader.close()
    return found


def cell(answers: dict[str, dict[str, str]] | None) -> str:
    if answers is None:
        return ""
    if answers[""]["outcome"] != DELIVERED:
        return "not read"
    counts = Counter(answer["outcome"] for what, answer in answers.items() if what)
    text = f"{counts[REFUSED]} / {counts[NOTHING]} / {counts[DELIVERED]}"
    return text + (f" / {counts[DIED]} died" if counts[DIED] else "")


def table(found: dict[str, Any]) -> str:
    counts = [str(len(damaged)) for damaged in DAMAGED.values()]
    rows = [["", *DAMAGED], ["---"] * (1 + len(DAMAGED)), ["damaged files", *counts]]
    for package, answers in found.items():
        rows.append(
            [f"{package} {version(package)}", *(cell(answers.get(name)) for name in DAMAGED)]
        )
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="What readers make of damaged files.")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--work", metavar="PACKAGE", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work(arguments.work)
        return
    found: dict[str, Any] = {}
    for package in READERS:
        try:
            version(package)
        except PackageNotFoundError:
            print(f"{package} is not installed", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            found[package] = ask(package, Path(folder))
    print(f"{len(FACES)} triangles in each; refused / nothing and no error / delivered\n")
    print(table(found))
    if arguments.details:
        for package, files in found.items():
            for name, answers in files.items():
                for what, answer in answers.items():
                    print(package, name, what or "undamaged", *answer.values(), sep="\t")


if __name__ == "__main__":
    main()
