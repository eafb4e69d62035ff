"""The verdicts on the parts of an assembly: one row for each two that are not apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, overload

import numpy as np

from impinge._options import choice
from impinge._pairs import pair_keys
from impinge._text import counted, html_table, table
from impinge.results.check_row import CheckRow
from impinge.results.columns import Answer
from impinge.results.relation import Relation
from impinge.results.verdict import CLASHES, Verdict

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    import pandas  # type: ignore[import-untyped]

    from impinge._types import AnyArray, Bools, Bytes, Floats, Ints, Longs, Signs
    from impinge.results.check_row import OverlapPieces
    from impinge.results.collisions import Collisions

_BY_ROW = (
    "bodies",
    "verdicts",
    "reasons",
    "relations",
    "depths",
    "deepest",
    "volumes",
    "distances",
    "points",
    "bounds",
    "tolerances",
    "surfaces",
)
"""Fields with one entry for each row."""

_BY_MILDNESS = (CLASHES, (Verdict.CONTACT,))


class Parts(Protocol):
    """The parts of an assembly as they were."""

    def overlap(self, a: int, b: int) -> OverlapPieces:
        """The boundary of what two of them, both solids, have in common."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class Check(Answer):
    """One row for each pair of bodies that has a verdict, all others are apart; from `Scene.check`.

    `check[i]` and iterating give a `CheckRow`; slices, masks and arrays of indices a `Check`. Rows
    are sorted by their bodies until `sorted` is called. `len(check)` is the number of rows and
    `bool(check)` whether there are any: ask `check.clashes` whether something clashes. Arrays are
    read-only.

    See Also
    --------
    impinge.Scene.check, impinge.results.CheckRow, impinge.results.Verdict

    Examples
    --------
    >>> import impinge
    >>> from impinge import data
    >>> check = impinge.load_scene(data.path("gearbox.glb")).check()
    >>> check
    Check(60 pairs of 44 bodies: 6 clash, 54 contact)
    >>> for row in check.clashes.sorted("depth")[:2]:
    ...     print(row.name_a, row.name_b, round(row.depth, 2), round(row.volume, 1))
    idler-gear breather 3.39 107.3
    cover idler-shaft 3.0 632.9
    """

    bodies: Ints
    """(k, 2) int32: indices of the two bodies, the lower one first."""
    verdicts: AnyArray
    """(k,) text, the values of a `Verdict`."""
    reasons: AnyArray
    """(k,) text, of contacts why they are no clash: "touch" (exactly), "precision" (within the
    tolerance), "facets" (within the sagittas of the facets); "" for other verdicts."""
    relations: Signs
    """(k,) int8, the numbers of a `Relation`, exact; -1 where a part is a surface."""
    depths: Floats
    """(k, 2) between which the depth is for certain; NaN where a part is a surface."""
    deepest: Floats
    """(k, 3) a common point as deep as the lower bound; where there is no overlap, a common point
    of the surfaces, or the middle of the gap."""
    volumes: Floats
    """(k,) of the overlap; NaN where a part is a surface or its own shells overlap."""
    distances: Floats
    """(k,) between the surfaces of parts that are apart; 0 where they share a point."""
    points: Floats
    """(k, 2, 3) the closest points of parts that are apart; NaN where they share a point."""
    bounds: Floats
    """(k, 2, 3) box of where they overlap, touch, cross, or are closest."""
    tolerances: Floats
    """(k,) the tolerance of each pair."""
    surfaces: Bools
    """(k,) whether one of the parts is open, and has no inside."""
    tolerance: float | None
    """The tolerance that was asked for; None: of each pair the precision of its two parts."""
    clearance: float | None
    """The clearance that was asked for; None: none."""
    facets: bool
    """Whether an overlap of facets alone is a contact."""
    names: tuple[str, ...]
    """Names of all bodies of the query."""
    warnings: tuple[str, ...] = field()  # not the default of the base
    """What was done to parts, what cannot be told of them, and what would help."""
    collisions: Collisions
    """The faces that share a point, of all bodies; of the meshes as they were given."""
    _parts: Parts | tuple[Parts, ...]
    pose: Ints | None = None
    """(k,) int32 index of the configuration of each row; None without poses."""

    exact = False
    """Relations are, and depths are between certain bounds; the rest is rounded."""

    @property
    def complete(self) -> bool:  # type: ignore[override]
        """Whether no pair is missing that is not apart."""
        return self.collisions.complete

    @property
    def clashes(self) -> Check:
        """The rows with the verdicts duplicate, inside and clash."""
        return self[np.isin(self.verdicts, CLASHES)]

    @property
    def contacts(self) -> Check:
        """The rows with the verdict contact."""
        return self[np.asarray(self.verdicts == Verdict.CONTACT)]

    @property
    def near(self) -> Check:
        """The rows with the verdict near."""
        return self[np.asarray(self.verdicts == Verdict.NEAR)]

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of rows of each verdict, zero included."""
        return {verdict.value: int((self.verdicts == verdict).sum()) for verdict in Verdict}

    def sorted(self, by: str = "depth") -> Check:
        """The same rows in another order.

        Parameters
        ----------
        by : {"depth", "volume", "distance", "verdict", "bodies"}
            The deepest or largest first, or the closest, with what has none at the end; by verdict:
            clashes, then contacts, each the deepest first, then gaps, the closest first; or by the
            indices of the bodies.

        Returns
        -------
        Check
        """
        deepest, largest = (
            np.where(np.isnan(values), np.inf, -values)
            for values in (self.depths[:, 0], self.volumes)
        )
        mildness = np.select([np.isin(self.verdicts, kinds) for kinds in _BY_MILDNESS], [0, 1], 2)
        orders: dict[str, tuple[AnyArray, ...]] = {
            "bodies": (),
            "depth": (deepest,),
            "volume": (largest,),
            "distance": (self.distances,),
            "verdict": (self.distances, deepest, mildness),
        }
        same = () if self.pose is None else (self.pose,)
        return self[np.lexsort((*self.bodies.T[::-1], *same, *choice("by", by, orders)))]

    def __len__(self) -> int:
        return len(self.bodies)

    @overload
    def __getitem__(self, index: int) -> CheckRow: ...

    @overload
    def __getitem__(self, index: slice | AnyArray | list[int] | list[bool]) -> Check: ...

    def __getitem__(self, index: Any) -> CheckRow | Check:
        if isinstance(index, int | np.integer):
            return self._row(int(index))
        chosen: Any = index
        if not isinstance(index, slice):
            chosen = np.asarray(index)
            if not chosen.size:
                chosen = np.zeros(0, dtype=np.intp)
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        # frozen copies, which owe nothing to the arrays of this one
        own = _BY_ROW if self.pose is None else (*_BY_ROW, "pose")
        return Check(**fields | {name: fields[name][chosen].copy() for name in own})

    def __iter__(self) -> Iterator[CheckRow]:
        return (self._row(index) for index in range(len(self)))

    def _row(self, index: int) -> CheckRow:
        a, b = self.bodies[index].tolist()
        surface, relation = bool(self.surfaces[index]), int(self.relations[index])
        volume = float(self.volumes[index])
        apart = not np.isnan(self.points[index]).any()
        pose = None if self.pose is None else int(self.pose[index])
        return CheckRow(
            a=a,
            b=b,
            name_a=self.names[a],
            name_b=self.names[b],
            verdict=Verdict(str(self.verdicts[index])),
            reason=str(self.reasons[index]) or None,
            relation=None if relation < 0 else Relation(relation),
            depth=None if surface else float(self.depths[index, 0]),
            depth_bounds=None if surface else self.depths[index],
            volume=None if np.isnan(volume) else volume,
            distance=float(self.distances[index]),
            point=self.deepest[index],
            points=self.points[index] if apart else None,
            bounds=self.bounds[index],
            tolerance=float(self.tolerances[index]),
            surface=surface,
            _collisions=self.collisions,
            _rows=self._face_rows(a, b, pose or 0),
            _parts=self._parts[pose or 0] if isinstance(self._parts, tuple) else self._parts,
            pose=pose,
        )

    def _face_rows(self, a: int, b: int, pose: int) -> Longs:
        """The rows of `collisions` that are of two bodies."""
        keys, order, ranks = self._face_order
        key = pair_keys(np.array([(a, b)]))[0]
        index = int(np.searchsorted(keys, key))
        if index == len(keys) or keys[index] != key:
            return order[:0]
        wanted = pose * len(keys) + index
        low, high = np.searchsorted(ranks, [wanted, wanted + 1])
        return order[low:high]

    @cached_property
    def _face_order(self) -> tuple[Longs, Longs, Longs]:
        """Keys of the pairs of bodies; rows by pose and pair, and the ranks of these, sorted."""
        hits = self.collisions
        keys, ranks = np.unique(pair_keys(hits.bodies), return_inverse=True)
        if hits.pose is not None:
            ranks = ranks + hits.pose.astype(np.int64) * len(keys)
        order = np.argsort(ranks, kind="stable")
        return keys, order, ranks[order]

    def to_dict(self) -> dict[str, Any]:
        """The rows as plain numbers, lists and strings; what there is not is None.

        Returns
        -------
        dict
        """
        return {
            "counts": dict(self.counts),
            "names": list(self.names),
            "rows": [row.to_dict() for row in self],
            **self._promise(),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """The rows as JSON text.

        Parameters
        ----------
        indent : int, optional
            Spaces of indentation; None writes one line.

        Returns
        -------
        str
        """
        import json

        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def to_csv(self) -> str:
        """The rows as a table of comma-separated values, with a head; what there is not is empty.

        Returns
        -------
        str

        Examples
        --------
        >>> import impinge
        >>> faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
        >>> scene = impinge.Scene()
        >>> for x in (0, 6):
        ...     _ = scene.add([(x, 0, 0), (x + 6, 0, 0), (x, 6, 0), (x, 0, 6)], faces)
        >>> print(scene.check().to_csv().splitlines()[1][:36])
        body,body-2,contact,touch,touching,0
        """
        import csv
        from io import StringIO

        text = StringIO()
        flat = [row._flat() for row in self]
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self._columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in flat)
        return text.getvalue()

    @property
    def _columns(self) -> tuple[str, ...]:
        return CheckRow._COLUMNS if self.pose is None else (*CheckRow._COLUMNS, "pose")

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a DataFrame with the columns of `to_csv`; needs pandas.

        Returns
        -------
        pandas.DataFrame
        """
        from importlib import import_module

        try:
            frames = import_module("pandas")
        except ImportError as error:
            raise ImportError(
                "to_pandas needs pandas; install it with: pip install pandas"
            ) from error
        frame: pandas.DataFrame = frames.DataFrame(
            [row._flat() for row in self], columns=list(self._columns)
        )
        return frame

    def show(self, *, up: str = "z", path: str | PathLike[str] | None = None) -> Path | None:
        """Look at the verdicts: in the browser, or in a notebook below the cell.

        Parameters
        ----------
        up : {"y", "z"}
            The axis that points up.
        path : str or path, optional
            Write the page to this file and do not open it. It needs no server and no network.

        Returns
        -------
        pathlib.Path or None
            The page that was written; None in a notebook.
        """
        from impinge.view.show import show

        return show(self, up=up, path=path)

    def to_image(self, *, size: tuple[int, int] = (1200, 900), up: str = "z") -> Bytes:
        """A picture of the bodies, what overlaps in red, gaps blue; no browser is needed.

        Parameters
        ----------
        size : (int, int), default (1200, 900)
            Width and height in pixels.
        up : {"y", "z"}
            The axis that points up.

        Returns
        -------
        (height, width, 3) ndarray of uint8
        """
        from impinge.render.picture.views import picture_of

        return picture_of(self, size=size, up=up)

    def _summary(self) -> str:
        told = ", ".join(f"{count:,} {name}" for name, count in self.counts.items() if count)
        pairs = counted(len(self), "pair")
        return f"{pairs} of {counted(len(self.names), 'body')}{': ' if told else ''}{told}"

    def _table(self) -> Iterator[tuple[str, ...]]:
        for row in self:
            depth = "" if row.depth is None else f"{row.depth:.4g}"
            verdict = f"{row.verdict} ({row.reason})" if row.reason else str(row.verdict)
            where = "" if row.pose is None else f"{row.pose}: "
            yield f"{where}{row.name_a} × {row.name_b}", verdict, depth, f"{row.distance:.4g}"

    def __repr__(self) -> str:
        return f"Check({self._summary()})"

    def __str__(self) -> str:
        head = ("", "verdict", "depth", "distance")
        return table(self._summary(), [head, *islice(self._table(), 40)])

    def _repr_html_(self) -> str:
        from impinge.view.show import view_of

        head = ("bodies", "verdict", "depth", "distance")
        rows = html_table(self._summary(), self._table(), head=head, total=len(self))
        return view_of(self) + rows
