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
    """Make a detector known: `loader` is its class, or where it is as "module:Class"."""
    if name in _loaders or name == AUTO:
        raise InputError(f"the method {name!r} is registered already; choose another name")
    _loaders[name] = loader


def unregister(name: str) -> None:
    """Forget a detector that was registered."""
    del _loaders[name]
    _ready.pop(name, None)


def names() -> tuple[str, ...]:
    """Names of all registered detectors, in the order of registration."""
    return tuple(_loaders)


def detector(method: str | Detector, **options: Any) -> Detector:
    """The detector of a name; one with `options` is made anew, an instance is returned as it is.

    "auto" is the one that is fastest.
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
    """Raise unless the detector has every capability of `needs`."""
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
