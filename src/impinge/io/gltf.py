"""glTF 2.0, as GLB or as JSON with buffers beside it.

An own reader, because checking another one's result takes the same decoding again.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

from impinge.errors import MeshFileError
from impinge.io.checks import Findings
from impinge.io.gltf_document import Buffers, Document
from impinge.io.gltf_scene import scene_parts
from impinge.io.model import Part

_MAGIC = b"glTF"
_JSON, _BIN = 0x4E4F534A, 0x004E4942

# Extensions that change where triangles are and are not decoded here.
_UNREADABLE = {
    "KHR_draco_mesh_compression": "decompress it first, e.g. gltf-transform copy in.glb out.glb",
    "EXT_meshopt_compression": "decompress it first, e.g. gltf-transform copy in.glb out.glb",
    "KHR_meshopt_compression": "decompress it first, e.g. gltf-transform copy in.glb out.glb",
}
_READABLE = {"KHR_mesh_quantization", "KHR_node_visibility"}
_LOOKS_ONLY = ("KHR_materials_", "KHR_texture_", "KHR_lights_", "EXT_texture_", "KHR_xmp",
               "EXT_lights_", "MSFT_texture_", "KHR_techniques_", "KHR_animation_")  # fmt: skip


def read_parts(data: bytes, findings: Findings, split: bool) -> list[Part]:
    """One part for each mesh instance of the default scene, posed in the world."""
    return scene_parts(*opened(data, findings))


def opened(data: bytes, findings: Findings) -> tuple[Document, Buffers]:
    """The document of a file that can be read, and its buffers."""
    if data[:4] == _MAGIC:
        text, binary = _chunks(data, findings)
    else:
        text, binary = data, None
    document = Document(_parse(text, findings), findings)
    _check_version(document)
    _check_extensions(document)
    return document, Buffers(document, binary)


def _chunks(data: bytes, findings: Findings) -> tuple[bytes, memoryview | None]:
    """The JSON text and the binary chunk of a GLB."""
    if len(data) < 20:
        findings.fail(f"is truncated: {len(data)} bytes, a GLB header takes 20", place="byte 0")
    version = int.from_bytes(data[4:8], "little")
    declared = int.from_bytes(data[8:12], "little")
    if version != 2:
        findings.fail(f"is GLB version {version}; only version 2 is supported", place="byte 4")
    if declared > len(data):
        findings.fail(
            f"declares {declared:,} bytes but has {len(data):,} (truncated?)", place="byte 8"
        )
    if declared < len(data):
        findings.problem(
            f"declares {declared:,} bytes but has {len(data):,}",
            f"ignored the last {len(data) - declared:,} bytes",
            place="byte 8",
        )
    found: dict[int, memoryview] = {}
    view = memoryview(data)
    at = 12
    while at < declared:
        length = int.from_bytes(data[at : at + 4], "little")
        kind = int.from_bytes(data[at + 4 : at + 8], "little")
        if at + 8 + length > declared:
            findings.fail(
                f"a chunk of {length:,} bytes reaches beyond the file's end", place=f"byte {at}"
            )
        if kind in (_JSON, _BIN):
            found.setdefault(kind, view[at + 8 : at + 8 + length])
        at += 8 + length
    if _JSON not in found:
        findings.fail("has no JSON chunk", place="byte 12")
    return bytes(found[_JSON]), found.get(_BIN)


def _parse(text: bytes, findings: Findings) -> dict[str, Any]:
    def refuse(constant: str) -> NoReturn:
        findings.fail(f"the JSON holds {constant}, which is not a number")

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            ((name, _),) = Counter(name for name, _ in pairs).most_common(1)
            findings.fail(f"an object of the JSON has {name[:40]!r} twice")
        return found

    try:
        document = json.loads(
            text.decode("utf-8-sig"), parse_constant=refuse, object_pairs_hook=distinct
        )
    except MeshFileError:
        raise
    except UnicodeDecodeError as error:
        findings.fail("is not glTF: its JSON is not UTF-8", place=f"byte {error.start}")
    except json.JSONDecodeError as error:
        findings.fail(f"is not valid glTF JSON ({error.msg})", place=f"line {error.lineno}")
    except (RecursionError, ValueError):
        findings.fail("its JSON cannot be read (nested too deeply or a number too long)")
    if not isinstance(document, dict):
        findings.fail("is not glTF: its JSON is not an object")
    return document


def _check_version(document: Document) -> None:
    asset = document.mapping(document.root, "asset", "asset")
    version = asset.get("version")
    if not isinstance(version, str) or not version.startswith("2"):
        shown = "no version" if version is None else f"version {str(version)[:40]!r}"
        document.fail(f"is glTF of {shown}; only version 2 is supported", "asset")


def _check_extensions(document: Document) -> None:
    required = document.items(document.root, "extensionsRequired", "extensionsRequired")
    for name in required:
        if not isinstance(name, str):
            document.fail("holds something that is not a name", "extensionsRequired")
        if name in _UNREADABLE:
            document.fail(f"needs the extension {name}: {_UNREADABLE[name]}", "extensionsRequired")
        if name not in _READABLE and not name.startswith(_LOOKS_ONLY):
            document.findings.problem(
                f"needs the extension {name[:80]}, which is not supported",
                "went on without it",
                place="extensionsRequired",
            )
