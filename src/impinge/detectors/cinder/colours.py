"""What edges and faces write into the image: numbers that name a body, a face or a normal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from impinge.errors import InputError

if TYPE_CHECKING:
    from impinge._types import AnyArray, Bytes, Floats, Words
    from impinge.detectors.cinder.geometry import Geometry
    from impinge.detectors.cinder.options import CinderOptions

_MOST_SHORT = 65_535
_MOST_WITH_NORMALS = 255


class Colours(NamedTuple):
    """Zero is no colour: what has it cannot be half of a pair."""

    edge: Words
    """(e,) of each edge."""
    face: Words
    """(m,) of each face."""


def colours_of(geometry: Geometry, options: CinderOptions) -> Colours:
    """The colours that the payload asks for."""
    if options.payload == "triangles":
        _check_count(options, int(geometry.first_face[-1]), "faces", _MOST_SHORT)
        start = geometry.first_face
        return Colours(
            _words(start[geometry.edge_body] + geometry.edge_face + 1),
            _words(start[geometry.body] + geometry.face + 1),
        )
    if options.payload == "objects":
        _check_count(options, geometry.bodies, "bodies", _MOST_SHORT)
        return Colours(_words(geometry.edge_body + 1), _words(geometry.body + 1))
    _check_count(options, geometry.bodies, "bodies", _MOST_WITH_NORMALS)
    return _normal_colours(geometry, options.reference)


def _normal_colours(geometry: Geometry, reference: int) -> Colours:
    """Edges of the reference have their normal, faces of the others the id of their body."""
    if reference >= max(geometry.bodies, 1):
        raise InputError(
            f"reference is body {reference}, but the scene has {geometry.bodies} bodies"
        )
    edge = np.zeros(len(geometry.edges), dtype=np.uint32)
    own = geometry.edge_body == reference
    if own.any():
        corners = geometry.vertices[reference][geometry.body_faces[reference]]
        edge[own] = encoded(_unit_normals(corners)[geometry.edge_face[own]])
    return Colours(edge, _words(np.where(geometry.body == reference, 0, geometry.body + 1)))


def _unit_normals(corners: Floats) -> Floats:
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.sqrt((normals**2).sum(axis=1, keepdims=True))
    return np.asarray(np.divide(normals, length, out=np.zeros_like(normals), where=length > 0))


def encoded(normals: Floats) -> Words:
    """(n,) of unit normals (n, 3): a byte for each component, red highest. Never zero."""
    red, green, blue = np.rint(255 * (normals + 1) / 2).astype(np.uint32).T
    return np.asarray(red << 16 | green << 8 | blue)


def decoded(colours: Words) -> Floats:
    """(n, 3) normals of n colours, each component within 1/255."""
    channels = np.stack([colours >> shift & 255 for shift in (16, 8, 0)], axis=1)
    return channels / 127.5 - 1.0


def packed(edge: Words, face: Words, payload: str) -> Bytes:
    """(..., 4) bytes RGBA: two for each, or with normals three and one."""
    shifts = ((16, 8, 0), (0,)) if payload == "normals" else ((8, 0), (8, 0))
    channels = [edge >> shift for shift in shifts[0]] + [face >> shift for shift in shifts[1]]
    return np.stack([channel & 255 for channel in channels], axis=-1).astype(np.uint8)


def unpacked(rgba: Bytes, payload: str) -> tuple[Words, Words]:
    """The two colours of each pixel."""
    red, green, blue, alpha = np.moveaxis(rgba.astype(np.uint32), -1, 0)
    if payload == "normals":
        return red << 16 | green << 8 | blue, alpha
    return red << 8 | green, blue << 8 | alpha


def _check_count(options: CinderOptions, count: int, what: str, most: int) -> None:
    if options.ids == "16bit" and count > most:
        raise InputError(
            f'ids="16bit" holds {most:,} {what} with payload={options.payload!r}, but there are '
            f'{count:,}; use ids="32bit"'
        )


def _words(values: AnyArray) -> Words:
    return np.ascontiguousarray(values, dtype=np.uint32)
