"""Which detectors a page may choose from, and on which device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from impinge.detectors.registry import detector, names

if TYPE_CHECKING:
    from impinge.detectors.protocol import Detector
    from impinge.scene import Scene

DEVICES = ("auto", "cpu", "gpu")


def able(scene: Scene, *, self_collision: bool) -> tuple[str, ...]:
    """Names of the detectors that find all pairs of faces of this scene."""
    shapes = [body._current() for body in scene]
    needs = {"pairs"}
    needs |= {"bodies"} if len(shapes) > 2 else set()
    needs |= {"self"} if self_collision else set()
    needs |= {"deformable"} if any(shape.deformed for shape in shapes) else set()
    known = [name for name in names() if needs <= detector(name).capabilities]
    choosy = [name for name in known if "open" not in detector(name).capabilities]
    # whether a mesh is closed takes a while to find out
    if choosy and not all(body.mesh.report().closed for body in scene):
        known = [name for name in known if name not in choosy]
    return tuple(known)


def devices(method: str) -> tuple[str, ...]:
    """What the option `device` of this detector may be; most have only the CPU."""
    options = signature(type(detector(method))).parameters
    return DEVICES if "device" in options else ("cpu",)


def on_device(method: str, device: str) -> Detector:
    """The detector on a device."""
    return detector(method, device=device) if len(devices(method)) > 1 else detector(method)


class Choices:
    """The method and the device that are chosen on the page."""

    def __init__(self, methods: Sequence[str], method: str) -> None:
        self.methods = tuple(methods) if method in methods else (method, *methods)
        self.method = method
        self.device = devices(method)[0]

    def choose(self, message: Mapping[str, Any]) -> None:
        """`{"name": "method", "value": "bvh"}`, or the same with "device"."""
        name, value = message.get("name"), message.get("value")
        if name == "method" and value in self.methods:
            self.method = str(value)
            if self.device not in devices(self.method):
                self.device = devices(self.method)[0]
        elif name == "device" and value in devices(self.method):
            self.device = str(value)
        else:
            raise ValueError(f"{name!r} cannot be {value!r}")

    @property
    def detector(self) -> Detector:
        return on_device(self.method, self.device)

    @property
    def label(self) -> str:
        several = len(devices(self.method)) > 1
        return f"{self.method} ({self.device})" if several else self.method

    def entries(self) -> list[dict[str, Any]]:
        """As the page shows them."""
        entry = {"name": "method", "label": "Method", "options": self.methods, "value": self.method}
        where = {"name": "device", "label": "Device", "options": devices(self.method)}
        return [entry, {**where, "value": self.device}]
