"""Where the scene is looked at from, and where its points are then in the image.

Pixel (0, 0) is at the top left, x runs to the right, y down, and depth away from the viewer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from impinge._arrays import as_direction, as_vectors
from impinge.detectors.image.view import DEPTHS, SUBPIXELS, frame_of
from impinge.detectors.image.view import View as Image
from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import Floats, Ints

NEAREST = 16
"""Depths 0 to 15 are before all that is drawn: 0 is a pixel without an edge."""
_RANGE = DEPTHS - 2 * NEAREST
# near and far planes beyond the outermost points by this share, so that rounding clips nothing
_SPARE = 1e-6
_NEAREST_SHARE = 1e-3


@dataclass(frozen=True, eq=False)
class View:
    """A way to look at a scene; what is left out is fitted to the scene of each query.

    Made by `View.orthographic` or `View.perspective`.

    See Also
    --------
    impinge.detectors.cinder.Cinder

    Examples
    --------
    >>> from impinge.detectors.cinder import View
    >>> view = View.orthographic((0, 0, -1), up=(0, 1, 0))
    >>> view.direction.tolist()
    [0.0, 0.0, -1.0]
    """

    direction: Floats | None = None
    """(3,) float64: where to look."""
    up: Floats | None = None
    """(3,) float64: what points up in the image."""
    box: Floats | None = None
    """(2, 3) float64: lowest and highest corner of what is looked at."""
    eye: Floats | None = None
    """(3,) float64: where the rays of a perspective view start."""
    fov: float | None = None
    """Degrees from side to side."""
    near: float | None = None
    """Smallest distance from the eye."""
    far: float | None = None
    """Largest distance from the eye."""

    @classmethod
    def orthographic(
        cls, direction: object = None, *, up: object = None, box: object = None
    ) -> View:
        """Parallel rays along a direction.

        Parameters
        ----------
        direction : (3,) array_like, optional
            None is along the shortest side of the scene.
        up : (3,) array_like, optional
            What points up in the image.
        box : (2, 3) array_like, optional
            Lowest and highest corner of what is looked at; None is all.

        Returns
        -------
        View
        """
        return cls(
            None if direction is None else as_direction(direction, "direction"),
            None if up is None else as_direction(up, "up"),
            None if box is None else _as_box(box),
        )

    @classmethod
    def perspective(
        cls,
        eye: object,
        target: object,
        *,
        fov: float | None = None,
        near: float | None = None,
        far: float | None = None,
        up: object = None,
    ) -> View:
        """Rays from a point.

        Parameters
        ----------
        eye, target : (3,) array_like
            Where the rays start, and a point on the middle one.
        fov : float, optional
            Degrees from side to side.
        near, far : float, optional
            Limits of the distance from the eye. Left out, all that is in front of the eye is held.
        up : (3,) array_like, optional
            What points up in the image.

        Returns
        -------
        View
        """
        start, end = _as_point(eye, "eye"), _as_point(target, "target")
        if np.array_equal(start, end):
            raise InputError("eye and target must be different points")
        if fov is not None and not (_is_number(fov) and 0 < fov < 180):
            raise InputError(f"fov must be between 0 and 180 degrees, got {fov!r}")
        for name, value in (("near", near), ("far", far)):
            if value is not None and not (_is_number(value) and 0 < value < math.inf):
                raise InputError(f"{name} must be a positive distance, got {value!r}")
        if near is not None and far is not None and not near < far:
            raise InputError(f"near must be less than far, got {near!r} and {far!r}")
        return cls(
            as_direction(end - start, "target"),
            None if up is None else as_direction(up, "up"),
            eye=start,
            fov=fov,
            near=near,
            far=far,
        )

    def fitted(self, points: Floats, resolution: int) -> Projection:
        """The view of a scene.

        Parameters
        ----------
        points : (n, 3) ndarray of float64
            All points of the scene.
        resolution : int
            Pixels on a side of the image.

        Returns
        -------
        Projection
        """
        if self.eye is None:
            seen = points if self.box is None else self.box
            return Orthographic(Image.fit(seen, resolution, self.direction, self.up))
        assert self.direction is not None
        return Perspective.fit(self, frame_of(self.direction, self.up), points, resolution)


class Projection(Protocol):
    """A view fitted to a scene."""

    @property
    def resolution(self) -> int:
        """Pixels on a side."""

    def homogeneous(self, vertices: Floats) -> Floats:
        """(n, 4): x, y, depth times w, and w. The view holds 0 <= x, y <= W w, 0 <= depth <= w."""

    def depths_nearer(self, depths: Ints, distance: float) -> Ints:
        """Whole depths of points that are moved towards the viewer."""


@dataclass(frozen=True, eq=False)
class Orthographic:
    """Parallel rays."""

    image: Image

    @property
    def resolution(self) -> int:
        return self.image.resolution

    def homogeneous(self, vertices: Floats) -> Floats:
        steps = ((vertices - self.image.centre) @ self.image.frame.T) * self.image.scales
        result = np.ones((len(vertices), 4))
        result[:, :2] = self.resolution / 2 + steps[:, :2] / SUBPIXELS
        result[:, 2] = (DEPTHS / 2 - NEAREST + steps[:, 2]) / _RANGE
        return result

    def depths_nearer(self, depths: Ints, distance: float) -> Ints:
        steps = min(round(min(distance * self.image.depth_scale, DEPTHS)), DEPTHS)
        moved: Ints = np.maximum(depths - steps, NEAREST)
        return moved


@dataclass(frozen=True, eq=False)
class Perspective:
    """Rays from an eye; depth is what stays linear in the image, (1/near - 1/z) scaled to 0..1."""

    resolution: int
    eye: Floats
    frame: Floats
    slope: float
    """Half the width of the image at distance one."""
    near: float
    far: float

    @classmethod
    def fit(cls, view: View, frame: Floats, points: Floats, resolution: int) -> Perspective:
        assert view.eye is not None
        seen = (points - view.eye) @ frame.T
        deepest = float(seen[:, 2].max(initial=0.0))
        nearest = float(seen[:, 2].min(initial=deepest))
        far = view.far or max(deepest * (1 + _SPARE), 2 * (view.near or 0.0)) or 1.0
        # an eye within the scene has something behind it, which no near plane holds
        near = view.near or max(min(nearest * (1 - _SPARE), far / 2), far * _NEAREST_SHARE)
        slope = math.tan(math.radians(view.fov or 90.0) / 2)
        front = seen[seen[:, 2] >= near]
        if view.fov is None and len(front):
            widest = float((np.abs(front[:, :2]).max(axis=1) / front[:, 2]).max())
            # with a pixel to spare on each side
            slope = max(widest, 1e-9) * resolution / (resolution - 2)
        return cls(resolution, view.eye, frame, slope, near, far)

    def homogeneous(self, vertices: Floats) -> Floats:
        seen = (vertices - self.eye) @ self.frame.T
        half = self.resolution / 2
        away = seen[:, 2]
        return np.column_stack(
            [
                half * (away + seen[:, 0] / self.slope),
                half * (away + seen[:, 1] / self.slope),
                (away - self.near) * (self.far / (self.far - self.near)),
                away,
            ]
        )

    def depths_nearer(self, depths: Ints, distance: float) -> Ints:
        share = (depths - NEAREST) / _RANGE
        away = 1 / (1 / self.near - share * (1 / self.near - 1 / self.far))
        away = np.maximum(away - distance, self.near)
        share = (1 / self.near - 1 / away) / (1 / self.near - 1 / self.far)
        moved: Ints = (NEAREST + np.rint(share * _RANGE)).astype(np.int32)
        return moved


def project(view: Projection, vertices: Floats) -> Floats:
    """(n, 3) pixels to the right and down, and depth from 0 to 1, of vertices that are in view."""
    points = view.homogeneous(vertices)
    return np.asarray(points[:, :3] / points[:, 3:])


def snap(view: Projection, points: Floats) -> Ints:
    """(n, 3) int32 of `homogeneous` points in view: x and y in 1/256 pixel, depth in 23 bits."""
    flat = points[:, :3] / points[:, 3:]
    steps = flat * np.array([SUBPIXELS, SUBPIXELS, _RANGE])
    limit = np.array([SUBPIXELS * view.resolution, SUBPIXELS * view.resolution, _RANGE])
    whole: Ints = np.clip(np.rint(steps), 0, limit).astype(np.int32)
    whole[:, 2] += NEAREST
    return whole


def _as_point(value: object, argument: str) -> Floats:
    point = as_vectors(value, argument)
    if point.shape != (3,):
        raise InputError(f"{argument} must have shape (3,), got {point.shape}")
    return point


def _as_box(value: object) -> Floats:
    box = as_vectors(value, "box")
    if box.shape != (2, 3) or not (box[0] <= box[1]).all():
        raise InputError(f"box must be (2, 3), the lowest corner and the highest, got {value!r}")
    return box


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
