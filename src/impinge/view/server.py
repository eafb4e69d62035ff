"""The server of the page: HTTP and WebSocket on this machine, for those who know the address."""

from __future__ import annotations

import asyncio
import errno
import hmac
import json
import logging
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from impinge.errors import MissingDependencyError
from impinge.render.page import embed
from impinge.render.page.snapshot import Snapshot, message

try:
    from websockets.asyncio.server import Server, ServerConnection, serve
    from websockets.datastructures import Headers
    from websockets.exceptions import ConnectionClosed
    from websockets.http11 import Request, Response
except ImportError:
    raise MissingDependencyError("websockets", "view", "impinge view") from None

if TYPE_CHECKING:
    from impinge.view.session import Session

PORT = 8642
_PORTS = 20
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_EVERYWHERE = ("0.0.0.0", "::", "")
_MOST_BYTES = 64 * 1024
MOST_PAGES = 32
"""Tabs that may be open at once."""
# what goes to a page goes in pieces, so that one that reads slowly holds only one of them up
_PIECE = 256 * 1024
# a page that takes no piece for so long is let go [seconds]
_PATIENCE = 60.0

_LOG = logging.getLogger("impinge.view")
# what a stranger sends is refused, and is nothing to tell in a terminal
_STRANGERS = logging.getLogger("impinge.view.server")
_STRANGERS.addHandler(logging.NullHandler())


@dataclass
class Address:
    """Where the page is. The token in it is what keeps other users and pages out."""

    host: str = "127.0.0.1"
    port: int = PORT
    token: str = field(default_factory=lambda: secrets.token_urlsafe(18))

    @property
    def hosts(self) -> frozenset[str] | None:
        """What a browser may call us; None: the machine has names that we do not know."""
        if self.host in _EVERYWHERE:
            return None
        names = LOOPBACK if self.host in LOOPBACK else (self.host,)
        return frozenset(f"{_bracketed(name)}:{self.port}" for name in names)

    @property
    def url(self) -> str:
        host = "127.0.0.1" if self.host in _EVERYWHERE else self.host
        return f"http://{_bracketed(host)}:{self.port}/{self.token}/"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class ViewServer:
    """Serves the page of one session to any number of tabs."""

    def __init__(self, session: Session, address: Address) -> None:
        self.session = session
        self.address = address
        self._server: Server | None = None
        self._pages = 0
        self._newest: Snapshot | None = None
        self._packed: dict[Snapshot | None, asyncio.Task[bytes]] = {}

    async def open(self, say: Callable[[str], object] = lambda _: None) -> None:
        """Begin to listen; a busy port is left to its owner, and the next free one taken."""
        first = self.address.port
        for port in range(first, first + _PORTS) if first else (0,):
            try:
                self._server = await serve(
                    self._talk,
                    self.address.host or None,
                    port,
                    process_request=self._answer,
                    # on one machine, packing takes longer than sending
                    compression=None,
                    max_size=_MOST_BYTES,
                    server_header=None,
                    logger=_STRANGERS,
                )
            except OSError as error:
                busy = error.errno in (errno.EADDRINUSE, errno.EACCES)
                if not busy or port in (0, first + _PORTS - 1):
                    raise
                continue
            self.address.port = next(iter(self._server.sockets)).getsockname()[1]
            if first and port != first:
                say(f"port {first} is busy, taking {port}")
            return

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    def _answer(self, _connection: ServerConnection, request: Request) -> Response | None:
        """Pages and files; None lets a WebSocket begin."""
        host, origin = _only(request, "Host"), _only(request, "Origin")
        hosts = self.address.hosts
        # another page may make a name of its own lead here: its requests carry that name
        if host is None or (hosts is not None and host not in hosts):
            return _plain(HTTPStatus.FORBIDDEN, "this address is not served here")
        token, _slash, name = request.path.removeprefix("/").partition("/")
        if not hmac.compare_digest(token.encode(), self.address.token.encode()):
            return _plain(HTTPStatus.NOT_FOUND, "open the whole address that was printed")
        if name == "live":
            if origin != f"http://{host}":
                return _plain(HTTPStatus.FORBIDDEN, "another page asked for this one's data")
            return None
        return _content(name, host)

    async def _talk(self, connection: ServerConnection) -> None:
        """One tab: what it asks for goes to the session, the newest snapshot to the tab."""
        if self._pages >= MOST_PAGES:
            await connection.close(1013, f"at most {MOST_PAGES} pages may be open; close one")
            return
        self._pages += 1
        loop = asyncio.get_running_loop()
        changed, ready = asyncio.Event(), asyncio.Event()
        changed.set()
        ready.set()
        leave = self.session.watch(lambda: loop.call_soon_threadsafe(changed.set))
        sender = asyncio.create_task(self._send(connection, changed, ready))
        try:
            async for text in connection:
                asked = _parsed(text)
                if asked.get("type") == "ack":
                    ready.set()
                    continue
                try:
                    self.session.handle(asked)
                except Exception:
                    # our own page asks for nothing of this kind
                    _STRANGERS.info("a message was not understood", exc_info=True)
                    await connection.close(1008, "not understood")
        except ConnectionClosed:
            pass
        finally:
            self._pages -= 1
            leave()
            sender.cancel()

    async def _send(
        self, connection: ServerConnection, changed: asyncio.Event, ready: asyncio.Event
    ) -> None:
        shown: Snapshot | None = None
        try:
            while True:
                await changed.wait()
                changed.clear()
                now = self.session.snapshot
                if now is None or now is shown:
                    continue
                await _send_pieces(connection, await self._message(now, shown))
                shown = now
                # the page has shown it: only now is it worth sending another
                ready.clear()
                await ready.wait()
                self.session.take(now.number)
        except ConnectionClosed:
            pass
        except TimeoutError:
            connection.transport.abort()
        except Exception:
            _LOG.exception("a message could not be sent")
            await connection.close(1011, "what is to be shown could not be sent")

    async def _message(self, now: Snapshot, shown: Snapshot | None) -> bytes:
        """Pages that show the same get the same bytes, and not copies of them."""
        if now is not self._newest:
            self._newest, self._packed = now, {}
        if shown not in self._packed:
            packing = asyncio.to_thread(message, now, shown)
            self._packed[shown] = asyncio.create_task(packing)
        try:
            # a page that leaves ends nothing for the others
            return await asyncio.shield(self._packed[shown])
        except Exception:
            self._packed.pop(shown, None)
            raise


async def _send_pieces(connection: ServerConnection, data: bytes) -> None:
    loop, view = asyncio.get_running_loop(), memoryview(data)
    async with asyncio.timeout(_PATIENCE) as limit:

        def pieces() -> Iterator[memoryview]:
            for start in range(0, len(view), _PIECE):
                limit.reschedule(loop.time() + _PATIENCE)
                yield view[start : start + _PIECE]

        await connection.send(pieces())


def _only(request: Request, name: str) -> str | None:
    """The header of this name, if there is exactly one."""
    values = request.headers.get_all(name)
    return values[0] if len(values) == 1 else None


def _parsed(text: str | bytes) -> dict[str, Any]:
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return asked if isinstance(asked, dict) else {}


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Impinge</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<script defer src="page.js"></script>
</head>
<body data-mode="live"></body>
</html>
"""
_FILES: dict[str, tuple[str, Callable[[], str]]] = {
    "page.js": ("text/javascript", embed.program),
    "page.css": ("text/css", lambda: embed.style("scene", "window")),
}


def _content(name: str, host: str) -> Response:
    if name == "":
        return _file(_PAGE.encode(), "text/html", policy=_policy(host))
    if name in _FILES:
        kind, content = _FILES[name]
        return _file(content().encode(), kind)
    return _plain(HTTPStatus.NOT_FOUND, "there is no such page")


def _policy(host: str) -> str:
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self'; connect-src ws://{host}; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _file(body: bytes, kind: str, *, policy: str = "default-src 'none'") -> Response:
    headers = Headers()
    headers["Content-Type"] = f"{kind}; charset=utf-8"
    headers["Content-Length"] = str(len(body))
    headers["Content-Security-Policy"] = policy
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Referrer-Policy"] = "no-referrer"
    headers["Cache-Control"] = "no-store"
    headers["Connection"] = "close"
    return Response(HTTPStatus.OK, "OK", headers, body)


def _plain(status: HTTPStatus, text: str) -> Response:
    answer = _file(f"{text}\n".encode(), "text/plain")
    answer.status_code, answer.reason_phrase = status.value, status.phrase
    return answer
