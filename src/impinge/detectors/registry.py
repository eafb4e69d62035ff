"""Detectors by name, imported when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from impinge.detectors.protocol import CAPABILITIES, Detector
from impinge.errors import CapabilityError, InputError, UnknownMethodError, nearest, word_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_loaders: dict[str, str | Callable[..., Detector]] = {}
_ready: dict[str, Detector] = {}

AUTO = "auto"
FASTEST = "bvh"
"""What "auto" takes: no other was faster on any workload of `impinge bench peers` or `dop`."""


def register(name: str, loader: str | Callable[..., Detector]) -> None:
    """Make a detector known under a name.

    Parameters
    ----------
    name : str
        What `method=` takes.
    loader : callable or str
        The class of the detector, or where it is, as "module:Class"; then it is imported when it
        is first used.

    Raises
    ------
    InputError
        The name is taken.

    See Also
    --------
    impinge.detectors.unregister, impinge.detectors.PairDetector

    Examples
    --------
    >>> import impinge
    >>> from impinge import detectors
    >>> from impinge.detectors.bvh import Bvh
    >>> class Mine(Bvh):
    ...     name = "mine"
    >>> detectors.register("mine", Mine)
    >>> "mine" in impinge.methods()
    True
    >>> detectors.unregister("mine")
    """
    if name in _loaders or name == AUTO:
        raise InputError(f"the method {name!r} is registered already; choose another name")
    _loaders[name] = loader


def unregister(name: str) -> None:
    """Forget a detector that was registered.

    Parameters
    ----------
    name : str
        Its name.

    See Also
    --------
    impinge.detectors.register

    Examples
    --------
    >>> from impinge import detectors
    >>> from impinge.detectors.bvh import Bvh
    >>> detectors.register("mine", Bvh)
    >>> detectors.unregister("mine")
    """
    del _loaders[name]
    _ready.pop(name, None)


def names() -> tuple[str, ...]:
    """Names of all registered detectors, in the order of registration.

    Returns
    -------
    tuple of str
        What `method=` takes, beside "auto".

    See Also
    --------
    impinge.detector : A detector with options.

    Examples
    --------
    >>> import impinge
    >>> impinge.methods()[:3]
    ('bvh', 'brute', 'peel')
    """
    return tuple(_loaders)


def detector(method: str | Detector, **options: Any) -> Detector:
    """The detector of a name, with options.

    Parameters
    ----------
    method : str or Detector
        A name out of `impinge.methods`, or "auto", the fastest. An instance is returned as it is.
    **options
        Options of that detector, see its class in `impinge.detectors`. Without any, the same
        instance is returned every time.

    Returns
    -------
    Detector
        To be passed as `method=`.

    Raises
    ------
    UnknownMethodError
        No detector has this name.
    InputError
        The detector has no such option, or not with this value.

    See Also
    --------
    impinge.methods : The names.

    Examples
    --------
    >>> import impinge
    >>> method = impinge.detector("dop", k=18)
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> len(impinge.collide(sheet, sheet, method=method))
    1
    """
    if not options:
        try:
            return _ready[method]  # type: ignore[index]
        except (KeyError, TypeError):
            pass
    if not isinstance(method, str):
        return _instance(method, options)
    if method == AUTO:
        return detector(FASTEST, **options)
    if method not in _loaders:
        raise UnknownMethodError(method, (*names(), AUTO))
    make = _loaded(_loaders[method])
    if options:
        _check_names(method, make, options)
    made = make(**options)
    if options:
        return made
    return _ready.setdefault(method, made)


def require(chosen: Detector, needs: Iterable[str]) -> None:
    """Raise unless a detector has every capability in a list.

    Parameters
    ----------
    chosen : Detector
        An instance.
    needs : iterable of str
        Keys of `CAPABILITIES`.

    Raises
    ------
    CapabilityError
        It lacks one; the message names the detectors that have it.

    See Also
    --------
    impinge.detectors.CAPABILITIES

    Examples
    --------
    >>> import impinge
    >>> from impinge import detectors
    >>> detectors.require(impinge.detector("ray"), ["pairs"])
    Traceback (most recent call last):
    impinge.errors.CapabilityError: the method 'ray' gives contact points, not pairs of faces: ...
    """
    for need in needs:
        if need not in chosen.capabilities:
            others = [repr(name) for name in names() if need in detector(name).capabilities]
            if need == "gpu_geometry":
                others = ['impinge.detector("peel", device="gpu")']
            use = " or ".join(others)
            if need == "pairs" and "contact_points" in chosen.capabilities:
                raise CapabilityError(
                    f"the method {chosen.name!r} gives contact points, not pairs of faces: ask "
                    f"scene.contact_points or impinge.contact_points for them, or use {use}"
                )
            if need == "pairs" and "overlaps" in chosen.capabilities:
                raise CapabilityError(
                    f"the method {chosen.name!r} gives pairs of bodies, not of faces: ask "
                    f"scene.overlaps, or scene.collide with refine='bvh', or use {use}"
                )
            raise CapabilityError(
                f"the method {chosen.name!r} cannot do {CAPABILITIES[need]}; use {use}"
            )


def _instance(method: object, options: dict[str, Any]) -> Detector:
    if isinstance(method, type) or not isinstance(method, Detector):
        raise InputError(
            f"method must be one of {', '.join(map(repr, names()))} or a Detector instance, "
            f"got {method!r}"
        )
    if options:
        raise InputError("options are for a method given by name; this is an instance already")
    return method


def _check_names(method: str, make: Callable[..., Detector], options: Iterable[str]) -> None:
    """Raise when the detector has no such option."""
    from inspect import signature

    parameters = signature(make).parameters
    if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        return
    known = list(parameters)
    for name in options:
        if name not in known:
            raise InputError(
                f"the method {method!r} has no option {name!r}; "
                f"its options are {word_list(known)}{nearest(name, known)}"
            )


def _loaded(loader: str | Callable[..., Detector]) -> Callable[..., Detector]:
    if not isinstance(loader, str):
        return loader
    module, _, attribute = loader.partition(":")
    made: Callable[..., Detector] = getattr(import_module(module), attribute)
    return made
