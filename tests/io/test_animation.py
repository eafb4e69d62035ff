"""Animated glTF: poses over time, by formulas of our own."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from impinge.errors import MeshFileError
from impinge.io.animation import Animation, read_animation
from support import animated_files, mesh_files, meshes

BOX = meshes.box()


def read(tmp_path, *keys, nodes=None, bodies=(BOX, BOX), steps=8.0) -> Animation:
    file = tmp_path / "moving.glb"
    file.write_bytes(animated_files.glb(list(bodies), nodes, *keys))
    return read_animation(file, steps=steps)


def test_linear_keys(tmp_path):
    found = read(tmp_path, (1, "translation", "LINEAR", (1, 3), [(0, 0, 0), (4, 0, 2)]))
    (span,) = found.spans
    assert found.name == "move"
    assert span.times[0] == 1
    assert span.times[-1] == 3
    assert list(span.poses) == [1]
    shares = (span.times - 1) / 2
    assert span.poses[1][:, 0, 3] == pytest.approx(4 * shares)
    assert span.poses[1][:, 2, 3] == pytest.approx(2 * shares)


def test_turns_take_the_shorter_way_at_constant_speed(tmp_path):
    keys = [animated_files.turn(2, 10), [-x for x in animated_files.turn(2, 100)]]
    span = read(tmp_path, (0, "rotation", "LINEAR", (0, 1), keys)).spans[0]
    angles = np.degrees(np.arctan2(span.poses[0][:, 1, 0], span.poses[0][:, 0, 0]))
    assert angles == pytest.approx(10 + 90 * span.times, abs=1e-4)


def test_half_a_turn_between_two_keys(tmp_path):
    keys = [animated_files.turn(2, 0), animated_files.turn(2, 180)]
    span = read(tmp_path, (0, "rotation", "LINEAR", (0, 0.01), keys)).spans[0]
    assert len(span.times) > 3
    turned = span.poses[0][:, :3, :3] @ [1, 0, 0]
    assert np.linalg.norm(np.diff(turned, axis=0), axis=1).max() < 1.0


def test_steps_jump(tmp_path):
    values = [(0, 0, 0), (1, 0, 0), (5, 0, 0)]
    found = read(tmp_path, (1, "translation", "STEP", (0, 1, 2), values))
    assert [(s.times[0], s.times[-1]) for s in found.spans] == [(0, 1), (1, 2), (2, 2)]
    for span, value in zip(found.spans, (0, 1, 5), strict=True):
        assert np.unique(span.poses[1][:, 0, 3]).tolist() == [value]


def test_cubic_splines(tmp_path):
    """x(t) = t^3 is one: its tangents are 0 and 3."""
    rows = [(0, 0, 0), (0, 0, 0), (0, 0, 0), (3, 0, 0), (1, 0, 0), (0, 0, 0)]
    span = read(tmp_path, (1, "translation", "CUBICSPLINE", (0, 1), rows)).spans[0]
    assert span.poses[1][:, 0, 3] == pytest.approx(span.times**3, abs=1e-12)


def test_nodes_in_nodes(tmp_path):
    """A turning arm carries what is at its end; a scaled node stretches it."""
    nodes = [
        {"name": "arm", "children": [1], "scale": [2, 2, 2]},
        {"name": "hand", "mesh": 0, "translation": [3, 0, 0]},
        {"name": "wall", "mesh": 1},
    ]
    keys = [animated_files.turn(2, 0), animated_files.turn(2, 90)]
    found = read(tmp_path, (0, "rotation", "LINEAR", (0, 1), keys), nodes=nodes)
    span = found.spans[0]
    assert [part.name for part in found.model.parts] == ["hand", "wall"]
    assert list(span.poses) == [0]
    assert span.poses[0][-1][:3, 3] == pytest.approx([0, 6, 0], abs=1e-6)
    assert span.poses[0][0] == pytest.approx(found.model.parts[0].pose)


def test_before_its_first_key_a_node_is_where_that_is(tmp_path):
    found = read(
        tmp_path,
        (0, "translation", "LINEAR", (0, 4), [(0, 0, 0), (4, 0, 0)]),
        (1, "translation", "LINEAR", (2, 3), [(7, 0, 0), (8, 0, 0)]),
    )
    span = found.spans[0]
    early, late = span.times <= 2, span.times >= 3
    assert np.unique(span.poses[1][early, 0, 3]).tolist() == [7]
    assert np.unique(span.poses[1][late, 0, 3]).tolist() == [8]


def test_what_is_no_animation_is_told(tmp_path):
    file = tmp_path / "still.glb"
    file.write_bytes(mesh_files.glb(*mesh_files.gltf_document([BOX])))
    with pytest.raises(MeshFileError, match="animations: there is none"):
        read_animation(file)
    other = tmp_path / "still.obj"
    other.write_bytes(mesh_files.obj(BOX))
    with pytest.raises(MeshFileError, match="only glTF files"):
        read_animation(other)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: a["channels"][0]["target"].update(node=9), r"nodes\[9\]"),
        (lambda a: a["channels"][0]["target"].update(path="colour"), "unknown path 'colour'"),
        (lambda a: a["channels"][0].update(sampler=7), r"samplers\[7\]"),
        (lambda a: a["channels"].append(a["channels"][0]), "a second time"),
        (lambda a: a["channels"].append(3), "is not an object"),
        (lambda a: a["samplers"][0].update(interpolation="SMOOTH"), "unknown interpolation"),
        (lambda a: a["samplers"][0].update(interpolation="CUBICSPLINE"), "2 times and 2 values"),
        (lambda a: a["samplers"][0].update(input=0), "VEC3"),
        (lambda a: a.update(channels=[]), "moves no node"),
    ],
)
def test_damaged_animations_are_told(tmp_path, change, message):
    keys = (1, "translation", "LINEAR", (0, 1), [(0, 0, 0), (4, 0, 2)])
    root, data = animated_files.document([BOX, BOX], None, keys)
    change(root["animations"][0])
    file = tmp_path / "moving.glb"
    file.write_bytes(mesh_files.glb(root, data))
    with pytest.raises(MeshFileError, match=message):
        read_animation(file)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ((1, "translation", "LINEAR", (1, 1), [(0, 0, 0), (1, 0, 0)]), "not rising"),
        ((1, "translation", "LINEAR", (0, np.nan), [(0, 0, 0), (1, 0, 0)]), "not rising"),
        ((1, "translation", "LINEAR", (0, 1), [(0, 0, 0), (np.inf, 0, 0)]), "not finite"),
        ((1, "rotation", "LINEAR", (0, 1), [(0, 0, 0, 1), (0, 0, 0, 0)]), "unit quaternion"),
        ((1, "translation", "LINEAR", (0, 1e9), [(0, 0, 0), (1, 0, 0)]), "more than 100000 steps"),
    ],
)
def test_bad_keys_are_told(tmp_path, keys, message):
    with pytest.raises(MeshFileError, match=message):
        read(tmp_path, keys)


def test_damaged_bytes_end_in_an_answer_or_an_error_of_the_file(tmp_path):
    keys = (1, "translation", "LINEAR", (0, 1), [(0, 0, 0), (4, 0, 2)])
    turns = [animated_files.turn(2, 10), animated_files.turn(0, 100)]
    good = animated_files.glb([BOX, BOX], None, keys, (0, "rotation", "STEP", (0, 1), turns))
    rng = np.random.default_rng(0)
    file = tmp_path / "moving.glb"
    read_well = 0
    for _ in range(300):
        data = bytearray(good)
        for at in rng.integers(12, len(data), size=rng.integers(1, 4)):
            data[at] = rng.integers(256)
        file.write_bytes(data)
        with contextlib.suppress(MeshFileError):
            read_well += bool(read_animation(file, steps=8).spans)
    assert 0 < read_well < 300
