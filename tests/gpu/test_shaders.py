"""Every shader of the package compiles."""

from __future__ import annotations

import pytest

from impinge.gpu import sources


@pytest.mark.parametrize("name", sources.names())
def test_it_compiles(gpu_device, name):
    code = sources.source(name).code
    gpu_device.handle.create_shader_module(code=code, label=name)


def test_helpers_are_joined_once():
    assert "fn item_of" in sources.source("grid").code
