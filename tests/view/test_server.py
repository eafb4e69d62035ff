"""Who is let in, what is served, what a connection is told."""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from impinge import data
from impinge.view.inspection import Inspection
from support.view_messages import unpacked

connect = pytest.importorskip("websockets.sync.client").connect
InvalidStatus = pytest.importorskip("websockets.exceptions").InvalidStatus
server = import_module("impinge.view.server")


def asked(address, path: str, **headers: str):
    connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=10)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body.decode()


def following(connection, done):
    """The first message of which this is true; those before it are acknowledged."""
    while True:
        connection.send(json.dumps({"type": "ack"}))
        got = unpacked(connection.recv(timeout=10))
        if "hits" in got and done(got):
            return got


def test_only_those_who_know_the_address_are_let_in(boxes, served):
    address = served(Inspection(boxes, title="boxes"))
    page = f"/{address.token}/"
    answer, body = asked(address, page)
    assert answer.status == 200
    assert 'data-mode="live"' in body
    policy = answer.getheader("Content-Security-Policy")
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    assert f"connect-src ws://127.0.0.1:{address.port};" in policy
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    for name in ("page.js", "page.css"):
        assert asked(address, page + name)[0].status == 200
    assert asked(address, page + "other.js")[0].status == 404
    for path in ("/", "/wrong/", "/page.js", f"/{address.token[:-1]}/", "/../../etc/passwd"):
        assert asked(address, path)[0].status == 404
    # no other address of this machine leads here
    if sys.platform == "linux":
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", address.port), timeout=10)
    assert len(base64.urlsafe_b64decode(address.token)) == 18
    assert address.token != server.Address().token
    # a name that another page made lead here
    assert asked(address, page, Host="evil.example")[0].status == 403
    assert asked(address, page, Host=f"localhost:{address.port}")[0].status == 200


def test_another_page_gets_no_data(boxes, served):
    address = served(Inspection(boxes, title="boxes"))
    live = f"ws://127.0.0.1:{address.port}/{address.token}/live"
    for origin in ("http://evil.example", None, f"http://127.0.0.1:{address.port + 1}"):
        with pytest.raises(InvalidStatus) as refused, connect(live, origin=origin):
            pass
        assert refused.value.response.status_code == 403


def test_a_drag_is_answered_by_the_newest_place(boxes, served):
    session = Inspection(boxes, title="boxes")
    address = served(session)
    origin = f"http://127.0.0.1:{address.port}"
    live = f"ws://127.0.0.1:{address.port}/{address.token}/live"
    with connect(live, origin=origin, max_size=None) as one:
        first = unpacked(one.recv(timeout=10))
        assert len(first["hits"]["clashes"]) == 1
        assert [c["name"] for c in first["state"]["choices"]] == ["method", "device"]
        place = np.array(first["scene"]["bodies"][1]["pose"]).reshape(4, 4)[:3, 3]
        for step in (1.0, 2.0, 7.0):
            moved = [place[0] + step, place[1], place[2]]
            one.send(json.dumps({"type": "move", "body": 1, "place": moved}))
        # nothing more comes before the first is acknowledged, and then only the newest
        with pytest.raises(TimeoutError):
            one.recv(timeout=0.3)
        answer = following(one, lambda got: got["hits"]["clashes"] == [])
        assert [c["body"] for c in answer["changes"]] == [1]
        assert boxes[1].world_vertices[:, 0].min() == pytest.approx(7.6)
        # a second tab begins where the first one is; closing it ends nothing
        with connect(live, origin=origin, max_size=None) as two:
            assert unpacked(two.recv(timeout=10))["hits"]["clashes"] == []
        one.send(json.dumps({"type": "home"}))
        following(one, lambda got: len(got["hits"]["clashes"]) == 1)
        one.send(json.dumps({"type": "choose", "name": "method", "value": "brute"}))
        following(one, lambda got: got["hits"]["method"] == "brute")
    # nonsense costs the connection, and nothing else
    with connect(live, origin=origin, max_size=None) as bad:
        bad.recv(timeout=10)
        bad.send(json.dumps({"type": "move", "body": 99, "place": [0, 0, 0]}))
        with pytest.raises(pytest.importorskip("websockets.exceptions").ConnectionClosed):
            bad.recv(timeout=10)
    with connect(live, origin=origin, max_size=None) as again:
        assert unpacked(again.recv(timeout=10))["hits"]["method"] == "brute"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_busy_port_and_ctrl_c(tmp_path: Path):
    command = [sys.executable, "-m", "impinge", "view", data.path("gearbox.glb"), "--no-browser"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    first = subprocess.Popen([*command, "--port", "0"], env=environment, **options)
    try:
        port = int(re.search(r"127\.0\.0\.1:(\d+)/", first.stdout.readline()).group(1))
        second = subprocess.Popen([*command, "--port", str(port)], env=environment, **options)
        try:
            told = re.search(r"port (\d+) is busy, taking (\d+)", second.stdout.readline())
            assert int(told.group(1)) == port < int(told.group(2))
            assert f"http://127.0.0.1:{told.group(2)}/" in second.stdout.readline()
        finally:
            second.send_signal(signal.SIGINT)
            out, err = second.communicate(timeout=20)
        assert (second.returncode, out, err) == (0, "impinge: stopped\n", "")
    finally:
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=20)
    assert first.returncode == 0
