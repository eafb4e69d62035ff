"""What is measured: every workload with its sizes, full and quick."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from impinge.errors import InputError, nearest, word_list
from impinge.lab.bench import shapes
from impinge.lab.bench.cases import (
    Bodies,
    Deforming,
    Near,
    NearItself,
    Points,
    Posed,
    Rays,
    Surface,
)
from impinge.lab.bench.recorded import read_frames, recorded_files
from impinge.lab.bench.workload import Workload

if TYPE_CHECKING:
    from impinge._types import Floats

# waves so high and so many that the cloth of 92k meets itself in some 26,000 pairs a frame
_FOLDED = (0.33, 3.6)
_GENTLE = (0.2, 2.2)


def available(*, quick: bool = False, data: str | Path | None = None) -> tuple[Workload, ...]:
    """All workloads, in order."""
    rows = [*_rigid(quick), *_deforming(quick, data), *_bodies(quick), *_touching(quick)]
    rows += [*_distances(quick), *_structures(quick), _one_shot(quick), *_solids(quick)]
    rows += [*_margins(quick), *_contacts(quick, data), *_machines(quick), *_memory(quick)]
    return tuple(rows)


def selected(workloads: Iterable[Workload], names: Iterable[str]) -> tuple[Workload, ...]:
    """Those of these names or groups; all when there are no names."""
    rows, wanted = tuple(workloads), [name.lower() for name in names]
    known = {key.lower(): key for row in rows for key in (row.group, row.name)}
    for name in wanted:
        if name not in known:
            choices = list(dict.fromkeys(known.values()))
            raise InputError(
                f"workload {name!r} is unknown; choose from {word_list(choices)}"
                f"{nearest(name, choices)}"
            )
    if not wanted:
        return rows
    return tuple(row for row in rows if {row.name.lower(), row.group.lower()} & {*wanted})


def spheres(frequency: int) -> tuple[Surface, Surface]:
    """Two different bumpy spheres of 20 frequency^2 triangles each."""
    return (
        Surface(*shapes.bumpy(frequency, seed=0)),
        Surface(*shapes.bumpy(frequency, seed=7)),
    )


def posed(frequency: int, poses: int, distance: float = 1.8) -> Posed:
    return Posed(*spheres(frequency), shapes.poses_around(poses, distance, seed=1))


def near(frequency: int, poses: int, distance: float = 2.02) -> Near:
    """Poses that cross, and poses with a gap, most of them narrower than the margin."""
    case = posed(frequency, poses, distance)
    return Near(case.a, case.b, case.poses, margin=0.02)


# what the question of a touch may meet, and which of these collide
POSE_CLASSES = ("deep", "just colliding", "just free", "apart")
_POSE_GROUPS = (("colliding", POSE_CLASSES[:2]), ("free", POSE_CLASSES[2:]))


def touching(frequency: int, count: int) -> Posed:
    """Poses of all classes, a quarter each: around the distance of first contact, and far from it.

    "deep" are poses at 0.3 to 0.8 of that distance, "apart" at 1.05 to 1.5, the other two within
    0.0001 to 0.03 of it.
    """
    import impinge

    case = posed(frequency, count, 1.0)
    a, b = (impinge.Mesh(mesh.vertices, mesh.faces) for mesh in (case.a, case.b))
    directions = case.poses[:, :3, 3].copy()

    def at(distance: Floats) -> Floats:
        poses = case.poses.copy()
        poses[:, :3, 3] = directions * distance[:, None]
        return poses

    low, high = np.full(count, 1.5), np.full(count, 2.5)
    for _ in range(20):
        middle = (low + high) / 2
        hit = impinge.collides(a, b, poses=at(middle))
        low, high = np.where(hit, middle, low), np.where(hit, high, middle)
    random, quarter = np.random.default_rng(11), count // len(POSE_CLASSES)
    deep, near_in, near_out, apart = low.reshape(-1, quarter)
    gaps = 10 ** random.uniform(-4, -1.5, (2, quarter))
    distances = [
        deep * random.uniform(0.3, 0.8, quarter),
        near_in - gaps[0],
        near_out + gaps[1],
        apart * random.uniform(1.05, 1.5, quarter),
    ]
    return Posed(case.a, case.b, at(np.concatenate(distances)))


def folded_cloth(cells: int, frames: int, *, gentle: bool = False) -> Deforming:
    height, folds = _GENTLE if gentle else _FOLDED
    moving, faces = shapes.cloth(cells, frames, height=height, folds=folds)
    return Deforming(faces, moving)


def near_itself(moving: Deforming) -> NearItself:
    """Nearer than a twentieth of the mean edge."""
    corners = moving.frames[0][moving.faces]
    edge = float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).mean())
    return NearItself(moving.faces, moving.frames, 0.05 * edge)


def pile(bodies: int, frequency: int, frames: int) -> Bodies:
    """Bumpy bodies in a box so small that each meets several others."""
    meshes = tuple(
        Surface(*shapes.bumpy(frequency, seed=seed, height=0.15)) for seed in range(bodies)
    )
    return Bodies(meshes, shapes.drifting(bodies, frames, box_side(bodies)))


def box_side(bodies: int) -> float:
    """Of a box in which so many bodies of radius 1 are equally crowded."""
    return float(6.4 * np.cbrt(bodies / 60))


def breathing(frequency: int) -> Deforming:
    """A sphere whose bumps grow and shrink: what a tree is built for, and refitted to."""
    small, faces = shapes.bumpy(frequency, seed=0)
    large, _ = shapes.bumpy(frequency, seed=0, height=0.05)
    return Deforming(faces, np.array([small, large]))


def inward_rays(frequency: int) -> Rays:
    """A ray from each vertex along the inward normal, started a little inside."""
    mesh = Surface(*shapes.bumpy(frequency, seed=0))
    directions = shapes.inward_normals(mesh.vertices, mesh.faces)
    return Rays(mesh, mesh.vertices + 1e-3 * directions, directions)


def scattered(frequency: int, count: int) -> Points:
    """Points anywhere in the box of a bumpy sphere."""
    mesh = Surface(*shapes.bumpy(frequency, seed=0))
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    return Points(mesh, np.random.default_rng(2).uniform(low, high, size=(count, 3)))


def _rigid(quick: bool) -> list[Workload]:
    poses = 10 if quick else 50
    sizes = {"5k": 16, "20k": 32} if quick else {"20k": 32, "80k": 64, "320k": 128}
    rows = [
        Workload(
            f"W1-{size}", f"rigid pair, all pairs, {size} each", "pair",
            partial(posed, frequency, poses), poses, chunk=5 if quick else 25, unit="pose",
        )
        for size, frequency in sizes.items()
    ]  # fmt: skip
    size = "20k" if quick else "80k"
    return [
        *rows,
        Workload(
            f"W1b-{size}", f"the same {poses} poses in one call, {size} each", "pair_batch",
            lambda: posed(sizes[size], poses), 1, per=poses, unit="pose",
        ),
    ]  # fmt: skip


def _deforming(quick: bool, data: str | Path | None) -> list[Workload]:
    title = "self-collision of {}, update included", "self-collision of recorded frames, {}"
    return _cloths("W2", "itself", title, lambda moving: moving, (quick, data))


def _contacts(quick: bool, data: str | Path | None) -> list[Workload]:
    title = "contact points of {}", "contact points of recorded frames, {}"
    return _cloths("W12", "contacts", title, near_itself, (quick, data))


def _cloths(
    group: str,
    task: str,
    titles: tuple[str, str],
    asked: Callable[[Deforming], Deforming],
    options: tuple[bool, str | Path | None],
) -> list[Workload]:
    """The same question about the folded cloth and about recorded frames."""
    quick, data = options
    cells, frames = (60, 4) if quick else (215, 8)
    size = "7k" if quick else "92k"
    rows = [
        Workload(
            f"{group}-{size}", titles[0].format(f"a folded cloth, {size}"), task,
            lambda: asked(folded_cloth(cells, frames)), frames, chunk=4, unit="frame",
        ),
    ]  # fmt: skip
    for name, files in recorded_files(data).items():
        rows.append(
            Workload(
                f"{group}-{name}", titles[1].format(name), task,
                partial(lambda files: asked(read_frames(files)), files), len(files),
                chunk=4, unit="frame",
            )
        )  # fmt: skip
    return rows


def _bodies(quick: bool) -> list[Workload]:
    count, frequency, frames = (12, 10, 3) if quick else (60, 20, 6)
    size = "2k" if quick else "8k"
    return [
        Workload(
            f"W3-{count}x{size}", f"{count} moving bodies of {size}, all pairs", "bodies",
            lambda: pile(count, frequency, frames), frames, chunk=3, unit="frame",
        ),
    ]  # fmt: skip


def _touching(quick: bool) -> list[Workload]:
    count, frequency = (20, 16) if quick else (200, 64)
    size = "5k" if quick else "80k"
    return [
        Workload(
            f"W4-{size}", f"does A touch B, {size}", "touch",
            lambda: touching(frequency, count), count, chunk=25, unit="pose",
            classes=POSE_CLASSES, groups=_POSE_GROUPS,
        ),
        Workload(
            f"W4b-{size}", f"the same {count} poses in one call, {size}", "touch_batch",
            lambda: touching(frequency, count), 1, per=count, unit="pose",
        ),
    ]  # fmt: skip


def _distances(quick: bool) -> list[Workload]:
    poses, frequency = (10, 32) if quick else (50, 64)
    size = "20k" if quick else "80k"
    return [
        Workload(
            f"W5-{size}", f"distance of separated meshes, {size}", "distance",
            lambda: posed(frequency, poses, 2.6), poses, chunk=5 if quick else 10, unit="pose",
        ),
        Workload(
            f"W6-{size}", f"a ray from each vertex, closest hit, {size}", "rays",
            lambda: inward_rays(frequency), 1, unit="all rays",
        ),
    ]  # fmt: skip


def _structures(quick: bool) -> list[Workload]:
    sizes = {"20k": 32} if quick else {"80k": 64, "1M": 224}
    return [
        Workload(
            f"W7-{task}-{size}", f"{task} of the tree, {size}", task,
            partial(breathing, frequency), 2, chunk=2, unit=task,
            # one is over before a thread has woken up
            rounds=10 if task == "refit" else 1,
        )
        for size, frequency in sizes.items()
        for task in ("build", "refit")
    ]  # fmt: skip


def _one_shot(quick: bool) -> Workload:
    size, frequency = ("20k", 32) if quick else ("320k", 128)
    return Workload(
        f"W8-{size}", f"from arrays to all pairs, {size} each, build included", "one_shot",
        lambda: posed(frequency, 2), 2, chunk=2,
    )  # fmt: skip


def _solids(quick: bool) -> list[Workload]:
    poses = 2 if quick else 5
    sizes = {"5k": 16} if quick else {"80k": 64, "320k": 128}
    rows = [
        Workload(
            f"W9-{size}", f"volume and depth of an overlap, {size} each", "overlap",
            partial(posed, frequency, poses), poses, chunk=poses, unit="pose",
        )
        for size, frequency in sizes.items()
    ]  # fmt: skip
    size, frequency, count = ("20k", 32, 10_000) if quick else ("80k", 64, 1_000_000)
    return [
        *rows,
        Workload(
            f"W10-{size}", f"which of {count:,} points are inside, {size}", "contains",
            lambda: scattered(frequency, count), 1, unit="all points",
        ),
    ]  # fmt: skip


def _margins(quick: bool) -> list[Workload]:
    poses, frequency = (10, 16) if quick else (50, 64)
    size = "5k" if quick else "80k"
    return [
        Workload(
            f"{name}-{size}", f"{title} than a margin, {size}", task,
            lambda: near(frequency, poses), poses, chunk=5 if quick else 10, unit="pose",
        )
        for name, title, task in (
            ("W11", "faces not farther apart", "near"),
            ("W11b", "is anything not farther apart", "near_touch"),
        )
    ]  # fmt: skip


def _machines(quick: bool) -> list[Workload]:
    """Robots, when they are installed."""
    from impinge.lab.bench import machines

    if not machines.installed():
        return []
    count, frequency = (200, 4) if quick else (10_000, 16)
    names = ("panda",) if quick else tuple(machines.ROBOTS)
    return [
        Workload(
            f"W13{letter}-{name}", f"{name} in {count:,} configurations, {title}", "machine",
            partial(machines.machine, name, count, frequency=own), 1, per=count,
            unit="configuration",
        )
        for letter, title, own in (
            ("", "does it meet itself", 0),
            ("b", f"or any of {200 * frequency**2:,} triangles around it", frequency),
        )
        for name in names
    ]  # fmt: skip


def _memory(quick: bool) -> list[Workload]:
    rows = []
    for row in _structures(quick):
        if row.task == "build":
            size = row.name.rsplit("-", 1)[1]
            rows.append(
                replace(
                    row,
                    name=f"memory-{size}",
                    title=f"memory of the tree beyond the arrays, {size}",
                    task="memory",
                )
            )
    return rows
