"""Bodies that are checked against each other."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from impinge._options import includes_touching, ticking, wants_first, worker_count
from impinge._text import counted, html_table
from impinge.body import Body
from impinge.detectors.protocol import NO_BODIES, ContactsQuery, OverlapsQuery, SceneQuery
from impinge.errors import InputError, listed, nearest
from impinge.mesh import Mesh
from impinge.result import Origin

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from pathlib import Path

    from impinge._types import Ints, Longs, Progress
    from impinge.contacts.overlaps import Overlaps
    from impinge.contacts.points import PointContacts
    from impinge.detectors.protocol import Detector, RawContacts, RawOverlaps, RawPairs
    from impinge.result import Collisions

BodyRef: TypeAlias = "Body | str | int"

# above this many pairs of bodies, ignored ones are dropped from the result instead of listed
_MOST_LISTED_PAIRS = 200_000


class Scene:
    """A set of bodies, each found by name or index; pairs that may meet are ignored."""

    def __init__(self) -> None:
        self._bodies: list[Body] = []
        self._by_name: dict[str, Body] = {}
        self._ignored: set[frozenset[Body]] = set()
        # held during a query, since that refits the trees of bodies which moved
        self._lock = RLock()
        self._asked = False

    @classmethod
    def _of_meshes(cls, meshes: Iterable[Mesh]) -> Scene:
        scene = cls()
        for mesh, letter in zip(meshes, "ab", strict=False):
            scene.add(mesh, name=mesh.name or letter)
        return scene

    def add(
        self, mesh: object, faces: object = None, *, name: str | None = None, pose: object = None
    ) -> Body:
        """Add a mesh, or vertices (n, 3) and `faces` (m, 3), or a body that has no scene.

        A name that is taken gets a number: "bolt", "bolt-2". `pose` (4, 4) moves the body.
        """
        if name is not None and (not isinstance(name, str) or not name):
            raise InputError(f"name must be a string that is not empty, got {name!r}")
        if isinstance(mesh, Body):
            body = self._adopted(mesh, faces, pose)
        else:
            made = Mesh.of(mesh) if faces is None else Mesh(mesh, faces)
            body = Body(made, name=made.name or "body", pose=pose)
        with self._lock:
            body._name = self._free_name(body.name if name is None else name)
            body._scene = self
            self._bodies.append(body)
            self._by_name[body.name] = body
        return body

    def remove(self, body: BodyRef) -> Body:
        """Take a body out, with its ignored pairs; the bodies after it move up one index."""
        with self._lock:
            removed = self[body]
            self._bodies.remove(removed)
            del self._by_name[removed.name]
            self._ignored = {pair for pair in self._ignored if removed not in pair}
            removed._scene = None
        return removed

    def ignore(self, a: BodyRef, b: BodyRef) -> None:
        """Never report this pair of bodies; with a == b, no self-collision of that body."""
        with self._lock:
            self._ignored.add(frozenset((self._body(a, "a"), self._body(b, "b"))))

    @property
    def bodies(self) -> tuple[Body, ...]:
        return tuple(self._bodies)

    @property
    def ignored(self) -> tuple[tuple[Body, Body], ...]:
        """The ignored pairs, in the order of the bodies."""
        with self._lock:
            index = self._indices()
            rows = sorted(_sorted_pair(pair, index) for pair in self._ignored)
            return tuple((self._bodies[i], self._bodies[j]) for i, j in rows)

    def __getitem__(self, key: BodyRef) -> Body:
        return self._body(key, "body")

    def __contains__(self, key: object) -> bool:
        return key._scene is self if isinstance(key, Body) else key in self._by_name

    def __iter__(self) -> Iterator[Body]:
        return iter(self.bodies)

    def __len__(self) -> int:
        return len(self._bodies)

    def __bool__(self) -> bool:
        # an empty scene is still a scene
        return True

    def collide(
        self,
        *,
        method: str | Detector = "bvh",
        touching: str = "include",
        mode: str = "all",
        self_collision: bool = False,
        ignore: Iterable[tuple[BodyRef, BodyRef]] = (),
        report_duplicates: bool = False,
        refine: str | Detector | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Collisions:
        """All colliding pairs of faces of different bodies, and with `self_collision` of the same.

        `touching="exclude"` leaves out pairs that only touch, `mode="first"` gives at most one
        pair per pair of bodies, `ignore` are more pairs of bodies to leave out,
        `report_duplicates` reports equal faces of one body, `workers` is the number of threads
        (None: all cores), `progress` is called with a fraction and cancels by returning False.
        `refine` is the detector that looks for the faces where `method` finds bodies only.
        """
        from impinge.detectors.refine import refining
        from impinge.detectors.registry import detector

        chosen = refining(detector(method), refine)
        query = SceneQuery(
            (),
            touching=includes_touching(touching),
            report_duplicates=bool(report_duplicates),
            first=wants_first(mode),
            workers=worker_count(workers),
            tick=ticking(progress),
        )
        with self._lock:
            ignored = _index_pairs(self._ignored | self._ignored_now(ignore), self._indices())
            query = query._replace(
                shapes=tuple(body._current() for body in self._bodies),
                names=tuple(body.name for body in self._bodies),
                body_pairs=_wanted_pairs(len(self), ignored),
                self_bodies=_wanted_alone(len(self), ignored, self_collision),
            )
            return self._answer(chosen, query, ignored)

    def show(self, *, up: str = "z", path: str | PathLike[str] | None = None) -> Path | None:
        """Look at the bodies as they are now; the arguments are those of `Collisions.show`."""
        from impinge.view.show import show

        return show(self, up=up, path=path)

    def _answer(self, chosen: Detector, query: SceneQuery, ignored: Ints) -> Collisions:
        from impinge.detectors.run import check_capabilities, collisions

        needs = [name for name, asked in _asked(query).items() if asked]
        able = check_capabilities(
            chosen,
            [body.mesh for body in self._bodies if not body._on_gpu],
            needs=needs,
            deformed=any(shape.deformed for shape in query.shapes),
            on_gpu=[body for body in self._bodies if body._on_gpu],
        )
        raw = self._run(able.scene, query)
        if len(ignored) and query.body_pairs is None:
            raw = _without(raw, ignored, len(self))
        origin = Origin(chosen.name, raw.counters, query.shapes, scene=self, names=query.names)
        return collisions(raw, origin)

    def overlaps(
        self,
        *,
        method: str | Detector = "cinder",
        ignore: Iterable[tuple[BodyRef, BodyRef]] = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Overlaps:
        """Pairs of bodies that overlap, each of them closed, as far as an image shows them.

        The arguments are those of `collide`; `collide(method="cinder", refine="bvh")` finds the
        faces of these pairs exactly.
        """
        from impinge.detectors.registry import detector
        from impinge.detectors.run import check_overlaps, overlaps

        chosen = detector(method)
        threads, tick = worker_count(workers), ticking(progress)
        with self._lock:
            ignored = _index_pairs(self._ignored | self._ignored_now(ignore), self._indices())
            query = OverlapsQuery(
                tuple(body._current() for body in self._bodies),
                tuple(body.name for body in self._bodies),
                _wanted_pairs(len(self), ignored),
                threads,
                tick,
            )
            able = check_overlaps(chosen, self._bodies)
            raw = self._run(able.overlaps, query)
        if len(ignored) and query.body_pairs is None:
            raw = _overlaps_without(raw, ignored, len(self))
        origin = Origin(chosen.name, raw.counters, query.shapes, scene=self, names=query.names)
        return overlaps(raw, origin)

    def contacts(
        self,
        *,
        method: str | Detector = "ray",
        self_collision: bool = False,
        ignore: Iterable[tuple[BodyRef, BodyRef]] = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> PointContacts:
        """Pairs of points in which bodies press into each other, for forces that part them.

        `method="ray"` is for closed bodies that overlap, however deeply; `method="proximity"` for
        any bodies that are near each other. The other arguments are those of `collide`.
        """
        from impinge.detectors.registry import detector
        from impinge.detectors.run import check_contacts, check_here, point_contacts

        chosen = detector(method)
        threads, tick = worker_count(workers), ticking(progress)
        with self._lock:
            check_here(self._bodies)
            ignored = _index_pairs(self._ignored | self._ignored_now(ignore), self._indices())
            query = ContactsQuery(
                tuple(body._current() for body in self._bodies),
                tuple(body.mesh._shape for body in self._bodies),
                tuple(body.name for body in self._bodies),
                _wanted_pairs(len(self), ignored),
                _wanted_alone(len(self), ignored, self_collision),
                threads,
                tick,
            )
            needs = {
                "bodies": len(query.shapes) > 2,
                "self": len(query.self_bodies) > 0,
                "deformable": any(shape.deformed for shape in query.shapes),
            }
            able = check_contacts(
                chosen, self._bodies, needs=[name for name, asked in needs.items() if asked]
            )
            raw = self._run(able.contacts, query)
        if len(ignored) and query.body_pairs is None:
            raw = _contacts_without(raw, ignored, len(self))
        origin = Origin(chosen.name, raw.counters, query.shapes, scene=self, names=query.names)
        return point_contacts(raw, origin, with_self=self_collision)

    def _run(self, ask: Callable[[Any], Any], query: Any) -> Any:
        from impinge.detectors.run import run

        if self._asked:
            # the trees are in use: a body that moved meanwhile must not refit its own
            raise InputError("a scene cannot be asked from the progress callable of its own query")
        self._asked = True
        try:
            return run(ask, query)
        finally:
            self._asked = False

    def _ignored_now(self, ignore: Iterable[tuple[BodyRef, BodyRef]]) -> set[frozenset[Body]]:
        result = set()
        for row, pair in enumerate(ignore):
            if isinstance(pair, str) or not isinstance(pair, Iterable) or len(both := [*pair]) != 2:
                raise InputError(f"ignore[{row}] must be a pair of bodies, got {pair!r}")
            result.add(frozenset(self._body(one, f"ignore[{row}]") for one in both))
        return result

    def _indices(self) -> dict[Body, int]:
        return {body: index for index, body in enumerate(self._bodies)}

    def _body(self, key: BodyRef, argument: str) -> Body:
        if isinstance(key, Body):
            if key._scene is not self:
                raise InputError(f"{argument}: {key!r} is not in this scene; add it first")
            return key
        if isinstance(key, str):
            return self._named(key, argument)
        try:
            index = operator.index(key)
        except TypeError:
            raise InputError(
                f"{argument} must be a body, its name or its index, got {type(key).__name__}"
            ) from None
        if not -len(self._bodies) <= index < len(self._bodies):
            raise InputError(f"{argument} {index} does not exist, the scene has {len(self)} bodies")
        return self._bodies[index]

    def _named(self, name: str, argument: str) -> Body:
        try:
            return self._by_name[name]
        except KeyError:
            names = list(self._by_name)
            hint = nearest(name, names)
            if not hint:
                more = f" and {len(names) - 10} more" if len(names) > 10 else ""
                hint = f"; the bodies are {listed(names[:10])}{more}"
            raise InputError(f"{argument} {name!r} does not exist{hint}") from None

    def _adopted(self, body: Body, faces: object, pose: object) -> Body:
        if body._scene is not None:
            where = "this scene" if body._scene is self else "another scene"
            raise InputError(
                f"{body!r} is in {where} already; remove it there, or add its mesh again"
            )
        if faces is not None:
            raise InputError("faces must be left out when a body is added")
        if pose is not None:
            body.pose = pose
        return body

    def _free_name(self, name: str) -> str:
        free, number = name, 1
        while free in self._by_name:
            number += 1
            free = f"{name}-{number}"
        return free

    def __repr__(self) -> str:
        faces = sum(len(body.faces) for body in self._bodies)
        return f"Scene({counted(len(self), 'body')}, {faces:,} faces)"

    def _repr_html_(self) -> str:
        shown = 20
        rows = [(body.name, f"{len(body.faces):,}") for body in self._bodies[:shown]]
        if len(self) > shown:
            rows.append((f"and {len(self) - shown:,} more", ""))
        return html_table(repr(self), rows, head=("body", "faces"))

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            index = self._indices()
            ignored = sorted(_sorted_pair(pair, index) for pair in self._ignored)
            return {"bodies": list(self._bodies), "ignored": ignored}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__()  # type: ignore[misc]
        for body in state["bodies"]:
            self.add(body)
        for a, b in state["ignored"]:
            self.ignore(a, b)

    def __copy__(self) -> Scene:
        # a body is in one scene only: the copy gets its own bodies, of the same meshes
        from copy import copy

        state = self.__getstate__()
        result = Scene()
        result.__setstate__({**state, "bodies": [copy(body) for body in state["bodies"]]})
        return result


def _sorted_pair(pair: frozenset[Body], index: dict[Body, int]) -> tuple[int, int]:
    ids = sorted(index[body] for body in pair)
    return ids[0], ids[-1]


def _index_pairs(pairs: set[frozenset[Body]], index: dict[Body, int]) -> Ints:
    rows = sorted(_sorted_pair(pair, index) for pair in pairs)
    return np.array(rows, dtype=np.int32).reshape(-1, 2)


def _asked(query: SceneQuery) -> dict[str, bool]:
    return {
        "bodies": len(query.shapes) > 2,
        "self": len(query.self_bodies) > 0,
        "first": query.first,
    }


def _wanted_pairs(count: int, ignored: Ints) -> Ints | None:
    """Pairs of bodies to check; None is all, and then ignored ones are dropped from the result."""
    if not len(ignored) or count * (count - 1) // 2 > _MOST_LISTED_PAIRS:
        return None
    wanted = np.triu(np.ones((count, count), dtype=bool), 1)
    wanted[ignored[:, 0], ignored[:, 1]] = False
    return np.argwhere(wanted).astype(np.int32)


def _wanted_alone(count: int, ignored: Ints, self_collision: bool) -> Ints:
    """Bodies to check against themselves."""
    if not self_collision:
        return NO_BODIES
    alone = np.arange(count, dtype=np.int32)
    return np.setdiff1d(alone, ignored[ignored[:, 0] == ignored[:, 1], 0])


def _without(raw: RawPairs, ignored: Ints, count: int) -> RawPairs:
    from impinge.detectors.fallback import selected

    if raw.bodies is None:
        return raw
    dropped = _pair_keys(ignored, count)
    kept = selected(raw, ~np.isin(_pair_keys(raw.bodies, count), dropped))
    if raw.contained is None:
        return kept
    keys = _pair_keys(np.sort(raw.contained, axis=1), count)
    return kept._replace(contained=raw.contained[~np.isin(keys, dropped)])


def _overlaps_without(raw: RawOverlaps, ignored: Ints, count: int) -> RawOverlaps:
    dropped = _pair_keys(ignored, count)
    rows = ~np.isin(_pair_keys(raw.pairs, count), dropped)
    normals = None if raw.normals is None else raw.normals[rows]
    triangles = raw.triangles
    if triangles is not None:
        bodies = np.sort(triangles[:, ::2], axis=1)
        triangles = triangles[~np.isin(_pair_keys(bodies, count), dropped)]
    return raw._replace(
        pairs=raw.pairs[rows], pixels=raw.pixels[rows], triangles=triangles, normals=normals
    )


def _contacts_without(raw: RawContacts, ignored: Ints, count: int) -> RawContacts:
    # the first point of a contact may be that of the later body
    bodies = np.sort(raw.bodies, axis=1)
    rows = ~np.isin(_pair_keys(bodies, count), _pair_keys(ignored, count))
    columns = raw._asdict()
    counters = columns.pop("counters")
    return type(raw)(**{name: column[rows] for name, column in columns.items()}, counters=counters)


def _pair_keys(bodies: Ints, count: int) -> Longs:
    """One number for each pair of bodies."""
    return np.asarray(bodies @ np.array([count, 1], dtype=np.int64), dtype=np.int64)
