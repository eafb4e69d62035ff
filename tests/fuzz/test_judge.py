"""The judge finds what is planted, and what it found can be made small."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from fuzz import judge as judging
from fuzz.formats import FORMATS
from fuzz.judge import FindingError, Judge
from fuzz.minimise import minimised
from impinge import Mesh
from impinge.errors import MeshFileError
from impinge.io import Model, read
from support.damaged_files import DAMAGED, FACES, WHOLE

TETRAHEDRON = FORMATS["obj"].seeds()["tetrahedron.obj"]


def without_a_face(model: Model) -> Model:
    (part,) = model.parts
    mesh = Mesh(part.mesh.vertices, part.mesh.faces[1:])
    return replace(model, parts=(replace(part, mesh=mesh),))


def with_nan(model: Model) -> Model:
    return replace(model, parts=tuple(replace(one, pose=one.pose * np.nan) for one in model.parts))


def with_surrogate(model: Model) -> Model:
    return replace(model, parts=tuple(replace(one, name="\ud800") for one in model.parts))


def slow(model: Model) -> Model:
    until = time.process_time() + judging.MOST_SECONDS + 0.1
    while time.process_time() < until:
        pass
    return model


def endless(model: Model) -> Model:
    while True:
        with contextlib.suppress(Exception):
            time.process_time()


def large(model: Model) -> Model:
    np.ones(judging.MOST_BYTES // 8 + (4 << 20)).sum()
    return model


def foreign(model: Model) -> Model:
    raise KeyError("planted")


def warns(model: Model) -> Model:
    np.float64(1e300) * np.float64(1e300)
    return model


def blames_another(model: Model) -> Model:
    raise MeshFileError("another.obj", "line 1", "planted")


def told(model: Model) -> Model:
    return replace(model, warnings=("\x1b[31m",))


@pytest.mark.parametrize(
    ("defect", "kind"),
    [
        (without_a_face, "count"),
        (with_nan, "not finite"),
        (with_surrogate, "name"),
        (slow, "slow"),
        (endless, "hang"),
        (large, "memory"),
        (foreign, "KeyError"),
        (warns, "RuntimeWarning"),
        (blames_another, "message"),
        (told, "warning"),
    ],
)
def test_a_planted_defect_is_found(
    defect: Callable[[Model], Model],
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(judging, "MOST_SECONDS", 1.0)
    monkeypatch.setattr(judging, "HANG_SECONDS", 2.0)
    judge = Judge(FORMATS["obj"], tmp_path)
    assert judge.verdict(TETRAHEDRON) == "read"
    monkeypatch.setattr(judging, "read", lambda path, **options: defect(read(path, **options)))
    with pytest.raises(FindingError) as found:
        judge.verdict(TETRAHEDRON)
    assert found.value.kind.startswith(kind)


@pytest.mark.parametrize("name", WHOLE)
def test_counters_count_whole_files(name: str) -> None:
    form = FORMATS[_format_of(name)]
    assert form.count(WHOLE[name]) == len(FACES)
    assert form.extension(WHOLE[name]) == Path(name).suffix


@pytest.mark.parametrize("name", DAMAGED)
def test_counters_do_not_count_what_is_cut(name: str) -> None:
    if name == "text.obj":
        pytest.skip("nothing in OBJ tells how much there should be")
    for what, data in DAMAGED[name].items():
        if "cut" in what or "missing" in what:
            try:
                counted = FORMATS[_format_of(name)].count(data)
            except Exception:
                continue
            pytest.fail(f"{what}: counts {counted}")


def _format_of(name: str) -> str:
    return Path(name).suffix[1:].replace("glb", "gltf")


@pytest.mark.parametrize("name", FORMATS)
def test_mutations_are_the_same_in_every_run(name: str) -> None:
    form = FORMATS[name]
    data = max(form.seeds().values(), key=len)
    one, again = ([form.mutated(data, Random(i)) for i in range(50)] for _ in range(2))
    assert one == again
    assert len(set(one)) > 40


@pytest.mark.parametrize("name", FORMATS)
def test_layers_build_the_file_again(name: str) -> None:
    """What is not changed stays: the structure of a file is understood."""
    form = FORMATS[name]
    for seed, data in form.seeds().items():
        if "tetrahedron" in seed:
            for layer in form.layers(data):
                assert form.count(layer.rebuilt(layer.content)) == form.count(data)


def test_a_finding_is_made_small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def planted(path: Path, **options: Any) -> Model:
        if b"vt 7" in path.read_bytes():
            raise KeyError("planted")
        return read(path, **options)

    monkeypatch.setattr(judging, "read", planted)
    form, judge = FORMATS["obj"], Judge(FORMATS["obj"], tmp_path)
    assert minimised(form, judge, TETRAHEDRON + b"vt 7 7\n" + TETRAHEDRON) == b"vt 7"
    with pytest.raises(ValueError, match="nothing to minimise"):
        minimised(form, judge, TETRAHEDRON)
