"""Asking for contacts: options, errors, and what the answer is like."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest

import impinge
from detectors.ray.scenes import OVERLAPS, same, scene_of, torus
from impinge import InputError, Mesh, contact_points, detector
from impinge.detectors import ContactPointDetector, Detector, PairDetector
from impinge.errors import Cancelled, CapabilityError
from support import meshes

A, B = OVERLAPS["balls"]


def test_both_are_registered() -> None:
    for name in ("ray", "proximity"):
        assert name in impinge.methods()
        made = detector(name)
        assert isinstance(made, Detector)
        assert isinstance(made, ContactPointDetector)
        assert not isinstance(made, PairDetector)
        assert made.name == name
        assert "contact_points" in made.capabilities
        assert "pairs" not in made.capabilities


@pytest.mark.parametrize("method", ["ray", "proximity"])
def test_pairs_are_asked_elsewhere(method: str) -> None:
    message = "gives contact points, not pairs of faces: ask scene.contact_points"
    with pytest.raises(CapabilityError, match=message):
        scene_of(A, B).collide(method=method)
    with pytest.raises(CapabilityError, match=f"{message} .*for them, or use 'bvh' or 'brute'"):
        impinge.collide(A, B, method=method)
    with pytest.raises(CapabilityError, match=message):
        impinge.collides(A, B, method=method)
    with pytest.raises(CapabilityError, match=message):
        impinge.self_collide(A, method=method)


def test_contacts_are_asked_of_those_who_have_them() -> None:
    with pytest.raises(CapabilityError, match="'bvh' cannot do contact points; use 'ray' or 'prox"):
        scene_of(A, B).contact_points(method="bvh")
    with pytest.raises(CapabilityError, match="'brute' cannot do contact points"):
        contact_points(A, B, method="brute")
    with pytest.raises(InputError, match="method 'rya' is unknown"):
        contact_points(A, B, method="rya")


def test_wrong_options() -> None:
    with pytest.raises(InputError, match="accelerator must be one of 'bvh', 'octree', got 'bvhh'"):
        detector("ray", accelerator="bvhh")
    for wrong in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(InputError, match="threshold must be a finite number above 0"):
            detector("proximity", threshold=wrong)
    with pytest.raises(InputError, match="workers"):
        contact_points(A, B, workers=0)
    with pytest.raises(InputError, match="a: "):
        contact_points((A[0] * np.nan, A[1]), B)


def test_open_bodies_are_named() -> None:
    scene = scene_of(A)
    scene.add(Mesh(B[0], B[1][1:], name="lid"))
    with pytest.raises(
        CapabilityError, match="'ray' needs closed bodies, but body 'lid' is not cl"
    ):
        scene.contact_points()
    assert len(scene.contact_points(method=detector("proximity", threshold=0.2))) > 0
    with pytest.raises(CapabilityError, match="body 'b' is not closed"):
        contact_points(A, meshes.grid(3, 3))


@pytest.mark.parametrize("method", ["ray", "proximity"])
def test_nothing_to_find(method: str) -> None:
    for scene in (
        impinge.Scene(),
        scene_of(A),
        scene_of(A, meshes.empty()),
        scene_of(meshes.empty()),
    ):
        for self_collision in (False, True):
            contacts = scene.contact_points(method=method, self_collision=self_collision)
            assert len(contacts) == 0
            assert not contacts
    flat = meshes.soup(np.zeros((2, 3, 3)))
    if method == "proximity":
        assert len(scene_of(flat, A).contact_points(method=method)) == 0


@pytest.mark.parametrize("method", ["ray", "proximity"])
def test_what_the_answer_is_like(method: str) -> None:
    contacts = contact_points(Mesh(*A, name="left"), B, method=method)
    n = len(contacts)
    assert n > 0
    assert bool(contacts)
    assert contacts.method == method
    assert contacts.names == ("left", "b")
    shapes = {
        "bodies": (n, 2), "vertices": (n, 4), "owners": (n, 4), "coefficients": (n, 4),
        "points": (n, 2, 3), "normals": (n, 3), "weights": (n,), "rest": (n,), "faces": (n,),
    }  # fmt: skip
    for name, shape in shapes.items():
        array = getattr(contacts, name)
        assert array.shape == shape
        assert not array.flags.writeable
        assert array.dtype == (
            np.int32 if name in ("bodies", "vertices", "owners", "faces") else np.float64
        )
    np.testing.assert_allclose(np.linalg.norm(contacts.normals, axis=1), 1.0)
    plain = contacts.to_dict()
    assert plain["count"] == n
    assert plain["points"] == contacts.points.tolist()
    assert "suspicious" not in plain
    assert repr(contacts) == f"ContactPoints({n} contact points)"
    again = pickle.loads(pickle.dumps(contacts))
    assert same(contacts, again)
    assert not again.points.flags.writeable


@pytest.mark.parametrize("method", ["ray", "proximity"])
def test_ignored_pairs(method: str) -> None:
    scene = scene_of(A, B, meshes.moved(A, (0.6, 1.2, 0.2)))
    every = scene.contact_points(method=method)
    pairs = np.sort(every.bodies, axis=1)
    assert {tuple(pair) for pair in pairs.tolist()} == {(0, 1), (0, 2), (1, 2)}
    some = scene.contact_points(method=method, ignore=[(0, 1)])
    rows = ~(pairs == [0, 1]).all(axis=1)
    np.testing.assert_array_equal(some.points, every.points[rows])


def test_ignored_pairs_of_many_bodies() -> None:
    # so many that they are dropped from the answer, not listed
    mesh = Mesh(*meshes.box())
    scene = impinge.Scene()
    for step in range(640):
        pose = np.eye(4)
        pose[:3, 3] = step * np.array([0.7, 0.6, 0.5])
        scene.add(mesh, pose=pose)
    every = scene.contact_points()
    first = tuple(sorted(every.bodies[0].tolist()))
    some = scene.contact_points(ignore=[first])
    rows = ~(np.sort(every.bodies, axis=1) == first).all(axis=1)
    assert 0 < rows.sum() < len(every)
    np.testing.assert_array_equal(some.points, every.points[rows])


@pytest.mark.parametrize("method", ["ray", "proximity"])
def test_progress_and_cancelling(method: str) -> None:
    seen: list[float] = []
    contact_points(A, B, method=method, progress=seen.append)
    assert seen[0] == 0.0
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled):
        contact_points(A, B, method=method, progress=lambda fraction: False)


def test_not_from_its_own_progress() -> None:
    scene = scene_of(A, B)
    with pytest.raises(InputError, match="progress callable of its own query"):
        scene.contact_points(progress=lambda fraction: scene.contact_points())
    assert len(scene.contact_points()) > 0


def test_many_threads_agree() -> None:
    meshes_ = Mesh(*torus()), Mesh(*OVERLAPS["tori deep"][1])
    truth = contact_points(*(Mesh(m.vertices, m.faces) for m in meshes_))
    wrong: list[object] = []

    def ask(accelerator: str) -> None:
        for _ in range(5):
            found = contact_points(*meshes_, method=detector("ray", accelerator=accelerator))
            if not np.array_equal(found.points, truth.points):
                wrong.append(found)

    threads = [threading.Thread(target=ask, args=(name,)) for name in ("octree", "bvh") * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_skins_hold_read_only_arrays_and_let_go() -> None:
    import gc
    import sys

    from impinge import _core

    vertices, faces = (np.array(part) for part in A)
    for array in (vertices, faces):
        array.setflags(write=False)
    before = sys.getrefcount(vertices), sys.getrefcount(faces)
    skin = _core.Skin(vertices, faces)
    assert sys.getrefcount(vertices) > before[0]
    skin.move(vertices + 1)
    assert sys.getrefcount(vertices) == before[0]
    del skin
    gc.collect()
    assert (sys.getrefcount(vertices), sys.getrefcount(faces)) == before
    with pytest.raises(ValueError, match="keep their number"):
        _core.Skin(vertices, faces).move(vertices[1:].copy())


def test_all_instruction_sets_agree() -> None:
    from impinge._core import baseline

    avx2 = pytest.importorskip("impinge._core.avx2")
    if not baseline.cpu_has_avx2():
        pytest.skip("this CPU has no AVX2")
    no_bodies = np.zeros(0, dtype=np.int32)
    for bodies in OVERLAPS.values():
        answers = []
        for core in (baseline, avx2):
            skins = [core.Skin(*mesh) for mesh in bodies]
            for octree in (True, False):
                found = core.ray_contacts(skins, None, no_bodies, [], octree, True, 1, None)
                answers.append(found[:-1])
            near = core.proximity_contacts(skins, None, no_bodies, 0.05, 1, None)
            answers.append(near[:-1])
        for one, other in zip(answers[:3], answers[3:], strict=True):
            for a, b in zip(one, other, strict=True):
                np.testing.assert_array_equal(a, b)


def test_depth_of_rays_is_along_the_normal() -> None:
    found = contact_points(meshes.box(), meshes.box((0.2, 0.3, 0.9), (0.8, 0.7, 2)))
    # four corners of the upper box, in the top of the lower one
    up = found.normals[:, 2] > 0.9
    assert up.sum() >= 1
    np.testing.assert_allclose(found.depth[up], 0.1, atol=1e-12)
    found = contact_points(A, B)
    gap = np.linalg.norm(found.points[:, 1] - found.points[:, 0], axis=1)
    np.testing.assert_allclose(found.depth, gap * found.weights, atol=1e-12)
    assert found.to_dict()["depth"] == found.depth.tolist()
    assert not found.depth.flags.writeable


@pytest.mark.parametrize("scale", [1e-160, 1.0, 1e60])
def test_depth_of_proximity_is_what_is_missing_to_the_threshold(scale: float) -> None:
    sheet = meshes.arrays([(0, 0, 0), (3, 0, 0), (0, 3, 0)], [(0, 1, 2)])
    upper = meshes.arrays(sheet[0] * 0.1 + (0.5, 0.5, 0.03), sheet[1])
    near = detector("proximity", threshold=0.1 * scale)
    found = contact_points((sheet[0] * scale, sheet[1]), (upper[0] * scale, upper[1]), method=near)
    assert len(found) == 3
    np.testing.assert_allclose(found.depth / scale, 0.07, rtol=1e-12)
