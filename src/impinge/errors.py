"""Every error the library raises on purpose; each message says what was wrong and what to do."""

from __future__ import annotations

import os
from collections.abc import Iterable

from impinge._text import one_line


class ImpingeError(Exception):
    """Base of all errors of this library.

    Examples
    --------
    >>> import impinge
    >>> try:
    ...     impinge.load_mesh("missing.stl")
    ... except impinge.ImpingeError as error:
    ...     print(error)
    missing.stl: no such file
    """


class InputError(ImpingeError, ValueError):
    """An array, option or name that cannot be used. Also a `ValueError`.

    Examples
    --------
    >>> import impinge
    >>> impinge.Mesh([(0, 0, 0)], [(0, 1, 2)])
    Traceback (most recent call last):
    impinge.errors.InputError: faces[0] = (0, 1, 2) has index 1, but valid indices are ...
    """


class MeshFileError(InputError):
    """A mesh file that cannot be trusted: which file, where in it, and what is wrong.

    Parameters
    ----------
    file : str or path
        The file.
    place : str
        Where in it, as in "byte 84" or "line 12"; "" is the whole file.
    cause : str
        What is wrong.

    Examples
    --------
    >>> from impinge.errors import MeshFileError
    >>> print(MeshFileError("gear.stl", "byte 84", "ends too early"))
    gear.stl: byte 84: ends too early
    """

    def __init__(self, file: str | os.PathLike[str], place: str, cause: str) -> None:
        # names come from files, and could tell a terminal what to do
        super().__init__(os.fspath(file), one_line(place), one_line(cause))

    @property
    def file(self) -> str:
        """Path of the file, as it was given."""
        return str(self.args[0])

    @property
    def place(self) -> str:
        """Where in the file, as in "byte 84" or "line 12"; empty when it is the whole file."""
        return str(self.args[1])

    @property
    def cause(self) -> str:
        """What is wrong."""
        return str(self.args[2])

    def __str__(self) -> str:
        return one_line(": ".join(str(part) for part in self.args if part))


class UnknownMethodError(InputError):
    """A detector name that is not registered.

    Parameters
    ----------
    name : str
        What was asked for.
    names : iterable of str
        What there is.

    See Also
    --------
    impinge.methods

    Examples
    --------
    >>> import impinge
    >>> impinge.detector("bhv")
    Traceback (most recent call last):
    impinge.errors.UnknownMethodError: method 'bhv' is unknown; ... (did you mean 'bvh'?)
    """

    def __init__(self, name: str, names: Iterable[str]) -> None:
        super().__init__(name, tuple(names))

    def __str__(self) -> str:
        name, names = self.args
        return f"method {name!r} is unknown; choose one of {word_list(names)}{nearest(name, names)}"


class CapabilityError(ImpingeError):
    """Something was asked of a detector that it cannot give.

    See Also
    --------
    impinge.detectors.CAPABILITIES

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> impinge.contact_points(sheet, sheet, method="ray")
    Traceback (most recent call last):
    impinge.errors.CapabilityError: the method 'ray' needs closed bodies, but body 'a' ...
    """


class Cancelled(ImpingeError):
    """The progress callable of a query returned False; there is no result.

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]
    >>> impinge.collide(sheet, sheet, progress=lambda fraction: False)
    Traceback (most recent call last):
    impinge.errors.Cancelled: the progress callable returned False; there is no result
    """


class TooManyPairsError(ImpingeError):
    """More pairs of faces than `max_pairs` allows; there is no result.

    Parameters
    ----------
    max_pairs : int
        The limit.

    See Also
    --------
    impinge.collide

    Examples
    --------
    >>> import impinge
    >>> sheet = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2), (0, 1, 2)]
    >>> impinge.collide(sheet, sheet, max_pairs=3)
    Traceback (most recent call last):
    impinge.errors.TooManyPairsError: there are more than max_pairs=3 pairs of faces; ...
    """

    def __init__(self, max_pairs: int) -> None:
        super().__init__(max_pairs)

    def __str__(self) -> str:
        return (
            f"there are more than max_pairs={self.args[0]} pairs of faces; allow more, ask with "
            'mode="first" or whether they collide at all, or leave out bodies or faces that '
            "exist many times"
        )


class SimulationError(ImpingeError):
    """A simulation that went astray: in which step, which body, how, and what to change.

    Parameters
    ----------
    step : int
        Number of the step that was not done.
    body : str
        Name of the first body concerned; "" is the whole world.
    cause, advice : str
        What happened, and what to change.

    See Also
    --------
    impinge.simulate.World.step

    Examples
    --------
    >>> from impinge.errors import SimulationError
    >>> print(SimulationError(7, "torus", "moved too far", "take a smaller step"))
    step 7, body 'torus': moved too far; take a smaller step
    """

    def __init__(self, step: int, body: str, cause: str, advice: str) -> None:
        super().__init__(step, body, cause, advice)

    @property
    def step(self) -> int:
        """Number of the step that was not done."""
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
    """An optional package is not installed; the message tells the command that brings it.

    Also an `ImportError`.

    Parameters
    ----------
    package : str
        What is missing.
    extra : str
        The extra of impinge that brings it.
    purpose : str, optional
        What needs it.

    Examples
    --------
    >>> from impinge.errors import MissingDependencyError
    >>> print(MissingDependencyError("wgpu", "gpu", "the GPU"))
    the GPU needs wgpu: pip install ...
    """

    def __init__(self, package: str, extra: str, purpose: str = "this") -> None:
        super().__init__(package, extra, purpose)

    def __str__(self) -> str:
        package, extra, purpose = self.args
        return f"{purpose} needs {package}: {install_command(extra) or f'pip install {package}'}"


class GpuError(ImpingeError):
    """Something that the GPU, its driver or a shader did not do.

    Base of `NoAdapterError`, `DeviceLostError`, `ShaderError` and `GpuLimitError`.

    Examples
    --------
    >>> from impinge import errors
    >>> issubclass(errors.ShaderError, errors.GpuError)
    True
    """


class NoAdapterError(GpuError):
    """No GPU that can be used; the message tells what was found and what to install.

    Parameters
    ----------
    found : iterable of str
        The adapters that are there, each with the reason why it cannot be used.

    See Also
    --------
    impinge.gpu.adapters

    Examples
    --------
    >>> from impinge.errors import NoAdapterError
    >>> print(NoAdapterError(["llvmpipe (software, Vulkan): not asked for"]))
    no usable GPU; found: llvmpipe (software, Vulkan): not asked for. Install ...
    """

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
    """The driver took the device away, as after a reset; the next query opens a new one.

    Examples
    --------
    >>> from impinge.errors import DeviceLostError, GpuError
    >>> issubclass(DeviceLostError, GpuError)
    True
    """


class ShaderError(GpuError):
    """A shader that does not compile, or does not fit what it is given.

    Parameters
    ----------
    file : str
        The shader.
    cause : str
        What the compiler says.

    Examples
    --------
    >>> from impinge.errors import ShaderError
    >>> print(ShaderError("deform.wgsl", "line 3: unknown name 'tme'"))
    deform.wgsl: line 3: unknown name 'tme'
    """

    def __init__(self, file: str, cause: str) -> None:
        super().__init__(file, cause)

    def __str__(self) -> str:
        return "{}: {}".format(*self.args)


class GpuLimitError(GpuError):
    """More was asked than the adapter allows.

    Parameters
    ----------
    what : str
        What is too large.
    asked : int
        How much was asked.
    limit : str
        Name of the limit, as WebGPU calls it.
    allowed : int
        How much the adapter allows.
    cure : str
        What to do.

    Examples
    --------
    >>> from impinge.errors import GpuLimitError
    >>> print(GpuLimitError("a buffer in bytes", 5, "max-buffer-size", 4, "use fewer triangles"))
    a buffer in bytes needs 5, but the adapter allows 4 (max-buffer-size); use fewer triangles
    """

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
