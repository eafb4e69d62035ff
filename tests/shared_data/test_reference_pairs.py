"""The exact pair sets that come with the data, and each difference of definition, pair by pair."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import impinge
from conformance.methods import able, judged
from shared_data.readers import bodies, pair_table, read
from support import rational
from support.meshes import Arrays

# Reference file of self pairs: the mesh it is about.
SELF = {
    "dynamic__cloth-ball__cloth_ball92": "dynamic/cloth-ball/cloth_ball92.ply",
    "dynamic__cloth-funnel__227": "dynamic/cloth-funnel/227.ply",
    "dynamic__dress__drape": "dynamic/dress/drape.obj",
    "dynamic__kick__shell45": "dynamic/kick/shell45.obj",
    "dynamic__two-cubes__two-cubes-intersecting": "dynamic/two-cubes/two-cubes-intersecting.ply",
    "nasty__40509": "nasty/40509.stl",
    "nasty__cycloidal_soup": "nasty/cycloidal_soup.ply",
    "nasty__self_intersectA": "nasty/self_intersectA.obj",
    "nasty__three_cubes": "nasty/three_cubes.stl",
    "nasty__two_spheres": "nasty/two_spheres.stl",
}
FOLDS_BEYOND = {"nasty__cycloidal_soup": 180}
BETWEEN = {
    "Havocglass8_left_x_Havocglass8_right": (
        "nasty/Havocglass8_left.obj",
        "nasty/Havocglass8_right.obj",
    ),
    "ballA_x_ballB": ("nasty/ballA.off", "nasty/ballB.off"),
    "self_intersectA_x_self_intersectB": (
        "nasty/self_intersectA.obj",
        "nasty/self_intersectB.obj",
    ),
}


def triangle(mesh: Arrays, face: int) -> np.ndarray:
    return mesh[0][mesh[1][face]]


def as_set(pairs: np.ndarray) -> set[tuple[int, int]]:
    return set(map(tuple, np.asarray(pairs).tolist()))


def test_every_reference_is_listed(shared_data: Path) -> None:
    found = {p.name.removesuffix(".csv") for p in (shared_data / "reference-cgal").glob("*.csv")}
    known = {f"{name}.selfpairs" for name in SELF} | set(BETWEEN) | {"fertility_x_spheres_a"}
    assert found == known


def misses_rounded_plane(point: np.ndarray, through: np.ndarray) -> bool:
    """Is a point off the plane of a triangle when the plane's coefficients are float64?

    The reference decides whether two faces with a common edge are coplanar this way: an exact sign,
    but of a plane a x + b y + c z + d whose a, b, c, d were rounded.
    """
    p, q, r = through.tolist()
    u, v = ([end[k] - r[k] for k in range(3)] for end in (p, q))
    a = u[1] * v[2] - v[1] * u[2]
    b = u[2] * v[0] - v[2] * u[0]
    c = u[0] * v[1] - v[0] * u[1]
    d = -a * r[0] - b * r[1] - c * r[2]
    x, y, z = map(Fraction, point.tolist())
    return Fraction(a) * x + Fraction(b) * y + Fraction(c) * z + Fraction(d) != 0


def is_fold_beyond_the_reference(first: np.ndarray, second: np.ndarray) -> bool:
    """A coplanar fold over a common edge that a rounded plane hides, seen from either face."""
    shared = (first[:, None] == second[None]).all(axis=2)
    if np.count_nonzero(shared) != 2 or rational.self_kind(first, second) != rational.COPLANAR:
        return False
    lone_first, lone_second = first[~shared.any(axis=1)][0], second[~shared.any(axis=0)][0]
    return misses_rounded_plane(lone_first, second) or misses_rounded_plane(lone_second, first)


@pytest.mark.parametrize("method", able("pairs", "self"))
@pytest.mark.parametrize("name", SELF)
def test_self_pairs(shared_data: Path, name: str, method: str) -> None:
    """The reference misses folds whose common plane it rounds; nothing else differs."""
    mesh = read(shared_data / SELF[name])
    reference = as_set(pair_table(shared_data / "reference-cgal" / f"{name}.selfpairs.csv"))
    found = as_set(impinge.self_collide(mesh, method=method).pairs)
    assert reference <= found, sorted(reference - found)[:10]
    for i, j in found - reference:
        assert is_fold_beyond_the_reference(triangle(mesh, i), triangle(mesh, j)), (i, j)
    assert len(found - reference) == FOLDS_BEYOND.get(name, 0)


@pytest.mark.parametrize("method", able("pairs"))
@pytest.mark.parametrize("name", BETWEEN)
def test_pairs(shared_data: Path, name: str, method: str) -> None:
    """Between two meshes the reference leaves out what meets only in points with equal coordinates.

    For us nothing is shared between two bodies, so exactly those pairs are found besides.
    """
    a, b = (read(shared_data / file) for file in BETWEEN[name])
    reference = as_set(pair_table(shared_data / "reference-cgal" / f"{name}.csv"))
    found = as_set(impinge.collide(a, b, method=method).pairs)
    assert reference <= found, sorted(reference - found)[:10]
    for i, j in found - reference:
        pair = triangle(a, i), triangle(b, j)
        assert rational.kind(*pair) != rational.NONE, (i, j)
        assert rational.self_kind(*pair) == rational.NONE, (i, j)


@pytest.mark.parametrize("method", judged("pairs", "bodies"))
def test_fertility_and_spheres(shared_data: Path, method: str) -> None:
    reference = pair_table(shared_data / "reference-cgal" / "fertility_x_spheres_a.csv")
    scene = impinge.Scene()
    scene.add(read(shared_data / "single" / "fertility.obj"), name="fertility")
    for name, mesh in bodies(shared_data / "assembly" / "spheres_a.ply"):
        scene.add(mesh, name=name)
    hits = scene.collide(method=method)
    assert np.all(hits.bodies[:, 0] == 0), "the spheres are disjoint"
    counts = np.bincount(hits.bodies[:, 1] - 1, minlength=len(scene.bodies) - 1)
    assert np.array_equal(reference, np.column_stack([np.arange(len(counts)), counts]))


EXACT = [
    "assembly/arch_101",
    "assembly/bolt",
    "assembly/card_house_4",
    "assembly/fracture_wall",
    "assembly/gears_chain",
    "assembly/piston",
    "assembly/punching_press",
    "assembly/staircase_koroibot",
    "bim/pcert_bridge",
    "bim/pcert_building",
    "robots/fanuc_collision",
    "robots/panda_collision",
]


def test_every_exact_reference_is_listed(shared_data: Path) -> None:
    found = {p.name for p in (shared_data / "reference-exact").iterdir()}
    assert found == {name.replace("/", "__") + ".bodypairs.csv" for name in EXACT}


@pytest.mark.parametrize("method", able("pairs", "bodies"))
@pytest.mark.parametrize("name", EXACT)
def test_body_pairs(shared_data: Path, name: str, method: str) -> None:
    file = name.replace("/", "__") + ".bodypairs.csv"
    reference = pair_table(shared_data / "reference-exact" / file)
    scene = impinge.Scene()
    for label, mesh in bodies(shared_data / f"{name}.ply"):
        scene.add(mesh, name=label)
    hits = scene.collide(method=method)
    which, counts = np.unique(hits.bodies, axis=0, return_counts=True)
    found = np.column_stack([which, counts]).reshape(-1, 3)
    assert np.array_equal(found, reference.reshape(-1, 3)), as_set(found) ^ as_set(reference)
