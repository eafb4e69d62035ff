"""Scenes of any size, one after the other: the same pairs by every detector, and no warning."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from impinge import Body, Scene, _surfaces, detector, distance
from impinge.detectors.registry import names
from impinge.errors import InputError
from impinge.report import figures, write_report

V, F = _surfaces.blob(3, seed=3)
# of the scene, and of its second body within
SCALES = [
    (scale, scale * other if 0 < scale * other < 1e99 else scale)
    for scale in (1.0, 1e-323, 1e98, 1e-300, 1e-160, 1e75, 1e38, 1e-46, 1e99, 5e-324, 1.0)
    for other in (1.0, 1e-30, 1e20)
]


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("name", [name for name in names() if name != "brute"])
def test_a_body_that_changes_its_size(name: str) -> None:
    scene = Scene()
    a, b = scene.add(V, F), scene.add(V, F)
    able = detector(name).capabilities
    for one, other in SCALES:
        a.vertices, b.vertices = V * one, (V + 0.3) * other
        if "pairs" in able:
            found = scene.collide(method=name)
            expected = scene.collide(method="brute")
            np.testing.assert_array_equal(found.pairs, expected.pairs)
            np.testing.assert_array_equal(found.kinds, expected.kinds)
        elif "overlaps" in able:
            scene.overlaps(method=name)
        else:
            found = scene.contact_points(method=name)
            assert np.isfinite(found.points).all()


def test_bodies_that_are_made_on_the_gpu(gpu_device: object) -> None:
    deform = "fn deform(rest: vec3<f32>, v: u32, p: u32, t: f32) -> vec3<f32> { return rest; }"
    for scale in (1e-38, 1e-20, 1.0, 1e20, 1e37):
        made = Body.from_shader(deform, F, rest=V * scale)
        scene, here = Scene(), Scene()
        scene.add(made)
        here.add(made.read_vertices(), F)
        for one in (scene, here):
            one.add((V + 0.3) * scale, F)
        found = scene.collide(method=detector("peel", device="gpu"))
        np.testing.assert_array_equal(found.pairs, here.collide(method="brute").pairs)
    # GPUs count in float32
    scene.add(V * 1e39, F)
    with pytest.raises(InputError, match=r"within 1e\+38, got coordinates of size 1\.\de\+39"):
        scene.collide(method=detector("peel", device="gpu"))


@pytest.mark.parametrize("scale", [1e-160, 1e39, 1e99])
def test_pictures_pages_and_gradients(
    scale: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("overview", "closeup", "section"):
        monkeypatch.setattr(figures, name, partial(getattr(figures, name), size=(40, 32)))
    scene = Scene()
    scene.add(V * scale, F)
    scene.add((V + 0.3) * scale, F)
    check = scene.check()
    assert check.to_image(size=(40, 32)).std() > 20, "something is drawn"
    check.show(path=tmp_path / "page.html")
    write_report(tmp_path / "report.html", scene, check)
    found = distance((V * scale, F), ((V + 5) * scale, F), gradient=True).gradient
    expected = distance((V, F), (V + 5, F), gradient=True).gradient
    assert found is not None
    assert expected is not None
    np.testing.assert_allclose(found.a.dense(), expected.a.dense(), atol=1e-6)
