"""Where colliding faces meet: segments, polygons of coplanar overlaps, and joined curves."""

from impinge.contacts.loops import Loop, join_segments
from impinge.contacts.polygons import Polygons
from impinge.contacts.segments import Contacts, meet

__all__ = ["Contacts", "Loop", "Polygons", "join_segments", "meet"]
