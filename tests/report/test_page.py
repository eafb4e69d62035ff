"""The report page: complete, self-contained, safe, and about the right things."""

from __future__ import annotations

import html
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge import data
from impinge.errors import InputError
from impinge.report import figures, report_page, write_report

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
FACES = np.array([t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))], dtype=np.int32)
VOID = {"meta", "img", "br"}


class _Balance(HTMLParser):
    """Fails on a tag that is not closed where it should be; collects text and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, text: str) -> None:
        self.words.append(text)


def _parsed(page: str) -> _Balance:
    parser = _Balance()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    return parser


def _boxes(*shifts: float, names: tuple[str, ...] = ()) -> impinge.Scene:
    scene = impinge.Scene()
    for index, shift in enumerate(shifts):
        name = names[index] if names else f"box {index}"
        scene.add(CORNERS + np.array([shift, 0.25 * shift, 0.125 * shift]), FACES, name=name)
    return scene


@pytest.fixture(scope="module")
def gearbox() -> str:
    scene = impinge.load_scene(data.path("gearbox.glb"))
    check = scene.check(tolerance="precision", clearance=0.35)
    return report_page(scene, check, title="gearbox", sources=[data.path("gearbox.glb")])


def test_gearbox_page_is_complete_and_small(gearbox: str) -> None:
    parsed = _parsed(gearbox)
    text = " ".join(parsed.words)
    assert "6 pairs of parts clash" in text
    assert len(gearbox) < 4_000_000
    # the scene; of six clashes and twelve gaps a small picture, one from near and a cut
    assert parsed.tags.count("img") == 1 + 3 * (6 + 12)
    pins = [v for k, v in parsed.attributes if k == "class" and (v or "").startswith("pin")]
    assert pins == ["pin"] * 6 + ["pin near"] * 12
    for word in ("idler-pinion", "output-gear", "bvh", "traverse", "Tolerance:", "632.9"):
        assert word in text
    tags = Counter(v for k, v in parsed.attributes if k == "class" and (v or "").startswith("tag"))
    # once in the table, once more where there are pictures
    assert tags == {"tag clash": 12, "tag contact": 54, "tag near": 24}


def _cells(page: str) -> list[list[str]]:
    """The rows of the table of findings, as text."""
    body = page.split("<tbody>")[1].split("</tbody>", maxsplit=1)[0]
    strip = re.compile(r"<[^>]+>")
    return [
        [html.unescape(strip.sub("", cell)) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)]
        for row in body.split("</tr>")
        if "<td" in row
    ]


def test_rows_tell_what_the_check_says_clashes_first_and_deepest(gearbox: str) -> None:
    rows = _cells(gearbox)
    assert [row[0] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    assert [row[2] for row in rows] == ["clash"] * 6 + ["contact"] * 54 + ["near"] * 12
    depths = [float(row[5]) for row in rows[:6]]
    assert depths == sorted(depths, reverse=True)
    assert rows[1][3:7] == ["cover", "idler-shaft", "3", "632.9"]
    gaps = [float(row[7]) for row in rows[60:]]
    assert gaps == sorted(gaps)
    # the width of a gap stands in both its pictures
    widths = re.findall(r'class="width"[^>]*>([^<]+)<', gearbox)
    assert [float(width) for width in widths] == [gap for gap in gaps for _ in range(2)]


def test_open_parts_and_their_cure_are_told() -> None:
    scene = _boxes(0.0, 0.5)
    scene.add(CORNERS + np.array([0.7, 0.1, 0.1]), FACES[2:], name="lid off")
    check = scene.check(tolerance=0.01)
    page = report_page(scene, check)
    assert "Tolerance: 0.01, as asked." in page
    assert check.warnings
    for text in check.warnings:
        assert html.escape(text) in page
    unknown = [row for row in _cells(page) if "lid off" in row]
    assert unknown
    assert all(row[5] == "unknown" and row[8] == "open part" for row in unknown)


def test_faces_alone_have_a_page_without_depths() -> None:
    scene = _boxes(0.0, 0.5)
    page = report_page(scene, scene.collide())
    text = " ".join(_parsed(page).words)
    assert "no depth was measured" in text
    assert "curve length" in text
    assert "volume" not in " ".join(
        re.findall(r"<th[^>]*>([^<]*)</th>", page.split("</table>", maxsplit=1)[0])
    )


def test_too_near_is_a_verdict_of_its_own() -> None:
    scene = _boxes(0.0, 1.2)
    page = report_page(scene, scene.check(clearance=0.5))
    assert "no clash, parts are too near" in page
    assert "Gaps up to 0.5 are near." in page


def test_page_needs_nothing_from_outside(gearbox: str) -> None:
    parsed = _parsed(gearbox)
    assert "link" not in parsed.tags
    # the model and the program are text; one script runs, and the policy knows it by its hash
    assert parsed.tags.count("script") == 3
    kinds = [v for k, v in parsed.attributes if k == "type"]
    assert kinds == ["text/plain", "text/plain"]
    policy = next(v or "" for k, v in parsed.attributes if k == "content" and "src" in (v or ""))
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    assert "http" not in policy
    sources = [v or "" for k, v in parsed.attributes if k in {"src", "href"}]
    assert all(v.startswith(("data:image/png;base64,", "#")) for v in sources)
    assert "url(" not in gearbox
    assert "@import" not in gearbox
    targets = {v for k, v in parsed.attributes if k == "id"}
    assert {v[1:] for v in sources if v.startswith("#")} <= targets


def test_names_are_escaped_everywhere() -> None:
    evil = "<script>alert('x')</script>\"&"
    scene = _boxes(0.0, 0.5, names=(evil, "b<i>"))
    page = report_page(scene, scene.collide(), title=evil, sources=[evil])
    parsed = _parsed(page)
    assert parsed.tags.count("script") == 3
    assert "i" not in parsed.tags
    assert evil in parsed.words
    assert not any(name.startswith("on") for name, _ in parsed.attributes)


def test_no_collision_and_touching_have_their_own_verdict() -> None:
    apart = _boxes(0.0, 3.0)
    assert "no collision" in report_page(apart, apart.collide())
    touching = impinge.Scene()
    touching.add(CORNERS, FACES, name="a")
    touching.add(CORNERS + np.array([1.0, 0.0, 0.0]), FACES, name="b")
    page = report_page(touching, touching.collide())
    assert "no clash, parts touch" in page
    assert "Each from near" not in page


def test_a_self_intersecting_body_and_open_meshes_are_drawn() -> None:
    scene = impinge.Scene()
    both = np.concatenate([CORNERS, CORNERS + np.array([0.5, 0.25, 0.125])])
    scene.add(both, np.concatenate([FACES, FACES + 8]), name="twice")
    scene.add(CORNERS * 0.5 + (0.7, 0.1, 0.1), FACES[2:], name="open")
    page = report_page(scene, scene.collide(self_collision=True))
    # closed against open and one body with itself: no cut, one picture each
    assert _parsed(page).tags.count("img") == 1 + 2 * 2


def test_an_empty_scene_has_a_page() -> None:
    scene = impinge.Scene()
    _parsed(report_page(scene, scene.collide()))


def test_the_number_of_pictures_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "MOST_PICTURED", 2)
    scene = _boxes(0.0, 0.5, 1.0, 1.5, 2.0, 2.5)
    page = report_page(scene, scene.collide())
    parsed = _parsed(page)
    # five clashes: a thumbnail each, two pictures of the first two
    assert parsed.tags.count("img") == 1 + 5 + 4
    assert "and 3 more, without pictures" in page
    links = {v for k, v in parsed.attributes if k == "href"}
    assert links == {"#finding-1", "#finding-2"}


def test_a_result_of_another_scene_or_of_poses_is_refused() -> None:
    scene = _boxes(0.0, 0.5)
    hits = scene.collide()
    with pytest.raises(InputError, match="scene that was asked"):
        report_page(_boxes(0.0, 0.5, 1.0), hits)
    many = impinge.collide((CORNERS, FACES), (CORNERS, FACES), poses=np.eye(4)[None])
    with pytest.raises(InputError, match="one pose"):
        report_page(many.scene, many)


def test_write_report_writes_the_page(tmp_path: Path) -> None:
    scene = _boxes(0.0, 0.5)
    write_report(tmp_path / "clash.html", scene, scene.collide(), title="Zwei Körper")
    text = (tmp_path / "clash.html").read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "Zwei Körper" in text
