"""Primitives as meshes: closed, around what they stand for, no farther out than the error."""

from __future__ import annotations

import numpy as np
import pytest

from impinge import Mesh
from impinge.errors import InputError
from impinge.robots import primitives

# lengths, and how fine
CASES = [(r, h, e) for r in (0.01, 0.3, 7.0) for h in (0.02, 1.0) for e in (1e-3, 0.03, 5.0)]


def sampled(mesh: Mesh, count: int = 40) -> np.ndarray:
    """Points all over the faces, corners too."""
    i, j = (axis.ravel() for axis in np.meshgrid(np.arange(count + 1), np.arange(count + 1)))
    weights = np.column_stack((i, j, count - i - j))[i + j <= count] / count
    return (
        (weights[None, :, :, None] * mesh.vertices[mesh.faces][:, None]).sum(axis=2).reshape(-1, 3)
    )


def signed(points: np.ndarray, radius: float, half: float, *, flat: bool) -> np.ndarray:
    """How far points are outside a capsule, or a flat cylinder; negative inside."""
    x, y, z = points.T
    if not flat:
        beyond = np.maximum(np.abs(z) - half, 0.0)
        return np.sqrt(x * x + y * y + beyond * beyond) - radius
    side, end = np.hypot(x, y) - radius, np.abs(z) - half
    outside = np.hypot(np.maximum(side, 0.0), np.maximum(end, 0.0))
    return np.where((side <= 0) & (end <= 0), np.maximum(side, end), outside)


@pytest.mark.parametrize(("radius", "length", "error"), CASES)
@pytest.mark.parametrize("kind", ["cylinder", "sphere", "capsule"])
def test_a_mesh_holds_its_primitive_and_is_as_near_as_stated(kind, radius, length, error) -> None:
    if kind == "sphere":
        arrays, half = primitives.sphere(radius, error), 0.0
    else:
        arrays, half = getattr(primitives, kind)(radius, length, error), 0.5 * length
    mesh = Mesh(*arrays)
    report = mesh.report()
    assert report.closed
    assert (report.flipped_edges, report.flipped_components, report.degenerate_faces) == (0, 0, 0)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    assert (np.cross(a, b) * c).sum() > 0.0
    # all of the surface is outside, and its corners, which are farthest, within the error
    out = signed(sampled(mesh, 6), radius, half, flat=kind == "cylinder")
    assert out.min() >= -1e-12 * (radius + length)
    assert out.max() <= error * (1 + 1e-9) + 1e-13 * radius
    # planes of curved faces are outside too: nothing between the samples comes nearer
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    level = (normal * a).sum(axis=1) - np.abs(normal[:, 2]) * half
    curved = np.abs(normal[:, 2]) < 0.999999 if kind == "cylinder" else slice(None)
    assert level[curved].min() >= radius


@pytest.mark.parametrize("kind", ["cylinder", "sphere", "capsule"])
def test_no_more_faces_than_needed(kind: str) -> None:
    """Half the error takes about 1.4 times as many parts around, and twice as many faces."""
    for error in (1e-2, 1e-3, 1e-4):
        rough, fine = (
            len(
                (
                    primitives.sphere(1.0, e)
                    if kind == "sphere"
                    else getattr(primitives, kind)(1.0, 1.0, e)
                )[1]
            )
            for e in (error, error / 4)
        )
        ratio = fine / rough
        assert 1.7 < ratio < 2.3 if kind == "cylinder" else 3.0 < ratio < 5.0


def test_a_box_is_exact() -> None:
    mesh = Mesh(*primitives.box((2.0, 0.5, 1.0)))
    assert mesh.report().closed
    assert mesh.bounds.tolist() == [[-1.0, -0.25, -0.5], [1.0, 0.25, 0.5]]
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    assert (np.cross(a, b) * c).sum() / 6.0 == pytest.approx(1.0)


@pytest.mark.parametrize("kind", ["cylinder", "sphere", "capsule"])
@pytest.mark.parametrize("error", [1e-30, 1e-9])
def test_what_would_be_too_fine_is_refused(kind: str, error: float) -> None:
    with pytest.raises(InputError, match=r"primitive_error .* is too small for a radius of 1; the"):
        primitives.sphere(1.0, error) if kind == "sphere" else getattr(primitives, kind)(
            1, 1, error
        )


def test_primitive_error_is_taken_from_the_caller(robot) -> None:
    text = (
        '<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/></geometry>'
        "</collision></link></robot>"
    )
    rough, fine = robot(text, primitive_error=0.1), robot(text, primitive_error=0.001)
    assert len(rough.meshes["a"]) < len(fine.meshes["a"])
    for bad in (0.0, -1.0, np.nan, "x", True):
        with pytest.raises(InputError, match="primitive_error must be"):
            robot(text, primitive_error=bad)
