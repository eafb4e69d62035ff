"""The libraries impinge is compared with: one module each, all with the same protocol."""

from __future__ import annotations

from collections.abc import Iterable

from impinge.errors import InputError, nearest, word_list
from impinge.lab.bench.peers.cgal import Cgal
from impinge.lab.bench.peers.coal import Coal
from impinge.lab.bench.peers.del_msh import DelMsh
from impinge.lab.bench.peers.embree import Embree
from impinge.lab.bench.peers.embreex import Embreex
from impinge.lab.bench.peers.fcl import Fcl
from impinge.lab.bench.peers.ipctk import IpcToolkit
from impinge.lab.bench.peers.libigl import LibIgl
from impinge.lab.bench.peers.manifold import Manifold
from impinge.lab.bench.peers.meshlib import MeshLib
from impinge.lab.bench.peers.native_fcl import NativeFcl
from impinge.lab.bench.peers.open3d import Open3D
from impinge.lab.bench.peers.own import OWN, Dop, Impinge
from impinge.lab.bench.peers.pinocchio import Pinocchio
from impinge.lab.bench.peers.protocol import Adapter, Task
from impinge.lab.bench.peers.trimesh import Trimesh
from impinge.lab.bench.peers.trueform import Trueform
from impinge.lab.bench.peers.vtk import Vtk
from impinge.lab.bench.peers.warp import Warp

__all__ = ["OWN", "Adapter", "Impinge", "Task", "names", "register", "selected", "unregister"]

_PEERS: dict[str, Adapter] = {
    adapter.name: adapter
    for adapter in (
        Fcl(), Coal(), Pinocchio(), Trimesh(), MeshLib(), Trueform(), DelMsh(), LibIgl(),
        Embreex(), Open3D(),
        IpcToolkit(), Warp(), Vtk(), Embree(), Cgal(), NativeFcl(), Manifold(),
        Dop(),
    )
}  # fmt: skip


def register(adapter: Adapter) -> None:
    """Adds a peer; its class must be importable, since it runs in a process of its own."""
    if adapter.name == Impinge.name or adapter.name in _PEERS:
        raise InputError(f"a peer called {adapter.name!r} exists already")
    _PEERS[adapter.name] = adapter


def unregister(name: str) -> None:
    _PEERS.pop(name, None)


def names() -> tuple[str, ...]:
    return tuple(_PEERS)


def selected(wanted: Iterable[str] = ()) -> tuple[Adapter, ...]:
    """The peers of these names, installed or not; all when there are no names."""
    # the name that pip knows is as good as ours
    known = {
        adapter.distribution.lower(): adapter
        for adapter in _PEERS.values()
        if adapter.name not in OWN
    }
    known |= {name.lower(): adapter for name, adapter in _PEERS.items()}
    chosen = []
    for name in wanted:
        if name.lower() not in known:
            raise InputError(
                f"peer {name!r} is unknown; choose from {word_list(_PEERS)}{nearest(name, _PEERS)}"
            )
        chosen.append(known[name.lower()])
    return tuple(dict.fromkeys(chosen)) or tuple(_PEERS.values())
