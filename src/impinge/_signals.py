"""Ctrl-C while processes are started."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from threading import current_thread, main_thread


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C waits until this is over; processes that are started in it never see one."""
    if current_thread() is not main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # the first process to be started would start it, and let Ctrl-C through again
    resource_tracker.ensure_running()
    waiting: list[int] = []
    # any other thread may be given the signal: to block it in this one is not enough
    handler = signal.signal(signal.SIGINT, lambda number, _: waiting.append(number))
    # processes inherit what this thread does not want to hear of
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
    if waiting:
        signal.raise_signal(signal.SIGINT)
