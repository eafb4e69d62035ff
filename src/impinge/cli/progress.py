"""A progress bar on stderr that shows itself only when the work is long."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE_SECONDS = 0.5


class ProgressBar:
    """A progress callable for the library; does nothing where stderr is not a terminal."""

    def __init__(self, *, wanted: bool = True) -> None:
        self._wanted = wanted and sys.stderr.isatty()
        self._since = time.monotonic()
        self._label = ""
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def stage(self, label: str) -> None:
        """Names the work that begins."""
        self._label = label
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=label, completed=0.0)

    def __call__(self, fraction: float) -> bool:
        if self._wanted and time.monotonic() - self._since > PATIENCE_SECONDS:
            if self._bar is None:
                self._start()
            if self._bar is not None and self._task is not None:
                self._bar.update(self._task, completed=fraction)
        return True

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(self._label, total=1.0)
        self._bar.start()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
