"""The shipped gearbox, moved and saved with rounded numbers: its verdicts must stay what they are.

`python -m support.moved_gearbox 50`, with `tests` and `src` in the path, runs many motions.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

from impinge import Scene, data, load_scene
from support import mesh_files, meshes

Pair = tuple[str, str]
Parts = dict[str, meshes.Arrays]
Rows = dict[Pair, tuple[str, float]]

MIRROR = np.diag([-1.0, 1.0, 1.0, 1.0])


def gearbox() -> Parts:
    """The parts in world coordinates, by name."""
    return {body.name: (body.world_vertices, body.faces) for body in load_scene(path())}


def path() -> Path:
    return data.path("gearbox.glb")


def verdicts(scene: Scene) -> Rows:
    """Verdict and depth of each pair, with the tolerance that `impinge check` takes."""
    check = scene.check(tolerance="precision", facets=True)
    return {(row.name_a, row.name_b): (row.verdict.value, float(row.depth or 0.0)) for row in check}


def motion(seed: int) -> np.ndarray:
    return meshes.pose(np.random.default_rng(seed), spread=200.0)


def saved(parts: Parts, pose: np.ndarray, folder: Path) -> Iterator[tuple[str, Scene]]:
    """The moved parts as they come back from files of each format."""
    moved = {name: meshes.posed(mesh, pose) for name, mesh in parts.items()}
    files = [folder / f"{name}.stl" for name in moved]
    for file, mesh in zip(files, moved.values(), strict=True):
        file.write_bytes(mesh_files.binary_stl(mesh))
    yield "STL", load_scene(*files)
    nodes = [{"mesh": i, "name": name} for i, name in enumerate(moved)]
    yield "GLB", _glb(list(moved.values()), nodes, folder)
    matrix = pose.astype(np.float32).astype(float).T.reshape(-1).tolist()
    nodes = [{**node, "matrix": matrix} for node in nodes]
    yield "GLB with poses", _glb(list(parts.values()), nodes, folder)
    rounded = [(np.round(vertices, 6), faces) for vertices, faces in moved.values()]
    (folder / "all.obj").write_bytes(mesh_files.obj(*rounded, names=tuple(moved)))
    yield "OBJ", load_scene(folder / "all.obj")


def mirrored(parts: Parts, pose: np.ndarray, name: str, folder: Path) -> Scene:
    """One part is stored as its mirror image, and its pose mirrors it back."""
    flipped = {**parts, name: (meshes.transformed(parts[name][0], MIRROR), parts[name][1][:, ::-1])}
    nodes = []
    for i, part in enumerate(parts):
        matrix = pose @ MIRROR if part == name else pose
        nodes.append({"mesh": i, "name": part, "matrix": matrix.T.reshape(-1).tolist()})
    return _glb(list(flipped.values()), nodes, folder)


def _glb(surfaces: list[meshes.Arrays], nodes: list[dict[str, object]], folder: Path) -> Scene:
    document = mesh_files.gltf_document(surfaces, nodes)
    (folder / "all.glb").write_bytes(mesh_files.glb(*document))
    return load_scene(folder / "all.glb")


def doubled(parts: Parts, seed: int) -> Parts:
    """With two parts a second time, called by the name and a star."""
    twice = np.random.default_rng(seed).choice(list(parts), size=2, replace=False).tolist()
    return {**parts, **{f"{name}*": parts[name] for name in twice}}


def differences(found: Rows, expected: Rows, parts: Parts) -> list[str]:
    """What of the verdicts is not as that of the originals, depths included."""
    names, wrong = list(parts), []
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            verdict, depth = found.get((a, b), ("apart", 0.0))
            first, second = a.rstrip("*"), b.rstrip("*")
            if first == second:
                if verdict != "duplicate":
                    wrong.append(f"{a} × {b}: {verdict} instead of duplicate")
                continue
            known = expected.get((first, second)) or expected.get((second, first))
            was, truth = known or ("apart", 0.0)
            if verdict != was:
                wrong.append(f"{a} × {b}: {verdict} ({depth:.3g}) instead of {was}")
            elif was == "clash" and abs(depth - truth) > 1e-3 * truth:
                wrong.append(f"{a} × {b}: {depth:.6g} deep instead of {truth:.6g}")
    return wrong


def depth_error(found: Rows, expected: Rows) -> float:
    """The largest relative change of the depth of a clash."""
    return max(
        (
            abs(found[pair][1] / depth - 1)
            for pair, (verdict, depth) in expected.items()
            if verdict == "clash" and pair in found
        ),
        default=0.0,
    )


def main(motions: int) -> None:
    parts = gearbox()
    expected = verdicts(load_scene(path()))
    tally: dict[str, list[float]] = {}
    for seed in range(motions):
        name = list(parts)[seed % len(parts)]
        twice = doubled(parts, seed)
        with tempfile.TemporaryDirectory() as scratch:
            folder, pose = Path(scratch), motion(seed)
            cases = [(form, scene, parts) for form, scene in saved(parts, pose, folder)]
            cases += [(f"{form}, doubles", s, twice) for form, s in saved(twice, pose, folder)]
            cases.append(("GLB, mirrored", mirrored(parts, pose, name, folder), parts))
        for form, scene, own in cases:
            start = perf_counter()
            found = verdicts(scene)
            wrong = differences(found, expected, own)
            entry = tally.setdefault(form, [0, 0, 0.0, 0.0])
            entry[0] += 1
            entry[1] += bool(wrong)
            entry[2] = max(entry[2], depth_error(found, expected))
            entry[3] += perf_counter() - start
            for line in wrong:
                print(f"motion {seed}, {form}: {line}", flush=True)
    for form, (runs, bad, error, seconds) in tally.items():
        print(f"{form}: {runs} motions, {bad} wrong, depth within {error:.1e}, {seconds:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]))
