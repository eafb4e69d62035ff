"""Makes the screenshots of the documentation: the viewer, a demo, the report, a notebook's view.

    python docs/make_screenshots.py [FOLDER]

Needs impinge[view,simulate], Playwright and Chromium; nothing is shown on the screen.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from output_folder import output_folder
from playwright.sync_api import Browser, Page, sync_playwright

import impinge
from impinge import data
from impinge.lab.demos import registry as demos
from impinge.lab.demos.session import DemoSession
from impinge.report import write_report
from impinge.view.inspection import Inspection
from impinge.view.run import in_background

# as `impinge check --clearance 0.1` asks
ASKED: dict[str, Any] = {"tolerance": "precision", "clearance": 0.1, "facets": True}
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def main() -> None:
    folder = output_folder("Make the screenshots of the documentation.")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name, shoot in {
            "viewer": viewer,
            "viewer-dark": viewer_dark,
            "demo": demo,
            "report": report,
            "notebook": notebook,
        }.items():
            shoot(browser, folder / f"{name}.jpg")
            print(folder / f"{name}.jpg")
        browser.close()


def viewer(browser: Browser, target: Path) -> None:
    """The assembly, all clashes seen through it."""
    with in_background(inspection()) as at, opened(browser, at.url, (1360, 800)) as page:
        # asked a second time, it tells what a query takes when trees are there already
        page.click("[title='Put all parts back']")
        page.mouse.move(0, 0)
        taken(page, target)


def viewer_dark(browser: Browser, target: Path) -> None:
    """One clash from near, on a dark page."""
    with in_background(inspection()) as at, opened(browser, at.url, (1360, 800), dark=True) as page:
        page.locator(".clashes li button", has_text="output-gear").click()
        page.mouse.move(0, 0)
        taken(page, target)


def demo(browser: Browser, target: Path) -> None:
    """Creatures with tentacles, while they move."""
    with (
        in_background(DemoSession(demos.find("creatures"))) as at,
        opened(browser, at.url, (1200, 680)) as page,
    ):
        page.wait_for_timeout(20_000)
        shot(page, target)


def report(browser: Browser, target: Path) -> None:
    """The top of the report about the assembly."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "clash.html"
        scene = impinge.load_scene(data.path("gearbox.glb"))
        write_report(
            file, scene, scene.check(**ASKED), title="gearbox.glb", sources=["gearbox.glb"]
        )
        with opened(browser, file.as_uri(), (1200, 1240)) as page:
            taken(page, target)


def notebook(browser: Browser, target: Path) -> None:
    """What a notebook shows of a result."""
    scene = impinge.load_scene(data.path("gearbox.glb"))
    pair = impinge.Scene()
    for name in ("idler-pinion", "output-gear"):
        pair.add(scene[name].mesh, pose=scene[name].pose)
    cell = (
        "<style>body{font:14px sans-serif;margin:22px;width:860px}pre{padding:10px 14px;"
        "background:#f5f6f8;border:1px solid #e1e6eb;border-radius:4px}table{margin-top:8px;"
        "border-collapse:collapse}td,th{padding:4px 12px;text-align:right}caption{padding:6px}"
        "</style><pre>scene.check()</pre><p data-ready></p>"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "notebook.html"
        answer = pair.check()._repr_html_()
        file.write_text(f"<meta charset=utf-8>{cell}{answer}", encoding="utf-8")
        with opened(browser, file.as_uri(), (904, 620)) as page:
            frame = page.frame_locator("iframe")
            frame.locator("#scene[data-ready]").wait_for()
            taken(page, target)


def inspection() -> Inspection:
    scene = impinge.load_scene(data.path("gearbox.glb"))
    return Inspection(scene, title="gearbox.glb", up="y", **ASKED)


@contextmanager
def opened(
    browser: Browser, url: str, size: tuple[int, int], *, dark: bool = False
) -> Iterator[Page]:
    """A page that is ready."""
    width, height = size
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
    )
    page.goto(url)
    page.wait_for_selector("[data-ready]", state="attached", timeout=60_000)
    yield page
    page.close()


def taken(page: Page, target: Path) -> None:
    page.wait_for_timeout(1500)
    shot(page, target)


def shot(page: Page, target: Path) -> None:
    page.screenshot(path=str(target), type="jpeg", quality=93)


if __name__ == "__main__":
    main()
