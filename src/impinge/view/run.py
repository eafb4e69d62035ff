"""Serve a session until Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from impinge.view.server import PORT, Address, ViewServer

if TYPE_CHECKING:
    from impinge.view.session import Session

__all__ = ["PORT", "serve"]


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


async def _serve(
    session: Session, address: Address, browser: bool, say: Callable[[str], object]
) -> None:
    server = ViewServer(session, address)
    await server.open(say)
    if address.hosts is None or "127.0.0.1" not in address.url:
        say("other machines can reach this page, if they know its address")
    say(f"{address.url}  (Ctrl-C ends)")
    stop = asyncio.Event()
    if sys.platform != "win32":
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(ValueError, RuntimeError):
                loop.add_signal_handler(number, stop.set)
    if browser:
        import webbrowser

        await asyncio.to_thread(webbrowser.open, address.url)
    try:
        await stop.wait()
    finally:
        await server.close()
