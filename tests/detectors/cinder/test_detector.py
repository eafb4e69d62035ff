"""`scene.overlaps`, `scene.collide(refine=...)` and what they answer."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import impinge
from detectors.cinder.scenes import many, three_boxes
from impinge import detectors
from impinge.detectors.cinder import View
from impinge.errors import Cancelled, CapabilityError, InputError
from support.meshes import Arrays, box, moved, sphere


def scene_of(bodies: list[Arrays]) -> impinge.Scene:
    scene = impinge.Scene()
    for index, body in enumerate(bodies):
        scene.add(*body, name=f"part {index}")
    return scene


def cinder(**options: Any) -> detectors.Detector:
    return impinge.detector("cinder", **{"device": "cpu", "resolution": 64, **options})


def test_it_is_found_by_name() -> None:
    assert "cinder" in impinge.methods()
    found = scene_of(three_boxes()).overlaps()
    assert found.method == "cinder"
    assert found.pairs.tolist() == [[0, 1], [1, 2]]
    assert found.names == ("part 0", "part 1", "part 2")
    assert isinstance(cinder(), detectors.OverlapDetector)


def test_the_result() -> None:
    found = scene_of(three_boxes()).overlaps(method=cinder())
    assert len(found) == 2
    assert found
    assert repr(found) == "Overlaps(2 pairs of 3 bodies, 1 warning)"
    assert "part 0 × part 1" in found._repr_html_()
    assert found.triangles is None
    assert found.normals is None
    assert (found.pixels > 0).all()
    with pytest.raises(ValueError, match="read-only"):
        found.pairs[0] = 7
    as_dict = found.to_dict()
    assert as_dict["pairs"] == [[0, 1], [1, 2]]
    assert as_dict["stats"]["edges"]["line_fragments"] > 0
    again = pickle.loads(pickle.dumps(found))
    assert np.array_equal(again.pixels, found.pixels)
    assert not again.pairs.flags.writeable
    assert repr(copy.copy(found)) == repr(found)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_little_or_nothing(count: int) -> None:
    empty = (np.zeros((0, 3)), np.zeros((0, 3), dtype=int))
    for bodies in ([box()] * count, [empty] * count):
        for payload in ("objects", "triangles", "normals"):
            found = scene_of(bodies).overlaps(method=cinder(payload=payload))
            assert found.warnings == ()
            if bodies and bodies[0] is empty:
                assert len(found) == 0
    assert repr(scene_of([box()]).overlaps(method=cinder())) == "Overlaps(no pairs of 1 body)"


def test_ignored_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    for listed in (200_000, 0):
        monkeypatch.setattr("impinge.queries.plan._MOST_WANTED_PAIRS", listed)
        scene = scene_of(three_boxes())
        scene.ignore("part 0", "part 1")
        for payload in ("objects", "triangles"):
            found = scene.overlaps(method=cinder(payload=payload))
            assert found.pairs.tolist() == [[1, 2]]
            assert len(found.pixels) == 1
            assert len(scene.overlaps(method=cinder(payload=payload), ignore=[(1, 2)])) == 0
        assert set(map(tuple, np.sort(found.triangles[:, ::2], axis=1).tolist())) == {(1, 2)}


def test_moved_and_deformed_bodies() -> None:
    scene = scene_of(three_boxes())
    away = np.eye(4)
    away[:3, 3] = 5
    scene["part 0"].pose = away
    assert scene.overlaps(method=cinder()).pairs.tolist() == [[1, 2]]
    scene["part 0"].pose = np.eye(4)
    scene["part 2"].vertices = scene["part 2"].vertices + 7.0
    assert scene.overlaps(method=cinder()).pairs.tolist() == [[0, 1]]


def test_triangles() -> None:
    bodies = many(6, 1, spread=1.2)
    scene = scene_of(bodies)
    found = scene.overlaps(method=cinder(payload="triangles", resolution=128))
    plain = scene.overlaps(method=cinder(resolution=128))
    assert np.array_equal(found.pairs, plain.pairs)
    assert np.array_equal(found.pixels, plain.pixels)
    rows = found.triangles
    assert rows is not None
    assert np.array_equal(np.unique(rows, axis=0), rows)
    assert {tuple(sorted(row)) for row in rows[:, ::2].tolist()} == set(
        map(tuple, found.pairs.tolist())
    )
    counts = np.array([len(faces) for _, faces in bodies])
    assert (rows[:, 1] < counts[rows[:, 0]]).all()
    assert (rows[:, 3] < counts[rows[:, 2]]).all()


def test_normals() -> None:
    # spheres pressed into the sides of a plate
    plate = sphere(16)
    along = np.array([(1, 0, 0), (0, 1, 0), (-0.6, 0.8, 0)], dtype=float)
    bodies = [plate, *(moved(sphere(6, radius=0.5), 1.3 * axis) for axis in along)]
    bodies.append(moved(sphere(6, radius=0.5), (1.6, 0.3, 0)))
    for ids in ("32bit", "16bit"):
        method = cinder(payload="normals", ids=ids, resolution=128)
        found = scene_of(bodies).overlaps(method=method)
        # spheres that overlap each other are not looked for
        assert found.pairs.tolist() == [[0, 1], [0, 2], [0, 3]]
        assert found.normals is not None
        assert np.allclose(np.linalg.norm(found.normals, axis=1), 1)
        assert ((found.normals * along).sum(axis=1) > 0.9).all()
    last = scene_of(bodies[::-1]).overlaps(
        method=cinder(payload="normals", reference=4, resolution=128)
    )
    assert last.pairs.tolist() == [[1, 4], [2, 4], [3, 4]]


def test_limits_of_short_ids_and_references() -> None:
    bodies = [moved(box(), (2.0 * index, 0, 0)) for index in range(256)]
    scene = scene_of(bodies)
    with pytest.raises(InputError, match=r'ids="16bit" holds 255 bodies with payload=.normals.'):
        scene.overlaps(method=cinder(payload="normals", ids="16bit"))
    assert len(scene.overlaps(method=cinder(ids="16bit"))) == 0
    with pytest.raises(InputError, match="reference is body 300, but the scene has 256 bodies"):
        scene.overlaps(method=cinder(payload="normals", reference=300))
    scene.add(*sphere(128))
    with pytest.raises(
        InputError, match=r'holds 65,535 faces .* there are 68,608; use ids="32bit"'
    ):
        scene.overlaps(method=cinder(payload="triangles", ids="16bit"))


def test_refined_pairs_are_exact() -> None:
    scene = scene_of([*many(12, 0, spread=2.0), *_nested()])
    exact = scene.collide()
    found = scene.collide(method=cinder(resolution=256, judge=True), refine="bvh")
    stats = found.stats
    met = set(map(tuple, exact.body_pairs.bodies.tolist()))
    kept = set(map(tuple, found.body_pairs.bodies.tolist()))
    assert kept <= met
    rows = [tuple(row) in kept for row in exact.bodies.tolist()]
    assert np.array_equal(found.pairs, exact.pairs[rows])
    # a body within another is found, although no faces meet
    assert found.inside is not None
    assert found.inside.tolist() == [[13, 12]]
    assert stats["image_pairs"] == len(kept) + 1
    assert stats["image_invented"] == 0
    assert stats["image_lost"] == len(met - kept)
    assert found.method == "cinder"
    unjudged = scene.collide(method=cinder(), refine=impinge.detector("brute"))
    assert "image_lost" not in unjudged.stats
    assert "image_pairs" in unjudged.stats


def test_refined_pairs_that_were_lost_or_invented() -> None:
    # a pixel is half a box wide: everything is lost
    scene = scene_of([*(moved(box(), (0.9 * k, 0, 0)) for k in range(2)), moved(box(), (30, 0, 0))])
    found = scene.collide(method=cinder(resolution=16, judge=True), refine="bvh", mode="first")
    assert found.stats["image_lost"] == 1
    assert len(found) == 0
    # a trough from below: rays that enter never leave
    vertices, faces = box((-5, -5, -1), (5, 5, 0))
    opened = vertices, faces[:-2]
    view = View.orthographic((0.3, 0.2, 1))
    both = scene_of([opened, moved(box(), (0, 0, 3)), moved(box(), (3, 0, 5))])
    method = cinder(views=view, resolution=128)
    assert both.overlaps(method=method).pairs.tolist() == [[0, 1], [0, 2]]
    refined = both.collide(method=method, refine="bvh")
    assert refined.stats["image_invented"] == 2
    assert len(refined) == 0


def test_self_collision_is_left_to_the_exact_detector() -> None:
    vertices, faces = box()
    crossing = np.concatenate([vertices, vertices + 0.5]), np.concatenate([faces, faces + 8])
    found = scene_of([crossing]).collide(method=cinder(), refine="bvh", self_collision=True)
    assert len(found) > 0
    assert found.stats["image_invented"] == 0


def test_how_it_can_not_be_asked() -> None:
    scene = scene_of(three_boxes())
    with pytest.raises(InputError, match=r"scene.overlaps\(method='cinder'\).*refine=\"bvh\""):
        scene.collide(method="cinder")
    with pytest.raises(InputError, match="refine is for a method that finds pairs of bodies"):
        scene.collide(method="bvh", refine="bvh")
    with pytest.raises(InputError, match="refine must be a method that finds pairs of faces"):
        scene.collide(method="cinder", refine="ray")
    with pytest.raises(CapabilityError, match=r"'bvh' cannot do pairs of bodies .*use 'cinder'"):
        scene.overlaps(method="bvh")
    with pytest.raises(CapabilityError, match="gives pairs of bodies, not of faces"):
        impinge.collide(impinge.Mesh(*box()), impinge.Mesh(*box()), method="cinder")
    with pytest.raises(CapabilityError, match="cannot do contact points"):
        scene.contact_points(method="cinder")
    with pytest.raises(InputError, match=r"has no option 'resolutions'.*did you mean 'resolution'"):
        impinge.detector("cinder", resolutions=64)


def test_progress_and_cancelling() -> None:
    scene = scene_of(three_boxes())
    reached: list[float] = []
    scene.overlaps(method=cinder(), progress=reached.append)
    assert reached[0] == 0.0
    assert reached[-1] == 1.0
    assert reached == sorted(reached)
    with pytest.raises(Cancelled):
        scene.overlaps(method=cinder(), progress=lambda _: False)
    refined: list[float] = []
    scene.collide(method=cinder(), refine="bvh", progress=refined.append)
    assert refined[-1] == 1.0


def _nested() -> list[Arrays]:
    return [moved(sphere(n, radius=size), (4, 4, 4)) for n, size in ((8, 0.6), (4, 0.3))]


def test_warnings_of_the_image_are_those_of_the_result() -> None:
    vertices, faces = box()
    scene = impinge.Scene()
    scene.add(vertices, faces[2:], name="lidless")
    scene.add(vertices + 0.5, faces)
    warning, *_ = scene.collide(method=cinder(resolution=64), refine="bvh").warnings
    assert warning.startswith("body 'lidless' is not closed")
    assert scene.collide().warnings == ()
