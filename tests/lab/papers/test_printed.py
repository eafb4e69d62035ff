"""Published numbers against a second copy of the papers' tables, typed as they are printed.

`printed/` has table 1 of Georgii et al. 2007 (the stage times of its dragon are not legible, its
cloth is told in the text), of Zachmann and Knittel 2003, and of Mainzer and Zachmann 2013.
"""

from __future__ import annotations

import csv
import re
from dataclasses import asdict, fields
from pathlib import Path

import pytest

import impinge
from impinge.lab import scenes
from impinge.lab.papers.cdfc import experiments as cdfc
from impinge.lab.papers.cinder import experiments as cinder
from impinge.lab.papers.cinder import report as cinder_report
from impinge.lab.papers.dop.objects import OBJECTS, Printed
from impinge.lab.papers.peel import experiments as peel
from impinge.lab.papers.peel import report as peel_report
from impinge.lab.papers.ray import report as ray_report
from impinge.lab.scenes import stairs

HERE = Path(__file__).parent
DOCS = HERE.parents[2] / "docs"


def printed(name: str) -> dict[str, dict[str, str]]:
    """The rows of a table by their first column."""
    with (HERE / "printed" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    first = next(iter(rows[0]))
    return {row.pop(first): row for row in rows}


def number(text: str) -> float | None:
    """12K is 12,000, 542 888 is one number, a dash is none."""
    if text == "–":
        return None
    digits, unit = re.fullmatch(r"([\d. ]+?) ?(K|k|ms|)", text).groups()
    return round(float(digits.replace(" ", "")) * (1000 if unit in ("K", "k") else 1), 6)


def cells(page: str, row: str) -> list[list[str]]:
    """The rows of a page that begin like this, without what is empty."""
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    found = [line[len(row) :].split("|") for line in lines if line.startswith(row)]
    return [[cell.strip().replace(",", "") for cell in one if cell.strip()] for one in found]


def as_text(*numbers: float | None) -> list[str]:
    return [f"{one:.10g}" for one in numbers if one is not None]


@pytest.mark.parametrize("name", scenes.names())
def test_table_1_of_peel(name: str) -> None:
    expected = {column: number(text) for column, text in printed("peel")[name].items()}
    assert asdict(scenes.make(name, size="small").paper) == expected
    # the page has the time of a frame, not of its stages
    shown = [
        value for column, value in expected.items() if column.removesuffix("_ms") not in peel.STAGES
    ]
    assert cells("peel.md", f"| {name} | paper |") == [as_text(*shown)]


def test_all_scenes_of_peel_are_printed() -> None:
    assert list(printed("peel")) == list(scenes.names())
    assert list(printed("peel")["cloth"]) == [field.name for field in fields(scenes.PaperRow)]


@pytest.mark.parametrize("name", OBJECTS)
def test_table_1_of_dop(name: str) -> None:
    row = printed("dop")[name]
    chosen = OBJECTS[name]
    assert chosen.title == row.pop("title")
    average, worst = (int(text) for text in row.pop("speedup").split(" / "))
    value = {column: number(text) for column, text in row.items()}
    columns = ("aligned", "tumbled", "hardware", "software")
    assert chosen.triangles == value["pgons"]
    assert chosen.average == Printed(*(value[c] for c in columns), average, value["checks"])
    assert chosen.worst == Printed(*(value[f"worst_{c}"] for c in columns), worst)
    pages = [
        as_text(*list(value.values())[:6], average),
        as_text(*list(value.values())[6:], worst),
    ]
    assert cells("chip.md", f"| {chosen.title} | paper |") == pages


def test_table_1_of_cdfc() -> None:
    for name, row in printed("cdfc").items():
        expected = {column: number(text) for column, text in row.items()}
        assert cdfc.PAPER[name] == {c: v for c, v in expected.items() if v is not None}
        for made in ("two recorded frames", "made"):
            (shown,) = cells("cdfc.md", f"| {cdfc.TITLES[name]}, {made} |")
            assert shown[1] == f"{expected['CDFC']:.3g}"
    assert set(cdfc.PAPER) == set(printed("cdfc"))


def test_figures_told_in_the_text_of_ray_and_cinder() -> None:
    """Worst deviation of ten sides, time steps, frames; spheres and steps of the stairs."""
    numbers = {name: re.findall(r"[\d.]+", text) for name, text in ray_report.PAPER.items()}
    assert numbers["force quality"] == ["10", "8", "1"]
    assert numbers["time step"] == ["0.45", "0.2"]
    assert numbers["speed"] == ["30", "12", "2.5"]
    assert (cinder.FEW, cinder.MANY, stairs.STEPS) == (50, 250, 11)
    assert re.findall(r"\d+", cinder_report.PAPER["stairs"]) == ["50", "250"]


def test_layers_of_peel_are_those_of_the_paper() -> None:
    """Six passes, and a seventh that marks what is deeper; nothing is dilated."""
    found = {
        mode: (options.get("layers"), options.get("deeper"), options["dilate"])
        for mode, options in peel.LAYER_MODES.items()
    }
    assert found == {
        peel.ALL_LAYERS: (None, None, 0),
        "6 layers": (6, None, 0),
        "6 layers, deeper marked": (6, "mark", 0),
    }


def test_columns_of_peel_hold_every_stage() -> None:
    """As the paper has them: the first of sampling, merging and separating; snapping is ours."""
    assert peel.STAGES["sample"] == ("sample", "merge", "separate")
    assert (peel.STAGES["pack"], peel.STAGES["exact"]) == (("pack",), ("exact",))
    run = scenes.make("cloth", size="small")
    run.advance(1.0)
    stats = run.scene.collide(method=impinge.detector("peel", device="cpu")).stats
    in_columns = [stage for stages in peel.STAGES.values() for stage in stages]
    assert in_columns == [stage.name for stage in stats.stages if stage.seconds is not None]


def test_every_column_of_peel_is_filled() -> None:
    plan = peel.PeelPlan("small", 64, (64,), frames=2, repeat=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(peel, "QUICK", plan)
        result = peel.measure(["deformable-horses"], quick=True)
    for record in result.of("table", "deformable-horses", "dilate 0"):
        assert set(record.stages) == set(peel.STAGES)
        assert all(seconds > 0 for seconds in record.stages.values()), record.stages
    (run,) = result.runs
    for row in list(peel_report._scene_rows(result, run))[1:-1]:
        assert all(row), row
