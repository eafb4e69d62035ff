"""Shaders by name: one .wgsl file each, joined with the helpers that its first line names.

"grid" is in the folder `shaders` beside this file, "peel/merge" in the folder of the room that was
added as "peel".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from impinge.errors import ShaderError, nearest

_folders = {"": Path(__file__).with_name("shaders")}
_USES = re.compile(r"// uses: (.+)")
_BINDING = re.compile(
    r"@group\(0\)\s*@binding\((\d+)\)\s*var(?:<(storage|uniform)(?:,\s*(\w+))?>)?\s+"
    r"(\w+)\s*:\s*(\w+)(?:<([^<>]*)>)?"
)


class Binding(NamedTuple):
    """A variable of a shader that is bound from outside."""

    number: int
    space: str
    """"storage", "uniform" or empty, for a texture."""
    access: str
    kind: str
    """Name of its type, such as "texture_2d", and what is between < and > after it."""
    argument: str


@dataclass(frozen=True, eq=False)
class Source:
    """Text of a shader; each one is compiled once per device."""

    name: str
    """Where errors are."""
    code: str
    bindings: dict[str, Binding]


@cache
def source(shader: str | Source) -> Source:
    """A shader with its helpers after it, so that the lines of its own file keep their numbers.

    One that is given as text is returned as it is.
    """
    if isinstance(shader, Source):
        return shader
    code = "\n".join(_files(shader, []))
    return Source(f"{shader}.wgsl", code, _bindings(code))


def after(text: str, shader: str, name: str) -> Source:
    """A shader with another text before it; what is bound is what the shader names."""
    own = source(shader)
    return Source(name, f"{text}\n{own.code}", own.bindings)


def _bindings(code: str) -> dict[str, Binding]:
    return {
        name: Binding(int(number), space, access, kind, argument)
        for number, space, access, name, kind, argument in _BINDING.findall(code)
    }


def add_folder(room: str, package: str) -> None:
    """Make the shaders of a room known, which are in the folder `shaders` of its package."""
    _folders[f"{room}/"] = Path(package) / "shaders"


def names() -> list[str]:
    """All shaders and helpers of the rooms that are in use."""
    return sorted(
        f"{room}{file.stem}" for room, folder in _folders.items() for file in folder.glob("*.wgsl")
    )


def _files(name: str, seen: list[str]) -> list[str]:
    seen.append(name)
    text = _read(name)
    found = _USES.match(text)
    parts = [text]
    for helper in re.split(r"[,\s]+", found[1].strip()) if found else ():
        helper_name = helper.removesuffix(".wgsl")
        if helper_name not in seen:
            parts += _files(helper_name, seen)
    return parts


def _read(name: str) -> str:
    room, slash, file = name.rpartition("/")
    try:
        return (_folders[room + slash] / f"{file}.wgsl").read_text(encoding="utf-8")
    except (KeyError, FileNotFoundError):
        raise ShaderError(f"{name}.wgsl", f"no such shader{nearest(name, names())}") from None
