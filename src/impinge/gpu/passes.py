"""Pipelines of compute and render passes, and how many workgroups a number of items takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from impinge.errors import DeviceLostError, GpuError, ShaderError
from impinge.gpu._wgpu import our_errors, wgpu
from impinge.gpu.sources import Binding, Source, source

if TYPE_CHECKING:
    from impinge.gpu.device import Device

WORKGROUP = 64
"""Threads of a workgroup, as grid.wgsl has it."""
MOST_GROUPS = 65_535
"""Workgroups along one dimension; every adapter allows that many and few allow more."""


class Target(NamedTuple):
    """A texture to draw into.

    See Also
    --------
    impinge.gpu.Session.draw

    Examples
    --------
    >>> from impinge import gpu
    >>> with gpu.open_device(software=True).session() as session:
    ...     image = session.texture(4, 4, "r32uint")
    ...     target = gpu.Target(image.create_view(), clear=0.0)
    >>> target.stencil_clear is None
    True
    """

    view: Any
    """A view of a texture of wgpu."""
    clear: tuple[float, float, float, float] | float | None = None
    """What it is cleared to first; None keeps what is there."""
    stencil_clear: int | None = None
    """What the stencil is cleared to first; None keeps what is there."""


@dataclass(frozen=True)
class State:
    """Fixed-function state of a render pass; all of it hashable, since pipelines are cached.

    See Also
    --------
    impinge.gpu.Draw

    Examples
    --------
    >>> from impinge import gpu
    >>> gpu.State(targets=("rgba8unorm",), blend="max").topology
    'triangle-list'
    """

    targets: tuple[str, ...] = ()
    """Formats of the colour targets."""
    blend: str | None = None
    """None, "min", "max" or "add", for all targets and channels."""
    write: str = "rgba"
    """Channels that are written; none when the fragment stage writes to buffers only."""
    topology: str = "triangle-list"
    """What corners form, as WebGPU calls it."""
    cull: str = "none"
    """"none", "front" or "back"."""
    depth: str | None = None
    """Format of the depth target."""
    compare: str = "always"
    """When a fragment passes the depth test, as WebGPU calls it."""
    depth_write: bool = False
    """Whether depths are written."""
    stencil: tuple[tuple[str, str, str, str], tuple[str, str, str, str]] | None = None
    """Of front and back faces: compare, fail, depth fail, pass."""
    stencil_mask: int = 0xFF
    """Bits that are compared."""


class Draw(NamedTuple):
    """Corners that a shader makes, from `first` on.

    See Also
    --------
    impinge.gpu.Session.draw

    Examples
    --------
    >>> from impinge import gpu
    >>> draw = gpu.Draw("image/depth", 3, gpu.State(), bound={})
    >>> draw.first, draw.watched
    (0, False)
    """

    shader: str | Source
    """Name of a shader."""
    corners: int
    """How many it makes."""
    state: State
    """Fixed-function state."""
    bound: Mapping[str, Any]
    """Buffers and textures by the names of the variables in the shader."""
    first: int = 0
    """Index of the first corner."""
    constants: Mapping[str, float] = {}
    """Those that the shader lets be overridden."""
    watched: bool = False
    """Whether to ask if any of its fragments passed all tests."""


def groups_of(items: int) -> tuple[int, int]:
    """Workgroups in x and y for a number of items; grid.wgsl turns them into one index."""
    groups = -(-items // WORKGROUP)
    rows = max(-(-groups // MOST_GROUPS), 1)
    return -(-groups // rows), rows


def compute_pipeline(device: Device, shader: str | Source, constants: Mapping[str, float]) -> Any:
    text = source(shader)
    with _shader_errors(text):
        module = device.handle.create_shader_module(code=text.code, label=text.name)
        stage = {"module": module, "entry_point": "main", "constants": dict(constants)}
        layout = _layout(device, text, compute=True)
        return device.handle.create_compute_pipeline(label=text.name, layout=layout, compute=stage)


def render_pipeline(
    device: Device, shader: str | Source, constants: Mapping[str, float], state: State
) -> Any:
    text = source(shader)
    with _shader_errors(text):
        module = device.handle.create_shader_module(code=text.code, label=text.name)
        shared = {"module": module, "constants": dict(constants)}
        return device.handle.create_render_pipeline(
            label=text.name,
            layout=_layout(device, text, compute=False),
            vertex={**shared, "entry_point": "vs"},
            fragment={**shared, "entry_point": "fs", "targets": _targets(state)},
            primitive={"topology": state.topology, "cull_mode": state.cull},
            depth_stencil=_depth_stencil(state),
        )


def bind_group(
    device: Device, shader: str | Source, pipeline: Any, bound: Mapping[str, Any]
) -> Any:
    """Bindings by the names of the variables in the shader."""
    text = source(shader)
    _check_names(text, bound)
    entries = [
        {"binding": text.bindings[name].number, "resource": getattr(value, "resource", value)}
        for name, value in bound.items()
    ]
    with _shader_errors(text):
        layout = pipeline.get_bind_group_layout(0)
        return device.handle.create_bind_group(layout=layout, entries=entries)


def _layout(device: Device, text: Source, *, compute: bool) -> Any:
    # not left to wgpu, which would refuse variables of helpers that a shader does not use
    entries = [_layout_entry(binding, compute) for binding in text.bindings.values()]
    group = device.handle.create_bind_group_layout(entries=entries)
    return device.handle.create_pipeline_layout(bind_group_layouts=[group])


def _layout_entry(binding: Binding, compute: bool) -> dict[str, Any]:
    stages = wgpu().ShaderStage
    entry: dict[str, Any] = {"binding": binding.number}
    writes = binding.access in ("read_write", "write")
    if compute:
        entry["visibility"] = stages.COMPUTE
    elif writes or "storage" in binding.kind:
        # the vertex stage may not write everywhere
        entry["visibility"] = stages.FRAGMENT
    else:
        entry["visibility"] = stages.VERTEX | stages.FRAGMENT
    if binding.space == "uniform":
        entry["buffer"] = {"type": "uniform"}
    elif binding.space == "storage":
        entry["buffer"] = {"type": "storage" if writes else "read-only-storage"}
    elif binding.kind.startswith("texture_storage"):
        kind, access = (part.strip() for part in binding.argument.split(","))
        names = {"read": "read-only", "write": "write-only", "read_write": "read-write"}
        entry["storage_texture"] = {"format": kind, "access": names[access]}
    else:
        entry["texture"] = {"sample_type": _sample_type(binding)}
    return entry


def _sample_type(binding: Binding) -> str:
    if binding.kind.startswith("texture_depth"):
        return "depth"
    return {"u32": "uint", "i32": "sint"}.get(binding.argument, "unfilterable-float")


def _check_names(text: Source, bound: Mapping[str, Any]) -> None:
    if text.bindings.keys() != bound.keys():
        wanted, given = ", ".join(text.bindings), ", ".join(bound)
        raise ShaderError(text.name, f"wants {wanted or 'nothing'}, got {given}")


def _targets(state: State) -> list[dict[str, Any]]:
    component = {"operation": state.blend or "add", "src_factor": "one", "dst_factor": "one"}
    blend = {"blend": {"color": component, "alpha": component}} if state.blend else {}
    mask = sum(1 << "rgba".index(channel) for channel in state.write)
    return [{"format": name, "write_mask": mask, **blend} for name in state.targets]


def _depth_stencil(state: State) -> dict[str, Any] | None:
    if state.depth is None:
        return None
    found: dict[str, Any] = {
        "format": state.depth,
        "depth_compare": state.compare,
        "depth_write_enabled": state.depth_write,
    }
    if state.stencil is not None:
        keys = ("compare", "fail_op", "depth_fail_op", "pass_op")
        front, back = (dict(zip(keys, side, strict=True)) for side in state.stencil)
        mask = state.stencil_mask
        found |= {"stencil_front": front, "stencil_back": back, "stencil_read_mask": mask}
    return found


@contextmanager
def _shader_errors(text: Source) -> Iterator[None]:
    """Errors inside name the file of the shader."""
    try:
        with our_errors():
            yield
    except DeviceLostError:
        raise
    except GpuError as error:
        raise ShaderError(text.name, str(error)) from error
