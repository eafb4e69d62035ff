"""What `show` and notebooks make of a result or a scene."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING

from impinge._outputs import write_text
from impinge.render.bodies import ShownBodies
from impinge.render.drawing import Drawing
from impinge.render.page import embed
from impinge.render.page.snapshot import Snapshot, of_drawing, still
from impinge.render.picture.camera import check_up

if TYPE_CHECKING:
    import os

    from impinge.results.check import Check
    from impinge.results.collisions import Collisions
    from impinge.scene import Scene

    Result = Collisions | Check

# the answer of a notebook is saved with it: what has more triangles has no view in it
_MOST_TRIANGLES = 60_000
_HEIGHT = 420


def show(what: Result | Scene, *, up: str, path: str | os.PathLike[str] | None) -> Path | None:
    """Open a page about it in the browser, or in a notebook below the cell.

    With a `path` the page is written there and not opened.
    """
    check_up(up)
    now, title = _snapshot(what, up), _title(what)
    if path is None and _in_notebook():
        from IPython.display import HTML, display

        display(HTML(embed.framed(now, title, height=_HEIGHT)))
        return None
    page = embed.alone(now, title)
    if path is not None:
        write_text(path, page)
        return Path(path)
    import webbrowser

    handle, name = mkstemp(prefix="impinge-", suffix=".html")
    with open(handle, "w", encoding="utf-8") as file:
        file.write(page)
    webbrowser.open(Path(name).as_uri())
    return Path(name)


def view_of(result: Result) -> str:
    """A small view for a notebook; empty where there is nothing to look at."""
    from impinge.results.check import Check

    hits = result.collisions if isinstance(result, Check) else result
    shapes = hits._origin.shapes
    if hits.pose is not None or any(shape.on_gpu for shape in shapes):
        return ""
    faces = sum(len(shape.faces) for shape in shapes)
    if not 0 < faces <= _MOST_TRIANGLES:
        return ""
    return embed.framed(_snapshot(result, "z"), _title(result), height=_HEIGHT)


def _snapshot(what: Result | Scene, up: str) -> Snapshot:
    from impinge.scene import Scene

    if not isinstance(what, Scene):
        return of_drawing(Drawing(what, up), title=_title(what))
    shapes = tuple(body._current() for body in what)
    bodies = ShownBodies.of([body.name for body in what], shapes, up=up)
    return Snapshot(1, bodies, shapes, None, still(_title(what)))


def _title(what: Result | Scene) -> str:
    return repr(what)


def _in_notebook() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and hasattr(shell, "kernel")
