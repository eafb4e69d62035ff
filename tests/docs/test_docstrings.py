"""Every public name tells what it is, what it takes, and shows it in an example that runs."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import runpy
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
surface = runpy.run_path(str(ROOT / "scripts" / "public_names.py"))
PUBLIC: dict[str, Any] = {
    name: value for name, value in surface["public"]().items() if callable(value)
}
CLASSES = {name: value for name, value in PUBLIC.items() if inspect.isclass(value)}
# their fields are the columns of a result, which tells what they are
COLUMNS = ("impinge.detectors.RawContactPoints", "impinge.detectors.RawOverlaps")
SECTION = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)


def sections(text: str) -> dict[str, str]:
    """The sections of a numpydoc docstring, the summary under ""."""
    parts = SECTION.split(inspect.cleandoc(text))
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def parameters_told(text: str) -> set[str]:
    """Names of the section Parameters: "a, b : type" tells two."""
    names = re.findall(r"^(\S.*?)(?: : .*)?$", sections(text).get("Parameters", ""), re.MULTILINE)
    return {name.strip("* ") for row in names for name in row.split(",")}


def parameters_of(value: Any) -> set[str]:
    return set(inspect.signature(value).parameters) - {"self", "cls"}


@pytest.mark.parametrize("name", PUBLIC)
def test_examples_run(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    if name.startswith("impinge.gpu"):
        request.getfixturevalue("gpu_device")
    value = PUBLIC[name]
    assert ">>> " in sections(value.__doc__ or "").get("Examples", ""), f"{name} has no Examples"
    # whatever an example writes goes here, and it has no names but those it imports
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    said: list[str] = []
    module = sys.modules[value.__module__]
    for test in doctest.DocTestFinder().find(value, name, module=module, globs={}):
        runner.run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("name", PUBLIC)
def test_parameters_are_told(name: str) -> None:
    """A section Parameters has those of the signature, no more and no fewer."""
    value = PUBLIC[name]
    told = parameters_told(value.__doc__ or "")
    if not inspect.isclass(value) or surface["constructor_of"](value):
        assert told == parameters_of(value)
    else:
        assert told == set()


@pytest.mark.parametrize("name", CLASSES)
def test_members_are_told(name: str) -> None:
    """Methods name all their parameters, if only in prose; properties say what they are."""
    fields = surface["field_defaults"](CLASSES[name])
    for member, value in surface["members"](CLASSES[name]).items():
        if member in fields or not (callable(value) or hasattr(value, "__get__")):
            continue
        function = getattr(value, "__func__", value)
        text = inspect.getdoc(function) or ""
        if inspect.ismemberdescriptor(value):
            continue
        assert text, f"{name}.{member} has no docstring"
        if inspect.isfunction(function) and not (told := parameters_told(text)):
            told = set(re.findall(r"`\*{0,2}(\w+)`", text))
            assert parameters_of(function) <= told, f"{name}.{member} does not tell its parameters"
        elif inspect.isfunction(function):
            assert told == parameters_of(function), f"{name}.{member}"


@pytest.mark.parametrize("name", [name for name in CLASSES if name not in COLUMNS])
def test_fields_are_told(name: str) -> None:
    """Each field of a result is followed by a line about it."""
    told: set[str] = set()
    for base in CLASSES[name].__mro__:
        if base.__module__.startswith("impinge"):
            told |= fields_told(base)
    assert set(surface["field_defaults"](CLASSES[name])) <= told


def fields_told(cls: type) -> set[str]:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(tree, ast.ClassDef)
    return {
        one.target.id
        for one, after in zip(tree.body, tree.body[1:], strict=False)
        if isinstance(one, ast.AnnAssign)
        and isinstance(one.target, ast.Name)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
        and isinstance(after.value.value, str)
    }
