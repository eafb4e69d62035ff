"""The folder of a run: what is done stays done, also when the run is aborted."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from impinge.errors import InputError

FORMAT = 3
_STAGES = ("survey", "scatter", "pairs", "summary")


@contextmanager
def renamed(path: Path) -> Iterator[Path]:
    """A name to write to; it becomes `path` when all is written, and is gone after an error."""
    # two workers may do the same task when one of them was given up for lost
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield partial
        partial.replace(path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


class RunFolder:
    """Where a run keeps its files. Every one of them appears whole, under its last name."""

    def __init__(
        self, path: str | os.PathLike[str], fingerprint: dict[str, Any], cutting: list[Any]
    ) -> None:
        self.path = Path(path).resolve()
        for stage in _STAGES:
            (self.path / stage).mkdir(parents=True, exist_ok=True)
        self._lock = self._locked()
        try:
            self.cutting = self._checked(fingerprint, cutting)
        except BaseException:
            self.close()
            raise

    def _locked(self) -> Any:
        file = (self.path / ".lock").open("w")
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
        manifest = self.path / "run.json"
        asked = json.loads(json.dumps({"format": FORMAT, **fingerprint}))
        if not manifest.exists():
            with renamed(manifest) as partial:
                text = json.dumps({**asked, "cutting": cutting}, indent=1)
                partial.write_text(text, encoding="utf-8")
            return cutting
        kept = json.loads(manifest.read_text(encoding="utf-8"))
        different = [key for key in asked if kept.get(key) != asked[key]]
        if different:
            raise InputError(
                f"{self.path} holds a run with other {' and '.join(different)}; "
                "give another folder, or remove this one"
            )
        return list(kept["cutting"])

    def survey(self, piece: int) -> Path:
        return self.path / "survey" / f"{piece:07d}.npz"

    def plan(self, generation: int) -> Path:
        return self.path / f"plan-{generation}.npz"

    def scattered(self, generation: int, task: int) -> Path:
        return self.path / "scatter" / f"{generation}-{task:07d}.rows"

    def pairs(self, tile: int) -> Path:
        return self.path / "pairs" / f"tile-{tile:07d}.parquet"

    def summary(self, tile: int) -> Path:
        return self.path / "summary" / f"tile-{tile:07d}.arrow"

    def done(self, stage: str) -> set[str]:
        """Names of the whole files of a stage."""
        names = os.listdir(self.path / stage)
        return {name for name in names if not name.startswith(".")}

    def clear(self, stage: str) -> None:
        """Remove what a stage wrote, once nobody needs it."""
        # large files take their time, and the cores have nothing else to do
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(_removed, [entry.path for entry in os.scandir(self.path / stage)]))


def _removed(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
