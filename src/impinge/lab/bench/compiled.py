"""Small programs in C++ for peers without a Python package, compiled when they are first needed."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from impinge.errors import ImpingeError

_FOLDER = Path(__file__).with_name("native")
# for this very machine, like every library that chooses its code at run time; CGAL needs the
# rounding mode respected, and the same coordinates as impinge need products not contracted
_FLAGS = (
    "-std=c++17", "-O2", "-DNDEBUG", "-march=native", "-frounding-math", "-ffp-contract=off",
    "-fPIC", "-shared",
)  # fmt: skip
_PATIENCE = 300.0


class CompileError(ImpingeError):
    """A program cannot be compiled here."""


@dataclass(frozen=True)
class Version:
    """How the compiler is asked for the version of a library: a header, and what it defines."""

    header: str
    text: str
    links: tuple[str, ...] = ()
    """Flags that name the library of this version."""


@dataclass(frozen=True)
class Program:
    """One C++ file of the folder `native`."""

    file: str
    versions: tuple[Version, ...]
    """Of the library, wherever it may be; the first header that exists counts."""
    headers: tuple[str, ...]
    """What else must exist."""
    links: tuple[tuple[str, ...], ...]
    """Flags that name all other libraries; the first ones that work count."""
    packages: str
    """What Debian and Ubuntu call them."""
    flags: tuple[str, ...] = ()
    """What else the compiler is told, against what all are told if need be."""

    @property
    def version(self) -> str:
        """Of the library found here; empty when something is missing."""
        return _probe(self)[1]

    @property
    def obstacle(self) -> str:
        """What must be installed; empty when nothing is missing."""
        if _compiler() is None:
            return "a C++ compiler is needed: apt install g++"
        return "" if self.version else f"apt install {self.packages}"

    def compile(self) -> Path:
        """The shared library in the cache of the user, compiled when it is not there yet."""
        compiler = _compiler()
        if compiler is None or not self.version:
            raise CompileError(self.obstacle)
        source = _FOLDER / self.file
        texts = (source, *sorted(_FOLDER.glob("*.hpp")))
        key = hashlib.sha256("\n".join(
            [*(text.read_text(encoding="utf-8") for text in texts), *_FLAGS, repr(self),
             self.version, _banner(compiler), _processor()]
        ).encode()).hexdigest()[:16]  # fmt: skip
        target = cache_folder() / f"{source.stem}-{key}.so"
        if not target.is_file():
            own, _ = _probe(self)
            links = [(*self.flags, *own, *others) for others in self.links]
            _build(compiler, source, links, target)
        return target

    def load(self) -> ctypes.CDLL:
        return ctypes.CDLL(str(self.compile()))


def cache_folder() -> Path:
    """Where compiled programs are kept: nothing is installed."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "impinge" / "bench"


def _build(compiler: str, source: Path, links: list[tuple[str, ...]], target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CompileError(f"{target.parent} cannot be written ({error.strerror})") from None
    # under another name first: two runs may compile at once
    draft = target.with_suffix(f".{os.getpid()}")
    message = ""
    try:
        for flags in links:
            done = _run([compiler, *_FLAGS, str(source), "-o", str(draft), *flags])
            if done.returncode == 0:
                draft.replace(target)
                return
            message = message or _first_error(done.stderr)
            # ended by a signal, such as Ctrl-C: no other flags will help
            if done.returncode < 0:
                break
    finally:
        draft.unlink(missing_ok=True)
    raise CompileError(f"{source.name} could not be compiled: {message}")


def _first_error(text: str) -> str:
    lines = text.strip().splitlines() or ["no message"]
    return next((line for line in lines if "error" in line), lines[-1])[:300]


@cache
def _compiler() -> str | None:
    # another compiler takes other flags
    if sys.platform == "win32":
        return None
    wanted = os.environ.get("CXX")
    names = [wanted] if wanted else ["c++", "g++", "clang++"]
    return next((path for name in names if (path := shutil.which(name))), None)


@cache
def _banner(compiler: str) -> str:
    return _run([compiler, "--version"]).stdout


def _processor() -> str:
    """What `-march=native` depends on: a home folder may be shared by several machines."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line for line in lines if line.startswith(("flags", "Features"))), "")


@cache
def _probe(program: Program) -> tuple[tuple[str, ...], str]:
    """Flags and name of the version that is found; both empty when something is missing."""
    compiler = _compiler()
    if compiler is None:
        return (), ""
    lines = []
    for header in program.headers:
        lines += [f"#if !__has_include(<{header}>)", "#error missing", "#endif"]
    branch = "#if"
    for index, version in enumerate(program.versions):
        lines += [f"{branch} __has_include(<{version.header}>)", f"#include <{version.header}>"]
        lines += [f"found {index} {version.text}"]
        branch = "#elif"
    text = "\n".join([*lines, "#endif", ""])
    done = _run([compiler, "-std=c++17", *program.flags, "-E", "-P", "-x", "c++", "-"], text)
    found = [line for line in done.stdout.splitlines() if line.startswith("found ")]
    if done.returncode or not found:
        return (), ""
    _, which, *words = found[-1].replace('"', "").split()
    return program.versions[int(which)].links, " ".join(words)


def _run(command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, input=text, capture_output=True, text=True, check=False, timeout=_PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 1, "", f"error: {error}")
