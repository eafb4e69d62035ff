"""The files shipped with the package: an assembly and what is known about it."""

from pathlib import Path

from impinge.errors import InputError

__all__ = ["names", "path"]

_FOLDER = Path(__file__).resolve().parent


def names() -> tuple[str, ...]:
    """The shipped files, sorted."""
    return tuple(sorted(p.name for p in _FOLDER.iterdir() if p.suffix in {".glb", ".json"}))


def path(name: str) -> Path:
    """Where a shipped file is, e.g. `path("gearbox.glb")`."""
    if name not in names():
        raise InputError(
            f"name: no shipped file is called {name!r}; there are {', '.join(names())}"
        )
    return _FOLDER / name
