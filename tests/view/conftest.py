"""A server in a thread, a browser, and pages that must not complain."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture
def served() -> Iterator[Callable[[Any], Any]]:
    """Serves a session until the test is over, and gives the address of its page."""
    pytest.importorskip("websockets")
    from impinge.view.run import in_background

    with ExitStack() as stack:
        yield lambda session: stack.enter_context(in_background(session))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Debian's browser, without a window, driven by Playwright."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    api = pytest.importorskip("playwright.sync_api", reason="no Playwright: pip install playwright")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Any, served: object) -> Iterator[Callable[..., Any]]:
    """Opens pages; at the end none of them has complained or asked another machine.

    They are closed before their server is.
    """
    contexts: list[Any] = []
    wrong: list[str] = []

    def open_(
        url: str, *, offline: bool = False, home: str = "", ready: str = "[data-ready]"
    ) -> Any:
        # small, and without flights: it is drawn in software
        context = chromium.new_context(
            viewport={"width": 960, "height": 480}, offline=offline, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        places = (url, home or url)
        homes = [one if one.startswith("file:") else one.split("/", 3)[2] for one in places]

        def look(request: Any) -> None:
            asked = request.url
            if not asked.startswith("data:") and not any(one in asked for one in homes):
                wrong.append(f"asked for {asked}")

        page.on("request", look)
        page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(url)
        page.wait_for_selector(ready, timeout=30_000)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert wrong == []
