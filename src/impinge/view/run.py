"""Serve a session until Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Event as ThreadEvent
from threading import Thread
from typing import TYPE_CHECKING

from impinge.view.doorway import doorway
from impinge.view.server import LOOPBACK, PORT, Address, ViewServer

if TYPE_CHECKING:
    from impinge.view.session import Session

__all__ = ["PORT", "in_background", "serve"]


def serve(
    session: Session,
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    browser: bool = True,
    say: Callable[[str], object] = print,
) -> None:
    """Open the page in the browser and serve it; returns after Ctrl-C."""
    session.start()
    try:
        asyncio.run(_serve(session, Address(host, port), browser, say))
    except KeyboardInterrupt:
        # where signals have no handlers
        pass
    finally:
        session.end()
    say("stopped")


@contextmanager
def in_background(session: Session) -> Iterator[Address]:
    """Serve on any free port, in a thread, until the block is left."""
    address, ready = Address(port=0), ThreadEvent()
    loop, stop = asyncio.new_event_loop(), asyncio.Event()

    async def run() -> None:
        server = ViewServer(session, address)
        await server.open()
        ready.set()
        await stop.wait()
        await server.close()

    thread = Thread(target=lambda: loop.run_until_complete(run()), name="impinge-server")
    session.start()
    thread.start()
    ready.wait()
    try:
        yield address
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
        session.end()


async def _serve(
    session: Session, address: Address, browser: bool, say: Callable[[str], object]
) -> None:
    server = ViewServer(session, address)
    await server.open(say)
    if address.host not in LOOPBACK:
        say("other machines can reach this page, if they know its address")
    say(f"{address.url}  (Ctrl-C ends)")
    stop = asyncio.Event()
    if sys.platform != "win32":
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(ValueError, RuntimeError):
                loop.add_signal_handler(number, stop.set)
    with ExitStack() as until_closed:
        if browser:
            import webbrowser

            # without a place for the file, the address that was printed must do
            with suppress(OSError):
                door = until_closed.enter_context(doorway(address.url))
                await asyncio.to_thread(webbrowser.open, door)
        try:
            await stop.wait()
        finally:
            await server.close()
