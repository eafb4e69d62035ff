"""The progress bar."""

from __future__ import annotations

import io
import sys

import pytest

from impinge.cli import progress
from impinge.cli.progress import ProgressBar


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    """Makes stderr a terminal; to be called in the test, for pytest sets stderr before it."""

    def begin():
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        return stream

    return begin


def work(bar):
    with bar:
        bar.stage("reading [part]")
        assert bar(0.25)
        bar.stage("checking")
        assert bar(0.5)


def test_short_work_shows_nothing(terminal):
    screen = terminal()
    work(ProgressBar())
    assert screen.getvalue() == ""


def test_long_work_shows_a_bar(terminal, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", -1)
    screen = terminal()
    work(ProgressBar())
    assert "checking" in screen.getvalue()


def test_no_bar_when_not_wanted(terminal, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", -1)
    screen = terminal()
    work(ProgressBar(wanted=False))
    assert screen.getvalue() == ""


def test_no_bar_outside_of_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", -1)
    work(ProgressBar())
    assert capsys.readouterr().err == ""
