"""Trees of shapes: kept, refitted or built, several of them side by side."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from impinge._shape import Shape


class Trees(NamedTuple):
    """Trees of one sort, in local coordinates, so that moving a rigid body costs nothing."""

    key: str
    """By which they are kept with a shape."""
    build: Callable[..., Any]
    """Of vertices, faces and `workers`."""
    build_all: Callable[..., list[Any]]
    """Of lists of them."""

    def of(
        self, shapes: Sequence[Shape], workers: int, counters: dict[str, float] | None = None
    ) -> list[Any]:
        """The trees of several shapes; `counters` tell which were built or refitted."""
        # asked as often as bodies move: no call of `kept` for each of them
        key = self.key
        try:
            kept = [
                held[1] if (held := shape.local_structures.held[key])[0] is shape.local else None
                for shape in shapes
            ]
        except KeyError:
            kept = [None]
        if all(kept):
            return kept
        spent = {} if counters is None else counters
        # shapes of one mesh share their structures
        new = {
            id(shape.local_structures): shape
            for shape in shapes
            if not shape.local_structures.holds(self.key)
        }
        if len(new) > 1:
            start = perf_counter()
            built = self.build_all(
                [shape.local for shape in new.values()],
                [shape.faces for shape in new.values()],
                workers=workers,
            )
            _add(spent, build_seconds=perf_counter() - start, trees=len(new))
            for shape, tree in zip(new.values(), built, strict=True):
                shape.local_structures.get(self.key, shape.local, partial(_same, tree))
        return [self.of_one(shape, workers, spent) for shape in shapes]

    def of_one(self, shape: Shape, workers: int, counters: dict[str, float] | None = None) -> Any:
        """The tree of a shape before its pose."""
        kept = shape.local_structures.kept(self.key, shape.local)
        if kept is not None:
            return kept
        spent = {} if counters is None else counters

        def build() -> Any:
            start = perf_counter()
            tree = self.build(shape.local, shape.faces, workers=workers)
            _add(spent, build_seconds=perf_counter() - start, trees=1)
            return tree

        def refit(tree: Any) -> Any:
            start = perf_counter()
            rebuilt = tree.refit(shape.local, workers)
            _add(spent, refit_seconds=perf_counter() - start, refits=1, rebuilds=int(rebuilt))
            return tree

        return shape.local_structures.get(self.key, shape.local, build, refit)


def _same(tree: Any) -> Any:
    return tree


def _add(spent: dict[str, float], **amounts: float) -> None:
    for name, amount in amounts.items():
        spent[name] = spent.get(name, 0) + amount
