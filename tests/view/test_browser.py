"""The page in a real browser: Debian's Chromium, without a window, its network watched."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
from PIL import Image

import impinge
from impinge import data
from impinge.errors import Cancelled
from impinge.lab.demos import registry as demos
from impinge.lab.demos.session import DemoSession
from impinge.report import figures, write_report
from impinge.view import inspection
from impinge.view.doorway import doorway
from impinge.view.inspection import Inspection
from support.meshes import box, moved

VERDICT = "header .verdict"


def wait_for_text(page: Any, selector: str, text: str) -> None:
    page.locator(selector, has_text=text).first.wait_for(timeout=20_000)


def wait_until(page: Any, done: Callable[[], object]) -> None:
    """The policy of the page lets no expressions in, so it is asked from here."""
    for _ in range(400):
        if done():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it never came true")


def count(page: Any, selector: str, name: str) -> int:
    return int(page.get_attribute(selector, name) or 0)


def test_look_hide_and_fly(boxes, served, open_page):
    address = served(Inspection(boxes, title="boxes"))
    page = open_page(address.url)
    wait_for_text(page, VERDICT, "1 clash")
    # the name of a part is shown, not run
    assert boxes[0].name in page.inner_text(".tree")
    assert page.title() == "boxes – Impinge"
    before = count(page, ".view", "data-drawn")
    page.click(".clashes li button")
    assert page.get_attribute(".view", "data-selected") == "1"
    wait_until(page, lambda: count(page, ".view", "data-drawn") > before)
    assert page.locator(".clashes li.chosen").count() == 1
    page.keyboard.press("Escape")
    assert page.get_attribute(".view", "data-selected") == ""
    # a branch of two bolts: hide both, then show one of them
    page.click("[title='Hide all of bolt']")
    assert page.locator(".tree li.off").count() == 3
    page.click(".tree .fold")
    page.click("[title='Hide bolt-2']")
    assert page.locator(".tree li.off").count() == 1
    page.fill(".parts input[type=search]", "bolt-2")
    assert page.locator(".tree .row:visible").count() == 2


def canvas(page: Any) -> np.ndarray:
    """(height, width, 3) what is drawn, once nothing moves any more."""

    def rests() -> bool:
        drawn = page.get_attribute(".view", "data-drawn")
        page.wait_for_timeout(200)
        return bool(page.get_attribute(".view", "data-drawn") == drawn)

    wait_until(page, rests)
    with Image.open(BytesIO(page.locator(".view canvas").screenshot())) as image:
        return np.asarray(image.convert("RGB"), dtype=int)


def test_the_first_picture_fits_every_window(served, open_page):
    scene = impinge.load_scene(data.path("gearbox.glb"))
    # a survey marker far away, which must not make the gearbox tiny
    scene.add(*moved(box(), (9000.0, 0.0, 0.0)), name="marker")
    page = open_page(served(Inspection(scene, title="gearbox", up="y")).url)
    wait_for_text(page, VERDICT, "6 clashes")
    # the verdicts come after the faces, and nothing is framed anew then
    wait_for_text(page, ".clashes li >> nth=0", "deep")
    # glass is hard to tell from the background
    page.keyboard.press("x")
    for width, height in ((1280, 720), (1440, 900), (1920, 1080), (420, 800), (960, 480)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        pixels = canvas(page)
        # the background is grey and smooth, whatever is cut off would show its edges
        ends = pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]
        jumps = max(np.abs(np.diff(end, axis=0)).max() for end in ends)
        assert jumps <= 8, f"something is cut off at {width} x {height}"
        coloured = np.ptp(pixels, axis=2) > 30
        filled = max(coloured.any(axis=k).mean() for k in range(2))
        assert filled > 0.6, f"the gearbox is tiny at {width} x {height}"


def reds(pixels: np.ndarray) -> float:
    """The share of a picture that is red."""
    red, green, blue = pixels.transpose(2, 0, 1)
    return float(((red > green + 70) & (red > blue + 70)).mean())


def test_only_the_overlap_is_red(served, open_page):
    scene = impinge.Scene()
    scene.add(*box(), name="one")
    shift = 0.9 * np.ptp(box()[0], axis=0)
    scene.add(*moved(box(), shift), name="two")
    page = open_page(served(Inspection(scene, title="corner")).url)
    wait_for_text(page, ".clashes li >> nth=0", "deep")
    page.locator(".pins .pin").evaluate("pin => pin.remove()")
    # a thousandth of each box, with the curves around it; a whole face would be a fifth
    assert 0.0001 < reds(canvas(page)) < 0.02
    page.click(".clashes li button")
    assert reds(canvas(page)) > 0.02


def test_filter_by_verdict_depth_and_words(served, open_page):
    scene = impinge.Scene()
    for name, place in {"plate": 0.0, "deep": 0.5, "shallow": 1.45, "near": 2.55}.items():
        scene.add(*moved(box(), (place, 0.1 * place, 0.2 * place)), name=name)
    scene.add(*moved(box(), (0.0, 0.0, np.ptp(box()[0][:, 2]))), name="on top")
    check = scene.check(clearance=0.3)
    assert {name for name, count in check.counts.items() if count} >= {"clash", "contact", "near"}
    session = Inspection(scene, title="five", clearance=0.3, facets=False)
    page = open_page(served(session).url)
    wait_for_text(page, ".clashes li >> nth=0", "deep")
    rows = page.locator(".clashes li .badge")
    counts = check.counts
    # contacts are there, but not listed at first
    assert rows.count() == len(check) - counts["contact"]
    assert page.locator(".pins .gap-pin").count() == counts["near"]
    page.click(".chip.contact")
    assert rows.count() == len(check)
    page.click(".chip.clash")
    page.click(".chip.contact")
    assert rows.count() == counts["near"]
    gap = check.near.sorted("distance")[0].distance
    assert float(page.locator(".pins .gap-pin").first.inner_text()) == float(f"{gap:.3g}")
    page.click(".chip.clash")
    # the slider ends at the deepest, and a gap has no depth
    page.fill("input[name=depth]", "100")
    assert rows.count() == 1 + counts["near"]
    page.fill("input[name=depth]", "0")
    page.fill(".found input[type=search]", "near plate")
    assert rows.count() == 0
    page.fill(".found input[type=search]", "shallow")
    assert 0 < rows.count() < len(check)


def test_a_slow_check_comes_after_the_faces(boxes, served, open_page, monkeypatch):
    slow = inspection._QUICK + 0.3
    check = impinge.Scene.check
    asked = []

    def slowly(scene: impinge.Scene, **options: Any) -> Any:
        asked.append(scene)
        for step in range(20):
            sleep(slow / 20)
            if options["progress"](step / 20) is False:
                raise Cancelled("cancelled")
        return check(scene, **options)

    monkeypatch.setattr(impinge.Scene, "check", slowly)
    page = open_page(served(Inspection(boxes, title="boxes", facets=False)).url)
    wait_for_text(page, ".clashes li >> nth=0", "deep")
    first = len(asked)
    page.keyboard.press("m")
    pin = page.locator(".pin").bounding_box()
    x, y = pin["x"] + pin["width"] / 2, pin["y"] + pin["height"] + 14
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 6, y, steps=3)
    # while it moves the faces are told, without a depth
    wait_for_text(page, ".clashes li >> nth=0", "crossing")
    page.mouse.up()
    wait_for_text(page, ".clashes li >> nth=0", "deep")
    assert len(asked) > first


def test_drag_a_part_in_one_of_two_tabs(boxes, served, open_page):
    address = served(Inspection(boxes, title="boxes"))
    page, other = open_page(address.url), open_page(address.url)
    wait_for_text(page, VERDICT, "1 clash")
    page.keyboard.press("m")
    # the pin of the clash is over the two boxes that cross
    pin = page.locator(".pin").bounding_box()
    x, y = pin["x"] + pin["width"] / 2, pin["y"] + pin["height"] + 14
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 5):
        page.mouse.move(x + 90 * step, y, steps=2)
    page.mouse.up()
    wait_for_text(page, VERDICT, "No collision")
    wait_for_text(other, VERDICT, "No collision")
    page.close()
    other.click("[title='Put all parts back']")
    wait_for_text(other, VERDICT, "1 clash")
    other.select_option("select[name=method]", "brute")
    wait_for_text(other, ".method", "brute")
    assert other.locator(".stage-row").count() >= 1
    other.fill("input[name=explode]", "0.5")
    wait_until(other, lambda: other.locator(".pin:visible").count() == 0)


def test_what_goes_wrong_is_told_on_the_page(boxes, served, open_page, monkeypatch):
    monkeypatch.setattr("impinge.view.server.MOST_PAGES", 1)
    session = Inspection(boxes, title="boxes")
    address = served(session)
    with doorway(address.url) as door:
        # as the browser of a user finds the page
        page = open_page(door, home=address.url)
        wait_for_text(page, VERDICT, "1 clash")
    assert page.url == address.url
    session.handle({"type": "move", "body": 0, "place": [1e300, 0.0, 0.0]})
    wait_for_text(page, ".note", "moves the mesh beyond 1e100")
    page.click("[title='Put all parts back']")
    wait_until(page, lambda: not page.locator(".note").is_visible())
    second = open_page(address.url, ready=".note:visible")
    assert second.inner_text(".note") == (
        "The server said: at most 1 pages may be open; close one."
    )


def test_play_a_demo(served, open_page):
    session = DemoSession(demos.find("cloth"), playing=False)
    session._values["full"] = 0.0
    address = served(session)
    page = open_page(address.url)
    clock = page.inner_text(".clock")
    page.click("[title='One step']")
    wait_until(page, lambda: page.inner_text(".clock") != clock)
    page.click("[title='Play']")
    wait_until(page, lambda: count(page, "body", "data-results") > 8)
    assert "fps" in page.inner_text(".plot >> nth=0")
    assert "ms" in page.inner_text(".plot >> nth=1")
    page.select_option("select[name=method]", "brute")
    wait_for_text(page, ".method", "brute")
    page.fill("input[name=speed]", "2.5")
    page.click("[title='Pause']")
    page.locator("[title='Play']").wait_for()
    page.wait_for_timeout(300)
    stopped = page.inner_text(".clock")
    page.wait_for_timeout(300)
    assert page.inner_text(".clock") == stopped


def test_a_report_without_network(boxes, open_page, tmp_path: Path, monkeypatch):
    for name, size in (("overview", (120, 90)), ("closeup", (56, 40)), ("section", (56, 40))):
        monkeypatch.setattr(figures, name, partial(getattr(figures, name), size=size))
    file = tmp_path / "clash.html"
    write_report(file, boxes, boxes.check(clearance=2.0), title=boxes[0].name)
    page = open_page(file.as_uri(), offline=True)
    assert page.title() == boxes[0].name
    assert page.locator(".view.alive canvas").count() == 1
    assert not page.locator(".poster").is_visible()
    # the table has the filter of the viewer
    rows = page.locator("tr[data-clash]:visible")
    assert [row.split()[1] for row in rows.all_inner_texts()] == ["clash", "near", "near"]
    page.click(".chip.near")
    assert rows.count() == 1
    page.fill(".filter input[type=search]", "bolt-2")
    assert rows.count() == 0
    page.fill(".filter input[type=search]", "")
    page.click("tr[data-clash='1'] td:nth-child(3)")
    assert page.get_attribute("#scene", "data-selected") == "1"
    assert page.locator("tr.chosen").count() == 1
    page.click("details:last-of-type summary")
    parts = page.locator("details:last-of-type tbody tr")
    assert parts.count() == 3
    page.locator("details:last-of-type th").first.click()
    assert parts.first.inner_text().startswith("<script>")
    page.locator("details:last-of-type th").first.click()
    assert parts.first.inner_text().startswith("bolt-2")
    page.fill("details:last-of-type .search", "bolt 1")
    assert page.locator("details:last-of-type tbody tr:visible").count() == 2


def test_an_answer_of_a_notebook(boxes, open_page, tmp_path: Path):
    file = tmp_path / "notebook.html"
    ready = "<p data-ready>In [1]: hits</p>"
    file.write_text(f"<meta charset=utf-8>{ready}{boxes.collide()._repr_html_()}", "utf-8")
    page = open_page(file.as_uri(), offline=True)
    view = page.frame_locator("iframe")
    view.locator("#scene[data-ready]").wait_for(timeout=20_000)
    view.locator(".pin").click()
    assert view.locator("#scene").get_attribute("data-selected") == "1"
