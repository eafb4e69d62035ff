"""The bodies of a scene: what it holds, and what it leaves out of every question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import RLock
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from impinge._text import counted, html_table
from impinge.body import Body, find_body, free_name, release_name
from impinge.errors import InputError
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from impinge.queries.plan import BodySet

BodyRef: TypeAlias = "Body | str | int"
PairRefs: TypeAlias = "Iterable[tuple[BodyRef, BodyRef]]"


class Bodies:
    """What a scene holds: bodies by name, index or themselves, and the pairs that it ignores."""

    # whether a query runs: whoever else has the lock then is its progress callable
    _asked = False

    def __init__(self) -> None:
        self._bodies: list[Body] = []
        self._by_name: dict[str, Body] = {}
        self._numbers: dict[str, int] = {}
        self._ignored: set[frozenset[Body]] = set()
        # what queries need of all this, until it changes
        self._planned: BodySet | None = None
        # held during a query, since that refits the trees of bodies which moved
        self._lock = RLock()

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
            body._scene = self
        with self._lock:
            wanted = body.name if name is None else name
            body._name = free_name(wanted, self._by_name, self._numbers)
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

        Raises
        ------
        InputError
            There is no such body, or the call comes from the progress callable of a query.
        """
        with self._lock:
            if self._asked:
                # in another scene its trees would be refitted, and this query reads them
                raise InputError(
                    "a body cannot be removed in the progress callable of a query of its scene; "
                    "remove it after the query"
                )
            removed = self[body]
            self._bodies.remove(removed)
            del self._by_name[removed.name]
            release_name(removed.name, self._numbers)
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

    def _rows(self, pairs: Iterable[frozenset[Body]]) -> list[tuple[int, int]]:
        """Indices of pairs of bodies, sorted."""
        index = {body: index for index, body in enumerate(self._bodies)}
        ids = (sorted(index[body] for body in pair) for pair in pairs)
        return sorted((own[0], own[-1]) for own in ids)

    def _ignored_now(self, ignore: PairRefs) -> set[frozenset[Body]]:
        result = set()
        if not isinstance(ignore, Iterable):
            raise InputError(f"ignore must be pairs of bodies, got {type(ignore).__name__}")
        for row, pair in enumerate(ignore):
            if isinstance(pair, str) or not isinstance(pair, Iterable) or len(both := [*pair]) != 2:
                raise InputError(f"ignore[{row}] must be a pair of bodies, got {pair!r}")
            result.add(frozenset(self._body(one, f"ignore[{row}]") for one in both))
        return result

    def _body(self, key: BodyRef, argument: str) -> Body:
        return find_body(key, self._bodies, self._by_name, argument)

    def _adopted(self, body: Body, faces: object, pose: object) -> Body:
        if faces is not None:
            raise InputError("faces must be left out when a body is added")
        with body._lock:
            # taken at once: another thread may be adding it to another scene
            owner = body._scene
            if owner is None:
                body._scene = self
        if owner is not None:
            where = "this scene" if owner is self else "another scene"
            raise InputError(
                f"{body!r} is in {where} already; remove it there, or add its mesh again"
            )
        if pose is not None:
            try:
                body.pose = pose
            except BaseException:
                body._scene = None
                raise
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

    def __copy__(self) -> Self:
        # a body is in one scene only: the copy gets its own bodies, of the same meshes
        from copy import copy

        state = self.__getstate__()
        result = type(self)()
        result.__setstate__({**state, "bodies": [copy(body) for body in state["bodies"]]})
        return result
