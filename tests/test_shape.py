"""What is kept with a mesh, and found by many threads."""

from typing import Any

import numpy as np

from impinge._shape import Structures


class Fixed(dict[str, Any]):
    """Out of which nothing is taken."""

    def pop(self, *key: Any) -> Any:
        raise AssertionError(f"{key} was taken out")


def test_what_is_up_to_date_is_there_all_the_time() -> None:
    """Others look for it without a lock: it must not be gone while somebody asks for it."""
    structures, vertices = Structures(), np.zeros((1, 3))
    made = structures.get("tree", vertices, object)
    structures.held = Fixed(structures.held)
    assert structures.get("tree", vertices, object) is made
    assert structures.kept("tree", vertices) is made


def test_what_is_out_of_date_is_updated_or_built_anew() -> None:
    structures, old, new = Structures(), np.zeros((1, 3)), np.ones((1, 3))
    structures.get("tree", old, lambda: "old")
    assert structures.get("tree", new, lambda: "built", lambda kept: f"{kept}, updated") == (
        "old, updated"
    )
    assert structures.get("tree", old, lambda: "built") == "built"
    assert structures.kept("tree", new) is None
