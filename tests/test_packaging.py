"""What is built and shipped: its licences, its bounds, and that nothing is left out."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

import impinge

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SHIPPED = {"LICENSE", "LICENSE.nanobind", "LICENSE.robin_map", "LICENSE.three"}


def test_the_licences_of_what_is_built_in_are_shipped() -> None:
    found = [file for glob in PROJECT["project"]["license-files"] for file in ROOT.glob(glob)]
    assert {file.name for file in found} == SHIPPED
    try:
        installed = distribution("impinge")
    except PackageNotFoundError:
        pytest.skip("impinge is not installed")
    if not Path(impinge.__file__).is_relative_to(Path(str(installed.locate_file("")))):
        pytest.skip("another impinge is installed than the one that is tested")
    names = [file.name for file in installed.files or () if "licenses" in file.parts]
    assert set(names) == SHIPPED


def words(text: str) -> list[str]:
    return re.findall(r"[\w.<>@()\"',;-]+", text)


def test_these_are_the_licences_of_what_is_built_in() -> None:
    nanobind = pytest.importorskip("nanobind")
    here = ROOT / "native" / "licences"
    (file,) = (one for one in distribution("nanobind").files or () if one.name == "LICENSE")
    assert words(file.read_text()) == words((here / "LICENSE.nanobind").read_text())
    header = Path(nanobind.__file__).parent / "ext/robin_map/include/tsl/robin_map.h"
    comment = header.read_text().partition("/**")[2].partition("*/")[0].replace("\n *", "\n")
    assert words(comment) == words((here / "LICENSE.robin_map").read_text())


def test_no_later_version_of_a_build_tool_is_taken_unseen() -> None:
    for requirement in PROJECT["build-system"]["requires"]:
        assert re.search(r"<|==|~=", requirement), requirement


def test_pictures_of_the_readme_are_in_the_source_archive() -> None:
    left_out = PROJECT["tool"]["scikit-build"]["sdist"]["exclude"]
    shown = re.findall(r"\]\(([^)\s]+\.(?:png|jpg|svg|gif))\)", (ROOT / "README.md").read_text())
    assert shown
    for picture in shown:
        assert (ROOT / picture).exists()
        assert not any(picture.startswith(place.strip("/") + "/") for place in left_out), picture
