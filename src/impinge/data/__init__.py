"""The files shipped with the package: an assembly with what is known of it, a robot, a schema."""

from pathlib import Path

from impinge.errors import InputError

__all__ = ["names", "path"]

_FOLDER = Path(__file__).resolve().parent
_SHIPPED = {".glb", ".json", ".srdf", ".urdf"}


def names() -> tuple[str, ...]:
    """Names of the shipped files, sorted.

    Returns
    -------
    tuple of str

    See Also
    --------
    impinge.data.path

    Examples
    --------
    >>> from impinge import data
    >>> data.names()
    ('arm.srdf', 'arm.urdf', 'check.schema.json', 'gearbox.glb', 'gearbox.json')
    """
    return tuple(sorted(p.name for p in _FOLDER.iterdir() if p.suffix in _SHIPPED))


def path(name: str) -> Path:
    """Where a shipped file is.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    pathlib.Path

    See Also
    --------
    impinge.data.names

    Examples
    --------
    >>> from impinge import data
    >>> data.path("gearbox.glb").name
    'gearbox.glb'
    """
    if name not in names():
        raise InputError(
            f"name: no shipped file is called {name!r}; there are {', '.join(names())}"
        )
    return _FOLDER / name
