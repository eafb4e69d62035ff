"""What is said about an answer that may lack pairs, or have too many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from impinge.errors import word_list

if TYPE_CHECKING:
    from collections.abc import Mapping

    from impinge._types import Ints

_NAMED = 5


def told(
    names: tuple[str, ...],
    wrong: Mapping[str, Ints],
    counters: Mapping[str, float],
    unseen: Ints,
) -> tuple[str, ...]:
    """One sentence for each reason; `wrong` are bodies by what is wrong with them."""
    texts = {
        "open": "not closed: where an edge is inside cannot be told",
        "clipped": "partly out of view: nothing is found there, and in front of the near plane "
        "faces are missing from the count",
        "turned": "inside out, wholly or in part, and drawn as if these faces were turned around",
        "doubtful": "made of shells that lie on each other with normals inward: which way they "
        "should face cannot be told",
    }
    result = [
        f"{_some(names, wrong[key])} {text}" for key, text in texts.items() if len(wrong[key])
    ]
    if counters.get("negative_pixels"):
        result.append(
            f"at {counters['negative_pixels']:,.0f} pixels there are more backs than fronts"
        )
    if counters.get("saturated_pixels"):
        result.append(
            f"at {counters['saturated_pixels']:,.0f} pixels there are more fronts than the 255 "
            'that a GPU counts, and what is behind them is lost; use device="cpu"'
        )
    if len(unseen):
        some = [f"{names[a]!r} and {names[b]!r}" for a, b in unseen[:_NAMED].tolist()]
        more = f"; {len(unseen) - _NAMED:,} more" if len(unseen) > _NAMED else ""
        result.append(
            f"no image showed an overlap of {len(unseen):,} of the pairs whose boxes overlap: they "
            f"are apart, or it is smaller than a pixel or hidden ({'; '.join(some)}{more})"
        )
    return tuple(result)


def _some(names: tuple[str, ...], which: Ints) -> str:
    """ "bodies 'a', 'b' and 3 more are"."""
    chosen = [names[index] for index in which]
    if len(chosen) == 1:
        return f"body {chosen[0]!r} is"
    more = f" and {len(chosen) - _NAMED:,} more" if len(chosen) > _NAMED else ""
    return f"bodies {word_list(chosen[:_NAMED])}{more} are"
