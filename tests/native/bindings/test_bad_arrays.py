"""No array that Python can give makes the native core read or write out of place.

Each program runs in a process of its own: what this is about ends a process by a signal.
"""

import subprocess
import sys
from pathlib import Path

TESTS = str(Path(__file__).parents[2])
BEGIN = """
import numpy as np
import impinge
from impinge import _core
from support import meshes

V, F = (np.array(part) for part in meshes.sphere(12))
F = F.astype(np.int32)
NOBODY = np.zeros(0, np.int32)
POSES = np.repeat(np.eye(4)[None], 3, axis=0)
POSES[:, 0, 3] = 0.0, 0.3, 3.0


def pairs(a, b):
    return len(_core.bvh_scene([a, b], None, None, NOBODY, True, False, False, 1, None)[0])


def refused(ask, *arguments):
    try:
        ask(*arguments)
    except ValueError as error:
        return str(error)
    raise AssertionError(f"{ask} has taken them")
"""

TAKE_MESHES = """
TAKE = {
    "Tree": _core.Tree,
    "build_trees": lambda v, f: _core.build_trees([V, v], [F, f]),
    "DopTree": _core.DopTree,
    "build_dop_trees": lambda v, f: _core.build_dop_trees([v], [f], 24, True),
    "Skin": _core.Skin,
    "Stars": _core.Stars,
    "Soup": lambda v, f: _core.Soup([v], [f], [None]),
    "brute_pairs": lambda v, f: _core.brute_pairs(V, F, v, f),
    "brute_self_pairs": _core.brute_self_pairs,
    "sagittas": _core.sagittas,
    "close_surface": lambda v, f: _core.close_surface(v, f, 0.0, 1.0),
    "edges": _core.edges,
    "is_closed": _core.is_closed,
    "bounds_of_bodies": lambda v, f: _core.bounds_of_bodies([v], [f]),
    "gather": lambda v, f: _core.gather(
        [v], [f], np.ones(1, bool), V[0], np.eye(3), V[0], 16, True
    ),
}
"""


def run(program: str) -> str:
    code = f"import sys; sys.path.insert(0, {TESTS!r})\n{BEGIN}\n{program}"
    command = [sys.executable, "-X", "faulthandler", "-c", code]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended.stdout


def test_bad_meshes_are_refused_by_name() -> None:
    run(f"""
{TAKE_MESHES}
for name, take in TAKE.items():
    for odd in (np.nan, np.inf, -np.inf, 1e300):
        v = V.copy()
        v[5, 1] = odd
        assert "vertices[5] = (" in refused(take, v, F), (name, odd)
    for odd in (len(V), 10**9, -1, -2**31):
        f = F.copy()
        f[7, 2] = odd
        assert "[7] = (" in refused(take, V, f), (name, odd)
    assert "[0] = (" in refused(take, V[:0], F), name
    take(V, F)
""")


def test_what_is_written_to_arrays_later_changes_nothing() -> None:
    """Meshes copy; trees, skins and soups keep what nobody may write to, and copy the rest."""
    run("""
def asked(spoil, first):
    v, f = V.copy(), F.copy()
    mesh, other = impinge.Mesh(v, f), impinge.Mesh(V + 0.3, F)
    tree, dop, skin = _core.Tree(v, f), _core.DopTree(v, f), _core.Skin(v, f)
    soup = _core.Soup([v, V + 0.3], [f, F], [None, None])
    if not first:
        impinge.collide(mesh, other, poses=POSES), tree.refit(v)
    spoil(v, f)
    centre = np.zeros((1, 3))
    return (
        impinge.collide(mesh, other).pairs.tobytes(),
        impinge.collide(mesh, other, poses=POSES).pairs.tobytes(),
        impinge.self_collide(mesh).pairs.tobytes(),
        impinge.distance(mesh, other).value,
        impinge.side(mesh, V[:5]).tobytes(),
        pairs(tree, _core.Tree(V + 0.3, F)),
        len(_core.dop_poses(dop, dop, POSES, "exact", "list", True, False, 1, None)[0]),
        len(_core.ray_contacts([skin, skin], None, NOBODY, [], True, True, 1, None)[0]),
        len(_core.cdfc_collide(soup, centre, "bisector", 0.5, 2.0, True, False, 1, None)[0]),
    )


def bad_faces(v, f):
    f[:] = 10**9


def bad_vertices(v, f):
    v[:] = np.nan


def far_vertex(v, f):
    v[5, 0] = 1e300


for first in (True, False):
    good = asked(lambda v, f: None, first)
    for spoil in (bad_faces, bad_vertices, far_vertex):
        assert asked(spoil, first) == good, spoil
""")


def test_trees_and_skins_refuse_to_move_to_bad_vertices_and_stay_as_they_are() -> None:
    run("""
other = _core.Tree(V + 0.3, F)
tree, skin = _core.Tree(V, F), _core.Skin(V, F)
before = pairs(tree, other)
for bad in (np.full_like(V, np.nan), np.where(V == V[5], 1e300, V), np.full_like(V, np.inf)):
    assert "vertices[" in refused(tree.refit, bad)
    assert "vertices[" in refused(skin.move, bad)
    assert pairs(tree, other) == before
""")


def test_bad_poses_are_refused() -> None:
    run("""
tree, dop = _core.Tree(V, F), _core.DopTree(V, F)
solid = _core.Solid(tree)
for odd in (np.nan, np.inf, 1e300, 1e101):
    poses = POSES.copy()
    poses[1, 0, 2] = odd
    placed = [None, poses[1].tobytes()]
    ask = ([tree, tree], placed, None, NOBODY, True, False, False, 1, None)
    assert "pose 0 " in refused(_core.bvh_scene, *ask)
    assert "pose 1 " in refused(_core.bvh_poses, tree, tree, poses, True, False, 1, None)
    assert "pose 1 " in refused(_core.bvh_collides, tree, tree, poses, True, 1, None)
    assert "pose 1 " in refused(_core.bvh_distances, tree, tree, poses, 1.0, None, 1, None)
    assert "pose 1 " in refused(
        _core.dop_poses, dop, dop, poses, "exact", "list", True, False, 1, None
    )
    assert "pose 1 " in refused(_core.relations, solid, solid, poses, 1, None)
    assert _core.bvh_collides_one(tree, tree, poses[1:2], 1.0, 1e100) is None
""")


def test_questions_about_solids_need_an_inside() -> None:
    run("""
filled, leaky = _core.Solid(_core.Tree(V, F)), _core.Solid(_core.Tree(V, F[1:]))
nothing = _core.Solid(_core.Tree(V, F[:0]))
pair, limit = np.array([[0, 1]], np.int32), np.zeros(1)
for open_one in (leaky, nothing):
    for ask, arguments in (
        (_core.has_core, (open_one, 0.1)),
        (_core.overlap_pieces, (filled, open_one, 1, None)),
        (_core.relations, (open_one, filled, POSES, 1, None)),
        (_core.scene_relations, ([filled, open_one], POSES[:2], None, NOBODY, 1, None)),
        (_core.penetrations, ([filled, open_one], pair, limit, [], 1e-3, 100, 1, None)),
        (_core.way_out, (open_one, filled, np.ones((1, 4)), 0.0)),
    ):
        assert "closed and encloses" in refused(ask, *arguments), ask
""")
