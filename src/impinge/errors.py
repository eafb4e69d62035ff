"""Every error the library raises on purpose; each message says what was wrong and what to do."""

from __future__ import annotations

import os
from collections.abc import Iterable


class ImpingeError(Exception):
    """Base of all errors of this library."""


class InputError(ImpingeError, ValueError):
    """An array, option or name that cannot be used."""


class MeshFileError(InputError):
    """A mesh file that cannot be trusted: which file, where in it, and what is wrong."""

    def __init__(self, file: str | os.PathLike[str], place: str, cause: str) -> None:
        super().__init__(os.fspath(file), place, cause)

    @property
    def file(self) -> str:
        return str(self.args[0])

    @property
    def place(self) -> str:
        """Where in the file, as in "byte 84" or "line 12"; empty when it is the whole file."""
        return str(self.args[1])

    @property
    def cause(self) -> str:
        return str(self.args[2])

    def __str__(self) -> str:
        return ": ".join(str(part) for part in self.args if part)


class UnknownMethodError(InputError):
    """A detector name that is not registered."""

    def __init__(self, name: str, names: Iterable[str]) -> None:
        super().__init__(name, tuple(names))

    def __str__(self) -> str:
        name, names = self.args
        return f"method {name!r} is unknown; choose one of {word_list(names)}{nearest(name, names)}"


class CapabilityError(ImpingeError):
    """Something was asked of a detector that it cannot give."""


class Cancelled(ImpingeError):
    """The progress callable returned False."""


class SimulationError(ImpingeError):
    """A simulation that went astray: in which step, which body, how, and what to change."""

    def __init__(self, step: int, body: str, cause: str, advice: str) -> None:
        super().__init__(step, body, cause, advice)

    @property
    def step(self) -> int:
        return int(self.args[0])

    @property
    def body(self) -> str:
        """Name of the first body concerned; empty when it is the whole world."""
        return str(self.args[1])

    def __str__(self) -> str:
        step, body, cause, advice = self.args
        where = f"step {step}, body {body!r}" if body else f"step {step}"
        return f"{where}: {cause}; {advice}"


class MissingDependencyError(ImpingeError, ImportError):
    """An optional package is not installed; the message tells the command that brings it."""

    def __init__(self, package: str, extra: str, purpose: str = "this") -> None:
        super().__init__(package, extra, purpose)

    def __str__(self) -> str:
        package, extra, purpose = self.args
        return f"{purpose} needs {package}: {install_command(extra) or f'pip install {package}'}"


class GpuError(ImpingeError):
    """Something the GPU, its driver or a shader would not do."""


class NoAdapterError(GpuError):
    """No GPU that can be used; the message tells what was found and what to install."""

    def __init__(self, found: Iterable[str]) -> None:
        super().__init__(tuple(found))

    def __str__(self) -> str:
        (found,) = self.args
        return (
            f"no usable GPU; found: {'; '.join(found) or 'none'}. Install a Vulkan, Metal or D3D12 "
            "driver (without a GPU, on Debian: apt-get install mesa-vulkan-drivers libvulkan1), "
            'or use device="cpu"'
        )


class DeviceLostError(GpuError):
    """The driver took the device away, as after a reset; the next query opens a new one."""


class ShaderError(GpuError):
    """A shader that does not compile or does not fit what it is given."""

    def __init__(self, file: str, cause: str) -> None:
        super().__init__(file, cause)

    def __str__(self) -> str:
        return "{}: {}".format(*self.args)


class GpuLimitError(GpuError):
    """More was asked than the adapter allows."""

    def __init__(self, what: str, asked: int, limit: str, allowed: int, cure: str) -> None:
        super().__init__(what, asked, limit, allowed, cure)

    def __str__(self) -> str:
        what, asked, limit, allowed, cure = self.args
        return f"{what} needs {asked:,}, but the adapter allows {allowed:,} ({limit}); {cure}"


def install_command(extra: str) -> str:
    """What installs the packages of an extra, wherever impinge came from; empty if unknown."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        rows = [row.partition(";") for row in requires("impinge") or ()]
    except PackageNotFoundError:
        return ""
    wanted = [
        name.strip() for name, _, mark in rows if f"extra == '{extra}'" in mark.replace('"', "'")
    ]
    return "pip install " + " ".join(f'"{row.strip()}"' for row in wanted) if wanted else ""


def word_list(names: Iterable[str]) -> str:
    """Names as they stand in an error message."""
    return ", ".join(repr(name) for name in names) or "(none)"


def nearest(name: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest of the valid ones, if one is near."""
    from difflib import get_close_matches

    matches = get_close_matches(name, list(names), n=3)
    return f" (did you mean {' or '.join(repr(match) for match in matches)}?)" if matches else ""


def missing(argument: str, name: str, what: str, names: list[str]) -> InputError:
    """There is nothing of that name among the names of `what`."""
    hint = nearest(name, names)
    if not hint:
        more = f" and {len(names) - 10} more" if len(names) > 10 else ""
        hint = f"; the {what} are {word_list(names[:10])}{more}"
    return InputError(f"{argument} {name!r} does not exist{hint}")
