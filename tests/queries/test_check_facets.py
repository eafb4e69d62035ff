"""Overlaps by facets: round pegs in round holes."""

from __future__ import annotations

import numpy as np
import pytest

import impinge
from impinge import _core
from support.meshes import Arrays, box, merge, moved, pose, posed, sphere
from support.round_parts import prism, ring, sagitta

SEGMENTS = (8, 12, 32, 48, 100, 256)


def row_of(a: Arrays, b: Arrays, **options: object) -> impinge.results.CheckRow | None:
    scene = impinge.Scene()
    scene.add(a)
    scene.add(b)
    found = scene.check(**options)  # type: ignore[arg-type]
    return found[0] if len(found) else None


def pegs(peg: int, hole: int, extra: float, seed: int) -> tuple[Arrays, Arrays]:
    """A peg in its hole, both turned; `extra` is real interference."""
    rng = np.random.default_rng(seed)
    turns = rng.uniform(0, 2 * np.pi, 2)
    world = pose(rng, spread=20.0)
    plate = ring(5.0, 12.0, hole, low=0.0, high=4.0, turn=turns[0])
    return (
        posed(plate, world),
        posed(prism(5.0 + extra, peg, low=-2.0, high=7.0, turn=turns[1]), world),
    )


@pytest.mark.parametrize("hole", SEGMENTS)
@pytest.mark.parametrize("peg", SEGMENTS)
def test_nominal_pegs_are_contacts(peg: int, hole: int) -> None:
    a, b = pegs(peg, hole, 0.0, 100 * peg + hole)
    row = row_of(a, b, facets=True, tolerance=1e-9)
    if row is None:
        # coarse pegs may miss the facets of their hole
        assert sagitta(5.0, hole) < sagitta(5.0, peg)
        return
    assert row.verdict == "contact"
    assert row.reason == "facets"
    assert row.depth is not None
    assert 0 < row.depth <= sagitta(5.0, hole) * 1.001
    plain = row_of(a, b, tolerance=1e-9)
    assert plain is not None
    assert (plain.verdict, plain.reason) == ("clash", None)


@pytest.mark.parametrize("hole", [32, 48, 100, 256])
@pytest.mark.parametrize("peg", [32, 48, 100, 256])
def test_thick_pegs_are_clashes(peg: int, hole: int) -> None:
    row = row_of(*pegs(peg, hole, 0.2, 100 * peg + hole), facets=True, tolerance=1e-9)
    assert row is not None
    assert (row.verdict, row.reason) == ("clash", None)
    assert row.depth is not None
    assert row.depth > 0.15


def test_facets_are_looked_at_where_the_overlap_is() -> None:
    """A coarse hole elsewhere excuses no overlap of flat faces."""
    plate = ring(5.0, 12.0, 16, high=4.0)
    peg = prism(5.0, 24, low=-2.0, high=7.0, turn=0.1)
    fit = row_of(plate, peg, facets=True, tolerance=1e-9)
    assert fit is not None
    assert (fit.verdict, fit.reason) == ("contact", "facets")
    depth = fit.depth
    assert depth is not None
    collar = box((8, -1, 3.98), (10, 1, 6))
    held = merge(peg, collar)
    row = row_of(plate, held, facets=True, tolerance=1e-9)
    assert row is not None
    assert row.depth == pytest.approx(depth, rel=1e-2)
    assert row.verdict == "clash"


def test_flat_overlaps_are_clashes() -> None:
    row = row_of(box(), box((0.999, 0, 0), (2, 1, 1)), facets=True)
    assert row is not None
    assert row.verdict == "clash"


def test_ball_in_its_socket() -> None:
    ball, socket = sphere(12, radius=3.0), sphere(10, radius=3.0)
    block = box((-5, -5, -5), (5, 5, 5))
    hollow = merge(block, (socket[0], socket[1][:, ::-1].copy()))
    row = row_of(hollow, ball, facets=True)
    assert row is not None
    assert (row.verdict, row.reason) == ("contact", "facets")


def test_hexagons_are_not_round() -> None:
    nut = ring(3.0, 8.0, 6)
    bolt = prism(3.05, 6, low=-1, high=2)
    row = row_of(nut, bolt, facets=True)
    assert row is not None
    assert row.verdict == "clash"


@pytest.mark.parametrize("segments", [8, 32, 256])
def test_sagittas_of_a_cylinder(segments: int) -> None:
    vertices, faces = prism(5.0, segments, high=3.0)
    found = _core.sagittas(vertices, faces)
    wall = np.ptp(vertices[faces][:, :, 2], axis=1) > 0
    assert found[wall] == pytest.approx(sagitta(5.0, segments))
    assert (found[~wall] == 0).all()


def test_sagittas_do_not_depend_on_how_facets_are_cut() -> None:
    vertices, faces = prism(5.0, 16, high=3.0)
    corners = vertices[faces]
    centres = corners.mean(axis=1)
    parts = [np.stack((corners[:, k], corners[:, (k + 1) % 3], centres), axis=1) for k in range(3)]
    soup = np.concatenate(parts).reshape(-1, 3)
    found = _core.sagittas(soup, np.arange(len(soup), dtype=np.int32).reshape(-1, 3))
    once = _core.sagittas(vertices, faces)
    assert found == pytest.approx(np.tile(once, 3))


def test_a_flat_beside_a_round_keeps_the_sagitta_of_the_round() -> None:
    """Half a peg: its flat side is far wider than a facet."""
    peg = prism(5.0, 32, high=3.0)
    found = _core.sagittas(moved(peg, (1, 2, 3))[0], peg[1])
    assert found.max() == pytest.approx(sagitta(5.0, 32))
