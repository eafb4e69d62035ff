from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import impinge
from impinge import InputError, Mesh
from impinge.detectors import (
    CAPABILITIES,
    Detector,
    PosesQuery,
    RawPairs,
    SceneQuery,
    detector,
    names,
    register,
    unregister,
)
from impinge.detectors.registry import FASTEST
from impinge.errors import CapabilityError, UnknownMethodError
from support import meshes

BOX = meshes.box()


class Nothing:
    """Finds nothing in two closed rigid meshes, and can do no more than that."""

    name = "nothing"
    capabilities = frozenset({"pairs"})

    def __init__(self, *, patience: int = 1) -> None:
        self.patience = patience

    def scene(self, query: SceneQuery) -> RawPairs:
        none = np.zeros((0, 2), dtype=np.int32)
        return RawPairs(none, np.zeros(0, dtype=np.uint8), none.copy(), None, {"patience": 1.0})

    def poses(self, query: PosesQuery) -> RawPairs:
        raise NotImplementedError


@pytest.fixture
def registered() -> Iterator[None]:
    register("nothing", Nothing)
    yield
    unregister("nothing")


def test_the_built_in_detectors() -> None:
    assert names()[:2] == ("bvh", "brute")
    assert impinge.methods() == names()
    for name in names():
        made = detector(name)
        assert isinstance(made, Detector)
        assert made.name == name
        assert made is detector(name), "one instance is shared"
        assert made.capabilities <= CAPABILITIES.keys()


def test_auto_takes_the_fastest() -> None:
    assert detector("auto") is detector(FASTEST)
    assert "auto" not in names(), "it is a choice, no detector of its own"
    assert impinge.collide(BOX, BOX, method="auto").method == FASTEST
    assert impinge.collides(BOX, BOX, method="auto")
    assert impinge.self_collide(BOX, method="auto").method == FASTEST
    scene = impinge.Scene()
    scene.add(*BOX)
    assert scene.collide(method="auto").method == FASTEST
    with pytest.raises(InputError, match="has no option 'k'"):
        detector("auto", k=24)
    with pytest.raises(InputError, match="registered already"):
        register("auto", Nothing)


def test_an_instance_stands_for_itself() -> None:
    made = Nothing()
    assert detector(made) is made
    with pytest.raises(InputError, match="instance already"):
        detector(made, patience=2)


def test_what_is_no_detector_is_named() -> None:
    for wrong in (3, None, Nothing, object()):
        with pytest.raises(InputError, match=r"one of 'bvh', 'brute', .* or a Detector instance"):
            detector(wrong)  # type: ignore[arg-type]


def test_unknown_names() -> None:
    with pytest.raises(UnknownMethodError, match="did you mean 'brute'"):
        detector("bruet")
    with pytest.raises(UnknownMethodError, match="did you mean 'auto'"):
        detector("auti")


@pytest.mark.usefixtures("registered")
def test_a_new_detector_is_one_registration() -> None:
    assert names()[-1] == "nothing"
    hits = impinge.collide(BOX, BOX, method="nothing")
    assert not hits
    assert hits.method == "nothing"
    assert hits.stats["patience"] == 1
    scene = impinge.Scene()
    scene.add(*BOX)
    scene.add(*BOX)
    assert not scene.collide(method="nothing")


@pytest.mark.usefixtures("registered")
def test_options_make_a_detector_of_its_own() -> None:
    made = detector("nothing", patience=7)
    assert isinstance(made, Nothing)
    assert made.patience == 7
    assert detector("nothing") is not made


@pytest.mark.parametrize(
    ("method", "option", "message"),
    [
        ("nothing", "pacience", "no option 'pacience'; its options are 'patience' .did you mean"),
        ("brute", "kernels", "no option 'kernels'; its options are 'kernel'"),
        ("bvh", "leaf", r"no option 'leaf'; its options are \(none\)"),
        ("peel", "resolutions", "no option 'resolutions'; .*did you mean 'resolution'"),
    ],
)
@pytest.mark.usefixtures("registered")
def test_unknown_options_are_named(method: str, option: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        detector(method, **{option: 1})


@pytest.mark.usefixtures("registered")
def test_a_name_is_registered_once() -> None:
    with pytest.raises(InputError, match="'nothing' is registered already"):
        register("nothing", Nothing)


def test_a_loader_is_imported_when_used() -> None:
    register("lazy", "impinge.no_such_module:Thing")
    try:
        assert "lazy" in names()
        with pytest.raises(ModuleNotFoundError):
            detector("lazy")
    finally:
        unregister("lazy")


@pytest.mark.usefixtures("registered")
def test_what_a_detector_cannot_do_is_told() -> None:
    scene = impinge.Scene()
    first = scene.add(*BOX)
    scene.add(*BOX)
    with pytest.raises(CapabilityError, match="'nothing' cannot do collisions of a body with"):
        scene.collide(method="nothing", self_collision=True)
    with pytest.raises(CapabilityError, match="collisions of a body with itself; use 'bvh'"):
        impinge.self_collide(BOX, method="nothing")
    with pytest.raises(CapabilityError, match='mode="first"'):
        impinge.collides(BOX, BOX, method="nothing")
    with pytest.raises(CapabilityError, match="many poses"):
        impinge.collide(BOX, BOX, poses=np.eye(4)[None], method="nothing")
    with pytest.raises(CapabilityError, match="needs closed meshes, but mesh 1 'lid'"):
        impinge.collide(BOX, Mesh(BOX[0], BOX[1][:5], name="lid"), method="nothing")
    first.vertices = BOX[0] * 2
    with pytest.raises(CapabilityError, match="vertices change"):
        scene.collide(method="nothing")
    scene.remove(first)
    scene.add(*BOX)
    scene.add(*BOX)
    with pytest.raises(CapabilityError, match="more than two bodies"):
        scene.collide(method="nothing")
