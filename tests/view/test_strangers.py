"""What goes wrong, what strangers send, and pages that do not read: the session goes on."""

from __future__ import annotations

import base64
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import numpy as np
import pytest

from impinge import Scene, data
from impinge.render.bodies import ShownBodies
from impinge.render.page.snapshot import Snapshot
from impinge.view.inspection import Inspection
from impinge.view.session import Session
from support.view_messages import unpacked

client = pytest.importorskip("websockets.sync.client")
ConnectionClosed = pytest.importorskip("websockets.exceptions").ConnectionClosed
server = import_module("impinge.view.server")

ACK = '{"type": "ack"}'
MOVE = '{"type": "move", "body": 0, "place": [%s, 0, 0]}'
NONSENSE = {
    "half": "{",
    "deep": "[" * 60_000,
    "huge number": MOVE % ("1" + "0" * 400),
    "huger number": MOVE % ("1" + "0" * 5000),
    "not a number": MOVE % "NaN",
    "bytes": b"\0\xff",
    "list": "[1]",
    "unknown": '{"type": ["move"]}',
    "nobody": '{"type": "move"}',
    "no method": '{"type": "choose", "name": "method", "value": {}}',
}


def live(port: int, token: str) -> Any:
    address = f"127.0.0.1:{port}"
    return client.connect(f"ws://{address}/{token}/live", origin=f"http://{address}", max_size=None)


def told(connection: Any) -> dict[str, Any]:
    message = unpacked(connection.recv(timeout=20))
    connection.send(ACK)
    return message


def problem(connection: Any) -> str:
    """The next one that the page is told."""
    while not (text := told(connection)["state"]["problem"]):
        pass
    return str(text)


def hits(connection: Any) -> dict[str, Any]:
    """The next result; no problem is left then."""
    while "hits" not in (message := told(connection)):
        pass
    assert message["state"]["problem"] is None
    return dict(message["hits"])


def test_whatever_goes_wrong_is_told_and_the_session_goes_on(boxes, served, monkeypatch, caplog):
    session = Inspection(boxes, title="boxes")
    address = served(session)
    with live(address.port, address.token) as page:
        assert len(hits(page)["clashes"]) == 1
        page.send(MOVE % 1e300)
        assert "beyond 1e100" in problem(page)
        page.send('{"type": "home"}')
        assert len(hits(page)["clashes"]) == 1
        for error, text in (
            (ZeroDivisionError("odd"), "this is a bug of impinge: ZeroDivisionError: odd"),
            (MemoryError(), "out of memory"),
        ):
            with monkeypatch.context() as patch:
                patch.setattr(Scene, "check", failing(error))
                page.send('{"type": "home"}')
                assert problem(page) == text
            page.send('{"type": "home"}')
            assert len(hits(page)["clashes"]) == 1
    # what a developer needs is in the log
    assert [record.message for record in caplog.records if record.exc_info] == ["a bug of impinge"]


def drain(connection: Any) -> None:
    while True:
        connection.recv(timeout=20)


def failing(error: Exception) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> Any:
        raise error

    return fail


def test_a_message_that_cannot_be_packed_costs_the_page_only(boxes, served, monkeypatch):
    address = served(Inspection(boxes, title="boxes"))
    with monkeypatch.context() as patch:
        patch.setattr(server, "message", failing(ValueError("odd")))
        with live(address.port, address.token) as page, pytest.raises(ConnectionClosed) as closed:
            page.recv(timeout=20)
        assert closed.value.rcvd.code == 1011
    with live(address.port, address.token) as page:
        assert len(hits(page)["clashes"]) == 1


def raw(port: int, text: str) -> str:
    """The first line of the answer to what no browser sends."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(text.encode("latin-1"))
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    return answer.split(b"\r\n", 1)[0].decode()


@contextmanager
def viewer(**environment: str) -> Iterator[tuple[Any, int, str]]:
    """The command in a process of its own: the process, its port, and the token."""
    browser = [] if "BROWSER" in environment else ["--no-browser"]
    command = [sys.executable, "-m", "impinge", "view", data.path("gearbox.glb"), "--port", "0"]
    process = subprocess.Popen(
        [*command, *browser],
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        url = re.search(r"http://127\.0\.0\.1:(\d+)/(\S+)/", process.stdout.readline())
        yield process, int(url[1]), url[2]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_nonsense_is_refused_without_a_word_in_the_terminal():
    with viewer() as (process, port, token):
        page, host = f"GET /{token}/", f"Host: 127.0.0.1:{port}\r\n"
        assert raw(port, f"{page} HTTP/1.1\r\n{host}\r\n") == "HTTP/1.1 200 OK"
        assert raw(port, f"{page} HTTP/1.1\r\n{host}{host}\r\n") == "HTTP/1.1 403 Forbidden"
        assert raw(port, f"{page} HTTP/1.1\r\n\r\n") == "HTTP/1.1 403 Forbidden"
        origin = f"Origin: http://127.0.0.1:{port}\r\n"
        for twice in (f"{host}{origin}{origin}", f"{host}{host}{origin}"):
            assert raw(port, f"{page}live HTTP/1.1\r\n{twice}\r\n") == "HTTP/1.1 403 Forbidden"
        for line in ("\xff\xfe", f"{page}\xff HTTP/1.1", "GET", "\0" * 99, "x" * 9999):
            assert " 200 " not in raw(port, f"{line}\r\n\r\n")
        for kind, text in NONSENSE.items():
            with live(port, token) as page:
                page.send(text)
                with pytest.raises(ConnectionClosed) as closed:
                    drain(page)
            assert closed.value.rcvd.code == 1008, kind
        with live(port, token) as page:
            assert told(page)["state"]["problem"] is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files, signals")
def test_the_token_is_in_no_command_line(tmp_path: Path):
    # stands for the browser, and writes down what it was told
    note = tmp_path / "note"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s" "$*" > {note}.new\nmv {note}.new {note}\n')
    browser.chmod(0o700)
    with viewer(BROWSER=str(browser), TMPDIR=str(tmp_path)) as (process, port, token):
        until(note.exists)
        asked = note.read_text()
        assert token not in asked
        file = Path(url2pathname(urlsplit(asked).path))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert f'content="0;url=http://127.0.0.1:{port}/{token}/"' in file.read_text()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        assert not file.parent.exists()


def until(done: Callable[[], bool]) -> None:
    end = monotonic() + 30
    while not done():
        assert monotonic() < end, "it never came true"
        sleep(0.02)


def test_one_page_too_many_is_told_so(boxes, served, monkeypatch):
    monkeypatch.setattr(server, "MOST_PAGES", 2)
    address = served(Inspection(boxes, title="boxes"))
    with ExitStack() as stack:
        pages = [stack.enter_context(live(address.port, address.token)) for _ in range(2)]
        for page in pages:
            told(page)
        with live(address.port, address.token) as third, pytest.raises(ConnectionClosed) as closed:
            third.recv(timeout=20)
        assert closed.value.rcvd.code == 1013
        assert closed.value.rcvd.reason == "at most 2 pages may be open; close one"
        pages[0].close()

        def let_in() -> bool:
            with live(address.port, address.token) as page:
                try:
                    told(page)
                except ConnectionClosed:
                    return False
            return True

        until(let_in)


class Large(Session):
    """Shows a body of twelve megabytes."""

    def __init__(self) -> None:
        super().__init__()
        vertices = np.random.default_rng(1).normal(size=(1_000_000, 3))
        scene = Scene()
        self.body = scene.add(vertices, [(0, 1, 2)], name="cloud")
        self.body.vertices = vertices
        self.bodies = ShownBodies.of(["cloud"], [self.body._current()], up="z")

    def show(self) -> None:
        self.publish(lambda number: Snapshot(number, self.bodies, (self.body._current(),)))

    def request(self, message: Mapping[str, Any]) -> None: ...

    def due(self) -> bool:
        return False

    def work(self) -> None: ...

    def tell(self, problem: str) -> None: ...


@contextmanager
def silent_page(address: Any) -> Iterator[socket.socket]:
    """A page that asks for everything and reads nothing."""
    key = base64.b64encode(bytes(16)).decode()
    host = f"127.0.0.1:{address.port}"
    with socket.create_connection(("127.0.0.1", address.port)) as connection:
        connection.sendall(
            f"GET /{address.token}/live HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        yield connection


def test_pages_that_do_not_read_cost_little_memory(served):
    session, size = Large(), 12_000_000
    address = served(session)
    tracemalloc.start()
    try:
        with ExitStack() as stack:
            for _ in range(10):
                stack.enter_context(silent_page(address))
            until(lambda: len(session._watchers) == 10)
            session.show()
            sleep(1.0)
            held = tracemalloc.get_traced_memory()[0]
            assert len(session._watchers) == 10
            # they share one message
            assert size < held < 2 * size
    finally:
        tracemalloc.stop()


def test_a_page_that_takes_nothing_is_let_go(served, monkeypatch):
    monkeypatch.setattr(server, "_PATIENCE", 0.2)
    session = Large()
    address = served(session)
    session.show()
    with silent_page(address):
        until(lambda: len(session._watchers) == 1)
        until(lambda: not session._watchers)
    with live(address.port, address.token) as page:
        assert len(told(page)["vertices0"]) == 3_000_000
