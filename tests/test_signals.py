"""Ctrl-C waits while processes are started, whichever thread the system gives it to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from impinge._signals import undisturbed

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="of POSIX")


def through(act: Callable[[], None]) -> None:
    """Interrupted by the act, but only after the block."""
    ended = []

    def start() -> None:
        with undisturbed():
            act()
            ended.append(True)

    with pytest.raises(KeyboardInterrupt):
        start()
    assert ended
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_waits_and_children_never_hear_it() -> None:
    asked = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    blocked = []

    def act() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        blocked.append(subprocess.check_output([sys.executable, "-c", asked], text=True))

    through(act)
    assert blocked == ["True\n"]


def test_ctrl_c_waits_though_another_thread_hears_it() -> None:
    def hear() -> None:
        # like the threads that were there before
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    def act() -> None:
        other = threading.Thread(target=hear)
        other.start()
        other.join()

    through(act)
