"""The folder of a run: what is done stays done, also when the run is aborted."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from impinge._outputs import PARTIAL
from impinge.cluster import sealed
from impinge.errors import InputError

FORMAT = 4
# the names of a stage's files: nothing else is ever removed
_STAGES = {
    "survey": re.compile(r"\d{7,}\.npz"),
    "scatter": re.compile(r"\d+-\d{7,}\.(rows|npz)"),
    "pairs": re.compile(r"tile-\d{7,}\.parquet"),
    "summary": re.compile(r"tile-\d{7,}\.sums"),
}
_LOCK, _MANIFEST = ".lock", "run.json"


class RunFolder:
    """Where a run keeps its files. Every one of them appears whole, under its last name."""

    def __init__(
        self, path: str | os.PathLike[str], fingerprint: dict[str, Any], cutting: list[Any]
    ) -> None:
        self.path = Path(path).resolve()
        self._refuse_foreign()
        self._lock = self._locked()
        try:
            self.cutting = self._checked(fingerprint, cutting)
            for stage in _STAGES:
                self._make(stage)
        except BaseException:
            self.close()
            raise

    def _refuse_foreign(self) -> None:
        """A folder that is neither empty nor of a run has files of somebody else."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise InputError(f"{self.path}: is a file; give a folder") from None
        names = sorted(os.listdir(self.path))
        if _MANIFEST in names:
            self._described()
            return
        # what a run leaves that was killed before it had begun
        foreign = [name for name in names if name != _LOCK and not PARTIAL.fullmatch(name)]
        if foreign:
            raise InputError(
                f"{self.path}: is neither empty nor the folder of a run: it holds {foreign[0]!r}; "
                "give a new folder"
            )

    def _locked(self) -> Any:
        # a link leads elsewhere, and a pipe that is only written waits for a reader
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        try:
            file = os.fdopen(os.open(self.path / _LOCK, flags, 0o666), "w")
        except OSError as error:
            raise InputError(
                f"{self.path / _LOCK}: cannot be opened ({error.strerror}); remove it, or give "
                "another folder"
            ) from None
        try:
            import fcntl
        except ModuleNotFoundError:
            return file
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise InputError(f"{self.path}: another run is at work in this folder") from None
        return file

    def close(self) -> None:
        self._lock.close()

    def _checked(self, fingerprint: dict[str, Any], cutting: list[Any]) -> list[Any]:
        """How the source was cut when the run began; the numbers of its tasks depend on it."""
        manifest = self.path / _MANIFEST
        asked = json.loads(json.dumps({"format": FORMAT, **fingerprint}))
        if not os.path.lexists(manifest):
            sealed.write_json(manifest, {**asked, "cutting": cutting})
            return cutting
        kept = self._described()
        different = [key for key in asked if kept.get(key) != asked[key]]
        if different:
            raise InputError(
                f"{self.path} holds a run with other {' and '.join(different)}; "
                "give another folder, or remove this one"
            )
        return list(kept["cutting"])

    def _described(self) -> dict[str, Any]:
        """What the run that is there says of itself."""
        manifest = self.path / _MANIFEST
        kept = None if manifest.is_symlink() else sealed.read_json(manifest, _manifest)
        if kept is None:
            raise sealed.damaged(
                manifest, "give another folder, or remove this one if nothing in it is yours"
            )
        return kept

    def _make(self, stage: str) -> None:
        """The folder of a stage, which must be in this one, and without what a kill left in it."""
        path = self.path / stage
        with suppress(FileExistsError):
            path.mkdir()
        if not stat.S_ISDIR(path.lstat().st_mode):
            raise InputError(
                f"{path}: is no folder but a link or a file; remove it, or give another folder"
            )
        self._remove(stage, lambda name: PARTIAL.fullmatch(name) is not None)

    def survey(self, piece: int) -> Path:
        return self.path / "survey" / f"{piece:07d}.npz"

    def plan(self, generation: int) -> Path:
        return self.path / f"plan-{generation}.npz"

    def scattered(self, generation: int, task: int) -> Path:
        return self.path / "scatter" / f"{generation}-{task:07d}.rows"

    def pairs(self, tile: int) -> Path:
        return self.path / "pairs" / f"tile-{tile:07d}.parquet"

    def summary(self, tile: int) -> Path:
        return self.path / "summary" / f"tile-{tile:07d}.sums"

    def clear(self, stage: str) -> None:
        """Remove what a stage wrote, once nobody needs it."""
        pattern = _STAGES[stage]
        self._remove(stage, lambda name: bool(pattern.fullmatch(name) or PARTIAL.fullmatch(name)))

    def _remove(self, stage: str, ours: Callable[[str], bool]) -> None:
        """Remove files of a stage by name; a link in place of its folder is not followed."""
        path = self.path / stage
        if os.unlink not in os.supports_dir_fd:
            if not path.is_symlink():
                _remove_all([str(path / name) for name in os.listdir(path) if ours(name)], None)
            return
        try:
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            return
        try:
            _remove_all([name for name in os.listdir(folder) if ours(name)], folder)
        finally:
            os.close(folder)


def _manifest(kept: dict[str, Any]) -> dict[str, Any] | None:
    # an older run has no cutting of this form, and is told by its format
    workers, memory, lenient = kept["cutting"]
    whole = all(type(number) is int and number > 0 for number in (workers, memory))
    return kept if whole and type(lenient) is bool else None


def _remove_all(names: list[str], folder: int | None) -> None:
    def remove(name: str) -> None:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)

    if names:
        # large files take their time, and the cores have nothing else to do
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(remove, names))
