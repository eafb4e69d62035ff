"""Work on GPUs through wgpu: which adapter to take, buffers, passes, shaders and times."""

from impinge.gpu.adapters import Adapter, adapters, chosen
from impinge.gpu.device import Device, find_device, open_device
from impinge.gpu.passes import Draw, State, Target
from impinge.gpu.session import Buffer, Session

__all__ = [
    "Adapter",
    "Buffer",
    "Device",
    "Draw",
    "Session",
    "State",
    "Target",
    "adapters",
    "chosen",
    "find_device",
    "open_device",
]
