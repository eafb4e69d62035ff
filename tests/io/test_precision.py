"""How far coordinates may be off, told from the file: held to numbers that are known exactly."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import impinge
from impinge.io.precision import numbers_of
from support import mesh_files, meshes

TURN = meshes.turn((1, 2, 3), 0.5)


def ball(scale: float = 37.0, shift: float = 81.0) -> mesh_files.Arrays:
    """A sphere whose coordinates no format has room for."""
    vertices, faces = meshes.sphere(12)
    return vertices @ TURN.T * scale + shift, faces


def formatted(mesh, form):
    """OBJ with every number in this format."""
    lines = [" ".join(["v", *(form % x for x in row)]) for row in mesh[0].tolist()]
    lines += ["f {} {} {}".format(*row) for row in (mesh[1] + 1).tolist()]
    return "\n".join([*lines, ""])


def off_by(model, truth):
    """The largest distance of a corner from where it was meant."""
    vertices, faces = truth
    part = model.parts[0]
    read = part.mesh.vertices @ part.pose[:3, :3].T + part.pose[:3, 3]
    return np.linalg.norm(read[part.mesh.faces] - vertices[faces], axis=2).max()


FILES = {
    "binary.stl": (mesh_files.binary_stl, "float32 coordinates up to 118"),
    "text.stl": (mesh_files.text_stl, "float64 coordinates up to 118"),
    "single.ply": (lambda m: mesh_files.ply(m, order="<", kind="f4"), "float32"),
    "double.ply": (lambda m: mesh_files.ply(m, order=">", kind="f8"), "float64"),
    "scene.glb": (mesh_files.glb_of, "float32"),
    "six.obj": (lambda m: formatted(m, "%.6f"), "6-decimal coordinates"),
    "three.obj": (lambda m: formatted(m, "%.3f"), "3-decimal coordinates"),
    "digits.obj": (lambda m: formatted(m, "%.7g"), "7-digit coordinates"),
    "exponents.obj": (lambda m: formatted(m, "%.8e"), "9-digit coordinates"),
    "all.off": (mesh_files.off, "float64"),
    "all.3mf": (mesh_files.threemf, "float64"),
}


@pytest.mark.parametrize("name", FILES)
def test_no_corner_is_farther_off_than_told(load, name):
    write, numbers = FILES[name]
    truth = ball()
    model = load(name, write(truth))
    (part,) = model.parts
    off = off_by(model, truth)
    assert part.numbers.startswith(numbers)
    assert off <= part.precision
    # and the bound is one of this format, not of a coarser one
    assert part.precision < (20 * off if off else 1e-12)


@pytest.mark.parametrize(
    "values", [[0, 1, -3], [1500000, 12], [0.5, 12.25], [1e-3, 0.02], [0, 0], []]
)
def test_short_numbers_are_meant(values):
    assert numbers_of(np.array(values, dtype=float)).kind == "exact"


def test_one_long_number_among_many_short_ones_tells(load):
    values = np.full(100_000, 0.5)
    values[54_321] = 0.123457
    assert numbers_of(values).kind == "6-decimal"


def test_float32_written_out_in_decimals_is_still_float32(load):
    single = ball()[0].astype(np.float32).astype(float)
    (part,) = load("single.obj", mesh_files.obj((single, ball()[1]))).parts
    assert part.numbers == "float32 coordinates up to 118"


def test_noise_near_zero_tells_nothing():
    assert numbers_of(np.array([150.0, 62.5, 6.123233995736766e-17])).kind == "exact"


def test_parts_of_a_file_have_each_its_own(load):
    small, large = ball(scale=0.5, shift=1), ball(scale=300, shift=900)
    a, b = load("two.glb", mesh_files.glb_of(small, large)).parts
    assert a.precision < 1e-6 < b.precision


def matrix_node(pose):
    return {"mesh": 0, "name": "part", "matrix": pose.T.reshape(-1).tolist()}


def quaternion_node(quaternion, shift):
    return {"mesh": 0, "name": "part", "rotation": quaternion.tolist(), "translation": shift}


@pytest.mark.parametrize("form", ["matrix", "quaternion", "digits"])
@pytest.mark.parametrize("seed", range(5))
def test_rounded_node_transforms_add_to_it(load, form, seed):
    """A part close to its origin, placed far away by numbers of float32, or of 7 digits."""
    random = np.random.default_rng(seed)
    mesh = meshes.sphere(8)[0].astype(np.float32).astype(float), meshes.sphere(8)[1]
    quaternion = random.normal(size=4)
    quaternion /= np.linalg.norm(quaternion)
    x, y, z, w = quaternion
    turn = meshes.turn((x, y, z), 2 * np.arccos(w))
    shift = random.uniform(-900, 900, size=3)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, shift
    single = np.float32
    if form == "matrix":
        node = matrix_node(pose.astype(single).astype(float))
    elif form == "digits":
        node = matrix_node(np.array([float(f"{v:.7g}") for v in pose.flat]).reshape(4, 4))
    else:
        node = quaternion_node(
            quaternion.astype(single).astype(float), shift.astype(single).astype(float).tolist()
        )
    model = load("far.glb", mesh_files.glb(*mesh_files.gltf_document([mesh], [node])))
    off = off_by(model, (mesh[0] @ turn.T + shift, mesh[1]))
    assert 2e-6 < off <= model.parts[0].precision < 20 * off


def test_instances_share_a_mesh_that_is_as_precise_as_the_worst(load):
    near, far = np.eye(4), np.eye(4)
    far[0, 3] = np.float32(1000.1)
    nodes = [matrix_node(near), matrix_node(far)]
    a, b = load("two.glb", mesh_files.glb(*mesh_files.gltf_document([meshes.box()], nodes))).parts
    assert a.mesh is b.mesh
    assert a.precision == b.precision > 1000 * 2**-25


def test_a_pose_scales_it(load):
    nodes = [{"mesh": 0, "name": "part", "scale": [2, 5, 3]}]
    (part,) = load("part.glb", mesh_files.glb(*mesh_files.gltf_document([ball()], nodes))).parts
    assert np.isclose(part.precision, 5 * part.mesh.precision)


@pytest.mark.parametrize(("kind", "component"), [("<i2", 5122), ("u1", 5121)])
def test_quantised_positions_are_off_by_half_a_step(load, kind, component):
    truth = meshes.sphere(8)[0] * 0.4 + 0.5, meshes.sphere(8)[1]
    most = np.iinfo(kind).max
    stored = np.zeros((len(truth[0]), 4), kind)
    stored[:, :3] = np.rint(truth[0] * most)
    document, data = mesh_files.gltf_document([truth])
    view = {"buffer": 0, "byteOffset": len(data), "byteLength": stored.nbytes}
    view["byteStride"] = stored.strides[0]
    document["bufferViews"].append(view)
    document["accessors"][0].update(
        bufferView=len(document["bufferViews"]) - 1, componentType=component, normalized=True
    )
    data += stored.tobytes()
    document["buffers"][0]["byteLength"] = len(data)
    model = load("quantised.glb", mesh_files.glb(document, data))
    (part,) = model.parts
    assert part.numbers == f"{8 * stored.itemsize}-bit coordinates"
    assert 0.2 * part.precision < off_by(model, truth) <= part.precision


def test_transforms_of_3mf(load):
    pose = "0.877583 0.479426 0 -0.479426 0.877583 0 0 0 1 500.123 0 0"
    build = f'<item objectid="1" transform="{pose}"/>'
    resources = f'<object id="1" name="p">{mesh_files.threemf_mesh(meshes.box())}</object>'
    archive = mesh_files.threemf_archive(mesh_files.threemf_xml(resources, build))
    (part,) = load("one.3mf", archive).parts
    assert 0.0005 < part.precision < 0.001


def test_load_mesh_keeps_it(put):
    path = put("far.stl", mesh_files.binary_stl(ball()))
    assert impinge.load_mesh(path).precision > 0
    assert impinge.load_scene(path)[0].mesh.precision == impinge.load_mesh(path).precision
    both = put("both.glb", mesh_files.glb_of(ball(), ball(scale=300)))
    assert impinge.load_mesh(both).precision > 2 * impinge.load_mesh(path).precision


def test_meshes_keep_it_in_copies():
    mesh = impinge.Mesh(*meshes.box(), precision=0.25)
    assert mesh.precision == 0.25
    assert impinge.Mesh(*meshes.box()).precision == 0.0
    for other in (copy.copy(mesh), copy.deepcopy(mesh), pickle.loads(pickle.dumps(mesh))):
        assert other.precision == 0.25
    with pytest.raises(AttributeError):
        mesh.precision = 1.0


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "1", None, True])
def test_bad_precisions(bad):
    with pytest.raises(impinge.InputError, match="precision must be a finite distance"):
        impinge.Mesh(*meshes.box(), precision=bad)
