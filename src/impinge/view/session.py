"""What pages look at: a worker thread moves and asks, pages take the newest snapshot."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from threading import Condition, Thread
from time import monotonic
from typing import Any

from impinge.errors import ImpingeError
from impinge.render.page.snapshot import Snapshot

_LOG = logging.getLogger("impinge.view")

Watcher = Callable[[], object]
# a page that draws slowly, or not at all, must not hold the scene up for ever
_PATIENCE = 0.25


class Session(ABC):
    """Requests come from pages, in any thread; `work` is called in one thread, again and again."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._watchers: list[Watcher] = []
        self._snapshot: Snapshot | None = None
        self._number = 0
        self._taken = 0
        self._ended = False
        self._thread = Thread(target=self._run, name="impinge-view", daemon=True)

    @abstractmethod
    def request(self, message: Mapping[str, Any]) -> None:
        """What a page asks for; called with the lock held. Raises ValueError for nonsense."""

    @abstractmethod
    def due(self) -> bool:
        """Whether there is work; called with the lock held."""

    @abstractmethod
    def work(self) -> None:
        """Do what is due, and publish it."""

    @abstractmethod
    def tell(self, problem: str) -> None:
        """Publish what is shown with these words; the work that was due has failed."""

    @property
    def snapshot(self) -> Snapshot | None:
        """The newest one."""
        return self._snapshot

    @property
    def ended(self) -> bool:
        return self._ended

    @property
    def watched(self) -> bool:
        """Whether a page is open."""
        return bool(self._watchers)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Stop working; what is under way is cancelled."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=10.0)

    def handle(self, message: Mapping[str, Any]) -> None:
        """Take a request."""
        with self._changed:
            self.request(message)
            self._changed.notify_all()

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call `watcher` whenever there is something new; what is returned ends that."""
        with self._changed:
            self._watchers.append(watcher)
            self._changed.notify_all()

        def leave() -> None:
            with self._changed:
                self._watchers.remove(watcher)

        return leave

    def take(self, number: int) -> None:
        """A page has shown the snapshot of this number."""
        with self._changed:
            self._taken = max(self._taken, number)
            self._changed.notify_all()

    def publish(self, make: Callable[[int], Snapshot]) -> None:
        """Make a snapshot with the next number the newest one."""
        with self._changed:
            self._number += 1
            self._snapshot = make(self._number)
            watchers = list(self._watchers)
        for watcher in watchers:
            watcher()

    def await_pages(self) -> None:
        """Wait until one page has shown the newest snapshot, but not for long."""
        until = monotonic() + _PATIENCE
        with self._changed:
            while not self._ended and self._watchers and self._taken < self._number:
                left = until - monotonic()
                if left <= 0:
                    return
                self._changed.wait(left)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self.due())
                if self._ended:
                    return
            try:
                self.work()
            except Exception as error:
                self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Whatever went wrong, pages are told, and the next request is served."""
        try:
            self.tell(_problem(error))
        except Exception:
            _LOG.exception("a page could not be told what went wrong")


def _problem(error: Exception) -> str:
    match error:
        case MemoryError():
            return "out of memory"
        case ImpingeError():
            return str(error)
    _LOG.error("a bug of impinge", exc_info=error)
    return f"this is a bug of impinge: {type(error).__name__}: {error}"
