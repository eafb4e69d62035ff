"""The bodies of a scene: what it holds, and what it leaves out of every question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import RLock
from typing import TYPE_CHECKING, Any, Self, TypeAlias, overload

import numpy as np

from impinge._pairs import distinct_pairs
from impinge._text import counted, html_table
from impinge.body import Body, find_body, free_name, release_name
from impinge.errors import InputError
from impinge.filters import PairFilter
from impinge.mesh import Mesh

if TYPE_CHECKING:
    from impinge._types import Ints
    from impinge.queries.plan import BodySet

BodyRef: TypeAlias = "Body | str | int"
PairRefs: TypeAlias = "Iterable[tuple[BodyRef, BodyRef]] | PairFilter"


class Bodies:
    """What a scene holds: bodies by name, index or themselves, and the pairs that it ignores."""

    # whether a query runs: whoever else has the lock then is its progress callable
    _asked = False

    def __init__(self) -> None:
        self._bodies: list[Body] = []
        self._by_name: dict[str, Body] = {}
        self._numbers: dict[str, int] = {}
        self._ignored: set[frozenset[Body]] = set()
        self._filters: list[PairFilter] = []
        # what queries need of all this, until it changes
        self._planned: BodySet | None = None
        # held during a query, since that refits the trees of bodies which moved
        self._lock = RLock()

    def add(
        self,
        mesh: object,
        faces: object = None,
        *,
        name: str | None = None,
        pose: object = None,
        groups: str | Iterable[str] | None = None,
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
        groups : str or iterable of str, optional
            What `impinge.filters.groups` finds it by. None leaves those of a `Body` as they are.

        Returns
        -------
        Body
            Assign its `pose` or `vertices` to move or deform it.
        """
        if name is not None and (not isinstance(name, str) or not name):
            raise InputError(f"name must be a string that is not empty, got {name!r}")
        grouped = None if groups is None else _group_names(groups)
        if isinstance(mesh, Body):
            body = self._adopted(mesh, faces, pose)
        else:
            made = Mesh.of(mesh) if faces is None else Mesh(mesh, faces)
            body = Body(made, name=made.name or "body", pose=pose)
            body._scene = self
        with self._lock:
            if grouped is not None:
                body._groups = grouped
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

    @overload
    def ignore(self, a: BodyRef, b: BodyRef) -> None: ...

    @overload
    def ignore(self, a: PairFilter) -> None: ...

    def ignore(self, a: BodyRef | PairFilter, b: BodyRef | None = None) -> None:
        """Never report this pair of bodies, or those that a filter selects.

        Parameters
        ----------
        a, b : Body, str or int
            Two bodies, by name or index; twice the same ignores its self-collision.
        a : PairFilter
            In place of two bodies; bodies that are added later may be selected, too.

        See Also
        --------
        impinge.filters.between, impinge.filters.within

        Examples
        --------
        >>> import impinge
        >>> from impinge.filters import groups, within
        >>> scene, sheet = impinge.Scene(), ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
        >>> for name in ("pelvis", "thigh", "shank"):
        ...     _ = scene.add(*sheet, name=name, groups="leg")
        >>> scene.ignore("pelvis", "thigh")
        >>> [(row.name_a, row.name_b) for row in scene.collide().body_pairs]
        [('pelvis', 'shank'), ('thigh', 'shank')]
        >>> scene.ignore(within(groups("leg")))
        >>> scene.collides()
        False
        """
        with self._lock:
            if isinstance(a, PairFilter):
                if b is not None:
                    raise InputError("b must be left out when a is a filter of pairs")
                a._check(self._bodies)
                self._filters.append(a)
            else:
                if b is None:
                    raise InputError(
                        "b is missing: ignore takes two bodies, or one filter of pairs, "
                        f"got {type(a).__name__}"
                    )
                self._ignored.add(frozenset((self._body(a, "a"), self._body(b, "b"))))
            self._planned = None

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies, in the order in which they were added."""
        return tuple(self._bodies)

    @property
    def ignored(self) -> tuple[tuple[Body, Body], ...]:
        """The ignored pairs, in the order of the bodies; those of filters, too."""
        with self._lock:
            rows = self._ignored_rows(self._ignored, self._filters).tolist()
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
        return True  # an empty scene is still a scene

    def _rows(self, pairs: Iterable[frozenset[Body]]) -> list[tuple[int, int]]:
        """Indices of pairs of bodies, sorted."""
        index = {body: index for index, body in enumerate(self._bodies)}
        ids = (sorted(index[body] for body in pair) for pair in pairs)
        return sorted((own[0], own[-1]) for own in ids)

    def _ignored_rows(
        self, pairs: Iterable[frozenset[Body]], filters: Iterable[PairFilter]
    ) -> Ints:
        """(k, 2) indices of pairs and of what filters select, sorted, each once."""
        rows = [np.array(self._rows(pairs), dtype=np.int32).reshape(-1, 2)]
        rows += [one.selects(self._bodies) for one in filters]
        return rows[0] if len(rows) == 1 else distinct_pairs(np.concatenate(rows))[0]

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
            return {
                "bodies": list(self._bodies),
                "ignored": self._rows(self._ignored),
                "filters": list(self._filters),
            }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__()  # type: ignore[misc]
        for body in state["bodies"]:
            self.add(body)
        for a, b in state["ignored"]:
            self.ignore(a, b)
        self._filters = list(state["filters"])

    def __copy__(self) -> Self:
        # a body is in one scene only: the copy gets its own bodies, of the same meshes
        from copy import copy

        state = self.__getstate__()
        result = type(self)()
        result.__setstate__({**state, "bodies": [copy(body) for body in state["bodies"]]})
        return result


def _group_names(groups: object) -> frozenset[str]:
    names = [groups] if isinstance(groups, str) else groups
    if not isinstance(names, Iterable):
        raise InputError(f"groups must be names of groups, got {type(groups).__name__}")
    found = [*names]
    for name in found:
        if not isinstance(name, str) or not name:
            raise InputError(f"groups must be strings that are not empty, got {name!r}")
    return frozenset(found)
