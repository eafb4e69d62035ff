"""Which adapter is taken, and what is said when there is none."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from impinge.errors import MissingDependencyError, NoAdapterError
from impinge.gpu import Adapter, adapters, chosen, device, find_device, open_device
from impinge.gpu.adapters import REQUIRED_FEATURES, _described, required


def adapter(kind: str, problem: str | None = None) -> Adapter:
    return Adapter(kind, kind, "Vulkan", "driver", problem, None)


@pytest.mark.parametrize(
    ("kinds", "software", "expected"),
    [
        (["software", "integrated", "discrete"], True, "discrete"),
        (["other", "integrated"], False, "integrated"),
        (["software", "other"], False, "other"),
        (["software"], True, "software"),
        (["software"], False, None),
        ([], True, None),
    ],
)
def test_order(kinds, software, expected):
    found = chosen([adapter(kind) for kind in kinds], software=software)
    assert (found and found.kind) == expected


def test_an_unusable_one_is_never_taken():
    found = [adapter("discrete", "lacks float32-blendable"), adapter("integrated")]
    assert chosen(found, software=False) is found[1]


def test_the_error_names_what_was_found():
    found = [adapter("discrete", "lacks float32-blendable"), adapter("software")]
    with pytest.raises(NoAdapterError) as caught:
        required(found, software=False)
    text = str(caught.value)
    assert "discrete (discrete, Vulkan): lacks float32-blendable" in text
    assert "software (software, Vulkan): not asked for" in text
    assert 'device="cpu"' in text


class Handle:
    def __init__(self, backend, features):
        self.features = set(features)
        self.info = {
            "device": "card", "vendor": "", "adapter_type": "DiscreteGPU",
            "backend_type": backend, "description": "1.0",
        }  # fmt: skip


def test_problems():
    assert _described(Handle("Vulkan", REQUIRED_FEATURES)).problem is None
    assert _described(Handle("OpenGL", REQUIRED_FEATURES)).problem == "OpenGL is not enough"
    assert _described(Handle("Metal", REQUIRED_FEATURES[:1])).problem == "lacks float32-blendable"


def test_without_wgpu(monkeypatch):
    monkeypatch.setitem(sys.modules, "wgpu", None)
    for call in (adapters, open_device):
        with pytest.raises(MissingDependencyError, match=r"needs wgpu: pip install"):
            call()


def test_one_device_for_all(gpu_device):
    assert open_device(software=True) is gpu_device


def test_what_is_not_there_is_looked_for_once(monkeypatch):
    looked = []
    monkeypatch.setattr(device, "adapters", lambda: looked.append(1) or [adapter("software")])
    monkeypatch.setattr(device, "_absent", set())
    monkeypatch.setattr(device, "_open", {})
    assert find_device() is None
    assert find_device() is None
    assert looked == [1]


def test_a_device_is_found(gpu_device):
    assert find_device(software=True) is gpu_device


@pytest.mark.skipif(os.name != "posix", reason="the message is Mesa's")
def test_nothing_is_said_about_displays(gpu_device):
    environment = {key: value for key, value in os.environ.items() if key != "XDG_RUNTIME_DIR"}
    code = (
        "import os; from impinge.gpu import open_device; open_device(software=True); "
        "print('XDG_RUNTIME_DIR' in os.environ)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("False\n", "")
