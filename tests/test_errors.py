from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from impinge import errors

ALL = [
    errors.ImpingeError("m"),
    errors.InputError("m"),
    errors.MeshFileError("part.stl", "byte 84", "12 faces are missing"),
    errors.UnknownMethodError("bhv", ["bvh", "brute"]),
    errors.CapabilityError("m"),
    errors.Cancelled("m"),
    errors.MissingDependencyError("trimesh", "io", "reading GLB"),
    errors.GpuError("m"),
    errors.NoAdapterError(["llvmpipe (software, OpenGL): OpenGL is not enough"]),
    errors.DeviceLostError("m"),
    errors.ShaderError("image/set_up.wgsl", "expected identifier"),
    errors.GpuLimitError("a buffer", 2**40, "max-buffer-size", 2**31, "use less"),
]


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_every_error_is_ours_and_survives_pickling(error: errors.ImpingeError) -> None:
    assert isinstance(error, errors.ImpingeError)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)


def test_bad_input_is_a_value_error() -> None:
    assert issubclass(errors.InputError, ValueError)
    assert issubclass(errors.MeshFileError, errors.InputError)
    assert issubclass(errors.UnknownMethodError, errors.InputError)


def test_a_missing_package_is_an_import_error_with_the_cure() -> None:
    error = errors.MissingDependencyError("trimesh", "io", "reading GLB")
    assert isinstance(error, ImportError)
    assert str(error) == 'reading GLB needs trimesh: pip install "click>=8.1" "rich>=13"'


def test_a_file_error_tells_file_place_and_cause() -> None:
    error = errors.MeshFileError(Path("part.stl"), "byte 84", "12 faces are missing")
    assert (error.file, error.place, error.cause) == ("part.stl", "byte 84", "12 faces are missing")
    assert str(error) == "part.stl: byte 84: 12 faces are missing"
    assert str(errors.MeshFileError("part.stl", "", "is empty")) == "part.stl: is empty"


def test_an_unknown_method_lists_the_names_and_the_nearest() -> None:
    text = str(errors.UnknownMethodError("bhv", ["bvh", "brute"]))
    assert text == "method 'bhv' is unknown; choose one of 'bvh', 'brute' (did you mean 'bvh'?)"
    assert "did you mean" not in str(errors.UnknownMethodError("quantum", ["bvh", "brute"]))
