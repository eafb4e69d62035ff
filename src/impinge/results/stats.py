"""What a query did: times and counters of its stages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from impinge._text import table

if TYPE_CHECKING:
    from impinge._types import Counters

# the stage a counter of the core belongs to, unless its own prefix tells
_STAGE_OF = {
    "node_pairs": "traverse",
    "leaf_pairs": "traverse",
    "clear_sheets": "traverse",
    "joined": "traverse",
    "transforms": "traverse",
    "transforms_saved": "traverse",
    "lists": "traverse",
    "list_pairs": "traverse",
    "leaf_dops": "traverse",
    "candidates": "exact",
    "edge_candidates": "exact",
    "undecided": "exact",
    "hits": "exact",
    "stars": "exact",
    "stars_open": "exact",
    "star_tests": "exact",
    "rebuilds": "refit",
    "refits": "refit",
    "trees": "build",
    "degenerate": "build",
    "rays": "sample",
    "fragments": "sample",
    "layers": "sample",
    "odd_pixels": "sample",
    "passes": "sample",
    "downloaded": "pack",
    "bytes_up": "transfer",
    "bytes_down": "transfer",
    "potentially_colliding": "exact",
    "clipped_objects": "snap",
    "line_fragments": "edges",
    "edge_pixels": "edges",
    "fill_fragments": "count",
    "negative_pixels": "count",
    "saturated_pixels": "count",
    "rounds": "snap",
    "unseen_pairs": "ids",
    "pixels_penetrating": "ids",
    "self_pixels": "ids",
    "stages": "reduce",
    "tests": "exact",
    "clusters": "cluster",
    "copies": "cluster",
    "iterations": "cluster",
    "sweep_pairs": "collect",
    "y_pairs": "collect",
    "z_pairs": "collect",
    "gpu_undecided": "exact",
}
_ORDER = (
    *("near", "build", "refit", "broad", "traverse"),
    *("snap", "transfer", "sample", "merge", "separate", "pack"),
    *("edges", "count", "ids", "reduce", "read", "image"),
    *("gather", "cluster", "pca", "boxes"),
    "exact",
)
_TIME = "_seconds"


@dataclass(frozen=True)
class Stage:
    """One step of a query: how long it took, and what it counted.

    See Also
    --------
    impinge.results.Stats

    Examples
    --------
    >>> from impinge.results import Stage
    >>> Stage("exact", 0.002, {"candidates": 40, "hits": 3}).counters["hits"]
    3
    """

    name: str
    """What is done in this step."""
    seconds: float | None = None
    """Wall time; None was not measured."""
    counters: Mapping[str, float] = field(default_factory=dict)
    """What was counted, by name."""


@dataclass(frozen=True, repr=False)
class Stats:
    """The stages of a query in the order they ran; `stats["candidates"]` finds a counter.

    See Also
    --------
    impinge.Collisions.stats

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> stats = impinge.collide(sheet, sheet).stats
    >>> stats["hits"]
    1
    >>> stats.seconds > 0
    True
    """

    stages: tuple[Stage, ...] = ()
    """In the order in which they ran."""

    @classmethod
    def of(cls, counters: Counters) -> Stats:
        """Group flat counters into stages.

        Parameters
        ----------
        counters : mapping of str to float
            "x_seconds" is the time of stage x; the others belong to the stage of their name.

        Returns
        -------
        Stats
        """
        counted = dict(counters)
        seconds = {key.removesuffix(_TIME): counted[key] for key in counted if _is_time(key)}
        grouped: dict[str, dict[str, float]] = {name: {} for name in seconds}
        for key, value in counted.items():
            if not _is_time(key):
                grouped.setdefault(_stage_of(key, grouped), {})[key] = _plain(value)
        names = [name for name in _ORDER if name in grouped]
        names += [name for name in grouped if name not in _ORDER]
        return cls(tuple(Stage(name, seconds.get(name), grouped[name]) for name in names))

    @property
    def seconds(self) -> float:
        """Time of all measured stages."""
        return float(sum(stage.seconds or 0.0 for stage in self.stages))

    def __getitem__(self, name: str) -> float:
        for stage in self.stages:
            if name in stage.counters:
                return stage.counters[name]
            if name == stage.name + _TIME and stage.seconds is not None:
                return stage.seconds
        raise KeyError(f"{name!r} was not counted; counted are {', '.join(self.keys())}")

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def keys(self) -> tuple[str, ...]:
        """Names of all counters."""
        return tuple(name for stage in self.stages for name in stage.counters)

    def to_dict(self) -> dict[str, Any]:
        """Seconds and counters of each stage, by its name."""
        return {stage.name: {"seconds": stage.seconds, **stage.counters} for stage in self.stages}

    def __repr__(self) -> str:
        return table(
            f"Stats({self.seconds * 1e3:.3f} ms)",
            [_row(stage) for stage in self.stages],
            numbers=False,
        )


def _row(stage: Stage) -> tuple[str, str, str]:
    time = "" if stage.seconds is None else f"{stage.seconds * 1e3:10.3f} ms"
    counts = (f"{name} {value:,}" for name, value in stage.counters.items())
    return stage.name, time, ", ".join(counts)


def _is_time(key: str) -> bool:
    return key.endswith(_TIME)


def _stage_of(key: str, stages: Mapping[str, object]) -> str:
    stage = _STAGE_OF.get(key)
    if stage == "exact" and "intersect" in stages:
        return "intersect"
    if stage is not None:
        return stage
    by_prefix = (name for name in (*stages, *_ORDER) if key.startswith(name + "_"))
    return next(by_prefix, "other")


def _plain(value: float) -> float:
    # the core counts in floats; a whole number reads better as an integer
    return int(value) if value == int(value) else value
