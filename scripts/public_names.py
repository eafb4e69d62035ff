"""Every public name with its signature, one line each; the members of classes are indented.

    python scripts/public_names.py                 # print them
    python scripts/public_names.py --write FILE    # after a change that is meant

A name that is public under several paths is listed under the first of the modules below.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

# None: what the module itself declares in __all__; of one without, its exceptions
MODULES: dict[str, tuple[str, ...] | None] = {
    "impinge": None,
    "impinge.filters": None,
    "impinge.results": None,
    "impinge.errors": None,
    "impinge.io": None,
    "impinge.data": None,
    "impinge.respond": None,
    "impinge.report": None,
    "impinge.robots": None,
    "impinge.simulate": None,
    "impinge.cluster": None,
    "impinge.detectors": None,
    "impinge.detectors.bvh": ("Bvh",),
    "impinge.detectors.brute": ("Brute",),
    "impinge.detectors.dop": ("Dop",),
    "impinge.detectors.peel": ("Peel",),
    "impinge.detectors.cinder": None,
    "impinge.detectors.cdfc": ("Cdfc",),
    "impinge.detectors.ray": ("Ray",),
    "impinge.detectors.proximity": ("Proximity",),
    "impinge.gpu": None,
    "impinge.gpu.bodies": ("GpuBody",),
    "impinge.lab.scenes": None,
    "impinge.lab.chip": None,
}
# what every detector has is told once, by its protocol
_PROTOCOL = {"name", "capabilities", "scene", "poses", "collides", "contact_points", "overlaps"}


def public() -> dict[str, Any]:
    """Objects by their full public name; modules are left out."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    for module, names in MODULES.items():
        room = import_module(module)
        for name in names or getattr(room, "__all__", exceptions_of(room)):
            value = getattr(room, name)
            if not inspect.ismodule(value) and id(value) not in seen:
                seen.add(id(value))
                found[f"{module}.{name}"] = value
    return found


def exceptions_of(room: ModuleType) -> list[str]:
    own = (one for one in vars(room).values() if getattr(one, "__module__", "") == room.__name__)
    return [one.__name__ for one in own if inspect.isclass(one) and issubclass(one, Exception)]


def members(cls: type) -> dict[str, Any]:
    """Public attributes of a class that are ours, its own and inherited ones: fields first."""
    fields = dict.fromkeys(field_defaults(cls))
    own: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.partition(".")[0] == "impinge":
            own |= vars(base)
    told = (
        _PROTOCOL
        if cls.__module__.startswith("impinge.detectors.") and not is_protocol(cls)
        else ()
    )
    named = {
        name: value
        for name, value in sorted(own.items())
        if not name.startswith("_") and name not in fields and name not in told
    }
    return {**fields, **named}


def field_defaults(cls: type) -> dict[str, str]:
    """Fields of a dataclass or a named tuple, each with the text of its default."""
    if dataclasses.is_dataclass(cls):
        return {one.name: _default(one) for one in dataclasses.fields(cls) if one.name[0] != "_"}
    defaults = getattr(cls, "_field_defaults", {})
    return {
        name: f" = {defaults[name]!r}" if name in defaults else ""
        for name in getattr(cls, "_fields", ())
    }


def lines() -> Iterator[str]:
    for name, value in public().items():
        if not inspect.isclass(value):
            yield f"{name}{signature_of(value)}"
            continue
        yield f"{name}{constructor_of(value)}"
        defaults = field_defaults(value)
        for member, inner in members(value).items():
            yield f"  .{member}{defaults.get(member, '') or signature_of(inner)}"


def constructor_of(cls: type) -> str:
    """How users make one: documented by its parameters, or without any."""
    if field_defaults(cls) or is_protocol(cls) or issubclass(cls, enum.Enum):
        return ""
    signature = "" if "__init__" not in vars(cls) else signature_of(cls)
    return signature if signature == "()" or "\nParameters\n" in (inspect.getdoc(cls) or "") else ""


def is_protocol(cls: type) -> bool:
    return bool(getattr(cls, "_is_protocol", False))


def signature_of(value: Any) -> str:
    """Parameters with their defaults; types change more often than what they mean."""
    if isinstance(value, enum.Enum):
        return f" = {value.value!r}"
    if isinstance(value, classmethod | staticmethod):
        value = value.__func__
    if not callable(value):
        return ""
    signature = inspect.signature(value)
    plain = [
        one.replace(annotation=one.empty)
        for name, one in signature.parameters.items()
        if name not in ("self", "cls")
    ]
    return str(signature.replace(parameters=plain, return_annotation=signature.empty))


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return f" = {field.default_factory.__name__}()"
    return "" if field.default is dataclasses.MISSING else f" = {field.default!r}"


def main(arguments: list[str]) -> None:
    text = "\n".join(lines()) + "\n"
    if arguments[:1] == ["--write"]:
        Path(arguments[1]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
