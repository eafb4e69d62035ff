"""Workloads are the same on every machine and as large as they say."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge.errors import InputError
from impinge.lab.bench import shapes, workloads
from impinge.lab.bench.cases import Posed


@pytest.mark.parametrize("frequency", [1, 2, 7, 16])
def test_sphere_is_closed_and_of_the_stated_size(frequency: int) -> None:
    points, faces = shapes.sphere(frequency)
    assert len(faces) == 20 * frequency**2
    assert len(points) == 10 * frequency**2 + 2
    assert np.allclose(np.linalg.norm(points, axis=1), 1)
    report = impinge.Mesh(points, faces).report()
    assert report.closed
    assert report.oriented


def test_sizes_are_those_of_the_names() -> None:
    named = {32: 20_000, 64: 80_000, 128: 320_000, 224: 1_000_000}
    for frequency, size in named.items():
        assert 20 * frequency**2 == pytest.approx(size, rel=0.03)
    assert pytest.approx(92_000, rel=0.01) == 2 * 215**2
    names = {row.name for row in workloads.available()}
    assert {"W1-20k", "W1-80k", "W1-320k", "W1b-80k", "W2-92k", "W3-60x8k", "W4-80k"} <= names
    assert {"W4b-80k", "W5-80k", "W6-80k", "W7-build-1M", "W7-refit-80k"} <= names
    assert {"W8-320k", "memory-1M"} <= names


def test_quick_workloads_are_small_and_made_twice_are_equal() -> None:
    for workload in workloads.available(quick=True):
        one, two = workload.make(), workload.make()
        for name in vars(one):
            first, second = getattr(one, name), getattr(two, name)
            if isinstance(first, np.ndarray):
                assert np.array_equal(first, second), (workload.name, name)
                assert first.size < 2_000_000
        if isinstance(one, Posed) and not workload.task.endswith("batch"):
            assert workload.steps <= len(one.poses)


def test_cloth_folds_over_itself_and_moves() -> None:
    case = workloads.folded_cloth(60, 2)
    assert case.frames.shape == (2, 61**2, 3)
    assert len(case.faces) == 2 * 60**2
    assert not np.array_equal(case.frames[0], case.frames[1])
    assert len(impinge.self_collide((case.frames[0], case.faces))) > 100


def test_classes_of_poses_collide_or_not_as_they_say() -> None:
    for frequency, count in ((8, 20), (64, 40)):
        case = workloads.touching(frequency, count)
        a, b = (impinge.Mesh(mesh.vertices, mesh.faces) for mesh in (case.a, case.b))
        hits = impinge.collides(a, b, poses=case.poses).reshape(len(workloads.POSE_CLASSES), -1)
        assert hits.all(axis=1).tolist() == [True, True, False, False]
        assert not hits[2:].any()


def test_classes_are_run_in_turns_and_completely() -> None:
    row = next(row for row in workloads.available() if row.name == "W4-80k")
    chunks = row.chunks()
    assert [name for name, _ in chunks[:4]] == list(row.classes)
    assert sorted(step for _, steps in chunks for step in steps) == list(range(row.steps))
    size = row.steps // 4
    for name, steps in chunks:
        assert {step // size for step in steps} == {row.classes.index(name)}
    assert row.confirmed == (0, size, 2 * size, 3 * size)
    plain = next(row for row in workloads.available() if row.name == "W1-80k")
    assert plain.confirmed == (0,)
    assert [name for name, _ in plain.chunks()] == [""] * 2


def test_bodies_meet_several_others() -> None:
    case = workloads.pile(12, 6, 2)
    assert case.poses.shape == (2, 12, 4, 4)
    turns = case.poses[1, :, :3, :3]
    assert np.allclose(turns @ np.swapaxes(turns, 1, 2), np.eye(3))
    scene = impinge.Scene()
    for mesh, pose in zip(case.meshes, case.poses[1], strict=True):
        scene.add(mesh.vertices, mesh.faces, pose=pose)
    assert len(scene.collide().body_pairs) > 12


def test_inward_rays_start_inside() -> None:
    case = workloads.inward_rays(8)
    assert np.allclose(np.linalg.norm(case.directions, axis=1), 1)
    assert ((case.directions * case.mesh.vertices).sum(axis=1) < 0).all()


def test_selection_takes_names_and_groups() -> None:
    rows = workloads.available()
    assert workloads.selected(rows, ()) == rows
    assert [row.name for row in workloads.selected(rows, ["w1"])] == ["W1-20k", "W1-80k", "W1-320k"]
    assert [row.name for row in workloads.selected(rows, ["W1-80k"])] == ["W1-80k"]
    with pytest.raises(InputError, match=r"'w99' is unknown; choose from 'W1', 'W1-20k'"):
        workloads.selected(rows, ["W99"])


def test_recorded_frames_are_taken_from_a_folder(tmp_path: object) -> None:
    names = {row.name for row in workloads.available(data=str(tmp_path))}
    assert "W2-ball" not in names
