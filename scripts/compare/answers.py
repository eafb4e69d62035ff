"""All there is to ask, in a process of one build: a line of JSON for each case."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import questions as ask
from parts import first_parts, parts, tried

import impinge
from conformance.methods import DEFAULT, ORACLE, able
from conformance.test_poses import NAMES as POSED
from conformance.unions import scene_of
from families import PAIRS, SCENES, SELVES, SEQUENCES, cases
from shared_data import test_dynamic_frames, test_real_meshes
from shared_data.readers import bodies, contact_model, read
from support.meshes import box, gear, moved, sphere, torus

Case = tuple[str, Callable[[], ask.Answers]]
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
MESH_FILES = {".stl", ".obj", ".ply", ".off", ".glb", ".3mf"}
# beyond so many faces only the default is asked
MOST_FACES = 20_000
SOLIDS = {
    "tori": [torus(20, 10), moved(torus(20, 10), (1.1, 0.2, 0.1)), sphere(6)],
    "boxes": [box(), box((0.7, 0.6, 0.5), (1.8, 1.9, 1.7)), box((0.2, 0.2, 0.2), (0.4, 0.4, 0.4))],
    "gears": [gear(9), moved(gear(9), (1.9, 0.05, 0.02)), moved(sphere(5), (0.5, 0, 0))],
}


def on_gpu(method: str, **options: Any) -> Any:
    """A detector there; None where there is no GPU."""
    made = impinge.detector(method, device="gpu", **options)
    two = scene_of([box(), moved(box(), 0.5)])
    found = tried(two.overlaps if method == "cinder" else two.collide, method=made)
    return None if isinstance(found, impinge.errors.GpuError | ImportError) else made


def of_families() -> Iterator[Case]:
    """Small cases with all detectors; big ones with those that need not wait for long."""
    methods = {name: name for name in able()} | {
        "dop-6": impinge.detector("dop", k=6, traversal="classic"),
        "dop-unit": impinge.detector("dop", kernel="unit_closed"),
        "peel-rays": impinge.detector("peel", device="cpu", conservative=False, resolution=64),
        "peel-gpu": on_gpu("peel", resolution=128),
        "cdfc-8": impinge.detector("cdfc", clusters=8),
        "cdfc-gpu": on_gpu("cdfc"),
    }
    asked = {
        ask.pair: (PAIRS, PAIRS, set()),
        ask.itself: (SELVES, SELVES, {"self"}),
        ask.posed: (PAIRS, POSED, {"poses"}),
        ask.scene: (SCENES, SCENES, {"bodies"}),
        ask.refitted: (SEQUENCES, SEQUENCES, {"bodies", "self", "deformable"}),
    }
    for question, (registry, names, needs) in asked.items():
        for (name, seed), size, label in product(cases(names, 2), ("small", "big"), methods):
            method = methods[label]
            slow = label == ORACLE or label.endswith("-gpu")
            if method is None or (size == "big" and slow) or (seed and label != DEFAULT):
                continue
            able_to = impinge.detector(method).capabilities
            if needs <= able_to:
                options = {"own": "self" in able_to} if question is ask.scene else {}
                make = partial(built, registry[name], size, seed)
                case = partial(put, question, make, method=method, **options)
                yield f"{question.__name__}/{name}-{seed}/{size}/{label}", case
    for question, registry in ((ask.curves, PAIRS), (ask.distances, PAIRS), (ask.rays, SELVES)):
        for (name, seed), size in product(cases(registry, 2), ("small", "big")):
            make = partial(built, registry[name], size, seed)
            yield f"{question.__name__}/{name}-{seed}/{size}", partial(put, question, make)


def of_bodies() -> Iterator[Case]:
    asked = {
        "ray": (ask.points, "ray"),
        "octree": (ask.points, impinge.detector("ray", accelerator="octree", symmetric=False)),
        "proximity": (ask.points, "proximity"),
        "near": (ask.points, impinge.detector("proximity", threshold=0.1)),
        "cinder": (ask.overlaps, impinge.detector("cinder", device="cpu", resolution=128)),
        "normals": (ask.overlaps, impinge.detector("cinder", device="cpu", payload="normals")),
        "cinder-gpu": (ask.overlaps, on_gpu("cinder", resolution=128)),
    }
    meshes = SOLIDS | {name: built(family, "small", 0) for name, family in SCENES.items()}
    for (label, (question, method)), name in product(asked.items(), meshes):
        if method is not None:
            case = partial(question, meshes[name], method=method)
            yield f"{question.__name__}/{name}/{label}", case
    yield "mistakes", ask.mistakes


def of_files() -> Iterator[Case]:
    """Real meshes alone and against each other, assemblies, recorded motion."""
    for path in sorted(DATA.rglob("*")):
        name = path.relative_to(DATA).as_posix()
        if path.suffix.lower() in MESH_FILES:
            yield f"file/{name}", partial(of_file, path)
        if path.name.endswith(".bodies.txt"):
            meshes = partial(of_assembly, path.with_name(path.name[: -len("bodies.txt")] + "ply"))
            yield f"assembly/{name}", meshes
    for files in test_real_meshes.PAIRS if DATA.is_dir() else ():
        make = partial(lambda files: [read(DATA / file) for file in files], files)
        yield f"file/{' x '.join(files)}", partial(put, ask.pair, make, method=DEFAULT)
    for name, files in test_dynamic_frames.SEQUENCES.items() if DATA.is_dir() else ():
        yield f"recorded/{name}", partial(of_recorded, files)
    for path in sorted((DATA / "contact").glob("Model*.txt")):
        yield f"recorded/{path.name}", partial(of_contacts, path)


def of_file(path: Path) -> ask.Answers:
    mesh = tried(impinge.load_mesh, path)
    if isinstance(mesh, Exception):
        return {"load": RuntimeError(str(mesh).replace(str(DATA), ""))}
    methods = able("self") if len(mesh) <= MOST_FACES else [DEFAULT]
    answers = {name: impinge.self_collide(mesh, method=name) for name in methods if name != ORACLE}
    arrays = (mesh.vertices, mesh.faces)
    return {"mesh": arrays, "report": tried(mesh.report), **answers, **ask.rays(arrays)}


def of_assembly(path: Path) -> ask.Answers:
    meshes = [mesh for _, mesh in bodies(path)]
    faces = sum(len(mesh[1]) for mesh in meshes)
    methods = able("bodies") if faces <= MOST_FACES else [DEFAULT]
    asked = {name: ask.scene(meshes, method=name) for name in methods if name != ORACLE}
    return {f"{kind} {name}": each[kind] for name, each in asked.items() for kind in each}


def of_recorded(files: list[str]) -> ask.Answers:
    frames = [read(DATA / file) for file in files]
    return ask.refitted((frames[0][1], [vertices for vertices, _ in frames]), method=DEFAULT)


def of_contacts(path: Path) -> ask.Answers:
    meshes, frames = contact_model(path)
    made, found = scene_of(meshes), {}
    for number, matrices in enumerate(frames):
        for body, matrix in zip(made.bodies, matrices, strict=True):
            body.pose = matrix
        found[f"frame {number}"] = made.collide()
    return found


@lru_cache(maxsize=4)
def built(family: Any, size: str, seed: int) -> Any:
    return family.build(size, seed)


def put(
    question: Callable[..., ask.Answers], make: Callable[[], Any], **options: Any
) -> ask.Answers:
    return question(make(), **options)


def told(answers: Any) -> dict[str, str]:
    """Digests of all answers of a case, each part with its name."""
    found = {}
    for label, answer in (answers if isinstance(answers, dict) else {"": answers}).items():
        some = first_parts(answer) if label.startswith("first") else parts(answer)
        found.update({f"{label} {name}".strip(): part for name, part in some.items()})
    return found


def main() -> None:
    print(json.dumps(impinge.__file__), flush=True)
    patterns = sys.argv[1:] or [""]
    for name, case in (one for source in (of_families, of_bodies, of_files) for one in source()):
        if any(pattern in name for pattern in patterns):
            print(json.dumps([name, told(tried(case))]), flush=True)


if __name__ == "__main__":
    main()
