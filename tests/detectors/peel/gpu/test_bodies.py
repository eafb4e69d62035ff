"""Bodies made on the GPU collide as their vertices, read back, do by brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import impinge
from impinge import Body, Scene
from impinge.errors import Cancelled, CapabilityError
from impinge.respond import responses
from support import meshes

WAVE = """
fn deform(rest: vec3<f32>, vertex: u32, part: u32, t: f32) -> vec3<f32> {
  return rest + parameters[0] * vec3<f32>(0.0, sin(3.0 * rest.x + t), cos(5.0 * rest.y + t));
}
"""


pytestmark = pytest.mark.usefixtures("gpu_device")


def on_gpu(**options: Any) -> impinge.detectors.Detector:
    return impinge.detector("peel", device="gpu", **options)


def wave(mesh: meshes.Arrays, *, size: float = 0.1, time: float = 0.0, **options: Any) -> Body:
    body = Body.from_shader(WAVE, mesh[1], rest=mesh[0], parameters=[size], **options)
    body.time = time
    return body


def sphere(*offset: float, n: int = 8, radius: float = 1.0) -> meshes.Arrays:
    return meshes.moved(meshes.sphere(n, radius=radius), offset)


def read_back(scene: Scene) -> Scene:
    """The same scene with all vertices on the CPU."""
    result = Scene()
    for body in scene:
        vertices = body.read_vertices() if body._on_gpu else body.world_vertices
        result.add(vertices, body.faces, name=body.name)
    for a, b in scene.ignored:
        result.ignore(a.name, b.name)
    return result


def assert_as_brute(scene: Scene, method: Any, **asked: Any) -> impinge.Collisions:
    hits = scene.collide(method=method, **asked)
    expected = read_back(scene).collide(method="brute", **asked)
    np.testing.assert_array_equal(hits.bodies, expected.bodies)
    np.testing.assert_array_equal(hits.pairs, expected.pairs)
    np.testing.assert_array_equal(hits.kinds, expected.kinds)
    np.testing.assert_array_equal(hits.segments, expected.segments)
    assert len(hits.loops) == len(expected.loops)
    np.testing.assert_array_equal(responses(hits).vectors, responses(expected).vectors)
    return hits


SMALL = on_gpu(resolution=64)


def test_a_wave_and_a_ball() -> None:
    scene = Scene()
    scene.add(*sphere(1.5, 0.1, 0.2), name="ball")
    body = scene.add(wave(sphere(0, 0, 0)))
    for time in (0.0, 1.0, 2.0):
        body.time = time
        hits = assert_as_brute(scene, SMALL)
        assert len(hits) > 10
        # of the wave, only candidates came back: 40 bytes each beside 20 for number and box
        whole = 12 * len(meshes.sphere(8)[0]) + 20 * len(hits._origin.shapes[1].faces)
        assert hits.stats["bytes_down"] < whole


def test_what_was_not_read_is_not_a_number() -> None:
    scene = Scene()
    scene.add(*sphere(1.8, 0, 0))
    scene.add(wave(sphere(0, 0, 0), size=0.0, parts=np.arange(130) % 5))
    hits = scene.collide(method=SMALL)
    shape = hits._origin.shapes[1]
    known = ~np.isnan(shape.vertices).any(axis=1)
    assert known[shape.faces[hits.pairs[:, 1]]].all()
    assert 0 < known.mean() < 0.5
    expected = np.arange(len(known))[shape.faces[hits.pairs[:, 1], 0]] % 5
    np.testing.assert_array_equal(hits.parts[:, 1], expected)
    assert (hits.parts[:, 0] == -1).all()
    assert Scene().collide().parts is None


def test_several_made_bodies_among_others() -> None:
    scene = Scene()
    scene.add(wave(sphere(0, 0, 0), time=0.3))
    scene.add(*sphere(1.4, 0.3, 0.1))
    scene.add(wave(sphere(2.7, 0.2, 0.2), time=0.7))
    scene.add(*meshes.empty())
    scene.add(wave(sphere(1.3, 1.2, 0.0, n=5), time=1.1))
    scene.add(*sphere(9, 9, 9))
    assert len(assert_as_brute(scene, SMALL).body_pairs) >= 4
    scene.ignore(0, 1)
    assert_as_brute(scene, SMALL)


@pytest.mark.parametrize("touching", ["include", "exclude"])
def test_touching_on_a_lattice(touching: str) -> None:
    """Whole numbers: faces that touch in points, edges and planes, and lie on pixel borders."""
    scene = Scene()
    scene.add(*meshes.box((0, 0, 0), (2, 2, 2)))
    scene.add(wave(meshes.box((2, 0, 0), (4, 2, 2)), size=0.0))
    scene.add(wave(meshes.box((1, 1, 2), (3, 3, 4)), size=0.0))
    for direction in (None, (1, 1, 1)):
        assert_as_brute(scene, on_gpu(resolution=16, direction=direction), touching=touching)


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_self_collisions(precision: str) -> None:
    """Folds of neighbours too, which no ray looks for."""
    rng = np.random.default_rng(4)
    sheet = meshes.grid(7, 7, width=7.0, height=7.0)
    crumpled = meshes.arrays(sheet[0] + rng.normal(size=sheet[0].shape) * 0.4, sheet[1])
    folded = meshes.arrays(rng.integers(0, 4, sheet[0].shape), sheet[1])
    for mesh in (crumpled, folded):
        scene = Scene()
        scene.add(wave(mesh, size=0.0))
        scene.add(*meshes.moved(meshes.torus(8, 6), (3, 3, 0)))
        method = on_gpu(resolution=32, precision=precision)
        hits = assert_as_brute(scene, method, self_collision=True)
        assert (hits.bodies == 0).all(axis=1).any()


def heap(rng: np.random.Generator) -> meshes.Arrays:
    """Closed, open, crumpled, or triangles on a lattice: touching, coplanar, degenerate."""
    sheet = meshes.grid(5, 5)
    return [
        lambda: meshes.soup(rng.integers(0, 5, (rng.integers(1, 20), 3, 3))),
        lambda: meshes.posed(meshes.sphere(5), meshes.pose(rng)),
        lambda: meshes.posed(meshes.torus(10, 6), meshes.pose(rng)),
        lambda: meshes.arrays(rng.integers(0, 4, sheet[0].shape), sheet[1]),
    ][rng.integers(4)]()


@pytest.mark.parametrize("seed", range(16))
def test_heaps_of_any_size_and_place(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.choice([-30, -6, 0, 6, 30])
    offset = rng.normal(size=3) * scale * rng.choice([0, 1, 1e3, 1e5])
    scene = Scene()
    for _ in range(3):
        vertices, faces = heap(rng)
        # on the grid of float32, where distant ones have few places to be
        placed = (vertices * scale + offset).astype(np.float32)
        if rng.random() < 0.6:
            scene.add(wave((placed, faces), size=0.0))
        else:
            scene.add(placed, faces)
    method = on_gpu(
        resolution=int(rng.choice([16, 32, 128])),
        precision=str(rng.choice(["fp32", "fp16"])),
        direction=rng.normal(size=3) if rng.random() < 0.5 else None,
    )
    touching = str(rng.choice(["include", "exclude"]))
    assert_as_brute(scene, method, self_collision=bool(rng.random() < 0.6), touching=touching)


def test_neighbours_that_nothing_else_meets() -> None:
    """A hinge that is folded flat, and two faces that cross at their common vertex."""
    hinge = meshes.arrays(
        [[0, 0, 0], [1, 0, 0], [0.5, 1, 0], [0.4, 0.8, 0]], [[0, 1, 2], [1, 0, 3]]
    )
    cross = meshes.arrays(
        [[0, 0, 0], [2, -1, 0], [2, 1, 0], [1, 0, -1], [1, 0, 1]], [[0, 1, 2], [0, 3, 4]]
    )
    good = meshes.arrays([[0, 0, 0], [1, 0, 0], [0.5, 1, 0], [0.4, -0.8, 0]], hinge[1])
    scene = Scene()
    scene.add(wave(meshes.merge(hinge, meshes.moved(good, (5, 0, 0))), size=0.0))
    scene.add(wave(meshes.moved(cross, (0, 5, 0)), size=0.0))
    hits = assert_as_brute(scene, SMALL, self_collision=True)
    assert hits.pairs.tolist() == [[0, 1], [0, 1]]
    assert hits.stats["downloaded"] == 4


def test_a_smooth_body_alone_reads_little() -> None:
    scene = Scene()
    scene.add(wave(meshes.torus(24, 12), size=0.05))
    hits = assert_as_brute(scene, on_gpu(resolution=256), self_collision=True)
    assert len(hits) == 0
    assert hits.stats["downloaded"] < 0.1 * len(scene[0].faces)


def test_poses_first_and_cancelling() -> None:
    pose = np.eye(4)
    pose[:3, 3] = 0.5, 0.25, 0.125
    scene = Scene()
    scene.add(wave(sphere(0, 0, 0), pose=pose))
    scene.add(*sphere(1.5, 0, 0), pose=pose)
    hits = assert_as_brute(scene, SMALL)
    one = scene.collide(method=SMALL, mode="first")
    np.testing.assert_array_equal(one.pairs, hits.pairs[:1])
    seen: list[float] = []
    scene.collide(method=SMALL, progress=seen.append)
    assert seen[0] == 0.0
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled):
        scene.collide(method=SMALL, progress=lambda fraction: fraction < 0.4)


def test_who_takes_them() -> None:
    scene = Scene()
    scene.add(wave(sphere(0, 0, 0)))
    scene.add(*sphere(1.5, 0.1, 0.2))
    # without a device it is the GPU that made them
    assert len(scene.collide(method="peel")) == len(scene.collide(method=SMALL)) > 0
    on_cpu = impinge.detector("peel", device="cpu")
    with pytest.raises(CapabilityError, match=r"use impinge.detector\(\"peel\", device=\"gpu\"\)"):
        scene.collide(method=on_cpu)
    scene.add(wave(meshes.grid(2, 2), name="sheet"))
    dual = on_gpu(conservative=False, sampling="dual")
    with pytest.raises(CapabilityError, match="body 'sheet' is not closed"):
        scene.collide(method=dual)


@pytest.mark.parametrize("sampling", ["lists", "peel", "dual"])
def test_rays_find_most(sampling: str) -> None:
    """As published: pairs smaller than a pixel may be missed, but none is invented."""
    scene = Scene()
    scene.add(wave(sphere(0, 0, 0), time=0.3))
    scene.add(*sphere(1.4, 0.3, 0.1))
    hits = scene.collide(method=on_gpu(conservative=False, sampling=sampling, resolution=128))
    truth = read_back(scene).collide(method="brute")
    found = {tuple(row) for row in hits.pairs.tolist()}
    right = {tuple(row) for row in truth.pairs.tolist()}
    assert found <= right
    assert len(found) >= 0.9 * len(right)
    assert hits.stats["odd_pixels"] == 0


def test_nothing_to_collide() -> None:
    scene = Scene()
    scene.add(wave(meshes.empty()))
    scene.add(wave(sphere(0, 0, 0, n=3)))
    assert len(scene.collide(method=SMALL)) == 0
    scene.add(*sphere(7, 0, 0, n=3))
    assert len(scene.collide(method=SMALL)) == 0


def test_a_buffer_that_other_code_fills(gpu_device: Any) -> None:
    import wgpu

    vertices, faces = sphere(0, 0, 0)
    usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST
    buffer = gpu_device.handle.create_buffer(size=12 * len(vertices), usage=usage)
    scene = Scene()
    scene.add(*sphere(1.5, 0.1, 0.2))
    scene.add(Body.from_buffer(buffer, faces, name="mine"))
    found = []
    for x in (0.0, 0.5, -3.0):
        moved = (vertices + np.array([x, 0, 0])).astype(np.float32)
        gpu_device.handle.queue.write_buffer(buffer, 0, moved.tobytes())
        found.append(len(assert_as_brute(scene, SMALL)))
    assert found[0] > 0
    assert found[2] == 0


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_rays_are_askew_to_walls_of_made_bodies(axis: int) -> None:
    """Along an axis, a wall is a line, and rays never meet what crosses it."""
    vertices, faces = meshes.box()
    lid = meshes.grid(12, 12)
    middle = lid[0] - lid[0].mean(axis=0)
    sheet = np.roll(middle * (1.6 / np.ptp(middle[:, 0])), axis, axis=1) + vertices.mean(axis=0)
    scene = Scene()
    scene.add(wave((vertices, faces), size=0.0))
    scene.add(sheet, lid[1])
    method = on_gpu(conservative=False, resolution=512)
    found = scene.collide(method=method)
    truth = read_back(scene).collide()
    assert len(truth) > 20
    assert not found.complete
    assert len(found) >= 0.9 * len(truth)
    straight = on_gpu(conservative=False, resolution=512, direction=np.eye(3)[(axis + 1) % 3])
    assert len(scene.collide(method=straight)) < len(found)
