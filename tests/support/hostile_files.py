"""Writers of files that promise more than they hold, or that could make a reader slow."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from support.mesh_files import glb, threemf_xml

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
FACET = (
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
)
PLY_VERTICES = "element vertex 3\nproperty char x\nproperty char y\nproperty char z\n"
PLY_LIST = "property list int char vertex_indices\n"
OBJECT = (
    '<object id="1"><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/>'
    '<vertex x="0" y="1" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/>'
    "</triangles></mesh></object>"
)
ITEM = '<item objectid="1"/>'


class Hostile(NamedTuple):
    """make(n): the file. expected: a piece of the error, or how many triangles there are."""

    extension: str
    make: Callable[[int], str | bytes]
    size: int
    """Of the file in the test of time and memory."""
    expected: str | int
    growth: int = 0
    """The smaller of the two sizes in the test of growth; 0 is none."""
    lenient: bool = False


def ply(header: str, body: bytes, form: str = "binary_little_endian") -> bytes:
    return f"ply\nformat {form} 1.0\n{header}end_header\n".encode() + body


def strips(n: int) -> bytes:
    indices = b"\0\1\2" + b"\xff" * n
    header = f"{PLY_VERTICES}element tristrips 1\n{PLY_LIST}"
    corners = b"\0\0\0\1\0\0\0\1\0"
    return ply(header, corners + struct.pack("<i", len(indices)) + indices)


def faces_of_two_sizes(n: int) -> bytes:
    row = struct.pack("<i3b", 3, 0, 1, 2) + struct.pack("<i4b", 4, 0, 1, 2, 2)
    header = f"{PLY_VERTICES}element face {2 * n}\n{PLY_LIST}"
    return ply(header, b"\0\0\0\1\0\0\0\1\0" + row * n)


def knot(n: int) -> str:
    """A polygon that comes to each of its four places n / 4 times."""
    corners = np.random.default_rng(0).integers(1, 5, n)
    return f"{TRIANGLE}v 1 1 0\nf " + " ".join(map(str, corners)) + "\n"


def zeros(n: int) -> str:
    accessors = [{"componentType": 5126, "count": 3 * n, "type": "VEC3"}] * 20
    primitives = [{"attributes": {"POSITION": i}} for i in range(20)]
    return gltf([{"primitives": primitives}], accessors)


def gltf(meshes: list[object], accessors: list[object], nodes: int = 1) -> str:
    document = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": list(range(nodes))}],
        "nodes": [{"mesh": 0, "name": "bolt"}] * nodes,
        "meshes": meshes,
        "accessors": accessors,
    }
    return json.dumps(document, separators=(",", ":"))


def bolts(n: int) -> str:
    accessor = {"componentType": 5126, "count": 3, "type": "VEC3"}
    return gltf([{"primitives": [{"attributes": {"POSITION": 0}}]}], [accessor], n)


def shared_indices(n: int, *, indexed: bool = True) -> bytes:
    """n primitives of the same 100,000 corners."""
    primitive = {"attributes": {"POSITION": 0}}
    if indexed:
        primitive["indices"] = 1
    document = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [primitive] * n}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8_331, "type": "VEC3"},
            {"bufferView": 0, "componentType": 5121, "count": 99_999, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 100_000}],
        "buffers": [{"byteLength": 100_000}],
    }
    return glb(document, bytes(100_000))


def archive(xml: str | bytes, *, method: int = zipfile.ZIP_DEFLATED, declared: int = -1) -> bytes:
    """declared: the size of the model that the directory of the package tells."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as members:
        members.writestr("3D/3dmodel.model", xml)
    data = bytearray(packed.getvalue())
    if declared >= 0:
        at = data.index(b"PK\x01\x02") + 24
        data[at : at + 4] = struct.pack("<I", declared)
    return bytes(data)


def laughs(n: int) -> bytes:
    doubled = "".join(
        f'<object id="{i}"><components><component objectid="{i - 1}"/>'
        f'<component objectid="{i - 1}"/></components></object>'
        for i in range(2, n + 1)
    )
    return archive(threemf_xml(OBJECT + doubled, f'<item objectid="{n}"/>'))


def namespaces(n: int) -> bytes:
    return archive(
        threemf_xml("<a:b/>" * n, ITEM, attributes=f'xmlns:a="{"u" * n}"'),
    )


def members(n: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as written:
        written.writestr("3D/3dmodel.model", threemf_xml(OBJECT, ITEM))
        for i in range(n):
            written.writestr(str(i), b"")
    return packed.getvalue()


def zip_entries(n: int) -> bytes:
    return b"PK\x01\x02" * n


HOSTILE = {
    "backslashes": Hostile(
        ".obj", lambda n: f"{TRIANGLE}f 1 2 3\n" + "\\" * n, 200_000, "unknown statement", 20_000
    ),
    "a backslash and a long line": Hostile(
        ".obj", lambda n: f"{TRIANGLE}f 1 2 3\n# C:\\x\nmtllib {'a' * n}\n", 1_000_000, 1, 20_000
    ),
    "continued lines": Hostile(
        ".obj", lambda n: TRIANGLE + "f 1 \\\n 2 \\\n 3\n" * n, 50_000, 50_000, 2_000
    ),
    "groups": Hostile(
        ".obj",
        lambda n: TRIANGLE + "".join(f"g {i}\nf 1 2 3\n" for i in range(n)),
        30_000,
        30_000,
        1_000,
    ),
    "groups of many vertices": Hostile(
        ".obj",
        lambda n: TRIANGLE + 50 * n * "v 0 0 0\n" + "".join(f"g {i}\nf 1 2 3\n" for i in range(n)),
        2_000,
        2_000,
        1_000,
    ),
    "a bad number behind many": Hostile(
        ".obj", lambda n: f"v {'1 ' * n}x\nf 1 1 1\n", 500_000, "'x' is not a number", 10_000
    ),
    "a bad index in a last line": Hostile(
        ".obj",
        lambda n: TRIANGLE + "f 1 2 3\n" * n + "f 1 2 x\n",
        100_000,
        "'x' is not a vertex index",
        4_000,
    ),
    "a polygon of millions": Hostile(
        ".obj",
        lambda n: f"{TRIANGLE}f {'1 2 3 ' * n}\n",
        1_700_000,
        "a face has 5,100,000 corners; the limit is 100,000",
    ),
    "a knot": Hostile(".obj", knot, 50_000, 49_998, 3_000),
    "comments": Hostile(".obj", lambda n: "# a\n" * n + f"{TRIANGLE}f 1 2 3\n", 200_000, 1, 5_000),
    "empty solids": Hostile(
        ".stl", lambda n: "solid\nendsolid\n" * n, 40_000, "contains no triangles", 2_000
    ),
    "solids of long names": Hostile(
        ".stl",
        lambda n: f"solid {'a' * 1000}\nendsolid\n" * n,
        2_000,
        "contains no triangles",
        1_000,
    ),
    "solids": Hostile(".stl", lambda n: f"solid\n{FACET}endsolid\n" * n, 9_000, 9_000, 500),
    "solids that never end": Hostile(
        ".stl", lambda n: f"solid\n{FACET}" * n, 5_000, 5_000, 500, lenient=True
    ),
    "a bad facet behind many": Hostile(
        ".stl",
        lambda n: f"solid\n{FACET * n}{FACET.replace('0 1 0', '0 1 x')}endsolid\n",
        9_000,
        "expected a number, found 'x'",
        500,
    ),
    "properties": Hostile(
        ".ply",
        lambda n: ply(
            "element junk 1\n" + "".join(f"property char a{i}\n" for i in range(n)), bytes(n)
        ),
        50_000,
        "no vertex element",
        2_000,
    ),
    "properties in text": Hostile(
        ".ply",
        lambda n: ply(
            "element junk 0\n" + "".join(f"property char a{i}\n" for i in range(n)), b"", "ascii"
        ),
        50_000,
        "no vertex element",
        3_000,
    ),
    "elements": Hostile(
        ".ply", lambda n: ply("element a 0\n" * n, b""), 80_000, "no vertex element", 3_000
    ),
    "strips of -1": Hostile(".ply", strips, 1_000_000, 1, 20_000),
    "faces of two sizes": Hostile(".ply", faces_of_two_sizes, 50_000, 150_000, 2_000),
    "a count of many digits": Hostile(
        ".ply",
        lambda n: ply(f"element vertex {'9' * n}\nproperty char x\n", b""),
        5_000,
        "has a count of 5,000 digits",
    ),
    "a bad number in the last face": Hostile(
        ".off",
        lambda n: f"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n{n} {'1 ' * (n - 1)}x\n",
        400_000,
        "'x' is not a number",
        10_000,
    ),
    "counts beyond measure": Hostile(
        ".off", lambda n: f"OFF\n1e{n} 1e{n} 0\n0 0 0\n", 300, "expected the counts of vertices"
    ),
    "zeros": Hostile(".gltf", zeros, 20_000_000, "accessors[0]: 60,000,000 values would take"),
    "a few zeros": Hostile(".gltf", zeros, 10_000, 200_000),
    "zeros just within the limit": Hostile(".gltf", lambda n: zeros(n // 20), 340_000, 340_000),
    "shared indices": Hostile(".glb", shared_indices, 8_000, "99,999 values would take"),
    "shared corners": Hostile(
        ".glb", lambda n: shared_indices(n, indexed=False), 40_000, "8,331 corners would take"
    ),
    "parts of one name": Hostile(".gltf", bolts, 20_000, 20_000, 1_000),
    "instances of a long name": Hostile(
        ".gltf",
        lambda n: (
            bolts(n)
            .replace(',"name":"bolt"', "")
            .replace('"meshes":[{', '"meshes":[{"name":" ' + "n" * 50 * n + '",')
        ),
        10_000,
        10_000,
        1_000,
    ),
    "nested JSON": Hostile(".gltf", lambda n: "[" * n, 900_000, "its JSON cannot be read"),
    "a bzip2 bomb": Hostile(
        ".3mf",
        lambda n: archive(bytes(n), method=zipfile.ZIP_BZIP2, declared=100),
        1_000_000,
        "is packed by method 12",
    ),
    "a deflate bomb that lies": Hostile(
        ".3mf", lambda n: archive(b" " * n, declared=100), 100_000_000, "cannot be unpacked"
    ),
    "a deflate bomb": Hostile(
        ".3mf", lambda n: archive(b" " * n), 100_000_000, "unpacked to 100,000,000 bytes"
    ),
    "components of components": Hostile(".3mf", laughs, 19, "524,287 placed parts would take"),
    "a namespace": Hostile(
        ".3mf", namespaces, 500_000, "a namespace has 500,000 characters; the limit is 1,000"
    ),
    "nested XML": Hostile(
        ".3mf",
        lambda n: archive(threemf_xml("<a>" * n, ITEM)),
        5_000_000,
        "what the XML holds would take",
    ),
    "nested vertices": Hostile(
        ".3mf",
        lambda n: archive(threemf_xml('<vertex x="0" y="0" z="0">' * n, ITEM)),
        1_000_000,
        "<vertex> stands in <resources>",
    ),
    "objects": Hostile(
        ".3mf",
        lambda n: archive(
            threemf_xml("".join(OBJECT.replace('"1"', f'"{i}"', 1) for i in range(1, n)), ITEM)
        ),
        5_000,
        1,
        500,
    ),
    "items": Hostile(
        ".3mf", lambda n: archive(threemf_xml(OBJECT, ITEM * n)), 20_000, 20_000, 1_000
    ),
    "attributes": Hostile(
        ".3mf",
        lambda n: archive(threemf_xml("<a " + " ".join(f'b{i}=""' for i in range(n)) + "/>", ITEM)),
        1_000_000,
        "a tag or comment is longer than",
    ),
    "members": Hostile(".3mf", members, 5_000, 1, 500),
    "entries of a directory": Hostile(".3mf", zip_entries, 100_000, "has 100,000 members"),
}
