"""`impinge devices`."""

from __future__ import annotations

import json
import sys

import pytest

import impinge.gpu as gpu_package
from impinge.gpu import Adapter

REAL = Adapter("Radeon", "discrete", "Vulkan", "RADV", None, None)
SMALL = Adapter("Iris", "integrated", "Vulkan", "ANV", None, None)
MESA = Adapter("llvmpipe", "software", "Vulkan", "Mesa", None, None)
OLD = Adapter("llvmpipe", "software", "OpenGL", "Mesa", "OpenGL is not enough", None)


@pytest.fixture
def machine(monkeypatch):
    """Makes the command see these adapters."""
    return lambda *found: monkeypatch.setattr(gpu_package, "adapters", lambda: found)


def taken(answer):
    return {row["name"]: row["taken_for"] for row in json.loads(answer.out)["devices"]}


def test_the_real_one_is_taken(impinge, machine):
    machine(MESA, SMALL, REAL)
    answer = impinge("devices", "--json", "-")
    assert answer.code == 0
    assert taken(answer) == {"llvmpipe": [], "Iris": [], "Radeon": ["auto", "gpu"]}


def test_software_is_taken_on_demand(impinge, machine):
    machine(OLD, MESA)
    answer = impinge("devices")
    assert answer.code == 0
    old, mesa = (line for line in answer.out.splitlines() if "llvmpipe" in line)
    assert "no: OpenGL is not enough" in old
    assert "yes" in mesa
    assert mesa.endswith("gpu")
    assert answer.out.endswith('device="auto" takes the CPU\n')


def test_nothing_usable(impinge, machine):
    machine(OLD)
    answer = impinge("devices")
    assert answer.code == 0
    assert "no usable GPU; found: llvmpipe (software, OpenGL): OpenGL is not enough" in answer.out
    assert "mesa-vulkan-drivers" in answer.out


def test_no_driver(impinge, machine):
    machine()
    answer = impinge("devices", "--json", "-")
    assert answer.code == 0
    assert json.loads(answer.out)["devices"] == []
    assert "found: none" in json.loads(answer.out)["problem"]


def test_without_wgpu(impinge, monkeypatch):
    monkeypatch.setitem(sys.modules, "wgpu", None)
    answer = impinge("devices")
    assert answer.code == 0
    assert answer.out == (
        'a GPU needs wgpu: pip install "wgpu<0.33,>=0.32"\ndevice="auto" takes the CPU\n'
    )


def test_this_machine(impinge, gpu_device):
    answer = impinge("devices")
    assert answer.code == 0
    assert gpu_device.adapter.name in answer.out


def test_json_to_a_file(impinge, machine, tmp_path):
    machine(REAL)
    path = tmp_path / "devices.json"
    assert impinge("devices", "--json", path).out.startswith("GPUs")
    assert json.loads(path.read_text())["problem"] is None
