"""Every answer that a user gets has exactly one public path."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from copy import copy, deepcopy
from typing import Any

import numpy as np
import pytest

import impinge
from impinge import data, results
from impinge.robots import Robot
from support import meshes

BALL, RING = meshes.sphere(8), meshes.moved(meshes.torus(8, 6), (0.5, 0.2, 0.1))
RAYS = (np.array([[0.1, 0.2, 9.0]]), np.array([0.0, 0.0, -1.0]))


def scene() -> impinge.Scene:
    made = impinge.Scene()
    made.add(*BALL, name="ball")
    made.add(*RING, name="ring")
    return made


def answers() -> Iterator[tuple[str, Any]]:
    """Whatever a user can get hold of, by the name of its class."""
    hits = impinge.collide(BALL, RING)
    flush = impinge.collide(meshes.box(), meshes.moved(meshes.box(), (1, 0, 0)))
    yield "Collisions", hits
    yield "Kind", impinge.Kind(int(hits.kinds[0]))
    yield "BodyPairs", hits.body_pairs
    yield "BodyPair", hits.body_pairs[0]
    yield "Loop", hits.loops[0]
    yield "Polygons", flush.polygons
    solids = impinge.Scene()
    for x in (0.0, 0.5):
        solids.add(*meshes.moved(meshes.box(), (x, 0.0, 0.0)))
    yield "Relations", solids.relations()
    yield "BodyRelation", solids.relations()[0]
    yield "BodyDistances", solids.distances()
    yield "BodyDistance", solids.distances()[0]
    check = solids.check()
    yield "Check", check
    yield "CheckRow", check[0]
    yield "Verdict", check[0].verdict
    yield "OverlapPieces", check[0].overlap()
    yield "Stats", hits.stats
    yield "Stage", hits.stats.stages[0]
    yield "ContactPoints", scene().contact_points(method="proximity")
    yield "Overlaps", scene().overlaps(method=impinge.detector("cinder", device="cpu"))
    yield "Distance", impinge.distance(BALL, RING)
    distances = impinge.distance(BALL, RING, poses=np.eye(4)[None], gradient=True)
    yield "Distances", distances
    yield "Gradients", distances.gradients
    yield "Gradient", distances[0].gradient
    yield "VertexGradient", distances[0].gradient.a
    yield "Nearest", impinge.nearest(BALL, RAYS[0])
    yield "Impacts", impinge.impacts(BALL, to=BALL[0])
    yield "ImpactKind", results.ImpactKind.EDGE_EDGE
    rest = np.tile(np.eye(4), (2, 1, 1))
    yield "TimeOfImpact", impinge.time_of_impact(BALL, RING, motion_b=rest)
    yield "TimesOfImpact", impinge.time_of_impact(BALL, RING, motion_b=rest[None])
    yield "Start", results.Start.FREE
    yield "BodyImpact", scene().time_of_impact({"ball": rest})
    yield "BodyImpacts", scene().time_of_impact({"ball": rest[None]})
    yield "BodyMotion", scene().free({"ball": rest})
    yield "BodyMotions", scene().free({"ball": rest[None]})
    yield "MotionVerdict", results.MotionVerdict.FREE
    arm = Robot.load(data.path("arm.urdf"))
    yield "IgnoredPairs", arm.ignored_pairs(samples=10)
    yield "RobotMotions", arm.free([(0, 0, 0)], [(0, 0.1, 0)])
    yield "RayHits", impinge.raycast(BALL, *RAYS)
    yield "MeshReport", impinge.Mesh(*BALL).report()


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return dict(answers())


def test_an_answer_has_one_public_path(found: dict[str, Any]) -> None:
    for name, answer in found.items():
        paths = [room for room in (impinge, results) if name in room.__all__]
        assert len(paths) == 1, name
        assert getattr(paths[0], name) is type(answer)


def test_no_path_leads_to_something_else(found: dict[str, Any]) -> None:
    assert not set(impinge.__all__) & set(results.__all__)
    assert set(results.__all__) <= set(found)
    assert set(results.__all__) <= set(dir(results))
    with pytest.raises(AttributeError, match=r"'impinge\.results' has no attribute 'Loops'"):
        results.Loops  # noqa: B018


def test_an_answer_is_imported_when_it_is_first_used() -> None:
    code = (
        "import sys, impinge; late = 'impinge.results.mesh_report', 'impinge.results.overlaps'; "
        "before = [name in sys.modules for name in late]; impinge.results.MeshReport; "
        "print(before, [name in sys.modules for name in late])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[False, False] [True, False]"


@pytest.mark.parametrize(
    "clone", [lambda x: x, copy, deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_no_array_of_an_answer_can_be_written(found: dict[str, Any], clone: Any) -> None:
    count = 0
    for name, answer in found.items():
        fields = getattr(answer, "__dict__", {})
        same = clone(answer)
        for field in [field for field, value in fields.items() if isinstance(value, np.ndarray)]:
            count += 1
            assert not getattr(same, field).flags.writeable, f"{name}.{field}"
            np.testing.assert_array_equal(getattr(same, field), getattr(answer, field))
    assert count > 30
