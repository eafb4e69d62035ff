"""Holds what a reader makes of any bytes to what is promised."""

from __future__ import annotations

import os
import re
import signal
import time
import traceback
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from fuzz.formats import Format
from impinge._memory import peak_since, reset_peak, resident
from impinge.errors import MeshFileError
from impinge.io import Model, read

MOST_SECONDS = 2.0
HANG_SECONDS = 10.0
MOST_BYTES = 200 << 20
MOST_RATIO = 10

VERDICTS = ("read", "warned", "refused")

# What glTF documents of the corpus refer to.
BESIDE = bytes(96)


class FindingError(Exception):
    """A promise that an input breaks. kind: in a word or two, the same for the same cause."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind


class _HangError(BaseException):
    """Passes through all that catches exceptions."""


def _stop(*_: object) -> None:
    raise _HangError


@contextmanager
def _time_limit() -> Iterator[None]:
    """Ends Python code, and what native code listens to Ctrl-C, after seconds of CPU."""
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANG_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Judge:
    """Reads inputs of one format from a folder, strictly and leniently."""

    def __init__(self, form: Format, folder: Path) -> None:
        self._format = form
        self._folder = folder
        (folder / "beside.bin").write_bytes(BESIDE)
        self._judged = 0

    def extension(self, data: bytes) -> str:
        return self._format.extension(data)

    def verdict(self, data: bytes) -> str:
        """ "read", "warned" or "refused"; a `FindingError` if anything is not as promised."""
        # what the process gathers by and by is not the input's
        if self._judged % 1000 == 0:
            reset_peak()
            self._base = resident()
        self._judged += 1
        path = self._folder / f"input{self.extension(data)}"
        path.write_bytes(data)
        model = self._read(path, data, lenient=True)
        if model is None:
            # a strict read stops where a lenient one does, or before: asking now and then will do
            if not zlib.crc32(data) % 8 and self._read(path, data) is not None:
                raise FindingError("lenient", "refuses what is read otherwise")
            return "refused"
        strict = self._read(path, data, split=False)
        if model.warnings:
            return "refused" if strict is None else "warned"
        if strict is None or strict.triangles != model.triangles:
            raise FindingError("strict", "another answer than a lenient read without warnings")
        self._compare(model, data)
        return "read"

    def _read(self, path: Path, data: bytes, **options: bool) -> Model | None:
        start = time.process_time()
        try:
            with warnings.catch_warnings(), _time_limit():
                warnings.simplefilter("error")
                model = read(path, **options)
        except MeshFileError as error:
            _check_message(error, path)
            model = None
        except _HangError:
            raise FindingError("hang", f"does not end in {HANG_SECONDS} s of CPU") from None
        except Exception as error:
            raise FindingError(*_told(error)) from error
        seconds = time.process_time() - start
        if seconds > MOST_SECONDS:
            raise FindingError("slow", f"{seconds:.1f} s of CPU for {len(data):,} bytes")
        # nobody touches that much memory in less time
        peak = peak_since(0) - self._base if seconds > 0.005 else 0
        if peak > MOST_BYTES + MOST_RATIO * len(data):
            reset_peak()
            raise FindingError("memory", f"{peak >> 20:,} MB for {len(data):,} bytes")
        if model is not None:
            _check_model(model)
        return model

    def _compare(self, model: Model, data: bytes) -> None:
        try:
            counted = self._format.count(data)
        except Exception as error:
            told = f"{type(error).__name__} {error}"[:200]
            kind = re.sub(r"b?['\"].*['\"]|\d+", "", f"uncounted {told}")
            raise FindingError(kind, f"read {model.triangles}, but {told}") from error
        if model.triangles != counted:
            raise FindingError("count", f"read {model.triangles} triangles of {counted}")


def outcome(judge: Judge, data: bytes) -> str:
    """The verdict, or the kind of the finding."""
    try:
        return judge.verdict(data)
    except FindingError as finding:
        return finding.kind


def _told(error: Exception) -> tuple[str, str]:
    """The kind is the exception and the line of the package that it came through last."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "impinge" in f.filename]
    last = f"{os.path.basename(frames[-1].filename)}:{frames[-1].name}" if frames else ""
    return f"{type(error).__name__} {last}", str(error)[:200]


def _check_message(error: MeshFileError, path: Path) -> None:
    text = str(error)
    if not text.startswith(f"{path}: ") or not text.isprintable():
        raise FindingError("message", ascii(text))
    if error.__cause__ is not None or "does not fit into memory" in text:
        raise FindingError("caught", f"{text} ({error.__cause__!r})")


def _check_model(model: Model) -> None:
    for text in model.warnings:
        if not text.isprintable():
            raise FindingError("warning", ascii(text))
    for part in model.parts:
        mesh = part.mesh
        if any("\ud800" <= letter <= "\udfff" for letter in part.name):
            raise FindingError("name", ascii(part.name))
        if not np.isfinite(mesh.vertices).all() or not np.isfinite(part.pose).all():
            raise FindingError("not finite", part.name)
        if len(mesh.faces) and not 0 <= mesh.faces.min() <= mesh.faces.max() < len(mesh.vertices):
            raise FindingError("index", part.name)
