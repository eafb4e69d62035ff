"""Vertices that are made on the GPU: their values, boxes and errors, and what is read back."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge import Body, InputError, _core
from impinge.errors import ShaderError
from impinge.gpu import Device
from impinge.gpu.bodies import make
from support import meshes

HEAD = "fn deform(rest: vec3<f32>, vertex: u32, part: u32, t: f32) -> vec3<f32> {\n"
STILL = HEAD + "  return rest;\n}\n"
# every argument and the parameters, in numbers that floats hold exactly
ALL = HEAD + (
    "  let more = parameters[part];\n"
    "  return rest + vec3<f32>(f32(vertex) + more, f32(part), t);\n}\n"
)
SPHERE = meshes.sphere(4)

pytestmark = pytest.mark.usefixtures("gpu_device")


def still(mesh: meshes.Arrays = SPHERE, **options: object) -> Body:
    return Body.from_shader(STILL, mesh[1], rest=mesh[0], **options)


def made_of(session, *bodies):
    return make(session, [body._current() for body in bodies])


def test_the_function_gets_all_its_arguments() -> None:
    rest = np.arange(30).reshape(10, 3)
    parts = np.arange(10) // 4
    body = Body.from_shader(ALL, [[0, 1, 2]], rest=rest, parts=parts, parameters=[[8], [16], [32]])
    body.time = 0.5
    expected = rest + np.stack([np.arange(10) + 8 * 2.0**parts, parts, np.full(10, 0.5)], axis=1)
    found = body.read_vertices()
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, expected)
    assert body.bytes_down == 120 + 32


def test_time_and_parameters_can_be_set() -> None:
    body = Body.from_shader(ALL, [[0, 1, 2]], vertex_count=3, parameters=[1.0])
    body.time = 2
    body.parameters = np.array([[4.0, 5.0]])
    np.testing.assert_array_equal(body.read_vertices(), [[4, 0, 2], [5, 0, 2], [6, 0, 2]])
    assert body.time == 2.0
    assert body.parameters.shape == (1, 2)
    with pytest.raises(InputError, match="must be finite"):
        body.time = float("inf")
    with pytest.raises(InputError, match="parameters must be an array of numbers"):
        body.parameters = ["a"]
    with pytest.raises(ValueError, match="read-only"):
        body.parameters[0] = 1


def test_a_pose_moves_the_vertices() -> None:
    pose = np.eye(4)
    pose[:3] = [[0, -1, 0, 3], [1, 0, 0, 0.5], [0, 0, 1, -2]]
    vertices = np.round(SPHERE[0] * 64) / 64
    body = still((vertices, SPHERE[1]), pose=pose)
    np.testing.assert_array_equal(body.read_vertices(), meshes.transformed(vertices, pose))
    body.pose = None
    np.testing.assert_array_equal(body.read_vertices(), vertices)


def test_a_file_of_wgsl(tmp_path: Path) -> None:
    file = tmp_path / "still.wgsl"
    file.write_text(STILL)
    for path in (file, str(file)):
        body = Body.from_shader(path, SPHERE[1], rest=SPHERE[0])
        np.testing.assert_array_equal(body.read_vertices(), SPHERE[0].astype(np.float32))
    with pytest.raises(InputError, match=r"source '.*none.wgsl' cannot be read"):
        Body.from_shader(tmp_path / "none.wgsl", SPHERE[1], rest=SPHERE[0])


def test_a_buffer_of_the_user(gpu_device: Device) -> None:
    import wgpu

    vertices = SPHERE[0].astype(np.float32)
    buffer = gpu_device.handle.create_buffer_with_data(
        data=vertices.tobytes(), usage=wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST
    )
    body = Body.from_buffer(buffer, SPHERE[1], name="mine")
    np.testing.assert_array_equal(body.read_vertices(), vertices)
    # what the user's own code writes later is seen
    gpu_device.handle.queue.write_buffer(buffer, 0, (2 * vertices).tobytes())
    np.testing.assert_array_equal(body.read_vertices(), 2 * vertices)
    with pytest.raises(InputError, match="cannot be copied"):
        pickle.dumps(body)


def test_wrong_buffers(gpu_device: Device) -> None:
    import wgpu

    with pytest.raises(InputError, match="must be a wgpu buffer, got ndarray"):
        Body.from_buffer(SPHERE[0], SPHERE[1])
    create = gpu_device.handle.create_buffer
    with pytest.raises(InputError, match=r"BufferUsage.STORAGE"):
        Body.from_buffer(create(size=12, usage=wgpu.BufferUsage.COPY_DST), SPHERE[1])
    with pytest.raises(InputError, match="12 bytes; it has 16"):
        Body.from_buffer(create(size=16, usage=wgpu.BufferUsage.STORAGE), SPHERE[1])
    other = gpu_device.adapter.handle.request_device_sync()
    foreign = other.create_buffer(size=12, usage=wgpu.BufferUsage.STORAGE)
    with pytest.raises(InputError, match="belongs to another device"):
        Body.from_buffer(foreign, [[0, 0, 0]]).read_vertices()


@pytest.mark.parametrize("count", [1, 63, 64, 65, 1000])
def test_boxes(gpu_device: Device, count: int) -> None:
    rng = np.random.default_rng(count)
    clouds = [rng.normal(size=(count, 3)).astype(np.float32) * s for s in (1, 1e-30, 1e30)]
    clouds[1][0] = [0.0, -0.0, 1e-40]
    with gpu_device.session() as session:
        made = made_of(session, *(still((cloud, [[0, 0, 0]])) for cloud in clouds))
        for cloud, box in zip(clouds, made.boxes, strict=True):
            np.testing.assert_array_equal(box, [cloud.min(axis=0), cloud.max(axis=0)])
        # nothing but the boxes came back
        assert session.bytes_down == 3 * 32


def test_rest_positions_go_up_once(gpu_device: Device) -> None:
    body = still()
    sent = []
    for _ in range(2):
        with gpu_device.session() as session:
            made_of(session, body)
            sent.append(session.bytes_up)
    assert sent[0] - sent[1] == SPHERE[0].size * 4 + SPHERE[1].nbytes


@pytest.mark.parametrize("value", ["1.0 / parameters[0]", "parameters[0] / parameters[0]"])
def test_vertices_that_are_not_finite(value: str) -> None:
    text = (
        HEAD + f"  if (vertex < 70u) {{ return rest; }}\n  return rest + vec3<f32>({value});\n}}\n"
    )
    body = Body.from_shader(text, [[0, 1, 2]], vertex_count=100, parameters=[0.0], name="worm")
    with pytest.raises(InputError, match=r"body 'worm': vertex 70 .* is not finite"):
        body.read_vertices()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "  let a = 1.0 +;\n  return rest;\n}", ["2 │", "expected expression"]),
        (HEAD + "  return rest + foo;\n}", ["2 │", "foo"]),
        (HEAD + "  return rest + vertex;\n}", ["2 │", "Add"]),
        (STILL.replace("deform", "defrom"), ["it must have fn deform(rest: vec3<f32>", "`deform`"]),
        (STILL.replace("vertex: u32, ", ""), ["it must have fn deform", "3 arguments"]),
        (STILL.replace("vertex: u32", "vertex: i32"), ["it must have fn deform", "Argument 1"]),
        (STILL.replace("-> vec3<f32>", "-> f32").replace("rest;", "t;"), ["it must have", "f32"]),
        ("fn main() {}\n" + STILL, ["redefinition of `main`"]),
    ],
)
def test_errors_of_the_user_in_wgsl(text: str, words: list[str]) -> None:
    body = Body.from_shader(text, SPHERE[1], rest=SPHERE[0], name="worm")
    with pytest.raises(ShaderError) as caught:
        body.read_vertices()
    for word in ("the WGSL of body 'worm'", *words):
        assert word in str(caught.value)


def test_wrong_arguments() -> None:
    v, f = SPHERE
    for options, message in (
        ({}, "either rest"),
        ({"rest": v, "vertex_count": 3}, "either rest"),
        ({"vertex_count": -1}, "vertex_count must be"),
        ({"vertex_count": 3}, "valid indices are 0..2"),
        ({"rest": v[:, :2]}, "rest must have shape"),
        ({"rest": v * 1e40}, "beyond the range of float32"),
        ({"rest": v, "parts": [1, 2]}, r"parts must be \(\d+,\) integers"),
        ({"rest": v, "parts": np.full(len(v), -1)}, "parts must be from 0"),
        ({"rest": v, "name": ""}, "name must be"),
    ):
        with pytest.raises(InputError, match=message):
            Body.from_shader(STILL, f, **options)
    with pytest.raises(InputError, match="source must be WGSL text or a path, got int"):
        Body.from_shader(5, f, rest=v)


def test_vertices_are_not_here() -> None:
    body = still(name="worm")
    for read in (
        lambda: body.vertices,
        lambda: body.world_vertices,
        lambda: body.mesh,
        lambda: body._current().vertices,
        lambda: impinge.collide(body, SPHERE),
    ):
        with pytest.raises(InputError, match=r"'worm' are on the GPU; body.read_vertices\(\)"):
            read()
    with pytest.raises(InputError, match="set its time or its parameters"):
        body.vertices = SPHERE[0]
    np.testing.assert_array_equal(body.faces, SPHERE[1])


def test_copies_make_their_own_vertices() -> None:
    body = still(parts=np.arange(len(SPHERE[0])), parameters=[1.0, 2.0])
    body.time = 3.0
    for again in (copy.copy(body), copy.deepcopy(body), pickle.loads(pickle.dumps(body))):
        assert again.time == 3.0
        assert again.parameters.tolist() == [1.0, 2.0]
        np.testing.assert_array_equal(again.parts, body.parts)
        np.testing.assert_array_equal(again.read_vertices(), body.read_vertices())


def test_gathered_faces(gpu_device: Device) -> None:
    rng = np.random.default_rng(7)
    parts = rng.integers(0, 9, len(SPHERE[0]))
    bodies = [still(parts=parts), still(meshes.box()), still(meshes.moved(SPHERE, (3, 0, 0)))]
    chosen = [np.array([3, 0, 17], np.int32), np.zeros(0, np.int32), np.arange(5, dtype=np.int32)]
    with gpu_device.session() as session:
        made = made_of(session, *bodies)
        before = session.bytes_down
        found = made.gather(session, chosen)
        assert session.bytes_down - before == 8 * 40
    for body, faces, (corners, part) in zip(bodies, chosen, found, strict=True):
        np.testing.assert_array_equal(corners, body.read_vertices()[body.faces[faces]])
        own = np.zeros(len(faces)) if body.parts is None else body.parts[body.faces[faces, 0]]
        np.testing.assert_array_equal(part, own)


def marks(gpu_device: Device, mesh: meshes.Arrays) -> np.ndarray:
    """Faces that may meet a neighbour, by the GPU."""
    with gpu_device.session() as session:
        made = made_of(session, still(meshes.tetrahedron()), still(mesh))
        first = 5
        marked = session.zeros(4 * ((first + len(mesh[1])) // 32 + 1))
        made.mark_neighbours(session, 1, marked, first)
        bits = np.unpackbits(session.read(marked, np.uint8), bitorder="little")
    assert not bits[:first].any()
    return bits[first : first + len(mesh[1])].astype(bool)


def test_neighbours_of_a_smooth_surface_are_certain(gpu_device: Device) -> None:
    # flat quads, and poles with many faces around them
    for mesh in (meshes.torus(20, 12), meshes.sphere(16), meshes.box(), meshes.grid(5, 5)):
        assert marks(gpu_device, mesh).mean() < 0.01


@pytest.mark.parametrize("seed", range(8))
def test_no_meeting_neighbours_are_missed(gpu_device: Device, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vertices, faces = meshes.grid(6, 6)
    if seed % 2:
        vertices = vertices + rng.normal(size=vertices.shape) * 0.3
    else:
        # on a lattice: folds, overlaps in one plane, collapsed faces
        vertices = rng.integers(0, 4, vertices.shape)
        faces = np.concatenate([faces, faces[:3], [[0, 0, 1]]])
    mesh = meshes.arrays(vertices.astype(np.float32), faces)
    marked = marks(gpu_device, mesh)
    pairs = impinge.self_collide(mesh, method="brute", report_duplicates=True).pairs
    shared = np.array([len(set(faces[i]) & set(faces[j])) for i, j in pairs], dtype=int)
    assert (shared > 0).any()
    assert marked[pairs[shared > 0]].all()


def hard_corners(rng: np.random.Generator, kind: str, count: int) -> np.ndarray:
    """(count, 5, 3) corners of two faces, on the verge of lying in one plane or on one line."""
    lattice = rng.integers(-3, 4, (count, 5, 3)).astype(np.float64)
    size = 10.0 ** rng.uniform(-9, -5, (count, 1, 1))
    if kind == "nearly a lattice":
        return lattice + rng.normal(size=lattice.shape) * size
    if kind == "nearly a plane":
        flat = rng.normal(size=lattice.shape)
        flat[..., 2] = (
            0.3 * flat[..., 0] + 0.7 * flat[..., 1] + rng.normal(size=(count, 5)) * size[0]
        )
        return flat
    if kind == "tiny and huge":
        far = rng.normal(size=(count, 1, 3)) * (rng.random((count, 1, 1)) < 0.5)
        return lattice * 10.0 ** rng.integers(-40, 30, (count, 1, 1)) + far
    return lattice


@pytest.mark.parametrize(
    "kind", ["a lattice", "nearly a lattice", "nearly a plane", "tiny and huge"]
)
@pytest.mark.parametrize("second", [(1, 0, 3), (0, 3, 4)], ids=["edge", "vertex"])
def test_signs_within_the_rounding_are_not_trusted(
    gpu_device: Device, kind: str, second: tuple[int, int, int]
) -> None:
    corners = hard_corners(np.random.default_rng(9), kind, 5000).astype(np.float32)
    pairs = np.array([(0, 1, 2), second]) + 5 * np.arange(len(corners))[:, None, None]
    mesh = meshes.arrays(corners, pairs)
    first, other = (np.ascontiguousarray(mesh[0][pairs[:, k]]) for k in (0, 1))
    meet = _core.classify_self(first, other, True) != 0
    assert marks(gpu_device, mesh).reshape(-1, 2)[meet].all()


def test_other_methods_refuse() -> None:
    scene = impinge.Scene()
    scene.add(still(name="worm"))
    scene.add(*SPHERE)
    for method in ("bvh", "brute"):
        with pytest.raises(
            impinge.errors.CapabilityError,
            match=r"made on the GPU; use impinge.detector\(\"peel\", device=\"gpu\"\)",
        ):
            scene.collide(method=method)
    assert repr(scene["worm"]) == f"GpuBody('worm', {len(SPHERE[1])} faces)"
