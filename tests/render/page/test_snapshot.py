"""A page gets all at first, then only what changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import impinge
from impinge import data
from impinge.errors import InputError
from impinge.render.bodies import ShownBodies, branches
from impinge.render.drawing import Drawing
from impinge.render.page.snapshot import Snapshot, message, of_drawing
from support.meshes import box
from support.view_messages import unpacked

FAR = np.array([1e6, -2e6, 3e6])


def two() -> impinge.Scene:
    """Two instances of one box, far from the origin, that cross."""
    vertices, faces = box()
    mesh = impinge.Mesh(vertices + FAR, faces)
    scene = impinge.Scene()
    for name, shift in (("one", 0.0), ("two", 0.3)):
        pose = np.eye(4)
        pose[:3, 3] = shift
        scene.add(mesh, name=name, pose=pose)
    return scene


def taken(scene: impinge.Scene, bodies: ShownBodies, number: int) -> Snapshot:
    return Snapshot(number, bodies, tuple(body._current() for body in scene))


def placed(got: dict, body: int) -> np.ndarray:
    """World coordinates, as the page computes them."""
    entry = got["scene"]["bodies"][body]
    pose = np.array(entry["pose"], dtype=np.float64).reshape(4, 4)
    return got[f"vertices{entry['shape']}"].reshape(-1, 3) @ pose[:3, :3].T + pose[:3, 3]


def test_all_at_first_and_instances_once() -> None:
    scene = two()
    hits = scene.collide()
    now = of_drawing(Drawing(hits), title="two")
    got = unpacked(message(now))
    assert len(got["scene"]["shapes"]) == 1
    for index, body in enumerate(scene):
        # float32 is enough, however far away the scene is
        error = placed(got, index) + now.bodies.origin - body.world_vertices
        assert np.abs(error).max() < 1e-6
    (clash,) = got["hits"]["clashes"]
    assert clash["bodies"] == [0, 1]
    assert clash["verdict"] == "clash"
    start, count = clash["curve"]
    curve = got["segments"].reshape(-1, 2, 3)[start : start + count]
    crossing = hits.segments[hits.kinds == impinge.Kind.CROSSING]
    assert np.abs(curve + now.bodies.origin - crossing).max() < 1e-6
    faces = {body: got["faces"][first : first + n].tolist() for body, first, n in clash["faces"]}
    rows = hits.kinds == impinge.Kind.CROSSING
    assert faces == {side: np.unique(hits.pairs[rows, side]).tolist() for side in (0, 1)}


def test_a_check_sends_overlaps_depths_and_gaps() -> None:
    scene = two()
    pose = np.eye(4)
    pose[:3, 3] = (2.25, 0.3, 0.3)
    scene.add(scene[0].mesh, name="three", pose=pose)
    check = scene.check(clearance=1.5)
    now = of_drawing(Drawing(check), title="three")
    got = unpacked(message(now))
    clash, gap = got["hits"]["clashes"][0], got["hits"]["clashes"][-1]
    assert (clash["verdict"], gap["verdict"]) == ("clash", "near")
    assert clash["depth"] == check.clashes[0].depth
    # no face is marked as a whole
    assert clash["faces"] == []
    made = check.clashes[0].overlap()
    assert [body for body, *_ in clash["pieces"]] == [0, 1]
    for side, (_, start, count) in enumerate(clash["pieces"]):
        corners = got["pieces"].reshape(-1, 3, 3)[start : start + count] + now.bodies.origin
        own = made.vertices[made.faces[made.surfaces == side]]
        assert np.abs(corners - own).max() < 1e-6
    ends = np.array(gap["gap"])
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(gap["distance"])


def test_a_contact_sends_the_area_and_not_its_triangles() -> None:
    scene = impinge.Scene()
    vertices, faces = box()
    width = np.ptp(vertices[:, 0])
    scene.add(vertices, faces)
    scene.add(vertices + np.array([width, 0.5 * width, 0.0]), faces)
    got = unpacked(message(of_drawing(Drawing(scene.check()), title="two")))
    (contact,) = got["hits"]["clashes"]
    assert (contact["verdict"], contact["reason"], contact["faces"]) == ("contact", "touch", [])
    corners = got["pieces"].reshape(-1, 3, 3)
    one, two_ = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = 0.5 * np.linalg.norm(np.cross(one, two_), axis=1).sum()
    assert area == pytest.approx(0.5 * width * width, rel=1e-5)


def test_then_only_what_moved_or_deformed() -> None:
    scene = two()
    bodies = ShownBodies.of(["one", "two"], [body._current() for body in scene], up="z")
    first = taken(scene, bodies, 1)
    assert unpacked(message(taken(scene, bodies, 2), first))["changes"] == []
    pose = np.array(scene[1].pose)
    pose[0, 3] += 5.0
    scene[1].pose = pose
    second = taken(scene, bodies, 3)
    got = unpacked(message(second, first))
    assert [(c["body"], c["deforms"]) for c in got["changes"]] == [(1, False)]
    assert not [name for name in got if name.startswith(("vertices", "moved"))]
    # the first time a body deforms, the page needs it anew
    scene[0].vertices = scene[0].vertices + 0.1
    third = taken(scene, bodies, 4)
    assert "scene" in unpacked(message(third, second))
    scene[0].vertices = scene[0].vertices + 0.1
    got = unpacked(message(taken(scene, bodies, 5), third))
    assert [(c["body"], c["deforms"]) for c in got["changes"]] == [(0, True)]
    assert np.allclose(got["moved0"].reshape(-1, 3), scene[0].vertices)
    # another bodies is another scene
    assert "scene" in unpacked(message(replace(third, bodies=replace(bodies)), third))


def test_names_make_a_tree() -> None:
    assert branches("gearbox/bolt-03") == ["gearbox", "bolt"]
    assert branches("shaft") == ["shaft"]
    assert branches("42") == ["42"]


def test_the_limit_leaves_parts_out_that_do_not_clash() -> None:
    hits = impinge.load_scene(data.path("gearbox.glb")).collide()
    now = of_drawing(Drawing(hits), title="gearbox", most=12_000)
    shown = {hits.names[k] for k, shape in enumerate(now.shapes) if len(shape.faces)}
    assert {"idler-pinion", "output-gear", "cover-bolt-03"} <= shown
    assert len(shown) < len(hits.names)
    assert sum(len(shape.faces) for shape in now.shapes) <= 12_000
    got = unpacked(message(now))
    sizes = [len(shape.faces) for shape in now.shapes]
    for clash in got["hits"]["clashes"]:
        for body, start, count in clash["faces"]:
            assert (got["faces"][start : start + count] < sizes[body]).all()


def test_a_result_of_many_poses_is_refused() -> None:
    many = impinge.collide(box(), box(), poses=np.eye(4)[None])
    with pytest.raises(InputError, match="one pose"):
        Drawing(many)
