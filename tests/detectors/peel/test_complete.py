"""Rays may miss pairs, and the answer says why."""

from __future__ import annotations

from typing import Any

import numpy as np

import impinge
from support.meshes import Arrays, box, grid, sphere


def collide(bodies: list[Arrays], **options: Any) -> impinge.Collisions:
    scene = impinge.Scene()
    for index, body in enumerate(bodies):
        scene.add(*body, name=f"part {index}")
    return scene.collide(method=impinge.detector("peel", device="cpu", **options))


def rays(bodies: list[Arrays], **options: Any) -> impinge.Collisions:
    return collide(bodies, conservative=False, resolution=256, **options)


def test_whole_pixels_are_complete_and_rays_are_not() -> None:
    balls = [sphere(8), (sphere(8)[0] + 0.5, sphere(8)[1])]
    whole = collide(balls)
    assert whole.complete
    assert whole.warnings == ()
    found = rays(balls)
    assert found.exact
    assert not found.complete
    assert "smaller than a pixel" in found.warnings[0]


def test_an_open_surface_across_walls() -> None:
    """The walls run along the axis that would be looked along."""
    flat, faces = grid(12, 12)
    bodies = [(4 * flat + np.array([-2.1, -2.2, 0.51]), faces), box((-1, -1, 0), (1, 1, 1))]
    wanted = len(collide(bodies))
    assert len(rays(bodies)) == wanted > 0
    along = rays(bodies, direction=(1, 0, 0))
    assert len(along) < wanted
    assert any("body 'part 0' is open, and 288 of its faces" in text for text in along.warnings)


def test_layers_that_are_left_out_are_told() -> None:
    balls = [sphere(8, radius=r) for r in (1.0, 0.8, 0.6)]
    few = rays(balls, layers=2)
    assert any("the first 2 of 6 layers" in text for text in few.warnings)
    assert len(rays(balls, layers=6).warnings) == 1
    assert len(rays(balls, layers=2, deeper="mark").warnings) == 1


def test_a_block_around_the_cavity_of_another_is_not_inside() -> None:
    def joined(a: Arrays, b: Arrays) -> Arrays:
        return np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1][:, ::-1] + len(a[0])])

    hollow = joined(box((-4, -4, -4), (4, 4, 4)), box((-1, -1, -1), (1, 1, 1)))
    around, beside = box((-2, -2, -2), (2, 2, 2)), box((2, 2, 2), (3, 3, 3))
    assert rays([around, hollow]).inside.tolist() == []
    assert rays([beside, hollow]).inside.tolist() == [[0, 1]]
