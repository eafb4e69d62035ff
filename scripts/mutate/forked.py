"""Tests of one room against many changes that are compiled in: a fork for each.

    python forked.py SECONDS NUMBERS ONLY TESTS ...

Modules are imported and tests are collected once. Writes a line of JSON for each number: the first
test that fails, or null. No change is number 0.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys
import time

import pytest


class Forks:
    """A plugin that goes through the tests once for each number."""

    def __init__(self, numbers: list[int], seconds: float) -> None:
        self._numbers, self._seconds = numbers, seconds
        self._failed: str | None = None
        self._told = os.dup(1)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self._failed:
            self._failed = report.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        from impinge import _core

        core = ctypes.CDLL(_core._chosen.__file__)
        self._number = ctypes.c_int.in_dll(core, "impinge_mutant")
        for number in self._numbers:
            line = json.dumps([number, self._fork(session.items, number)])
            os.write(self._told, f"{line}\n".encode())
        return True

    def _fork(self, items: list[pytest.Item], number: int) -> str | None:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            self._test(items, number, write)
        os.close(write)
        ends, said = time.monotonic() + self._seconds, b""
        while select.select([read], [], [], max(0.0, ends - time.monotonic()))[0]:
            some = os.read(read, 65536)
            if not some:
                break
            said += some
        else:
            said = f"more than {self._seconds:g} s".encode()
            os.killpg(child, signal.SIGKILL)
        os.close(read)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and not said:
            return f"signal {os.WTERMSIG(status)}"
        return said.decode() or (f"exit code {status}" if status else None)

    def _test(self, items: list[pytest.Item], number: int, write: int) -> None:
        """In the child: up to the first that fails."""
        os.setsid()
        # of this process, and of those that tests start
        self._number.value = number
        os.environ["IMPINGE_MUTANT"] = str(number)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        code = 0
        try:
            for item, following in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self._failed:
                    os.write(write, self._failed.encode())
                    break
        except BaseException:
            code = 1
        os._exit(code)


def main() -> int:
    seconds, numbers, only, *tests = sys.argv[1:]
    options = ["-q", "-s", "-p", "no:cacheprovider", "-k", only, *tests]
    return pytest.main(options, plugins=[Forks(json.loads(numbers), float(seconds))])


if __name__ == "__main__":
    sys.exit(main())
