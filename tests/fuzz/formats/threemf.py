"""3MF: XML in a zip archive; objects with meshes or components, placed by build items."""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile
import zlib
from collections.abc import Iterator
from random import Random
from xml.etree import ElementTree
from xml.parsers import expat

from fuzz import mutate, trees
from fuzz.counting import UncountableError, numbers, require, whole
from fuzz.layers import Layer, Layers

_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
_C, _P = f"{{{_CORE}}}", f"{{{_PRODUCTION}}}"
WORDS = (
    b'<triangle v1="0" v2="1" v3="2"/>|<vertex x="0" y="0" z="0"/>|<mesh>|</mesh>|'
    b'<object id="7">|</object>|<components>|</components>|<component objectid="1"/>|'
    b'<component objectid="2"/>|<item objectid="1"/>|<item objectid="2"/>|<vertices>|</vertices>|'
    b"<triangles>|</triangles>|1 0 0 0 1 0 0 0 1 5 0 0|1 0 0 0 1 0 0 0 1 1e300 0 0|1|2|3|"
    b'<!DOCTYPE x [<!ENTITY a "b">]>|<!-- c -->|<![CDATA[x]]>|&amp;|&#55296;|&x;|<?pi?>|'
    b' requiredextensions="p"| requiredextensions="q"| xmlns:q="urn:q"| transform="1 2"|'
    b' p:path="/3D/other.model"| p:path="/3D/3dmodel.model"| id="1"|encoding="UTF-16"|'
    b'encoding="latin-1"|encoding="UTF-9"|encoding="gbk"|name="\x1b[1m"| objectid="1"|'
    b"http://schemas.microsoft.com/3dmanufacturing/core/2015/02|"
    b"http://schemas.microsoft.com/3dmanufacturing/production/2015/06|"
    b'<beamlattice xmlns="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"/>|'
    b'<x>|</x>|<q:triangle v1="0" v2="1" v3="2"/>'
).split(b"|")


def extension(data: bytes) -> str:
    return ".3mf"


def count(data: bytes) -> int:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        package = _Package(archive)
        root = package.root()
        return sum(package.placed(root, item, 0) for item in package.model(root)[1])


# objects by number, build items
Model = tuple[dict[str, ElementTree.Element], list[ElementTree.Element]]


class _Package:
    """Triangles of each object of each model, counted once."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._members = {name.lstrip("/").lower(): name for name in archive.namelist()}
        require(len(self._members) == len(archive.namelist()), "two members of one name")
        self._models: dict[
            str, tuple[dict[str, ElementTree.Element], list[ElementTree.Element]]
        ] = {}
        self._counts: dict[tuple[str, str], int] = {}

    def _xml(self, path: str) -> ElementTree.Element:
        member = self._members.get(posixpath.normpath(path.lstrip("/")).lower())
        if member is None:
            raise UncountableError(f"no member {path[:80]!r}")
        return _tree(self._archive.read(member))

    def root(self) -> str:
        if "_rels/.rels" in self._members:
            for one in self._xml("_rels/.rels"):
                if one.get("Type", "").endswith("/3dmodel"):
                    return one.get("Target", "")
        return "3D/3dmodel.model"

    def model(self, path: str) -> Model:
        if path not in self._models:
            xml = self._xml(path)
            require(xml.tag == _C + "model", "no model")
            found = xml.findall(f"{_C}resources/{_C}object")
            objects = {one.attrib["id"].strip(): one for one in found}
            require(len(objects) == len(found), "two objects of one number")
            items = xml.findall(f"{_C}build/{_C}item")
            # what stands elsewhere would be lost
            for kind, places in (("object", len(found)), ("item", len(items))):
                require(len(list(xml.iter(_C + kind))) == places, f"an {kind} out of place")
            self._models[path] = objects, items
        return self._models[path]

    def placed(self, path: str, item: ElementTree.Element, depth: int) -> int:
        """Triangles of a build item or component."""
        require(depth <= 64, "components without end")
        path = item.get(_P + "path") or path
        key = item.attrib["objectid"].strip()
        if (path, key) not in self._counts:
            objects, _ = self.model(path)
            require(key in objects, "an object that is missing")
            self._counts[path, key] = self._triangles(path, objects[key], depth)
        return self._counts[path, key]

    def _triangles(self, path: str, found: ElementTree.Element, depth: int) -> int:
        triangles = found.findall(f"{_C}mesh/{_C}triangles/{_C}triangle")
        components = found.findall(f"{_C}components/{_C}component")
        vertices = found.findall(f"{_C}mesh/{_C}vertices/{_C}vertex")
        for vertex in vertices:
            numbers([vertex.attrib[axis].strip().encode() for axis in "xyz"])
        told = {"triangle": triangles, "component": components, "vertex": vertices}
        for kind, places in told.items():
            require(len(list(found.iter(_C + kind))) == len(places), f"a {kind} out of place")
        for triangle in triangles:
            for corner in ("v1", "v2", "v3"):
                whole(triangle.attrib[corner].strip().encode())
        return len(triangles) + sum(self.placed(path, one, depth + 1) for one in components)


def _tree(text: bytes) -> ElementTree.Element:
    """As ElementTree reads it, which cannot read a namespace with a brace in it."""

    def named(name: str) -> str:
        space, _, local = name.rpartition(" ")
        return f"{{{space}}}{local}" if space else local

    builder, parser = ElementTree.TreeBuilder(), expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda name, attributes: builder.start(
        named(name), {named(key): value for key, value in attributes.items()}
    )
    parser.EndElementHandler = lambda name: builder.end(named(name))
    parser.Parse(text, True)
    return builder.close()


def layers(data: bytes) -> Layers:
    found = list(members(data))
    for i, (name, method, content) in enumerate(found):

        def rebuilt(changed: bytes, i: int = i, name: bytes = name, method: int = method) -> bytes:
            return archive([*found[:i], (name, method, changed), *found[i + 1 :]])

        yield Layer(content, trees.xml(WORDS), rebuilt, weight=20 if b".model" in name else 2)
    yield Layer(data, _lie, bytes, weight=3)
    if found:
        yield Layer(data, lambda _, rng: archive(_other_members(found, rng)), bytes, weight=2)


Members = list[tuple[bytes, int, bytes]]


def members(data: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    """Name, method and content of what the local headers of an archive announce."""
    at = 0
    while data[at : at + 4] == b"PK\3\4" and len(data) >= at + 30:
        method, packed, name, extra = struct.unpack_from("<8xH8xI4xHH", data, at)
        start = at + 30 + name + extra
        content = data[start : start + packed]
        at, name = start + packed, data[at + 30 : at + 30 + name]
        if method == zipfile.ZIP_DEFLATED:
            try:
                content = zlib.decompressobj(-15).decompress(content, 1 << 16)
            except zlib.error:
                continue
        yield name, method, content


def archive(found: Members) -> bytes:
    """The archive of these members."""
    body, directory = b"", b""
    for name, method, content in found:
        packed = content
        if method == zipfile.ZIP_DEFLATED:
            deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
            packed = deflate.compress(content) + deflate.flush()
        fields = struct.pack(
            "<HHHHHIIIHH", 20, 0, method, 0, 33, zlib.crc32(content), len(packed), len(content),
            len(name), 0,
        )  # fmt: skip
        directory += b"PK\1\2\x14\0" + fields + struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name
        body += b"PK\3\4" + fields + name + packed
    sizes = struct.pack("<HHHHIIH", 0, 0, len(found), len(found), len(directory), len(body), 0)
    return body + directory + b"PK\5\6" + sizes


def _other_members(found: Members, rng: Random) -> Members:
    """A member left out, doubled, renamed, moved or packed in another way."""
    at = rng.randrange(len(found))
    name, method, content = found[at]
    chosen = rng.randrange(5)
    if chosen == 0:
        return found[:at] + found[at + 1 :]
    if chosen == 1:
        return [*found, (name, method, content)]
    if chosen == 2:
        names = (
            b"_rels/.rels",
            b"3D/3dmodel.model",
            b"3d/3DMODEL.MODEL",
            b"/3D/other.model",
            b"\xff",
        )
        return [*found, (rng.choice(names), method, content)]
    if chosen == 3:
        return found[at:] + found[:at]
    other = rng.choice((0, 8, 12, 14, 99))
    return [*found[:at], (name, other, content), *found[at + 1 :]]


def _lie(data: bytes, rng: Random) -> bytes:
    """One field of a header is another: a size, a method, a flag, a checksum, an offset."""
    headers = [at for mark in (b"PK\3\4", b"PK\1\2", b"PK\5\6") for at in mutate.places(data, mark)]
    if not headers:
        return mutate.raw(data, rng)
    at, width = rng.choice(headers) + rng.randrange(4, 46), rng.choice((1, 2, 4))
    return mutate.replaced(data, at, at + width, mutate.integer(data[at : at + width], rng, width))
