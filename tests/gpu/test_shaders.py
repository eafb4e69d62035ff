"""Every shader of the package compiles."""

from __future__ import annotations

import re

import pytest

import impinge.detectors.cdfc.gpu
import impinge.detectors.cinder.gpu
import impinge.detectors.image.gpu
import impinge.detectors.peel.gpu
import impinge.gpu.bodies  # noqa: F401
from impinge.gpu import sources

# without an entry point it is a helper, compiled with those that use it
ENTRY = re.compile(r"fn (main|fs)\(")
USED = {
    used for name in sources.names() for used in re.findall(r"([\w/]+)\.wgsl", sources._read(name))
}
SHADERS = [
    name for name in sources.names() if name not in USED and ENTRY.search(sources.source(name).code)
]
MOST_STORAGE_BUFFERS = 8
"""Per stage, on any adapter."""


@pytest.mark.parametrize("name", SHADERS)
def test_it_compiles(gpu_device, name):
    code = sources.source(name).code
    gpu_device.handle.create_shader_module(code=code, label=name)


@pytest.mark.parametrize("name", SHADERS)
def test_it_fits_any_adapter(name):
    bindings = sources.source(name).bindings.values()
    assert sum(binding.space == "storage" for binding in bindings) <= MOST_STORAGE_BUFFERS
    assert len({binding.number for binding in bindings}) == len(bindings)


def test_helpers_are_joined_once():
    assert "fn item_of" in sources.source("grid").code
