"""Bodies that are checked against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from impinge._text import counted, html_table
from impinge.body import Body, bodies_of, find_body, free_name
from impinge.errors import InputError
from impinge.mesh import Mesh
from impinge.queries.collide import collisions_of
from impinge.queries.path import checked
from impinge.queries.plan import BodySet

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from impinge._types import Progress
    from impinge.detectors.protocol import Detector
    from impinge.queries.path import Options
    from impinge.results.collisions import Collisions
    from impinge.results.contact_points import ContactPoints
    from impinge.results.overlaps import Overlaps
    from impinge.results.relation import Relations

BodyRef: TypeAlias = "Body | str | int"
PairRefs: TypeAlias = "Iterable[tuple[BodyRef, BodyRef]]"
T = TypeVar("T")


class Scene:
    """A set of bodies that are checked against each other.

    A body is found by its name, its index or itself: `scene["lid"]`, `scene[0]`. Iterating gives
    the bodies in the order in which they were added. One thread at a time asks a scene.

    See Also
    --------
    impinge.load_scene : The parts of an assembly file as a scene.

    Examples
    --------
    >>> import impinge
    >>> import numpy as np
    >>> vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    >>> faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    >>> scene = impinge.Scene()
    >>> anvil = scene.add(vertices, faces, name="anvil")
    >>> hammer = scene.add(vertices + 0.2, faces, name="hammer")
    >>> for pair in scene.collide().body_pairs:
    ...     print(pair.name_a, pair.name_b, pair.count)
    anvil hammer 3

    A body moves by its pose or deforms by its vertices; the scene is then asked again:

    >>> hammer.vertices = vertices + 0.5
    >>> len(scene.collide())
    0
    """

    def __init__(self) -> None:
        self._bodies: list[Body] = []
        self._by_name: dict[str, Body] = {}
        self._ignored: set[frozenset[Body]] = set()
        # what queries need of all this, until it changes
        self._planned: BodySet | None = None
        # held during a query, since that refits the trees of bodies which moved
        self._lock = RLock()
        self._asked = False

    @classmethod
    def _of_meshes(cls, meshes: Sequence[Mesh]) -> Scene:
        scene = cls()
        for body in bodies_of(meshes):
            scene.add(body)
        return scene

    def add(
        self, mesh: object, faces: object = None, *, name: str | None = None, pose: object = None
    ) -> Body:
        """Add a body.

        Parameters
        ----------
        mesh : mesh-like or Body
            See `Mesh.of`; with `faces`, the vertices (n, 3). A `Body` must be in no scene yet.
        faces : (m, 3) array_like of int, optional
            Vertex indices, when `mesh` are vertices.
        name : str, optional
            None takes the name of the mesh. One that is taken gets a number: "bolt", "bolt-2".
        pose : (4, 4) array_like, optional
            World = R v + t.

        Returns
        -------
        Body
            Assign its `pose` or `vertices` to move or deform it.
        """
        if name is not None and (not isinstance(name, str) or not name):
            raise InputError(f"name must be a string that is not empty, got {name!r}")
        if isinstance(mesh, Body):
            body = self._adopted(mesh, faces, pose)
        else:
            made = Mesh.of(mesh) if faces is None else Mesh(mesh, faces)
            body = Body(made, name=made.name or "body", pose=pose)
        with self._lock:
            body._name = free_name(body.name if name is None else name, self._by_name)
            body._scene = self
            self._bodies.append(body)
            self._by_name[body.name] = body
            self._planned = None
        return body

    def remove(self, body: BodyRef) -> Body:
        """Take a body out, with its ignored pairs; the bodies after it move up by one index.

        Parameters
        ----------
        body : Body, str or int
            The body, its name or its index.

        Returns
        -------
        Body
            It can be added to another scene.
        """
        with self._lock:
            removed = self[body]
            self._bodies.remove(removed)
            del self._by_name[removed.name]
            self._ignored = {pair for pair in self._ignored if removed not in pair}
            removed._scene = None
            self._planned = None
        return removed

    def ignore(self, a: BodyRef, b: BodyRef) -> None:
        """Never report this pair of bodies.

        Parameters
        ----------
        a, b : Body, str or int
            Two bodies, by name or index; twice the same ignores its self-collision.
        """
        with self._lock:
            self._ignored.add(frozenset((self._body(a, "a"), self._body(b, "b"))))
            self._planned = None

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies, in the order in which they were added."""
        return tuple(self._bodies)

    @property
    def ignored(self) -> tuple[tuple[Body, Body], ...]:
        """The ignored pairs, in the order of the bodies."""
        with self._lock:
            return tuple((self._bodies[i], self._bodies[j]) for i, j in self._rows(self._ignored))

    def __getitem__(self, key: BodyRef) -> Body:
        return self._body(key, "body")

    def __contains__(self, key: object) -> bool:
        return key._scene is self if isinstance(key, Body) else key in self._by_name

    def __iter__(self) -> Iterator[Body]:
        return iter(self.bodies)

    def __len__(self) -> int:
        return len(self._bodies)

    def __bool__(self) -> bool:
        return True  # an empty scene is still a scene

    def collide(
        self,
        *,
        method: str | Detector = "bvh",
        touching: str = "include",
        mode: str = "all",
        self_collision: bool = False,
        ignore: PairRefs = (),
        report_duplicates: bool = False,
        refine: str | Detector | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Collisions:
        """All pairs of faces of different bodies that share a point.

        Parameters
        ----------
        method, touching, workers, progress
            As for `impinge.collide`.
        mode : {"all", "first"}
            "first" reports at most one pair of faces for each pair of bodies.
        self_collision : bool, default False
            Also report pairs of faces of the same body, as `impinge.self_collide` does.
        ignore : iterable of pairs of bodies
            More pairs of bodies to leave out of this query, by name, index or body.
        report_duplicates : bool, default False
            With `self_collision`, also report faces of one body with the same three corners.
        refine : str or Detector, optional
            For a `method` that finds bodies only ("cinder"): the detector that then looks for the
            faces of the pairs it found.

        Returns
        -------
        Collisions

        See Also
        --------
        impinge.Scene.ignore : Leave out a pair of bodies in every query.
        """
        options = checked(method, touching, mode, workers, progress, duplicates=report_duplicates)
        return self._ask(collisions_of, options, ignore, self_collision, refine)

    def show(self, *, up: str = "z", path: str | PathLike[str] | None = None) -> Path | None:
        """Look at the bodies as they are now: in the browser, or in a notebook below the cell.

        Parameters
        ----------
        up, path
            As for `Collisions.show`.

        Returns
        -------
        pathlib.Path or None
            The page that was written; None in a notebook.
        """
        from impinge.view.show import show

        return show(self, up=up, path=path)

    def overlaps(
        self,
        *,
        method: str | Detector = "cinder",
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Overlaps:
        """Pairs of closed bodies that overlap, as far as an image of the scene shows them.

        Parameters
        ----------
        method : str or Detector, default "cinder"
            Detector of overlaps.
        ignore, workers, progress
            As for `Scene.collide`.

        Returns
        -------
        Overlaps
            May lack pairs that are smaller than a pixel or hidden; `Overlaps.warnings` tells more.

        See Also
        --------
        impinge.Scene.collide : With ``method="cinder", refine="bvh"``, the faces of these pairs.
        impinge.detectors.cinder.Cinder
        """
        from impinge.queries.overlaps import overlaps_of

        return self._ask(overlaps_of, checked(method, workers=workers, progress=progress), ignore)

    def relations(
        self,
        *,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Relations:
        """How closed bodies lie to each other, exactly: one row per pair whose boxes meet.

        Parameters
        ----------
        ignore, workers, progress
            As for `collide`.

        Returns
        -------
        Relations
        """
        from impinge.queries.relation import relations_of

        return self._ask(relations_of, checked("bvh", workers=workers, progress=progress), ignore)

    def contact_points(
        self,
        *,
        method: str | Detector = "ray",
        self_collision: bool = False,
        ignore: PairRefs = (),
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> ContactPoints:
        """Contact points: pairs of points in which bodies press into each other, for forces.

        Parameters
        ----------
        method : {"ray", "proximity"} or Detector
            "ray" takes closed bodies that overlap, however deeply; "proximity" any bodies that are
            near each other.
        self_collision, ignore, workers, progress
            As for `Scene.collide`.

        Returns
        -------
        ContactPoints

        See Also
        --------
        impinge.contact_points, impinge.respond.penalty_forces
        """
        from impinge.queries.contact_points import contact_points_of

        options = checked(method, workers=workers, progress=progress)
        return self._ask(contact_points_of, options, ignore, self_collision)

    def _ask(self, question: Callable[..., T], options: Options, ignore: PairRefs, *more: Any) -> T:
        """The answer about all bodies; nobody else asks meanwhile."""
        with self._lock:
            if self._asked:
                # the trees are in use: a body that moved meanwhile must not refit its own
                raise InputError(
                    "a scene cannot be asked from the progress callable of its own query"
                )
            self._asked = True
            try:
                return question(self._body_set(ignore), options, *more)
            finally:
                self._asked = False

    def _body_set(self, ignore: PairRefs) -> BodySet:
        planned = self._planned
        if planned is not None and type(ignore) is tuple and not ignore:
            return planned
        more = self._ignored_now(ignore)
        bodies = BodySet(self._bodies, self._rows(self._ignored | more), scene=self)
        if not more:
            self._planned = bodies
        return bodies

    def _rows(self, pairs: Iterable[frozenset[Body]]) -> list[tuple[int, int]]:
        """Indices of pairs of bodies, sorted."""
        index = {body: index for index, body in enumerate(self._bodies)}
        ids = (sorted(index[body] for body in pair) for pair in pairs)
        return sorted((own[0], own[-1]) for own in ids)

    def _ignored_now(self, ignore: PairRefs) -> set[frozenset[Body]]:
        result = set()
        for row, pair in enumerate(ignore):
            if isinstance(pair, str) or not isinstance(pair, Iterable) or len(both := [*pair]) != 2:
                raise InputError(f"ignore[{row}] must be a pair of bodies, got {pair!r}")
            result.add(frozenset(self._body(one, f"ignore[{row}]") for one in both))
        return result

    def _body(self, key: BodyRef, argument: str) -> Body:
        return find_body(key, self._bodies, self._by_name, argument)

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

    def __repr__(self) -> str:
        faces = sum(len(body.faces) for body in self._bodies)
        return f"Scene({counted(len(self), 'body')}, {faces:,} faces)"

    def _repr_html_(self) -> str:
        rows = ((body.name, f"{len(body.faces):,}") for body in self._bodies)
        return html_table(repr(self), rows, head=("body", "faces"), total=len(self))

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {"bodies": list(self._bodies), "ignored": self._rows(self._ignored)}

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
