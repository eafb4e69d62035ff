from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from typing import Any

import numpy as np
import pytest

import impinge
from impinge import Kind, Mesh
from support import meshes

BALL = Mesh(*meshes.sphere(6), name="ball")
RING = Mesh(*meshes.moved(meshes.torus(12, 8), (0.7, 0.05, 0.1)), name="<ring>")
BOX = meshes.box()


def scene_of_three() -> impinge.Scene:
    scene = impinge.Scene()
    for name, offset in (("left", 0.0), ("middle", 0.7), ("far", 9.0)):
        scene.add(*meshes.moved(BOX, (offset, 0.1 * offset, 0.2 * offset)), name=name)
    return scene


def poses() -> np.ndarray:
    result = np.stack([np.eye(4)] * 3)
    result[1:, 0, 3] = 0.3, 50
    return result


RESULTS: dict[str, Any] = {
    "two": lambda: impinge.collide(BALL, RING),
    "self": lambda: impinge.self_collide(meshes.merge(BOX, meshes.moved(BOX, (0.5, 0.3, 0.2)))),
    "poses": lambda: impinge.collide(BALL, RING, poses=poses()),
    "scene": lambda: scene_of_three().collide(self_collision=True),
    "none": lambda: impinge.collide(BALL, Mesh([], [])),
}
every_result = pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS.keys())


@every_result
def test_shapes_and_types(make: Any) -> None:
    hits = make()
    n = len(hits)
    assert hits.pairs.shape == hits.bodies.shape == (n, 2)
    assert hits.pairs.dtype == hits.bodies.dtype == np.int32
    assert hits.kinds.shape == (n,)
    assert hits.kinds.dtype == np.uint8
    assert hits.segments.shape == (n, 2, 3)
    assert len(hits.polygons) == n
    assert bool(hits) == (n > 0)
    assert hits.method == "bvh"


@every_result
def test_nothing_can_be_changed(make: Any) -> None:
    hits = make()
    with pytest.raises(dataclasses.FrozenInstanceError):
        hits.pairs = None
    arrays = [hits.pairs, hits.bodies, hits.kinds, hits.segments, hits.polygons.points]
    arrays += [hits.body_pairs.counts, *(loop.points for loop in hits.loops)]
    arrays += [array for array in (hits.pose, hits.counts) if array is not None]
    for array in arrays:
        assert not array.flags.writeable


@every_result
@pytest.mark.parametrize(
    "clone", [copy.copy, copy.deepcopy, lambda hits: pickle.loads(pickle.dumps(hits))]
)
def test_copies_and_pickles(make: Any, clone: Any) -> None:
    hits = make()
    _ = hits.loops, hits.stats
    again = clone(hits)
    assert again != hits
    assert repr(again) == repr(hits)
    assert again.to_dict(segments=True) == hits.to_dict(segments=True)
    assert len(again.loops) == len(hits.loops)
    assert not again.pairs.flags.writeable
    assert len(again.scene) == len(hits.scene)


@every_result
def test_as_json(make: Any) -> None:
    hits = make()
    plain = json.loads(hits.to_json(segments=True, indent=2))
    assert plain == json.loads(json.dumps(hits.to_dict(segments=True), allow_nan=False))
    assert plain["collides"] == bool(hits)
    assert plain["pairs"] == hits.pairs.tolist()
    assert plain["kinds"] == [Kind(kind).name.lower() for kind in hits.kinds]
    assert "segments" not in hits.to_dict()
    assert "\n" not in hits.to_json()


def test_poses_and_counts_only_when_asked() -> None:
    two, many = RESULTS["two"](), RESULTS["poses"]()
    assert two.pose is None
    assert two.counts is None
    assert many.counts.tolist() == np.bincount(many.pose, minlength=3).tolist()
    assert many.counts[2] == 0
    np.testing.assert_array_equal(np.unique(many.bodies, axis=0), [[0, 1]])


def test_the_scene_of_two_meshes_is_made_of_them() -> None:
    hits = impinge.collide(BALL, RING)
    assert hits.names == ("ball", "<ring>")
    assert [body.mesh for body in hits.scene] == [BALL, RING]
    assert hits.scene is hits.scene
    np.testing.assert_array_equal(hits.scene.collide().pairs, hits.pairs)
    assert impinge.collide(BOX, BOX).names == ("a", "b")
    assert impinge.collide(BALL, BALL).names == ("ball", "ball-2")


def test_a_result_knows_its_scene_and_the_names_of_its_moment() -> None:
    scene = scene_of_three()
    hits = scene.collide()
    scene.remove("left")
    assert hits.scene is scene
    assert hits.names == ("left", "middle", "far")
    assert [(row.name_a, row.name_b) for row in hits.body_pairs] == [("left", "middle")]


def test_body_pairs_count_by_kind() -> None:
    scene = scene_of_three()
    scene.add(*meshes.moved(BOX, (10, 0.9, 1.8)), name="beside")
    hits = scene.collide()
    rows = list(hits.body_pairs)
    assert [(row.a, row.b) for row in rows] == [(0, 1), (2, 3)]
    assert rows[0].crossing > 0
    assert (rows[1].crossing, rows[1].touching) == (0, rows[1].count)
    assert sum(row.count for row in rows) == len(hits)
    assert hits.body_pairs[1] == rows[1]
    np.testing.assert_array_equal(hits.body_pairs.touching, [row.touching for row in rows])
    assert repr(hits.body_pairs).splitlines()[0] == "2 pairs of bodies"


REPRS = {
    "two": r"Collisions\([\d,]+ pairs between 2 bodies: [\d,]+ crossing\)",
    "self": r"Collisions\(\d+ pairs within 1 body: \d+ crossing(, \d+ touching)?\)",
    "poses": r"Collisions\(\d+ pairs in 2 of 3 poses: \d+ crossing\)",
    "scene": r"Collisions\(\d+ pairs between 2 of 3 bodies: .*crossing.*\)",
    "none": r"Collisions\(no pairs between 2 bodies\)",
}


@pytest.mark.parametrize("name", REPRS)
def test_repr(name: str) -> None:
    import re

    assert re.fullmatch(REPRS[name], repr(RESULTS[name]()))


def test_html_is_short_and_escaped() -> None:
    html = impinge.collide(BALL, RING)._repr_html_()
    assert "<ring>" not in html
    assert "ball × &lt;ring&gt;" in html
    scene = impinge.Scene()
    for _ in range(8):
        scene.add(*BOX)
    assert "and 8 more" in scene.collide()._repr_html_()


def test_segments_lie_in_both_faces() -> None:
    hits = impinge.collide(BALL, RING)
    for mesh, faces in ((BALL, hits.pairs[:, 0]), (RING, hits.pairs[:, 1])):
        corners = mesh.vertices[mesh.faces[faces]]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        off = ((hits.segments - corners[:, :1]) * normals[:, None]).sum(axis=2)
        assert np.abs(off).max() < 1e-12


def test_stats_have_stages_and_counters() -> None:
    stats = impinge.collide(BALL, Mesh(RING.vertices, RING.faces)).stats
    assert {"build", "traverse"} <= {stage.name for stage in stats.stages}
    assert stats["hits"] <= stats["candidates"]
    assert stats["trees"] >= 1
    assert stats.seconds > 0
